// Layouts that keep an index of the pages of each column chunk in the file (PageIndex.md of the format): where a page lies,
// its rows, and bounds of its values. Readers pass over pages by it; page_index.h reads it.
//
//   constexpr auto kLayout = mpq::with_page_index(mpq::kInPlace, 4096);
//   mpq::Options with_index;
//   with_index.layout = {&kLayout};
//
// While a row group is open, what its index will say waits in memory that is part of required_bytes(). When it ends, the
// index goes to the file right after its pages, and is on the medium before anything names it: so in place there is one
// barrier() for each row group. A row group that is open when the power goes has no index, whatever becomes of its rows; those that
// had ended before the last checkpoint keep theirs. A file is resumed with an index or without: but where records come to
// have another size, that is kSchemaMismatch.
#pragma once

#include <cstdint>

#include "microparquet/detail/column_plan.h"
#include "microparquet/detail/layout_objects.h"
#include "microparquet/detail/page_notes.h"
#include "microparquet/detail/page_transform.h"
#include "microparquet/layout.h"
#include "microparquet/options.h"
#include "microparquet/schema.h"

namespace microparquet {

// See with_page_index().
struct IndexedLayout : Layout {
  detail::WriteRowGroup* write_row_group;  // what the writer calls
  detail::PutChunkEnd* put_chunk_end;      // what the writer calls
  detail::WriteIndex* write_index;         // what the writer calls

  // Of the memory for it.
  constexpr std::uint32_t index_bytes() const {
    return static_cast<std::uint32_t>(state_bytes - detail::kPageNotesPlace);
  }
};

// One that writes more than with_page_index() does: for who makes layouts, as those of desktops.
struct ExtendedLayout : IndexedLayout {
  std::uint32_t entry_bytes;  // more at most of a row group in a footer
  std::uint32_t file_bytes;   // more at most after its pages
};

// `layout` with an index of its pages, which takes `bytes` bytes of the writer's memory, and 44 for each column: see
// page_index_bytes(). Where there is no space for another page of a row group, the column chunk that it belongs to has no
// index. Of a column whose bounds are not known, the index has the places of its pages only. Requires: it is kInPlace,
// kInPlaceNoCheckpoints or kForward. The object that the options name is the caller's and must stay.
constexpr IndexedLayout with_page_index(const Layout& layout, std::uint32_t bytes) {
  const detail::LayoutOps* const ops = !layout.in_place     ? &detail::kIndexedForwardOps
                                       : layout.checkpoints ? &detail::kIndexedCheckpointedOps
                                                            : &detail::kIndexedInPlaceOps;
  return {{detail::kPageNotesPlace + bytes / 8 * 8, ops, layout.in_place, layout.checkpoints, true},
          &detail::write_indexed_row_group,
          &detail::put_indexed_chunk_end,
          &detail::write_page_index};
}

// Memory for the index of a row group that has `pages` pages in all its columns together: 16 bytes, and 40 for each
// page and each column, of numbers. Of byte arrays, these take 24 and three times Options::max_bound_bytes. Options
// with a layout that has no memory for its columns are kInvalidArgument.
constexpr std::uint32_t page_index_bytes(Schema schema, const Options& options, std::uint32_t pages) {
  std::uint32_t bytes = sizeof(detail::PageNotes);
  std::uint32_t most = 0;
  for (const Field& field : schema) {
    const std::uint32_t page = sizeof(detail::PageNote) + detail::bounds_state_bytes(field, options);
    bytes += page;  // of the open page
    if (page > most) most = page;
  }
  return bytes + pages * most;
}

}  // namespace microparquet
