// Bounds of pages, and of chunks. A column's tracker begins again with each page, and the page's bounds are
// added to those of the chunk as values.
#include "write/page_notes.h"

#include "base/bytes.h"
#include "format/page_index_writer.h"
#include "format/row_group.h"
#include "format/statistics_writer.h"
#include "write/indexed_chunks.h"

namespace microparquet::write {

using detail::ColumnNotes;
using detail::ColumnWriter;
using detail::PageNote;
using detail::PageNotes;
using detail::WriterState;

ColumnNotes& notes_of(const WriterState& state, const ColumnWriter& column) {
  auto* const end = reinterpret_cast<std::byte*>(state.columns_end);
  const auto from_end = static_cast<std::size_t>(end - reinterpret_cast<const std::byte*>(&column));
  constexpr std::size_t kTimes = sizeof(ColumnWriter) / detail::kColumnNotesBytes;
  return *reinterpret_cast<ColumnNotes*>(end + state.plan->arena.sort_bytes - from_end / kTimes);
}

void open_note(const WriterState& state, ColumnWriter& column) {
  ColumnNotes& notes = notes_of(state, column);
  PageNotes& all = page_notes_of(state);
  const std::uint32_t state_bytes = column.plan->shape.state_bytes;
  std::byte* const note = all.free - state_bytes - sizeof(PageNote);
  if (note < reinterpret_cast<std::byte*>(&all + 1)) {
    notes.lacks = 2;
  } else {
    all.free = note;
    notes.open = static_cast<std::uint32_t>(note - reinterpret_cast<std::byte*>(&notes));
    column.bounds_state = note + sizeof(PageNote);
  }
  util::clear_bytes(column.bounds_state, state_bytes);
}

Status store_noted(WriterState& state, ColumnWriter& column,
                   Status (*store)(WriterState& state, ColumnWriter& column)) {
  const Status status = store(state, column);
  if (column.page_state == detail::PageState::kSealed) return status;
  ColumnNotes& notes = notes_of(state, column);
  PageNote& page = format::page_note(notes, notes.open);
  page.next = 0;
  page.bytes = column.sealed_bytes;
  page.end = column.first_row;
  page.nulls = column.nulls - notes.nulls;
  notes.nulls = column.nulls;
  ++notes.pages;
  format::page_note(notes, notes.last).next = notes.open;
  notes.last = notes.open;
  const Bounds bounds = column.plan->bounds->bounds(&page + 1, column.plan->shape);
  notes.nan_count += bounds.nan_count;
  if (bounds.known) {
    take_bounds(chunk_bounds(column), *column.plan, bounds);
    if (bounds.min_shortened || bounds.max_shortened) notes.shortened = true;
  } else if (page.nulls != column.row_count) {
    notes.lacks = 1;
    if (bounds.nan_count == 0) notes.is_unbounded = true;
  }
  open_note(state, column);
  return status;
}

namespace {

// A file that only counts bytes.
class Nowhere final : public File {
 public:
  FileAbilities abilities() const override { return {}; }
  Status size(std::uint64_t&) override { return Status::kUnsupported; }
  Status read_at(std::uint64_t, Span<std::byte>) override { return Status::kUnsupported; }
  Status write_at(std::uint64_t, Span<const std::byte>) override { return Status::kOk; }
  Status sync(std::uint64_t) override { return Status::kOk; }
};

}  // namespace

// noinline: its variables are off the stack while the index is written.
[[gnu::noinline]] std::uint32_t measure_index(const WriterState& state) {
  const std::uint64_t begin = page_notes_of(state).begin;
  Nowhere nowhere;
  thrift::WindowSink sink(nowhere, begin, window_of(state), state.options->checksum);
  return write_index(sink, state);
}

}  // namespace microparquet::write

namespace microparquet::detail {

void put_indexed_chunk_end(thrift::WindowSink& sink, const WriterState& state, const ColumnWriter& column) {
  write::put_chunk_end(sink, state, column,
                       [](thrift::WindowSink& to) { to.put_zeros(2); });  // ends statistics, metadata
}

std::uint32_t write_page_index(thrift::WindowSink& sink, const WriterState& state) {
  const std::uint64_t begin = write::page_notes_of(state).begin;
  std::uint32_t at = 0;
  for (unsigned part = 0; part < 2; ++part) {
    for (const ColumnWriter& column : columns_of(state)) {
      ColumnNotes& notes = write::notes_of(state, column);
      if (notes.lacks <= part) {
        format::put_index_part(sink, column, notes, part);
        sink.put_byte(0);
      }
      const std::uint32_t end = sink.bytes_from(begin);
      notes.parts[part] = {at, end - at};
      at = end;
    }
  }
  return at;
}

std::uint32_t write_indexed_row_group(thrift::WindowSink& sink, const WriterState& state) {
  return format::write_row_group_of(sink, state, write::IndexedChunks<format::PlainChunks>(state));
}

}  // namespace microparquet::detail
