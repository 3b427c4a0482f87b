// Helpers that batches of rows and batches of items share. A batch holds values of one column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/try.h"
#include "microparquet/column_values.h"
#include "microparquet/decoder.h"
#include "microparquet/detail/reader_state.h"
#include "microparquet/status.h"
#include "read/column.h"

namespace microparquet::read {

// Adds `count` values of the open page to the batch, or as many nulls. The decoder may give fewer values:
// `count` becomes their number. All have the given levels, which the caller passes in the column afterwards.
inline Status add_alike(detail::ColumnCursor& column, bool null, std::uint8_t definition,
                        std::uint8_t repetition, AnyBatch& batch, std::uint32_t& count) {
  if (!null) {
    std::byte* const out = static_cast<std::byte*>(batch.values) + batch.value_count * batch_stride(column);
    MICROPARQUET_TRY(column.decoder->read(PageInput(column), out, count, count));
    batch.value_count += count;
  }
  if (batch.definition_levels != nullptr)
    std::memset(batch.definition_levels + batch.level_count, definition, count);
  if (batch.repetition_levels != nullptr)
    std::memset(batch.repetition_levels + batch.level_count, repetition, count);
  batch.level_count += count;
  return Status::kOk;
}

// Fills the batch of chosen column `i`. `add(column, most)` adds at least one row or item, and at most
// `most`. Requires: the batch is empty, and has places.
template <typename Add>
Status fill_batch(detail::ReaderState& state, std::size_t i, AnyBatch& batch, Add add) {
  constexpr std::size_t kMost = 0x40000000;
  const std::size_t wanted = batch.places < kMost ? batch.places : kMost;
  Status status = Status::kOk;
  while (batch.level_count < wanted && status == Status::kOk)
    status = add(state.columns[i], static_cast<std::uint32_t>(wanted - batch.level_count));
  // The error that stopped this batch is returned by the next call, whose batch stays empty.
  if (batch.level_count != 0) return Status::kOk;
  return report(state, static_cast<std::uint32_t>(i), status);
}

}  // namespace microparquet::read
