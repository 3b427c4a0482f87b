// Reading ColumnOrder (parquet.thrift) from any writer.
#pragma once

#include <cstdint>

#include "microparquet/detail/format/fields.h"
#include "thrift/compact_reader.h"

namespace microparquet::format {

// Reads FileMetaData.column_orders, which is next, and returns whether the column's bounds are in the order
// of its type. TYPE_ORDER is that order, and so is IEEE754_TOTAL_ORDER of floating point, which differs only
// for zeros and NaN. A list without exactly `columns` entries counts for nothing.
static inline bool has_type_order(thrift::CompactReader& in, std::uint32_t columns, std::uint32_t column,
                                  bool is_floating) {
  thrift::FieldHeader list;
  list.type = thrift::CompactType::kList;
  if (in.list(list, thrift::CompactType::kStruct) != columns) return false;
  for (std::uint32_t i = 0; i < column && in.ok(); ++i) in.skip_struct();
  thrift::FieldHeader order;
  if (!in.next(order)) return false;
  return order.id == ColumnOrderField::kTypeOrder ||
         (is_floating && order.id == ColumnOrderField::kIeee754TotalOrder);
}

}  // namespace microparquet::format
