// Lengthening pages to end on a block before a checkpoint.
#pragma once

#include <cstdint>

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Returns the bytes by which the sealed page is lengthened. 0: no checkpoint is being made, it ends on a
// block, or the extent has no space; in the last case the row group ends.
std::uint32_t padding_of(const detail::WriterState& state, const detail::ColumnWriter& column);

// Writes the lengthened page, after the `tail_bytes` bytes at the head of its buffer that are not on the
// medium.
Status write_lengthened(detail::WriterState& state, detail::ColumnWriter& column, std::uint32_t padding,
                        std::uint32_t tail_bytes);

// Members of PageLengthening.
Status store_lengthened(detail::WriterState& state, detail::ColumnWriter& column);
bool pages_end_on_blocks(const detail::WriterState& state);
// Member of kSectorTails.
Status store_tails(detail::WriterState& state);

}  // namespace microparquet::write
