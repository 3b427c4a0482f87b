// Values that an ending page leaves for the next ones.
#pragma once

#include <cstdint>

#include "microparquet/detail/column_writer.h"
#include "microparquet/detail/page_plan.h"

namespace microparquet::encoding {

// Whether this number of fixed-width values, which the open page does not take, is sure to find other pages. As
// PageBody::pages_left() counts them, without its division.
[[gnu::noinline]] inline bool may_keep(const PageBody& page, std::uint32_t values) {
  const auto& column = static_cast<const detail::ColumnWriter&>(page);
  const detail::ColumnPlan& plan = *column.plan;
  const std::uint32_t pages =
      1 + detail::pages_of_values(values, plan.shape.value_bytes, plan.page_bytes, plan.header_bytes);
  return column.levels == nullptr && column.extent_bytes >= column.chunk_bytes + pages * plan.page_bytes;
}

}  // namespace microparquet::encoding
