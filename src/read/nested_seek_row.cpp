// Seeking to a row of nested columns by its number.
#include "base/try.h"
#include "microparquet/detail/nested_rows.h"

namespace microparquet::detail {

// A failure leaves the columns at different rows; `at_` says so, and no row can be read.
Status NestedRows::seek_row(std::uint32_t row_group, std::uint64_t row) {
  if (plan_ == nullptr) return Status::kWrongState;
  const bool there = at_ != At::kNoFile && in_row_group_ && reader_->row_group() == row_group;
  const bool passed = !there || row < reader_->row_group_rows() - rows_left_;
  if (passed) MICROPARQUET_TRY(seek_row_group(row_group));
  if (row >= reader_->row_group_rows()) return Status::kInvalidArgument;
  at_ = At::kNoFile;
  for (std::uint32_t i = 0; i < plan_->leaves.size(); ++i) MICROPARQUET_TRY(reader_->seek_items(i, row));
  at_ = At::kBetweenRows;
  rows_left_ = reader_->row_group_rows() - row;
  return Status::kOk;
}

}  // namespace microparquet::detail
