// ColumnOrder (parquet.thrift), as any writer may have written it.
#pragma once

#include <cstdint>

#include "microparquet/detail/format/fields.h"
#include "thrift/compact_reader.h"

namespace microparquet::format {

// Whether FileMetaData.column_orders, which is next, says of the column that bounds are in the order of its type:
// TYPE_ORDER, or of floating point IEEE754_TOTAL_ORDER, which differs in what it says of zeros and NaN only. Of a
// list that is not one of `columns` columns nothing is believed.
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
