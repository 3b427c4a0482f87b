// Batches of one column: what rows and items have in common.
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

// Adds to the batch `count` values of the open page, or as many as come at once, which `count` becomes; or as many nulls.
// All have these levels, which are yet to be passed in the column.
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

// Fills the batch of chosen column `i` by `add(column, most)`, which adds up to `most` more, at least one. Requires: the
// batch is empty, and has places.
template <typename Add>
Status fill_batch(detail::ReaderState& state, std::size_t i, AnyBatch& batch, Add add) {
  constexpr std::size_t kMost = 0x40000000;
  const std::size_t wanted = batch.places < kMost ? batch.places : kMost;
  Status status = Status::kOk;
  while (batch.level_count < wanted && status == Status::kOk)
    status = add(state.columns[i], static_cast<std::uint32_t>(wanted - batch.level_count));
  // What stopped the batch is reported by the next one, which has nothing to give.
  if (batch.level_count != 0) return Status::kOk;
  return report(state, static_cast<std::uint32_t>(i), status);
}

}  // namespace microparquet::read
