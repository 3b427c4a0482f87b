// Reading the items of one repeated column: runs of equal items, batches, or skipping.
#pragma once

#include <cstdint>

#include "microparquet/column_values.h"
#include "microparquet/detail/column_cursor.h"
#include "microparquet/detail/repeated_levels.h"
#include "microparquet/status.h"

namespace microparquet::read {

// Runs of equal items in one column: values or nulls with the same levels.

struct ItemRun {
  std::uint32_t items = 0;
  std::uint8_t definition = 0;
  std::uint8_t repetition = 0;
  bool null = false;
};

// Access to the items of a chosen column. While this object lives, the column has the type of its values.
class ItemsOf {
 public:
  explicit ItemsOf(detail::ColumnCursor& column);
  ~ItemsOf();
  ItemsOf(const ItemsOf&) = delete;
  ItemsOf& operator=(const ItemsOf&) = delete;

  // Starts counting from the beginning of the chunk if the reader has gone back there.
  void begin();

  // Finds the next run of equal items, at most `most`, within one page, and does not pass them.
  // - kEnd: the chunk has no more, or the window is pinned and they are in the next page
  // - kCorrupt: levels contradict each other, or the number of rows
  Status peek(std::uint32_t most, ItemRun& run);

  // Adds some of the next items to the batch, equal or not, where their levels lie in memory; on desktops
  // only. Returns false if it added none: then read them run by run. Requires: peek() has found some.
  bool read_many(std::uint32_t most, AnyBatch& batch);

  // Passes `items` items of the run; the decoder passes their values.
  void pass(const ItemRun& run, std::uint32_t items);

 private:
  Status check(ItemRun& run) const;

  detail::ColumnCursor& column_;
  bool repeated_;
};

// Going from page to page in the chunk of a repeated column.

// Works as next_page(), with repetition levels. Requires: the column is repeated, and has the type of its
// values.
// - kEnd: the chunk has no more items
Status next_repeated_page(detail::ColumnCursor& column);

// Returns the levels of the column. Requires: the column is repeated.
inline detail::RepeatedLevels& repeated_levels(const detail::ColumnCursor& column) {
  // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.UndefReturn): they are not null, as said above
  return static_cast<detail::RepeatedLevels&>(*column.levels);
}

// Passing rows of a repeated column without reading their values.

// Passes items of a repeated column until `left` rows are left, or up to the chunk's end. Pages of version 2
// are passed by their headers; in other pages the levels are read. Repeat it after a failure of the file.
// Requires: at least `left` rows have not begun.
// - kCorrupt: also if the chunk has fewer rows
Status pass_items_to(detail::ColumnCursor& column, std::uint64_t left);

}  // namespace microparquet::read
