#include "write/forward_store.h"

#include <new>

#include "format/row_group.h"
#include "thrift/window_sink.h"
#include "util/try.h"
#include "write/footer.h"
#include "write/record.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::WriterState;

constexpr std::uint32_t kMagicBytes = 4;
constexpr std::uint32_t kNoPage = 0xFFFFFFFF;

// Puts the row group's entry behind those in memory; it counts when its record is written. The window is
// longer than any entry and never fills.
void keep_entry(WriterState& state) {
  std::byte* const entry = state.kept + state.footer.all_entries_bytes;
  thrift::WindowSink sink(nullptr, 0, Span<std::byte>(entry, state.record_bytes), state.options->crc32);
  thrift::CompactWriter out(sink);
  format::write_row_group(out, state);
}

}  // namespace

// Stands before each page buffer of the pool. A column's pages hang together by it; the column remembers the
// first in extent_bytes, which has no other use here.
struct ForwardStore::PageNode {
  std::uint32_t next;
  std::uint32_t bytes;   // of the sealed page
  std::uint32_t offset;  // of its first byte, from the node's end
  std::uint32_t reserved;
};
static_assert(detail::kPageNodeBytes == 16);

ForwardStore::PageNode* ForwardStore::node_at(const WriterState& state, std::uint32_t offset) const {
  return reinterpret_cast<PageNode*>(state.pages + offset);
}

Status ForwardStore::open(WriterState& state) {
  const bool reads = state.file->abilities().read_back;
  if (!reads && state.options->row_groups_kept == 0) return Status::kInvalidArgument;
  pool_bytes_ = state.pool_bytes;
  if (!reads) {
    constexpr std::byte kMagic[kMagicBytes] = {std::byte{'P'}, std::byte{'A'}, std::byte{'R'}, std::byte{'1'}};
    MICROPARQUET_TRY(state.file->write_at(0, Span<const std::byte>(kMagic)));
    position_ = kMagicBytes;
  } else {
    const FooterPlace place{kMagicBytes, 0, 0, &written_to_, true};
    FooterEnds ends;
    MICROPARQUET_TRY(write_footer(state, place, ends));
    MICROPARQUET_TRY(state.file->sync());
    publish_footer(state, place, ends);
    position_ = ends.end;
  }
  written_to_ = position_;
  return Status::kOk;
}

void ForwardStore::open_page(WriterState& state, ColumnWriter& column) {
  const std::uint32_t bytes = detail::kPageNodeBytes + detail::round_up(column.page_bytes, 8);
  if (pool_bytes_ - pool_used_ < bytes) {
    column.page = nullptr;
    return;
  }
  PageNode* const node = node_at(state, pool_used_);
  *node = {kNoPage, 0, 0, 0};
  pool_used_ += bytes;
  column.open_page(reinterpret_cast<std::byte*>(node + 1), detail::rows_in_group(state));
}

Status ForwardStore::begin_row_group(WriterState& state) {
  const std::uint32_t kept = state.options->row_groups_kept;
  if (kept != 0 && state.footer.row_groups == kept) return Status::kLimitReached;
  pool_used_ = 0;
  for (std::uint32_t i = 0; i < state.columns_count; ++i) {
    state.columns[i].extent_bytes = pool_used_;
    open_page(state, state.columns[i]);
  }
  return Status::kOk;
}

Status ForwardStore::store_page(WriterState& state, ColumnWriter& column) {
  auto* const node = reinterpret_cast<PageNode*>(column.page) - 1;
  node->bytes = column.sealed_bytes;
  node->offset = static_cast<std::uint32_t>(column.sealed - column.page);
  column.chunk_bytes += column.sealed_bytes;
  column.raw_bytes += column.sealed_bytes;
  column.sealed = nullptr;
  const std::uint32_t next = pool_used_;
  open_page(state, column);
  if (column.page != nullptr) node->next = next;
  return Status::kOk;
}

Status ForwardStore::write_chunk(WriterState& state, const ColumnWriter& column) {
  std::uint64_t at = column.chunk_begin;
  for (std::uint32_t next = column.extent_bytes; next != kNoPage;) {
    const PageNode* const node = node_at(state, next);
    next = node->next;
    if (node->bytes == 0) continue;
    const std::byte* const page = reinterpret_cast<const std::byte*>(node + 1) + node->offset;
    if (at >= written_to_) {
      MICROPARQUET_TRY(state.file->write_at(at, Span<const std::byte>(page, node->bytes)));
      written_to_ = at + node->bytes;
    }
    at += node->bytes;
  }
  return Status::kOk;
}

// The whole row group is known, so its record goes before it and can say where the next one begins.
Status ForwardStore::end_row_group(WriterState& state) {
  const std::uint64_t record_end = position_ + state.record_bytes;
  Record record{position_, record_end, &written_to_};
  for (std::uint32_t i = 0; i < state.columns_count; ++i) {
    state.columns[i].chunk_begin = record.next;
    record.next += state.columns[i].chunk_bytes;
  }
  if (written_to_ < record_end) {  // else an interrupted try has written it
    if (state.kept != nullptr) keep_entry(state);
    MICROPARQUET_TRY(write_record(state, record));
  }
  for (std::uint32_t i = 0; i < state.columns_count; ++i) MICROPARQUET_TRY(write_chunk(state, state.columns[i]));
  position_ = record.next;
  return Status::kOk;
}

Status ForwardStore::close(WriterState& state) {
  FooterEnds ends;
  MICROPARQUET_TRY(write_footer(state, {position_, position_, 0, &written_to_, false}, ends));
  state.file_bytes = ends.end;
  return state.file->sync();
}

}  // namespace microparquet::write

namespace microparquet::detail {

PageStore* construct_forward_store(void* memory) { return new (memory) write::ForwardStore; }

}  // namespace microparquet::detail
