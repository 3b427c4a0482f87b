// Items of one column that are alike: values, or none, with the same levels.
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

// A chosen column whose items are read, as long as this lives: it has the type of its values.
class ItemsOf {
 public:
  explicit ItemsOf(detail::ColumnCursor& column);
  ~ItemsOf();
  ItemsOf(const ItemsOf&) = delete;
  ItemsOf& operator=(const ItemsOf&) = delete;

  // Notices whether the chunk begins again.
  void begin();

  // The next items that are alike, at most `most`, in one page. They are not passed.
  // - kEnd: the chunk has no more, or the window is pinned and they are in the next page
  // - kCorrupt: levels contradict each other, or the number of rows
  Status peek(std::uint32_t most, ItemRun& run);

  // On desktops: adds some of the next items to the batch, whose levels lie in memory, whether they are alike or not. False:
  // nothing has come of it, and they are to be read as those that are alike.
  // Requires: peek() has found some.
  bool read_many(std::uint32_t most, AnyBatch& batch);

  // Passes `items` of those; values are passed by the decoder.
  void pass(const ItemRun& run, std::uint32_t items);

 private:
  Status check(ItemRun& run) const;

  detail::ColumnCursor& column_;
  bool repeated_;
};

}  // namespace microparquet::read
