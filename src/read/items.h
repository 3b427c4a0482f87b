// Runs of equal items in one column: values or nulls with the same levels.
#pragma once

#include <cstdint>

#include "microparquet/column_values.h"
#include "microparquet/detail/column_cursor.h"
#include "microparquet/status.h"

namespace microparquet::read {

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

}  // namespace microparquet::read
