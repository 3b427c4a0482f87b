// Pages before a checkpoint: how they come to end on a block.
#pragma once

#include <cstdint>

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// By how much the sealed page is to be longer. 0: no checkpoint is being made, it ends on a block, or there is no space
// for it in the extent; then it stays as it is, and the row group ends.
std::uint32_t padding_of(const detail::WriterState& state, const detail::ColumnWriter& column);

// Writes it so, after the tail of as many bytes at the head of its buffer, which is not on the medium.
Status write_lengthened(detail::WriterState& state, detail::ColumnWriter& column, std::uint32_t padding,
                        std::uint32_t tail_bytes);

// As PageLengthening has them.
Status store_lengthened(detail::WriterState& state, detail::ColumnWriter& column);
bool pages_end_on_blocks(const detail::WriterState& state);
// As kSectorTails has it (sector_tail.cpp).
Status store_tails(detail::WriterState& state);

}  // namespace microparquet::write
