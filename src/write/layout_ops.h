// LayoutOps, where finished pages go, with one implementation for each Layout; and parts that only some
// layouts or schemas need.
#pragma once

#include <cstdint>

#include "microparquet/detail/layout_objects.h"
#include "microparquet/detail/sectors.h"

namespace microparquet::detail {

struct ColumnWriter;

// Functions of a layout. Each returns the file's status if the file fails, and can be repeated unchanged
// then. A layout keeps its state in WriterState::layout_state.
struct LayoutOps {
  // Writes the beginning of the file.
  Status (*open)(WriterState& state);
  // Gives every column its place and its first page.
  Status (*begin_row_group)(WriterState& state);
  // Stores the sealed page of `column` and opens the next one, unless the row group has no space for it.
  Status (*store_page)(WriterState& state, ColumnWriter& column);
  // Writes the row-group record; all pages are stored.
  Status (*end_row_group)(WriterState& state);
  // Looks whether a checkpoint is due, and continues one that is being written.
  Status (*tick)(WriterState& state);
  // Makes all rows durable.
  Status (*checkpoint)(WriterState& state);
  // Writes the last footer.
  Status (*close)(WriterState& state);
  // Adds a segment when none has space for another row group; in place only.
  Status (*add_segment)(WriterState& state);
};

// Takes the functions from a class by name, so that none can be put in another's place. A class that inherits
// from a layout keeps its functions unless it declares its own.
template <typename Implementation>
constexpr LayoutOps layout_ops() {
  return {Implementation::open,       Implementation::begin_row_group,
          Implementation::store_page, Implementation::end_row_group,
          Implementation::tick,       Implementation::checkpoint,
          Implementation::close,      Implementation::add_segment};
}

// Lengthening of pages that are not whole blocks, before a checkpoint, in place. Durable bytes are never
// written again: the next page of every column must begin on a block.
struct PageLengthening {
  // Works as LayoutOps::store_page(). Before a checkpoint it gives the page a longer header if the extent has
  // space, and the next page begins on a block.
  Status (*store_page)(WriterState& state, ColumnWriter& column);
  // Returns whether all columns had that space. If not, the row group must end.
  bool (*pages_end_on_blocks)(const WriterState& state);
  // Writes the parts of stored pages that are not on the medium yet; null: there are none.
  Status (*store_tails)(WriterState& state);
};

// Rules for blocks larger than a sector, in both layouts: bytes written after a footer must not share a block
// with it.
struct Blocks {
  // Moves a draft of which nothing is written, to end it on a block.
  void (*place_draft)(WriterState& state);
  // Returns whether the resumed file was written by these rules. Requires: its last footer has been read.
  bool (*suit)(const WriterState& state);
};

// Forecast of the file space for columns whose pages hold no fixed number of rows, from their past, with the
// mean deviation as margin. Columns of a fixed width need none: their extents are exact, and a schema of such
// columns alone does not link this.
struct ExtentForecast {
  // Sets the first expectation, before the first row group.
  void (*predict)(WriterState& state);
  // Returns the bytes for `rows` rows of a column whose values decide how its pages fill, with its
  // dictionary.
  std::uint32_t (*extent_bytes)(const WriterState& state, const ColumnWriter& column, std::uint32_t rows);
  // Moves the extent that is hardest to forecast after the others, where it may double if there is space up
  // to `limit`. Returns where it ends. Requires: the extents follow each other and end at `end`.
  SectorIndex (*extend_last)(WriterState& state, SectorIndex end, SectorIndex limit);
  // Learns from a finished row group what its `rows` rows needed.
  Status (*observe)(WriterState& state, std::uint32_t rows);
  // Excludes the lengthening of cut pages after a checkpoint: rows do not need it.
  void (*count_cut_pages)(WriterState& state);
  // Returns whether a checkpoint will be due within the next row group, in a layout with checkpoints.
  bool (*checkpoint_comes)(const WriterState& state);
};

}  // namespace microparquet::detail
