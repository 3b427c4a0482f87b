// Many items of one column at once.
#include <cstring>

#include "base/try.h"
#include "microparquet/decoder.h"
#include "microparquet/reader.h"
#include "read/column.h"
#include "read/items.h"

namespace microparquet {

namespace {

using detail::ColumnCursor;

// Some more items, at least one, after those that `batch` has.
Status read_items(ColumnCursor& column, std::uint32_t most, AnyBatch& batch) {
  read::ItemsOf items(column);
  read::ItemRun run;
  MICROPARQUET_TRY(items.peek(most, run));
  std::uint32_t read = run.items;
  if (!run.null) {
    std::byte* const out =
        static_cast<std::byte*>(batch.values) + batch.value_count * read::batch_stride(column);
    MICROPARQUET_TRY(column.decoder->read(PageInput(column), out, run.items, read));
    batch.value_count += read;
  }
  if (batch.definition_levels != nullptr)
    std::memset(batch.definition_levels + batch.level_count, run.definition, read);
  if (batch.repetition_levels != nullptr)
    std::memset(batch.repetition_levels + batch.level_count, run.repetition, read);
  batch.level_count += read;
  items.pass(run, read);
  return Status::kOk;
}

constexpr std::size_t kMaxItems = 0x40000000;

}  // namespace

Status Reader::next_items(std::size_t i, AnyBatch& batch) {
  batch.level_count = 0;
  batch.value_count = 0;
  MICROPARQUET_TRY(read::enter_items(state_, i));
  ColumnCursor& column = state_.columns[i];
  const bool levels = column.levels == nullptr || batch.definition_levels != nullptr;
  const bool repetition = max_repetition_level(column.column) == 0 || batch.repetition_levels != nullptr;
  if (batch.places == 0 || !levels || !repetition) return Status::kInvalidArgument;
  const std::size_t wanted = batch.places < kMaxItems ? batch.places : kMaxItems;
  Status status = Status::kOk;
  while (batch.level_count < wanted && status == Status::kOk)
    status = read_items(column, static_cast<std::uint32_t>(wanted - batch.level_count), batch);
  // What stopped the batch is reported by the next one, which has no items to give.
  if (batch.level_count != 0) return Status::kOk;
  return read::report(state_, static_cast<std::uint32_t>(i), status);
}

}  // namespace microparquet
