#include "write/forward/forward_layout.h"

#include <new>

#include "base/bytes.h"
#include "base/try.h"
#include "io/window_sink.h"
#include "write/begin_file.h"
#include "write/footer.h"
#include "write/row_group.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::FooterDraft;
using detail::WriterState;

constexpr std::uint32_t kNoPage = 0xFFFFFFFF;

// Returns the kept entries of finished row groups if the sink cannot be read back, else null.
std::byte* kept_entries(const WriterState& state) {
  if (state.options->max_row_groups_in_memory == 0) return nullptr;
  return arena_of(state) + state.plan->arena.kept;
}

}  // namespace

// Node before each page buffer of the pool. It links the pages of a column, from the column's first_page on.
struct ForwardLayout::PageNode {
  std::uint32_t next;
  std::uint32_t bytes;   // length of the sealed page
  std::uint32_t offset;  // first byte of the page, from the node's end
  std::uint32_t reserved;
};
static_assert(detail::kPageNodeBytes == 16);

ForwardLayout::PageNode* ForwardLayout::node_at(const WriterState& state, std::uint32_t offset) {
  return reinterpret_cast<PageNode*>(pages_of(state) + offset);
}

Status ForwardFile::read_at(std::uint64_t offset, Span<std::byte> out) {
  if (kept_ == nullptr) return file_->read_at(offset, out);
  util::move_bytes(out.data(), kept_ + offset, out.size());
  return Status::kOk;
}

Status ForwardFile::write_at(std::uint64_t offset, Span<const std::byte> data) {
  const std::uint64_t end = offset + data.size();
  if (end <= written_to_) return Status::kOk;
  const std::size_t skip = offset < written_to_ ? static_cast<std::size_t>(written_to_ - offset) : 0;
  const Status status = file_->write_at(offset + skip, data.subspan(skip, data.size() - skip));
  if (status == Status::kOk) written_to_ = end;
  return status;
}

// Puts the layout's state, with the wrapper of the file, in its place.
File* wrap_file(WriterState& state, std::uint64_t written_to) {
  auto* const forward = new (state.layout_state) ForwardState;
  forward->file.wrap(*state.file, written_to, kept_entries(state));
  forward->position = written_to;
  forward->last_checkpoint_ms = state.now_ms;
  return &forward->file;
}

void resume_forward(WriterState& state) {
  state.file = wrap_file(state, state.footer.draft.offset + state.footer.draft.written);
}

// Opens the file. From then on the writer's file is the wrapper. A first footer without rows holds the
// schema: it makes the remains of an interrupted stream readable.
Status ForwardLayout::open(WriterState& state) { return open_at(state, 0); }

Status ForwardLayout::open_at(WriterState& state, std::uint64_t written_to) {
  File& file = *state.file;
  state.file = wrap_file(state, written_to);
  forward_state(state).position = 0;
  const Status status = write_footer_at_end(state);
  if (status != Status::kOk) state.file = &file;
  return status;
}

// Writes the gap before a footer that ends on a block.
[[gnu::noinline]] Status ForwardLayout::write_gap(WriterState& state) {
  if (state.plan->blocks == nullptr) return Status::kOk;
  state.plan->blocks->place_draft(state);
  const std::uint64_t begin = forward_state(state).position;
  thrift::WindowSink sink = sink_at(state, begin);
  sink.put_zeros(static_cast<std::uint32_t>(state.footer.draft.offset - begin));
  return sink.flush();
}

// Writes a footer at the end; one in the middle of the file is obsolete after the next.
Status ForwardLayout::write_footer_at_end(WriterState& state) {
  ForwardState& forward = forward_state(state);
  MICROPARQUET_TRY(forward.file.barrier());  // flushes everything that the footer describes
  FooterDraft& draft = state.footer.draft;
  begin_footer(state, forward.position);
  state.may_be_live = true;
  MICROPARQUET_TRY(write_gap(state));
  // Entries in memory are read as those of the last footer.
  if (state.options->max_row_groups_in_memory != 0) {
    state.footer.entries_begin = 0;
    state.footer.entries_bytes = state.footer.now.entries_bytes;
  }
  const Status status = write_footer(state, kWhole);
  // The misread bytes stay in the file, and the next footer begins after them.
  forward.misread = status == Status::kCorrupt;
  if (forward.misread) forward.position = forward.file.written_to();
  MICROPARQUET_TRY(status);
  // The first footer is published with the next one: if a published file ended in it, the rest of its block
  // could no longer be written.
  const std::uint64_t end = draft.offset + draft.written;
  if (state.plan->blocks == nullptr || draft.offset != 0) MICROPARQUET_TRY(forward.file.sync(end));
  count_footer(state, draft);
  forward.position = end;
  return Status::kOk;
}

void ForwardLayout::open_page(WriterState& state, ColumnWriter& column) {
  ForwardState& forward = forward_state(state);
  const std::uint32_t bytes = detail::kPageNodeBytes + column.plan->page_bytes;
  const std::uint32_t pool_bytes =
      static_cast<std::uint32_t>(state.plan->arena.bytes - state.plan->arena.pages);
  if (pool_bytes - forward.pool_used < bytes) {
    return;
  }
  PageNode* const node = node_at(state, forward.pool_used);
  *node = {kNoPage, 0, 0, 0};
  forward.pool_used += bytes;
  column.page = reinterpret_cast<std::byte*>(node + 1);
  column.end = column.page + column.plan->page_bytes;
  column.open_page();
}

Status ForwardLayout::begin_row_group(WriterState& state) {
  ForwardState& forward = forward_state(state);
  if (forward.misread) return Status::kCorrupt;
  const std::uint32_t kept = state.options->max_row_groups_in_memory;
  if (kept != 0 && state.footer.now.row_groups == kept) return Status::kLimitReached;
  forward.pool_used = 0;
  for (ColumnWriter& column : columns_of(state)) {
    column.begin_chunk();
    column.page_state = detail::PageState::kNone;
    column.first_page = forward.pool_used;
    open_page(state, column);
  }
  return Status::kOk;
}

Status ForwardLayout::store_page(WriterState& state, ColumnWriter& column) {
  ForwardState& forward = forward_state(state);
  auto* const node = reinterpret_cast<PageNode*>(column.page) - 1;
  node->bytes = column.sealed_bytes;
  node->offset = static_cast<std::uint32_t>(column.sealed - column.page);
  column.page_stored();
  const std::uint32_t next = forward.pool_used;
  open_page(state, column);
  if (column.page_state != detail::PageState::kNone) node->next = next;
  return Status::kOk;
}

[[gnu::noinline]] Status ForwardLayout::write_chunk(WriterState& state, const ColumnWriter& column) {
  ForwardState& forward = forward_state(state);
  std::uint64_t at = column.chunk_begin;
  for (std::uint32_t next = column.first_page; next != kNoPage;) {
    const PageNode* const node = node_at(state, next);
    next = node->next;
    if (node->bytes == 0) continue;
    const std::byte* const page = reinterpret_cast<const std::byte*>(node + 1) + node->offset;
    MICROPARQUET_TRY(forward.file.write_at(at, Span<const std::byte>(page, node->bytes)));
    at += node->bytes;
  }
  return Status::kOk;
}

// Ends a row group. All of it is known, so its record goes before it and can say where the next one begins.
Status ForwardLayout::end_row_group(WriterState& state) {
  // Rows came before a failed call was repeated; the last record says that a footer follows it.
  if (state.may_be_live) MICROPARQUET_TRY(write_footer_at_end(state));
  return write_row_group(state, place_chunks(state, record_end(state)));
}

// Appends the row group's entry to those in memory; it counts when its record is written. The window is
// longer than any entry and never goes to the file.
void ForwardLayout::keep_entry(WriterState& state) {
  std::byte* const entry = kept_entries(state) + state.footer.now.entries_bytes;
  const Span<std::byte> window(entry, state.plan->arena.record_bytes);
  thrift::WindowSink sink(*state.file, 0, window, state.options->checksum);
  state.plan->write_row_group(sink, state);
}

std::uint64_t ForwardLayout::place_chunks(WriterState& state, std::uint64_t at) {
  const detail::DictionaryPages* const dictionaries = state.plan->dictionaries;
  for (ColumnWriter& column : columns_of(state)) {
    if (dictionaries != nullptr) at += dictionaries->stored_bytes(state, column);
    column.chunk_begin = at;
    at += column.chunk_bytes;
  }
  return at;
}

Status ForwardLayout::write_chunks(WriterState& state) {
  const detail::DictionaryPages* const dictionaries = state.plan->dictionaries;
  for (ColumnWriter& column : columns_of(state)) {
    if (dictionaries != nullptr) MICROPARQUET_TRY(dictionaries->write(state, column));
    MICROPARQUET_TRY(write_chunk(state, column));
  }
  return Status::kOk;
}

// Writes a footer when it is due, to sinks that can be read back: only these are resumed from their last
// footer. After misread entries only checkpoint() and close() try again, since each try leaves a part of a
// footer.
Status ForwardLayout::tick(WriterState& state) {
  ForwardState& forward = forward_state(state);
  if (forward.misread) return Status::kCorrupt;
  const Options& options = *state.options;
  if (rows_in_file(state) == state.durable_rows || options.checkpoint_ms == 0 ||
      options.max_row_groups_in_memory != 0) {
    forward.last_checkpoint_ms = state.now_ms;
    return Status::kOk;
  }
  const std::uint32_t elapsed = state.now_ms - forward.last_checkpoint_ms;
  const std::uint64_t bytes = forward.position - (state.footer.entries_begin + state.footer.entries_bytes);
  const std::uint64_t cost = footer_bytes(state, state.footer.now);
  const bool pays = elapsed >= options.checkpoint_ms && bytes >= options.checkpoint_ratio * cost;
  return pays || elapsed >= options.max_loss_ms ? checkpoint(state) : Status::kOk;
}

Status ForwardLayout::checkpoint(WriterState& state) {
  ForwardState& forward = forward_state(state);
  MICROPARQUET_TRY(write::end_row_group(state));
  if (state.footer.now.rows == state.durable_rows) return Status::kOk;
  MICROPARQUET_TRY(write_footer_at_end(state));
  forward.last_checkpoint_ms = state.now_ms;
  return Status::kOk;
}

Status ForwardLayout::close(WriterState& state) { return write_footer_at_end(state); }

}  // namespace microparquet::write

namespace microparquet::detail {

using write::ForwardLayout;

const LayoutOps kForwardLayoutOps = layout_ops<write::ForwardLayout>();

// Resumes a file. The rows before are unknown in a sink that cannot be read back.
Status resume_forward_layout(WriterState& state) {
  if (state.options->max_row_groups_in_memory != 0) return Status::kUnsupported;
  MICROPARQUET_TRY(write::start_behind_footer(state));
  write::resume_forward(state);
  return Status::kOk;
}

}  // namespace microparquet::detail
