#include "cells.h"

#include <cstring>

namespace lives {

using mpq::Type;

std::string_view Cells::text(std::uint64_t bits, const ColumnHabit& habit) {
  const auto bytes = static_cast<std::size_t>(bits % (habit.longest + 1));
  const std::uint64_t letters = habit.text ? 0x6161616161616161 : 0x8080808080808080;
  for (std::size_t i = 0; i < bytes; i += 8) {
    const std::uint64_t word = letters + (mix(bits + i) & 0x0F0F0F0F0F0F0F0F);
    std::memcpy(scratch_.data() + i, &word, 8);
  }
  return {scratch_.data(), bytes};
}

// Random bits that follow the column's course.
std::uint64_t Cells::bits_of(std::size_t column, RowId id) const {
  const ColumnHabit& habit = plan_.habits[column];
  const std::uint64_t of_column = mix(plan_.seed ^ (column + 1) << 40);
  const std::uint64_t any = mix(of_column ^ mix(id));
  const std::uint64_t row = id & 0xFFFFFFFF;
  const std::uint64_t few = mix(of_column + any % (2 + of_column % 60));
  switch (habit.course) {
    case Course::kRuns: return mix(of_column ^ (id >> 32) << 20 ^ row / (1 + of_column % 50));
    case Course::kFew: return few;
    case Course::kPhases: return row / (10 + of_column % 90) % 2 == 0 ? few : any;
    default: return any;
  }
}

// Integers, whose course may also be steps or extremes.
std::uint64_t Cells::number_of(std::size_t column, RowId id) const {
  const ColumnHabit& habit = plan_.habits[column];
  const std::uint64_t bits = bits_of(column, id);
  const std::uint64_t of_column = mix(plan_.seed ^ (column + 1) << 40);
  if (habit.course == Course::kSteps) {
    const std::uint64_t step = (of_column >> 8 & 1) != 0 ? of_column % 100'000 : 0 - of_column % 1000;
    const std::uint64_t jitter = bits & ((std::uint64_t{1} << of_column % 20) - 1);
    return of_column + (id >> 32) * 1'000'000 + (id & 0xFFFFFFFF) * step + jitter;
  }
  if (habit.course == Course::kExtremes) {
    constexpr std::uint64_t kInt32 = 0x80000000;
    constexpr std::uint64_t kInt64 = 0x8000000000000000;
    constexpr std::uint64_t kNumbers[] = {0,          1,      kInt32 - 1,      kInt32,
                                          kInt64 - 1, kInt64, kInt64 + kInt32, 0 - std::uint64_t{1}};
    return kNumbers[bits >> 60 & 7];
  }
  return bits;
}

CellValue Cells::cell(std::size_t column, RowId id) {
  const mpq::Field& field = plan_.fields[column];
  const ColumnHabit& habit = plan_.habits[column];
  if (column == plan_.id_column) {
    std::memcpy(scratch_.data(), &id, sizeof id);
    return {false, {scratch_.data(), sizeof id}};
  }
  const std::uint64_t chance = mix(plan_.seed ^ mix(id + 1) ^ column << 48);
  if (chance >> 40 < habit.nulls * ((std::uint64_t{1} << 24) / 100)) return {true, {}};
  const bool follows = habit.course != Course::kAny;
  const bool counts = field.type != Type::kByteArray && field.type != Type::kFixedLenByteArray;
  const std::uint64_t course = !follows ? 0 : counts ? number_of(column, id) : bits_of(column, id);
  const std::uint64_t bits = !habit.varies ? plan_.seed : follows ? course : mix(chance);
  if (field.type == Type::kByteArray) return {false, text(bits, habit)};
  const std::uint32_t width = mpq::value_bytes(field.type, field.type_length);
  const std::uint64_t number = habit.values != 0 ? bits % habit.values : bits;
  for (std::size_t i = 0; i < width; i += 8) {
    const std::uint64_t word = i == 0 ? number : mix(bits + i);
    std::memcpy(scratch_.data() + i, &word, 8);
  }
  // No NaN: those of other readers need not keep their bits.
  const bool all_ones =
      field.type == Type::kFloat ? (number >> 23 & 0xFF) == 0xFF : (number >> 52 & 0x7FF) == 0x7FF;
  const bool real = field.type == Type::kFloat || field.type == Type::kDouble;
  if (real && all_ones) std::memset(scratch_.data(), 0, width);
  return {false, {scratch_.data(), width}};
}

Rows::Rows(const Plan& plan)
    : plan_(plan),
      cells_(plan),
      row_(plan.fields.size()),
      texts_(plan.fields.size()),
      batches_(plan.fields.size()),
      columns_(plan.fields.size()) {}

mpq::Value Rows::value(std::size_t column, const CellValue& cell) {
  const mpq::Field& field = plan_.fields[column];
  mpq::Value value;
  value.type = field.type;
  value.null = cell.null;
  if (cell.null) return value;
  switch (field.type) {
    case Type::kBoolean: value.boolean = cell.bytes[0] != 0; break;
    case Type::kInt32: std::memcpy(&value.int32, cell.bytes.data(), 4); break;
    case Type::kFloat: std::memcpy(&value.float32, cell.bytes.data(), 4); break;
    case Type::kInt64: std::memcpy(&value.int64, cell.bytes.data(), 8); break;
    case Type::kDouble: std::memcpy(&value.float64, cell.bytes.data(), 8); break;
    default:
      texts_[column] = cell.bytes;
      value.bytes = texts_[column];
      break;
  }
  return value;
}

mpq::Span<const mpq::Value> Rows::row(RowId id) {
  for (std::size_t i = 0; i < row_.size(); ++i) row_[i] = value(i, cells_.cell(i, id));
  return {row_.data(), row_.size()};
}

mpq::Span<const mpq::ColumnData> Rows::batch(RowId first, unsigned rows) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const mpq::Field& field = plan_.fields[i];
    Batch& batch = batches_[i];
    batch = {};
    for (RowId id = first; id < first + rows; ++id) {
      const CellValue cell = cells_.cell(i, id);
      batch.valid.push_back(cell.null ? 0 : 1);
      batch.texts.emplace_back(cell.bytes);
      batch.values += cell.bytes;
      if (cell.null) batch.values.append(mpq::value_bytes(field.type, field.type_length), '\x55');
    }
    for (const std::string& text : batch.texts) batch.views.emplace_back(text);
    const bool texts = field.type == Type::kByteArray;
    columns_[i].values = texts ? static_cast<const void*>(batch.views.data()) : batch.values.data();
    columns_[i].valid = field.repetition == mpq::Repetition::kOptional
                            ? reinterpret_cast<const std::uint8_t*>(batch.valid.data())
                            : nullptr;
  }
  return {columns_.data(), columns_.size()};
}

}  // namespace lives
