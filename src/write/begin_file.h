// Steps that opening a new file and resuming one share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Begins `file`: makes the setup, zeroes all else and writes nothing. The file's size goes to found_bytes();
// nothing else is known of the file yet. On failure nothing has changed.
Status begin_file(detail::WriterState& state, File& file, const detail::WriterPlan& plan, std::byte* arena);
inline std::uint64_t& found_bytes(detail::WriterState& state) { return state.footer.draft.offset; }

// Resumes a file that has begun, and opens the writer after its last footer, which becomes the draft.
Status start_behind_footer(detail::WriterState& state);

// Checks the schema and options that an idle writer is given at run time, and makes its plan at the head of
// the arena; `arena` becomes the rest. A writer that is not idle keeps its plan.
Status prepare(detail::WriterState& state, const Schema& schema, const Options& options,
               Span<std::byte>& arena, const detail::WriterPlan*& plan);

}  // namespace microparquet::write
