#include "image_check.h"

#include "file_view.h"

namespace faults {
std::string check_image(const Workload& workload, mpq::Span<const std::byte> image, unsigned rows) {
  const view::File file(image);
  if (!file.whole()) return "no whole Parquet file";
  if (file.rows() != rows)
    return std::to_string(file.rows()) + " rows in the footer, not " + std::to_string(rows);
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
