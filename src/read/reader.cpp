// Opening a file. src/README.md describes a byte's path through the reader.
#include "microparquet/reader.h"

#include "base/bytes.h"
#include "base/try.h"
#include "read/choose.h"
#include "read/footer.h"
#include "read/row_group.h"

namespace microparquet {

namespace {

using detail::Leaf;
using detail::ReaderState;

Status open_file(ReaderState& state) {
  const ReaderOptions& options = *state.options;
  if (options.buffer_bytes < detail::kMinWindow || options.buffer_bytes > detail::kMaxBuffer ||
      options.footer_bytes < detail::kMinWindow)
    return Status::kInvalidArgument;
  if (reinterpret_cast<std::uintptr_t>(state.arena.data()) % 8 != 0) return Status::kInvalidArgument;
  const std::size_t head = detail::reader_head_bytes(0, options.footer_bytes);
  if (state.arena.size() < head) {
    state.needed_bytes = head;
    return Status::kOutOfMemory;
  }
  state.footer.begin(*state.file, state.arena.data(), options.footer_bytes);
  state.leaves = reinterpret_cast<Leaf*>(state.arena.data() + head);
  MICROPARQUET_TRY(read::find_footer(state));
  return read::read_footer(state);
}

}  // namespace

// Zeroes the state, which means that no file is open.
void Reader::reset() { util::clear_bytes(&state_, sizeof state_); }

Status Reader::open(File& file, const ReaderOptions& options, Span<std::byte> arena) {
  reset();
  state_.file = &file;
  state_.options = &options;
  state_.arena = arena;
  const Status status = open_file(state_);
  if (status == Status::kOk) {
    read::go_to_start(state_);
    return Status::kOk;
  }
  // The reader has no file now, but keeps what the caller may ask about the failure.
  std::uint64_t needed = state_.needed_bytes;
  if (status == Status::kOutOfMemory && needed == 0) {
    needed = detail::reader_head_bytes(state_.leaf_count, options.footer_bytes);
  }
  const std::uint64_t failed_at = state_.footer.position();
  reset();
  state_.needed_bytes = needed;
  state_.failed = detail::kNoPlace;
  state_.failed_status = status;
  state_.footer.offset = failed_at;
  return status;
}

Status Reader::next_row_group() {
  if (state_.file == nullptr) return Status::kWrongState;
  for (;;) {
    if (state_.next_row_group >= state_.row_groups) return Status::kEnd;
    MICROPARQUET_TRY(seek_row_group(state_.next_row_group));
    bool match = true;
    if (state_.filter != nullptr) {
      const Status status = state_.filter->may_match(*this, match);
      if (status != Status::kOk) {
        // A repeated call asks about the same row group.
        --state_.next_row_group;
        state_.next_entry = state_.entry_begin;
        state_.row_group = detail::kNoRowGroup;
        return status;
      }
    }
    if (match) return Status::kOk;
  }
}

Status Reader::seek_row_group(std::uint32_t index) {
  ReaderState& state = state_;
  if (state.file == nullptr) return Status::kWrongState;
  if (index >= state.row_groups) return Status::kInvalidArgument;
  std::uint32_t at = state.next_row_group;
  std::uint64_t begin = state.next_entry;
  if (index < at) {
    at = 0;
    begin = state.row_groups_begin;
  }
  state.footer.seek(begin, state.footer_begin + state.footer_bytes);
  thrift::CompactReader in(state.footer);
  for (; at < index && in.ok(); ++at) in.skip_struct();
  begin = state.footer.position();
  state.row_group = detail::kNoRowGroup;
  state.rows_left = 0;
  forget_ready_rows(state);
  state.mode = detail::ReadingMode::kUndecided;
  format::RowGroup row_group;
  if (in.ok()) read::read_row_group(in, state, row_group, true);
  if (!in.ok()) {
    state.failed = detail::kNoPlace;
    state.failed_status = in.status();
    return in.status();
  }
  state.row_group = index;
  state.next_row_group = index + 1;
  state.entry_begin = begin;
  state.next_entry = state.footer.position();
  state.group_rows = row_group.rows;
  state.group_bytes = row_group.bytes;
  state.rows_left = row_group.rows;
  return Status::kOk;
}

}  // namespace microparquet
