// Where finished pages go; one implementation for each Layout. And what only some layouts or schemas need.
#pragma once

#include <cstdint>

#include "microparquet/detail/layout_objects.h"
#include "microparquet/detail/sectors.h"

namespace microparquet::detail {

struct ColumnWriter;

// Each call may fail with what the file answered and is then repeated as it was. What a layout keeps is in
// WriterState::layout_state.
struct LayoutOps {
  // Writes what the file begins with.
  Status (*open)(WriterState& state);
  // Gives every column its place and its first page.
  Status (*begin_row_group)(WriterState& state);
  // Stores the sealed page of `column` and opens the next one, unless the row group has no space for it.
  Status (*store_page)(WriterState& state, ColumnWriter& column);
  // All pages are stored: writes the row-group record.
  Status (*end_row_group)(WriterState& state);
  // The time has come to see whether a checkpoint is due; continues one that is being written.
  Status (*tick)(WriterState& state);
  // Makes all rows durable.
  Status (*checkpoint)(WriterState& state);
  // Writes the last footer.
  Status (*close)(WriterState& state);
  // In place: there is no space for another row group.
  Status (*add_segment)(WriterState& state);
};

// The functions of a class by their names, so that none can take another's place. A class that inherits from
// another layout's has its functions where it declares none of its own.
template <typename Implementation>
constexpr LayoutOps layout_ops() {
  return {Implementation::open,       Implementation::begin_row_group,
          Implementation::store_page, Implementation::end_row_group,
          Implementation::tick,       Implementation::checkpoint,
          Implementation::close,      Implementation::add_segment};
}

// What pages that are not whole blocks need before a checkpoint, in place: durable bytes are never written
// again, so that the next page of every column must begin on a block.
struct PageLengthening {
  // As store_page() of LayoutOps; before a checkpoint with a header long enough that the next page begins on a
  // block, where that can be done.
  Status (*store_page)(WriterState& state, ColumnWriter& column);
  // Whether it could be done for all columns. If not, the row group has to end.
  bool (*pages_end_on_blocks)(const WriterState& state);
  // Writes what of stored pages is not on the medium yet; null: all of it is.
  Status (*store_tails)(WriterState& state);
};

// What else blocks of more than a sector ask for, in both layouts: that what follows a footer shares no block
// with it.
struct Blocks {
  // Moves the draft of a footer, of which nothing is written, so that it ends on a block.
  void (*place_draft)(WriterState& state);
  // Whether the resumed file, whose last footer has been read, was written so.
  bool (*suit)(const WriterState& state);
};

// How many bytes of the file a column will need whose pages hold no fixed number of rows. Columns of a fixed
// width fill their pages alike: their extents are exact, and a schema of such columns alone does not link
// this. What the others need is forecast from the past, with the mean deviation as margin.
struct ExtentForecast {
  // Before the first row group: what is expected of the columns.
  void (*predict)(WriterState& state);
  // For `rows` rows of a column that fills its pages as its values will have it, and its dictionary.
  std::uint32_t (*extent_bytes)(const WriterState& state, const ColumnWriter& column, std::uint32_t rows);
  // Puts the extent that is hardest to forecast after the others, where it may take twice what it is expected
  // to need if there is as much up to `limit`; where it ends. Requires: the extents follow each other and end
  // at `end`.
  SectorIndex (*extend_last)(WriterState& state, SectorIndex end, SectorIndex limit);
  // After a row group: what its `rows` rows did need.
  Status (*observe)(WriterState& state, std::uint32_t rows);
  // After a checkpoint has cut the open pages: how they were lengthened is not what rows need.
  void (*count_cut_pages)(WriterState& state);
  // Before a row group: whether a checkpoint will be due within it, where there are checkpoints.
  bool (*checkpoint_comes)(const WriterState& state);
};

}  // namespace microparquet::detail
