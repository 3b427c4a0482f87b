// Layouts that add an index of the pages of each column chunk to the file (PageIndex.md of the format):
// places, rows and bounds of the pages. Readers use it to skip pages; page_index.h reads it.
//
//   constexpr auto kLayout = mpq::with_page_index(mpq::kInPlace, 4096);
//   mpq::Options with_index;
//   with_index.layout = {&kLayout};
//
// While a row group is open, the writer keeps notes for its index in memory that is part of required_bytes().
// At the end of the row group it writes the index directly after the pages. The index is on the medium before
// anything refers to it, which takes one barrier() for each row group in place. A row group that is open when
// the power goes has no index, whatever becomes of its rows; those that had ended before the last checkpoint
// keep theirs. A file may be resumed with or without an index, unless that changes the size of records, which
// is kSchemaMismatch.
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

// Layout made by with_page_index().
struct IndexedLayout : Layout {
  detail::WriteRowGroup* write_row_group;  // function of the writer
  detail::PutChunkEnd* put_chunk_end;      // function of the writer
  detail::WriteIndex* write_index;         // function of the writer

  // Returns the memory for the index.
  constexpr std::uint32_t index_bytes() const {
    return static_cast<std::uint32_t>(state_bytes - detail::kPageNotesPlace);
  }
};

// Layout that writes more than with_page_index(), for authors of layouts such as those of desktops.
struct ExtendedLayout : IndexedLayout {
  std::uint32_t entry_bytes;  // most further bytes of a row group in a footer
  std::uint32_t file_bytes;   // most further bytes after its pages
};

// Returns `layout` with an index of its pages, which takes `bytes` bytes of the writer's memory, and 44 for
// each column: see page_index_bytes(). If the memory has no space for another page of a row group, the page's
// column chunk has no index. The index of a column without known bounds has only the places of its pages.
// Requires: `layout` is kInPlace, kInPlaceNoCheckpoints or kForward; kInPlaceTailed counts as kInPlace, since
// rows of open pages have no index. The object that the options name is the
// caller's and must stay.
constexpr IndexedLayout with_page_index(const Layout& layout, std::uint32_t bytes) {
  const detail::LayoutOps* const ops = !layout.in_place ? &detail::kIndexedForwardOps
                                       : layout.checkpoints != CheckpointKind::kNone
                                           ? &detail::kIndexedCheckpointedOps
                                           : &detail::kIndexedInPlaceOps;
  const CheckpointKind checkpoints =
      layout.checkpoints == CheckpointKind::kNone ? CheckpointKind::kNone : CheckpointKind::kCutPages;
  return {{detail::kPageNotesPlace + bytes / 8 * 8, ops, layout.in_place, checkpoints, true},
          &detail::write_indexed_row_group,
          &detail::put_indexed_chunk_end,
          &detail::write_page_index};
}

// Returns the memory for the index of a row group with `pages` pages in all its columns together: 16 bytes,
// and 40 for each page and each column of numbers. For byte arrays it is 24 and three times
// Options::max_bound_bytes instead of 40. Options with a layout without memory for its columns are
// kInvalidArgument.
constexpr std::uint32_t page_index_bytes(Schema schema, const Options& options, std::uint32_t pages) {
  std::uint32_t bytes = sizeof(detail::PageNotes);
  std::uint32_t most = 0;
  for (const Field& field : schema) {
    const std::uint32_t page = sizeof(detail::PageNote) + detail::bounds_state_bytes(field, options);
    bytes += page;  // memory of the open page
    if (page > most) most = page;
  }
  return bytes + pages * most;
}

}  // namespace microparquet
