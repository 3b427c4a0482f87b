// Index of the footer's row groups, in memory of the caller.
#include "microparquet/row_group_index.h"

#include "base/try.h"
#include "format/row_group_reader.h"
#include "microparquet/detail/reader_access.h"
#include "read/pass_pages.h"

namespace microparquet {

// Reads the number of rows of an entry. The footer's window then stands after the entry.
Status RowGroupIndex::read(Entry& entry) {
  detail::ReaderState& state = detail::ReaderAccess::state(reader_);
  state.footer.seek(entry.footer_byte, state.footer_begin + state.footer_bytes);
  thrift::CompactReader in(state.footer);
  format::RowGroup row_group;
  format::read_row_group(in, row_group, [&in](std::uint32_t count) {
    for (; count != 0 && in.ok(); --count) in.skip_struct();
  });
  entry.rows = row_group.rows;
  return in.status();
}

// Reads the entry that follows one just read.
Status RowGroupIndex::read_next(Entry& entry) {
  entry.footer_byte = detail::ReaderAccess::state(reader_).footer.position();
  entry.first_row += entry.rows;
  ++entry.row_group;
  return read(entry);
}

Status RowGroupIndex::build() {
  detail::ReaderState& state = detail::ReaderAccess::state(reader_);
  step_ = 0;
  if (state.file == nullptr) return Status::kWrongState;
  if (places_.empty()) return Status::kInvalidArgument;
  const std::uint32_t groups = state.row_groups;
  std::uint32_t step = 1;
  if (places_.size() < groups) {
    const auto places = static_cast<std::uint32_t>(places_.size());
    step = (groups - 1) / places + 1;
  }
  count_ = 0;
  Entry entry = {0, state.row_groups_begin, 0, 0};
  if (groups != 0) MICROPARQUET_TRY(read(entry));
  while (entry.row_group < groups) {
    if (entry.row_group == count_ * step) places_[count_++] = {entry.first_row, entry.footer_byte};
    if (entry.row_group == groups - 1) break;
    MICROPARQUET_TRY(read_next(entry));
  }
  step_ = step;
  return Status::kOk;
}

// Makes the entry the reader's next row group.
void RowGroupIndex::enter(const Entry& entry) {
  detail::ReaderState& state = detail::ReaderAccess::state(reader_);
  state.next_row_group = entry.row_group;
  state.next_entry = entry.footer_byte;
}

Status RowGroupIndex::seek_row_group(std::uint32_t row_group) {
  detail::ReaderState& state = detail::ReaderAccess::state(reader_);
  if (step_ == 0 || state.file == nullptr) return Status::kWrongState;
  if (row_group >= state.row_groups) return Status::kInvalidArgument;
  const std::uint32_t place = row_group / step_;
  enter({place * step_, places_[place].footer_byte, 0, 0});
  return reader_.seek_row_group(row_group);
}

Status RowGroupIndex::seek_row(std::uint64_t row) {
  detail::ReaderState& state = detail::ReaderAccess::state(reader_);
  if (step_ == 0 || state.file == nullptr || state.chosen == 0) return Status::kWrongState;
  if (row >= state.file_rows) return Status::kInvalidArgument;
  std::uint32_t low = 0;  // the last place that does not begin after the row
  for (std::uint32_t after = count_; after - low > 1;) {
    const std::uint32_t middle = low + (after - low) / 2;
    (places_[middle].first_row <= row ? low : after) = middle;
  }
  Entry entry = {low * step_, places_[low].footer_byte, places_[low].first_row, 0};
  MICROPARQUET_TRY(read(entry));
  while (row - entry.first_row >= entry.rows) MICROPARQUET_TRY(read_next(entry));
  const std::uint64_t row_in_group = row - entry.first_row;
  if (!read::stands_before(state, entry.row_group, entry.rows - row_in_group)) {
    enter(entry);
    MICROPARQUET_TRY(reader_.seek_row_group(entry.row_group));
  }
  return reader_.seek_row(entry.row_group, row_in_group);
}

}  // namespace microparquet
