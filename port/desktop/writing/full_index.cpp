#include <algorithm>
#include <numeric>
#include <optional>

#include "format/page_index_writer.h"
#include "format/row_group.h"
#include "full_index_writer.h"
#include "microparquet/desktop/full_index.h"
#include "noted_column.h"
#include "write/layout_ops.h"
#include "write/page_notes.h"

namespace microparquet::desktop {

enum class PageOrder : unsigned { kNone = 0, kAscending = 1, kDescending = 2 };

// Requires: each page has bounds, or nulls alone.
PageOrder order_of(const microparquet::detail::ColumnPlan& plan, microparquet::detail::ColumnNotes& notes);

namespace {

using microparquet::detail::ColumnPlan;
using BoundView = Span<const std::byte>;

bool are_equal(BoundView a, BoundView b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

// The bounds of two values are asked which of them is less, so that nobody here needs to know how the type is ordered.
class TwoValues {
 public:
  TwoValues(const ColumnPlan& plan, BoundView a, BoundView b) {
    Bounds both;
    both.min = a;
    both.max = b;
    write::take_bounds(state_, plan, both);
    bounds_ = plan.bounds->bounds(state_, plan.shape);
  }
  BoundView least() const { return bounds_.min; }
  BoundView most() const { return bounds_.max; }

 private:
  static constexpr std::size_t kMostStateBytes = 256;

  alignas(8) std::byte state_[kMostStateBytes] = {};
  Bounds bounds_;
};

struct Steps {
  bool ascend = true;
  bool descend = true;

  void take(const ColumnPlan& plan, const Bounds& before, const Bounds& after) {
    const TwoValues mins(plan, before.min, after.min);
    const TwoValues maxs(plan, before.max, after.max);
    ascend = ascend && are_equal(mins.least(), before.min) && are_equal(maxs.most(), after.max);
    descend = descend && are_equal(mins.least(), after.min) && are_equal(maxs.most(), before.max);
  }
};

}  // namespace

// Pages of nulls have no bounds, and count for nothing.
PageOrder order_of(const ColumnPlan& plan, microparquet::detail::ColumnNotes& notes) {
  Steps steps;
  std::optional<Bounds> before;
  format::for_each_page(notes, [&](microparquet::detail::PageNote& page) {
    const Bounds bounds = plan.bounds->bounds(&page + 1, plan.shape);
    if (!bounds.known) {
      return;
    }
    if (before) {
      steps.take(plan, *before, bounds);
    }
    before = bounds;
  });
  return steps.ascend ? PageOrder::kAscending : steps.descend ? PageOrder::kDescending : PageOrder::kNone;
}

namespace {

using microparquet::detail::ColumnNotes;
using microparquet::detail::ColumnWriter;
using microparquet::detail::WriterState;
using thrift::WindowSink;

// Null: the column has no texts, or nobody looks at them.
const NotedColumn::Notes* text_notes_of(const ColumnWriter& column) {
  return column.plan->shape.type == Type::kByteArray ? notes_in(column) : nullptr;
}

void put_part(WindowSink& sink, const ColumnWriter& column, ColumnNotes& noted, unsigned part) {
  if (part == 0) {
    return put_bounds(sink, column, noted, static_cast<unsigned>(order_of(*column.plan, noted)));
  }
  const NotedColumn::Notes* const notes = text_notes_of(column);
  put_places(sink, column, noted, notes != nullptr ? &notes->page_text_bytes : nullptr);
}

void put_filters(WindowSink& sink, const WriterState& state, std::uint64_t begin) {
  for (const ColumnWriter& column : columns_of(state)) {
    NotedColumn::Notes* const notes = notes_in(column);
    const Span<std::byte> filter = filter_of(notes, column.plan->shape.type);
    if (filter.empty()) {
      continue;
    }
    notes->filter_begin = sink.bytes_from(begin);
    put_filter(sink, filter);
    notes->filter_end = sink.bytes_from(begin);
  }
}

// The bounds of all columns, the places of all, and the filters of all: as readers want them.
std::uint32_t write_full_index(WindowSink& sink, const WriterState& state) {
  const std::uint64_t begin = write::page_notes_of(state).begin;
  for (unsigned part = 0; part < 2; ++part) {
    for (const ColumnWriter& column : columns_of(state)) {
      ColumnNotes& notes = write::notes_of(state, column);
      const std::uint32_t at = sink.bytes_from(begin);
      if (notes.lacks <= part) {
        put_part(sink, column, notes, part);
      }
      notes.parts[part] = {at, sink.bytes_from(begin) - at};
    }
  }
  put_filters(sink, state, begin);
  return sink.bytes_from(begin);
}

// Sums over the stored pages: all rows that the row group is said to have.
MoreOfChunk more_of(const WriterState& state, const ColumnWriter& column) {
  MoreOfChunk more;
  const std::uint64_t index = write::page_notes_of(state).begin;
  const NotedColumn::Notes* const notes = notes_in(column);
  if (index != 0 && !filter_of(notes, column.plan->shape.type).empty()) {
    more.filter_offset = index + notes->filter_begin;
    more.filter_bytes = notes->filter_end - notes->filter_begin;
  }
  if (const NotedColumn::Notes* const texts = text_notes_of(column); texts != nullptr) {
    more.has_text_bytes = true;
    more.text_bytes =
        std::accumulate(texts->page_text_bytes.begin(), texts->page_text_bytes.end(), std::uint64_t{0});
  }
  more.has_levels = column.levels != nullptr;
  more.nulls = column.nulls;
  more.rows = microparquet::detail::rows_in_group(state);
  return more;
}

void put_full_chunk_end(WindowSink& sink, const WriterState& state, const ColumnWriter& column) {
  write::put_chunk_end(sink, state, column,
                       [&](WindowSink& to) { put_more_of_chunk(to, more_of(state, column)); });
}

struct FullChunks {
  const WriterState& state;

  void put_head(WindowSink& sink, const ColumnWriter& column,
                const microparquet::detail::ChunkForm& form) const {
    format::PlainChunks{}.put_head(sink, column, form);
  }
  std::uint32_t describe(const ColumnWriter&, const microparquet::detail::ChunkForm&) const { return 0; }
  std::uint32_t values(const ColumnWriter&, std::uint32_t rows) const { return rows; }
  void put_end(WindowSink& sink, const ColumnWriter& column) const {
    put_full_chunk_end(sink, state, column);
  }
};

std::uint32_t write_full_row_group(WindowSink& sink, const WriterState& state) {
  return format::write_row_group_of(sink, state, FullChunks{state});
}

// Over the layout that notes the pages.
struct FullIndexOps {
  static const microparquet::detail::LayoutOps& layout(const WriterState& state) {
    return *static_cast<const FullIndexLayout*>(state.options->layout)->of_pages;
  }

  static Status open(WriterState& state) { return layout(state).open(state); }
  static Status begin_row_group(WriterState& state) {
    write::page_notes_of(state).begin = 0;
    for (const ColumnWriter& column : columns_of(state)) {
      if (NotedColumn::Notes* const notes = notes_in(column); notes != nullptr) {
        notes->forget();
      }
    }
    return layout(state).begin_row_group(state);
  }
  // A page counts when it is stored, whatever else fails then.
  static Status store_page(WriterState& state, ColumnWriter& column) {
    const std::uint32_t bytes = column.chunk_bytes;
    const Status status = layout(state).store_page(state, column);
    NotedColumn::Notes* const notes = notes_in(column);
    if (column.chunk_bytes != bytes && notes != nullptr) {
      notes->end_page();
    }
    return status;
  }
  static Status end_row_group(WriterState& state) { return layout(state).end_row_group(state); }
  static Status tick(WriterState& state) { return layout(state).tick(state); }
  static Status checkpoint(WriterState& state) { return layout(state).checkpoint(state); }
  static Status close(WriterState& state) { return layout(state).close(state); }
  static Status add_segment(WriterState& state) { return layout(state).add_segment(state); }
};

constexpr microparquet::detail::LayoutOps kFullIndexOps = microparquet::detail::layout_ops<FullIndexOps>();

}  // namespace

FullIndexLayout with_full_index(const IndexedLayout& layout, Schema schema) {
  constexpr std::uint32_t kListHeaders = 3 * 7;
  FullIndexLayout full;
  static_cast<IndexedLayout&>(full) = layout;
  full.of_pages = layout.ops;
  full.ops = &kFullIndexOps;
  full.extends_index = true;
  full.write_row_group = &write_full_row_group;
  full.put_chunk_end = &put_full_chunk_end;
  full.write_index = &write_full_index;
  full.entry_bytes = 0;
  full.file_bytes = 0;  // notes on each page fit in the space of the rest of the index
  for (const Field& field : schema) {
    full.entry_bytes += kMostOfSizes;
    full.file_bytes += kListHeaders;
    const Span<std::byte> filter = filter_of(notes_in(*field.encoder), field.type);
    if (!filter.empty()) {
      full.entry_bytes += kMostOfFilter;
      full.file_bytes += static_cast<std::uint32_t>(filter.size()) + kMostFilterHeader;
    }
  }
  return full;
}

}  // namespace microparquet::desktop
