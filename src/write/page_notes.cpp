// Bounds of pages, and of chunks by them: the tracker of a column begins again with each page, whose bounds are taken into those
// of the chunk as values are.
#include "write/page_notes.h"

#include "base/bytes.h"
#include "format/page_index_writer.h"
#include "format/row_group.h"
#include "format/statistics_writer.h"

namespace microparquet::write {
namespace {

using detail::ColumnNotes;
using detail::ColumnWriter;
using detail::PageNotes;
using detail::WriterState;
using format::PageNote;

// Where the notes of each column begin, from those of all.
std::uint32_t* places_in(PageNotes& all) { return reinterpret_cast<std::uint32_t*>(&all + 1); }

// What begins so far after those of all.
std::byte* notes_at(PageNotes& all, std::uint32_t at) { return reinterpret_cast<std::byte*>(&all) + at; }

void* chunk_bounds(ColumnNotes& notes) { return &notes + 1; }

void take_bounds(ColumnNotes& notes, const ColumnWriter& column, bool has_values) {
  const Bounds bounds = column.plan->bounds->bounds(column.bounds_state, column.plan->shape);
  notes.nan_count += bounds.nan_count;
  if (bounds.known) {
    take_bound(chunk_bounds(notes), *column.plan, bounds.min);
    take_bound(chunk_bounds(notes), *column.plan, bounds.max);
    if (bounds.min_shortened || bounds.max_shortened) notes.shortened = true;
  } else if (has_values) {
    notes.lacks[0] = true;
    if (bounds.nan_count == 0) notes.is_unbounded = true;
  }
}

}  // namespace

PageNotes& page_notes_of(const WriterState& state) {
  return *reinterpret_cast<PageNotes*>(pages_of(state) - detail::indexed_layout(*state.options).index_bytes);
}

ColumnNotes& notes_of(const WriterState& state, const ColumnWriter& column) {
  PageNotes& all = page_notes_of(state);
  return *reinterpret_cast<ColumnNotes*>(notes_at(all, places_in(all)[&column - state.columns]));
}

void take_bound(void* bounds, const detail::ColumnPlan& plan, Span<const std::byte> value) {
  static constexpr std::uint32_t kEmpty = 0;  // the length of a byte array
  ValueShape shape = plan.shape;
  shape.value_bytes = static_cast<std::uint32_t>(value.size());
  if (value.empty())
    value = Span<const std::byte>(reinterpret_cast<const std::byte*>(&kEmpty), sizeof kEmpty);
  plan.bounds->update(bounds, value.data(), value.data() + value.size(), shape);
}

void forget_pages(WriterState& state) {
  PageNotes& all = page_notes_of(state);
  std::uint32_t* place = places_in(all);
  std::uint32_t used = detail::notes_head_bytes(state.plan->columns_count);
  for (const ColumnWriter& column : columns_of(state)) {
    const std::uint32_t bytes =
        static_cast<std::uint32_t>(sizeof(ColumnNotes)) + column.plan->shape.state_bytes;
    util::clear_bytes(notes_at(all, used), bytes);
    *place++ = used;
    used += bytes;
  }
  all = {0, 0, used};
}

void note_page(const WriterState& state, ColumnWriter& column) {
  ColumnNotes& notes = notes_of(state, column);
  const std::uint32_t nulls = column.nulls - notes.nulls;
  notes.nulls = column.nulls;
  take_bounds(notes, column, nulls != column.row_count);
  const std::uint32_t state_bytes = column.plan->shape.state_bytes;
  PageNotes& all = page_notes_of(state);
  const std::uint32_t used = all.used + static_cast<std::uint32_t>(sizeof(PageNote)) + state_bytes;
  if (used > detail::indexed_layout(*state.options).index_bytes) {
    notes.lacks[0] = notes.lacks[1] = true;
  } else {
    auto* const page = reinterpret_cast<PageNote*>(notes_at(all, all.used));
    all.used = used;
    page->bytes = column.sealed_bytes;
    page->rows = column.row_count;
    page->nulls = nulls;
    util::move_bytes(reinterpret_cast<std::byte*>(page + 1),
                     static_cast<const std::byte*>(column.bounds_state), state_bytes);
    ++notes.pages;
    const auto at =
        static_cast<std::uint32_t>(reinterpret_cast<std::byte*>(page) - reinterpret_cast<std::byte*>(&notes));
    format::page_note(notes, notes.last).next = at;
    notes.last = at;
  }
  util::clear_bytes(column.bounds_state, state_bytes);
}

namespace {

// What counts bytes alone.
class Nowhere final : public File {
 public:
  FileAbilities abilities() const override { return {}; }
  Status size(std::uint64_t&) override { return Status::kUnsupported; }
  Status read_at(std::uint64_t, Span<std::byte>) override { return Status::kUnsupported; }
  Status write_at(std::uint64_t, Span<const std::byte>) override { return Status::kOk; }
  Status sync(std::uint64_t) override { return Status::kOk; }
};

struct IndexedChunks {
  const WriterState& state;

  void put_head(thrift::WindowSink& sink, const ColumnWriter& column, const detail::ChunkForm& form) const {
    format::PlainChunks{}.put_head(sink, column, form);
  }
  std::uint32_t describe(const ColumnWriter&, const detail::ChunkForm&) const { return 0; }
  void put_end(thrift::WindowSink& sink, const ColumnWriter& column) const {
    detail::put_indexed_chunk_end(sink, state, column);
  }
};

}  // namespace

// A function of its own, so that what it keeps on the stack is gone while the index is written.
[[gnu::noinline]] std::uint32_t measure_index(const WriterState& state) {
  const std::uint64_t begin = page_notes_of(state).begin;
  Nowhere nowhere;
  thrift::WindowSink sink(nowhere, begin, window_of(state), state.options->checksum);
  write_index(sink, state);
  return sink.bytes_from(begin);
}

}  // namespace microparquet::write

namespace microparquet::detail {

void put_indexed_chunk_end(thrift::WindowSink& sink, const WriterState& state, const ColumnWriter& column) {
  write::put_chunk_end(sink, state, column,
                       [](thrift::WindowSink& to) { to.put_zeros(2); });  // ends statistics, metadata
}

void write_page_index(thrift::WindowSink& sink, const WriterState& state) {
  const std::uint64_t begin = write::page_notes_of(state).begin;
  std::uint32_t at = 0;
  for (unsigned part = 0; part < 2; ++part) {
    for (const ColumnWriter& column : columns_of(state)) {
      ColumnNotes& notes = write::notes_of(state, column);
      if (!notes.lacks[part]) {
        format::put_index_part(sink, column, notes, part);
        sink.put_byte(0);
      }
      notes.parts[part].begin = at;
      at = sink.bytes_from(begin);
      notes.parts[part].end = at;
    }
  }
}

void write_indexed_row_group(thrift::WindowSink& sink, const WriterState& state) {
  format::write_row_group_of(sink, state, write::IndexedChunks{state});
}

}  // namespace microparquet::detail
