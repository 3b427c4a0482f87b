#include "read/items.h"

#include "base/try.h"
#include "microparquet/detail/repeated_levels.h"
#include "read/page.h"
#include "read/repeated_page.h"

namespace microparquet::read {

using detail::ColumnCursor;
using detail::RepeatedLevels;

ItemsOf::ItemsOf(ColumnCursor& column) : column_(column) {
  const detail::Leaf& leaf = column.reader->leaves[column.column];
  repeated_ = leaf.max_repetition != 0;
  column.type = static_cast<Type>(leaf.type);
}

ItemsOf::~ItemsOf() {
  if (repeated_) column_.type = detail::kTypeOfItems;
}

// Compares the cursor with the counts of items: a difference means that the reader went to the beginning of a
// chunk.
void ItemsOf::begin() {
  if (!repeated_) return;
  RepeatedLevels& levels = repeated_levels(column_);
  const std::uint64_t items = column_.chunk_rows + column_.page_rows;
  if (levels.row_group == column_.reader->row_group && levels.items_left == items) return;
  levels.row_group = column_.reader->row_group;
  levels.items_left = items;
  levels.rows_left = column_.reader->group_rows;
  levels.rows_after_page = detail::kUnknownRows;
  levels.last_definition = 0;
}

// Checks that an item which continues a list, and the item before it, are both elements of that list. At the
// beginning of a chunk no list can continue, since no item came before.
Status ItemsOf::check(ItemRun& run) const {
  const RepeatedLevels& levels = repeated_levels(column_);
  if (run.repetition == 0) {
    if (levels.rows_left == 0) return Status::kCorrupt;
    if (run.items > levels.rows_left) run.items = static_cast<std::uint32_t>(levels.rows_left);
    return Status::kOk;
  }
  const std::uint8_t element = levels.element_levels[run.repetition - 1];
  return run.definition >= element && levels.last_definition >= element ? Status::kOk : Status::kCorrupt;
}

Status ItemsOf::peek(std::uint32_t most, ItemRun& run) {
  begin();
  if (column_.page_rows == 0) {
    // The next page would overwrite views already given to the caller.
    if (column_.pinned) return Status::kEnd;
    MICROPARQUET_TRY(repeated_ ? next_repeated_page(column_) : next_page(column_));
  }
  run = {};
  run.items = column_.page_rows < most ? column_.page_rows : most;
  if (column_.levels == nullptr) return Status::kOk;
  std::uint32_t alike = 0;
  MICROPARQUET_TRY(column_.levels->peek(run.definition, alike));
  if (alike < run.items) run.items = alike;
  run.null = run.definition != column_.levels->maximum;
  if (!repeated_) return Status::kOk;
  MICROPARQUET_TRY(repeated_levels(column_).repetition.peek(run.repetition, alike));
  if (alike < run.items) run.items = alike;
  return check(run);
}

void ItemsOf::pass(const ItemRun& run, std::uint32_t items) {
  if (column_.levels != nullptr) column_.levels->take(items);
  column_.page_rows -= items;
  if (!repeated_) return;
  RepeatedLevels& levels = repeated_levels(column_);
  levels.repetition.take(items);
  levels.items_left -= items;
  levels.last_definition = run.definition;
  if (run.repetition == 0) levels.rows_left -= items;
}

}  // namespace microparquet::read
