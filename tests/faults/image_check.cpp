#include "image_check.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "microparquet/port/memory_file.h"
#include "microparquet/read_all.h"
#include "microparquet/reader.h"
#include "support/file_view.h"
#include "table_encoder.h"

namespace faults {
namespace {

// Whether the file has each of these key-values, and no other one but that which is set late.
bool tells(const view::File& file, mpq::Span<const mpq::KeyValue> pairs) {
  std::size_t others = file.key_value(kLateKey).empty() ? 0 : 1;
  for (const mpq::KeyValue& pair : pairs) {
    if (file.key_value(pair.key) != pair.value) return false;
    if (pair.key == kLateKey) others = 0;
  }
  return file.key_values() == pairs.size() + others;
}

std::uint32_t file_id(const view::File& file) {
  constexpr std::size_t kBegin = 8;
  std::uint32_t id = 0;
  const std::string_view extension = file.footer().text(view::id::kFooterExtension);
  if (extension.size() >= kBegin + sizeof id) std::memcpy(&id, extension.data() + kBegin, sizeof id);
  return id;
}

// Checks key-values: until a resumed file has a footer of its writer's, it has those of the first one.
bool starts_well(const view::File& file, const Workload& workload, unsigned rows) {
  const bool resumed = workload.first_rows != 0;
  const mpq::FileStart& first = resumed ? workload.first_start : workload.start;
  if (first.file_id != 0 && file_id(file) != first.file_id) return false;
  const bool first_footer = resumed && rows < workload.first_rows && tells(file, first.key_values);
  return first_footer || tells(file, workload.start.key_values);
}

// The bytes of a value that is not null, as Workload has it.
std::string stored_bytes(const mpq::Cell& cell, mpq::Type type) {
  const auto bytes = [](auto value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof value);
  };
  switch (type) {
    case mpq::Type::kInt32: return bytes(cell.as<std::int32_t>());
    case mpq::Type::kInt64: return bytes(cell.as<std::int64_t>());
    case mpq::Type::kFloat: return bytes(cell.as<float>());
    case mpq::Type::kDouble: return bytes(cell.as<double>());
    default: return std::string(cell.text());
  }
}

// Compressed pages, and indices of any width, are for the library's reader.
bool needs_reader(const Workload& workload) {
  return std::any_of(workload.schema.begin(), workload.schema.end(), [](const mpq::Field& field) {
    return field.compressor != nullptr ||
           (field.encoder->dictionary != nullptr && field.encoder != &extension::kTableEncoder);
  });
}

std::string check_by_reader(const Workload& workload, mpq::Span<const std::byte> image, unsigned rows) {
  mpq::ReaderOptions options;
  options.buffer_bytes = 4096;
  options.decoders = mpq::kAllDecoders;
  options.decompressors = mpq::kAllDecompressors;
  std::vector<std::uint64_t> arena(
      mpq::Reader::required_bytes(workload.schema.size(), workload.schema.size(), options) / 8 + 1);
  mpq::MemoryFile file({const_cast<std::byte*>(image.data()), image.size()}, image.size());
  mpq::Reader reader;
  mpq::Status status = reader.open(
      file, options, mpq::Span<std::byte>(reinterpret_cast<std::byte*>(arena.data()), arena.size() * 8));
  if (status == mpq::Status::kOk) status = reader.choose_all();
  if (status != mpq::Status::kOk) return std::string("the reader does not open it: ") + to_string(status);
  RowSource source(workload);
  for (unsigned row = 0; row < rows; ++row) {
    status = reader.next_row();
    if (status != mpq::Status::kOk)
      return "row " + std::to_string(row) + " is not read: " + to_string(status);
    const mpq::Span<const mpq::Value> values = source.row(row);
    for (std::uint32_t i = 0; i < workload.schema.size(); ++i) {
      const mpq::Field& field = workload.schema[i];
      const mpq::Cell cell = reader.cell(i);
      const bool same = cell.null() == values[i].null &&
                        (cell.null() || stored_bytes(cell, field.type) == bytes_of(values[i], field));
      if (!same) return "row " + std::to_string(row) + ", column " + std::string(field.name) + " is wrong";
    }
  }
  return reader.next_row() == mpq::Status::kEnd ? "" : "more than the rows";
}

}  // namespace

std::string check_image(const Workload& workload, mpq::Span<const std::byte> image, unsigned rows) {
  const view::File file(image);
  if (!file.whole()) return "no whole Parquet file";
  if (file.rows() != rows)
    return std::to_string(file.rows()) + " rows in the footer, not " + std::to_string(rows);
  if (!starts_well(file, workload, rows)) return "its key-values or its id are others than at its start";
  if (needs_reader(workload)) return check_by_reader(workload, image, rows);
  std::vector<view::Column> columns;
  for (std::uint32_t i = 0; i < workload.schema.size(); ++i) columns.emplace_back(file, i);
  RowSource source(workload);
  view::Cell cell = {};
  for (unsigned row = 0; row < rows; ++row) {
    const mpq::Span<const mpq::Value> values = source.row(row);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool same = columns[i].next(cell) && cell.null == values[i].null &&
                        (cell.null || cell.bytes == bytes_of(values[i], workload.schema[i]));
      if (!same) {
        return "row " + std::to_string(row) + ", column " + std::string(workload.schema[i].name) +
               " is wrong";
      }
    }
  }
  for (view::Column& column : columns) {
    if (column.next(cell) || !column.sound()) return "more than the rows, or an unsound page";
  }
  return {};
}

}  // namespace faults
