// What opening a new file and resuming one have in common.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Begins `file`, of which nothing is known then but its size, found_bytes(): makes the setup, and all else is
// zero. Nothing is written. On failure nothing has changed.
Status begin_file(detail::WriterState& state, File& file, const detail::WriterPlan& plan, std::byte* arena);
inline std::uint64_t& found_bytes(detail::WriterState& state) { return state.footer.draft.offset; }

// Resumes a file that has begun, so that the writer is open: after its last footer, which is the draft
// then.
Status start_behind_footer(detail::WriterState& state);

// Checks what an idle writer is given at run time, and makes its plan at the head of the arena, of which the
// rest is left. One that is not idle has its plan.
Status prepare(detail::WriterState& state, Schema schema, const Options& options, Span<std::byte>& arena,
               const detail::WriterPlan*& plan);

}  // namespace microparquet::write
