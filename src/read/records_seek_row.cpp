// Seeking to a row of events by its number.
#include "base/try.h"
#include "microparquet/records.h"

namespace microparquet {

// Begins the row group again: each column may already have loaded an item of the next row.
Status Records::seek_row(std::uint32_t row_group, std::uint64_t row) {
  if (leaf_count_ == 0) return Status::kWrongState;
  MICROPARQUET_TRY(seek_row_group(row_group));
  if (row >= rows_left_) return Status::kInvalidArgument;
  for (std::uint32_t i = 0; i < leaf_count_; ++i) {
    const Status status = reader_.seek_items(leaves_[i].place, row);
    if (status == Status::kOk) continue;
    lost_ = true;
    return status;
  }
  rows_left_ -= row;
  return Status::kOk;
}

}  // namespace microparquet
