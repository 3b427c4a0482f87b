#include "image.h"

#include <algorithm>
#include <cstring>

#include "small_reader.h"

namespace lives {
namespace {

std::string row_text(RowId id) {
  return "row " + std::to_string(id & 0xFFFFFFFF) + " of boot " + std::to_string(id >> 32);
}

bool same_schema(const small::File& file, const Plan& plan) {
  const auto same = [](const small::Column& column, const mpq::Field& field) {
    return column.name == field.name && column.type == static_cast<int>(field.type) &&
           column.repetition == static_cast<int>(field.repetition) &&
           (field.type != mpq::Type::kFixedLenByteArray ||
            column.type_length == static_cast<int>(field.type_length));
  };
  return std::equal(file.columns.begin(), file.columns.end(), plan.fields.begin(), plan.fields.end(), same);
}

Fault check_key_values(small::File& file, const Expected& expected, Found& found) {
  std::sort(file.key_values.begin(), file.key_values.end());
  for (std::size_t i = expected.key_values.size(); i-- != expected.least_key_values;) {
    KeyValues wanted = expected.key_values[i];
    std::sort(wanted.begin(), wanted.end());
    if (file.key_values != wanted) continue;
    found.key_values = i;
    return {};
  }
  std::string text = "it has the key-values";
  for (const auto& [key, value] : file.key_values) text += " " + key + "=" + value.substr(0, 12);
  text += ", not those that were set:";
  for (const auto& [key, value] : expected.key_values.back()) text += " " + key + "=" + value.substr(0, 12);
  return {Wrong::kKeyValues, text};
}

// The column that says which rows these are.
Fault check_ids(const small::File& file, const Plan& plan, const Expected& expected) {
  std::size_t row = 0;
  Fault fault;
  for (const small::RowGroup& row_group : file.row_groups) {
    const std::size_t begin = row;
    const small::Chunk& chunk = row_group.chunks[plan.id_column];
    const auto visit = [&](bool, std::string_view value) {
      RowId id = 0;
      std::memcpy(&id, value.data(), sizeof id);
      if (row < expected.rows.size() && id == expected.rows[row]) {
        ++row;
        return true;
      }
      const std::string wanted = row < expected.rows.size() ? row_text(expected.rows[row]) : "the end";
      fault = {row < expected.least_rows ? Wrong::kDurableRowsLost : Wrong::kWrongRows,
               "at " + std::to_string(row) + " stands " + row_text(id) + " instead of " + wanted};
      return false;
    };
    const std::string wrong = file.read(row_group, plan.id_column, visit);
    if (!wrong.empty()) return {Wrong::kUnreadable, "row " + std::to_string(row) + ": " + wrong};
    if (fault) return fault;
    if (row == begin) continue;
    for (const small::SortedBy& sorted : row_group.sorted_by) {
      if (sorted.column == static_cast<int>(plan.id_column) && sorted.descending && row - begin > 1 &&
          &sorted == row_group.sorted_by.data())
        return {Wrong::kWrongRows, "a row group is said to be sorted, and is not"};
    }
    if (!chunk.least || !chunk.greatest) continue;
    const auto bound = [](RowId id) { return std::string(reinterpret_cast<const char*>(&id), sizeof id); };
    if (*chunk.least != bound(expected.rows[begin]) || *chunk.greatest != bound(expected.rows[row - 1]))
      return {Wrong::kWrongRows, "a row group has wrong bounds"};
  }
  return {};
}

Fault check_cells(const small::File& file, const Plan& plan, const Expected& expected) {
  Cells cells(plan);
  std::size_t first = 0;
  for (const small::RowGroup& row_group : file.row_groups) {
    for (std::size_t i = 0; i < plan.fields.size(); ++i) {
      std::size_t row = first;
      std::int64_t nulls = 0;
      bool same = true;
      const auto visit = [&](bool null, std::string_view value) {
        const CellValue wanted = cells.cell(i, expected.rows[row]);
        same = null == wanted.null && value == wanted.bytes;
        nulls += null ? 1 : 0;
        if (same) ++row;
        return same;
      };
      const std::string wrong = i == plan.id_column ? "" : file.read(row_group, i, visit);
      const std::string place =
          row_text(expected.rows[std::min(row, expected.rows.size() - 1)]) + ", column " + std::to_string(i);
      if (!wrong.empty()) return {Wrong::kUnreadable, place + ": " + wrong};
      if (!same) return {Wrong::kWrongRows, place + " has another value"};
      if (row_group.chunks[i].nulls > 0 && row_group.chunks[i].nulls != nulls)
        return {Wrong::kWrongRows, place + ": the row group has another number of nulls than it says"};
    }
    first += static_cast<std::size_t>(row_group.rows);
  }
  return {};
}

}  // namespace

const char* to_string(Wrong wrong) {
  constexpr const char* kNames[] = {"nothing",    "durable_rows_lost",   "wrong_rows", "unreadable",
                                    "key_values", "loss_bound_exceeded", "calls"};
  static_assert(std::size(kNames) == kWrongs);
  return kNames[static_cast<unsigned>(wrong)];
}

Fault check_image(mpq::Span<const std::byte> bytes, const Plan& plan, const Expected& expected,
                  small::Unpack unpack, Found& found) {
  found = {};
  if (bytes.empty()) {
    found.empty = true;
    if (expected.may_be_empty) return {};
    return {expected.least_rows != 0 ? Wrong::kDurableRowsLost : Wrong::kUnreadable, "the file has no bytes"};
  }
  small::File file(unpack);
  const std::string wrong = file.open({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (!wrong.empty()) return {Wrong::kUnreadable, wrong};
  if (!same_schema(file, plan)) return {Wrong::kUnreadable, "it has another schema"};
  if (file.rows < expected.least_rows) {
    return {Wrong::kDurableRowsLost, "there are " + std::to_string(file.rows) + " rows, but " +
                                         std::to_string(expected.least_rows) + " were durable"};
  }
  if (Fault fault = check_ids(file, plan, expected)) return fault;
  found.rows = static_cast<std::size_t>(file.rows);
  if (Fault fault = check_cells(file, plan, expected)) return fault;
  return check_key_values(file, expected, found);
}

}  // namespace lives
