// Reading many items of one column at once.
#include "base/try.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/reader.h"
#include "read/batch.h"
#include "read/column.h"
#include "read/items.h"

namespace microparquet {

namespace {

using detail::ColumnCursor;

// Adds some items to the batch, at least one.
Status read_items(ColumnCursor& column, std::uint32_t most, AnyBatch& batch) {
  read::ItemsOf items(column);
  read::ItemRun run;
  MICROPARQUET_TRY(items.peek(most, run));
  if constexpr (detail::kDesktop) {
    constexpr std::uint32_t kShort = 64;
    if (run.items < kShort && items.read_many(most, batch)) return Status::kOk;
  }
  MICROPARQUET_TRY(read::add_alike(column, run.null, run.definition, run.repetition, batch, run.items));
  items.pass(run, run.items);
  return Status::kOk;
}

}  // namespace

Status Reader::next_items(std::size_t i, AnyBatch& batch) {
  batch.level_count = 0;
  batch.value_count = 0;
  MICROPARQUET_TRY(read::enter_column(state_, i));
  const ColumnCursor& column = state_.columns[i];
  const bool levels = column.levels == nullptr || batch.definition_levels != nullptr;
  const bool repetition = max_repetition_level(column.column) == 0 || batch.repetition_levels != nullptr;
  if (batch.places == 0 || !levels || !repetition) return Status::kInvalidArgument;
  return read::fill_batch(state_, i, batch, [&batch](ColumnCursor& items, std::uint32_t most) {
    return read_items(items, most, batch);
  });
}

}  // namespace microparquet
