#include "row_batch.h"

#include <cstring>

namespace faults {

void RowBatch::collect(RowSource& source, unsigned begin, unsigned end) {
  for (Column& column : columns_) column = {};
  for (unsigned row = begin; row < end; ++row) {
    const mpq::Span<const mpq::Value> values = source.row(row);
    for (std::size_t i = 0; i < values.size(); ++i) {
      Column& column = columns_[i];
      const mpq::Field& field = workload_.schema[i];
      const std::size_t width = mpq::value_bytes(field.type, field.type_length);
      column.valid.push_back(values[i].null ? 0 : 1);
      column.texts.emplace_back(values[i].bytes);
      column.fixed.resize(column.fixed.size() + width);
      if (values[i].null || width == 0) continue;
      const bool bytes = field.type == mpq::Type::kFixedLenByteArray;
      const void* const from = bytes ? static_cast<const void*>(values[i].bytes.data()) : &values[i].int64;
      std::memcpy(column.fixed.data() + column.fixed.size() - width, from, width);
    }
  }
  for (Column& column : columns_) column.views.assign(column.texts.begin(), column.texts.end());
}

mpq::Status RowBatch::append(mpq::Writer& writer, RowSource& source, unsigned begin, unsigned end) {
  collect(source, begin, end);
  std::vector<mpq::ColumnData> columns(columns_.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const mpq::Field& field = workload_.schema[i];
    columns[i].values = columns_[i].fixed.data();
    if (field.type == mpq::Type::kByteArray) columns[i].values = columns_[i].views.data();
    if (field.repetition == mpq::Repetition::kOptional) columns[i].valid = columns_[i].valid.data();
  }
  return writer.append_columns(columns, end - begin);
}

}  // namespace faults
