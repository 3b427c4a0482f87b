#include "image_check.h"

#include <cstring>

#include "support/file_view.h"

namespace faults {
namespace {

// Each of them, and nothing else but what is set late.
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
  const std::string_view extension = file.footer().text(view::id::kExtension);
  if (extension.size() >= kBegin + sizeof id) std::memcpy(&id, extension.data() + kBegin, sizeof id);
  return id;
}

// Until a resumed file has a footer of its writer's, it tells what the first one said.
bool starts_well(const view::File& file, const Workload& workload, unsigned rows) {
  const bool resumed = workload.first_rows != 0;
  const mpq::FileStart& first = resumed ? workload.first_start : workload.start;
  if (first.file_id != 0 && file_id(file) != first.file_id) return false;
  const bool first_footer = resumed && rows < workload.first_rows && tells(file, first.key_values);
  return first_footer || tells(file, workload.start.key_values);
}

}  // namespace

std::string check_image(const Workload& workload, mpq::Span<const std::byte> image, unsigned rows) {
  const view::File file(image);
  if (!file.whole()) return "no whole Parquet file";
  if (file.rows() != rows)
    return std::to_string(file.rows()) + " rows in the footer, not " + std::to_string(rows);
  if (!starts_well(file, workload, rows)) return "its key-values or its id are others than at its start";
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
