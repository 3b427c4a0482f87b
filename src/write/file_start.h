// FileStart: opening a file with key-values, for the typed and the untyped writer.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/try.h"
#include "microparquet/detail/writer_access.h"
#include "microparquet/file.h"

namespace microparquet::write {

// Begins or resumes `file`, and leaves it ready for key-values.
Status begin_with_id(detail::WriterState& state, File& file, const detail::WriterPlan& plan, std::byte* arena,
                     std::uint32_t file_id, detail::ResumeLayout resume_layout);

// Opens or resumes `file`. `put(state)` gives it key-values by put_key_value(). A writer that has begun opens
// the file it has.
template <typename PutKeyValues>
Status open_with(Writer& writer, File& file, const detail::WriterPlan& plan, std::byte* arena,
                 std::uint32_t file_id, detail::ResumeLayout resume_layout, PutKeyValues put) {
  detail::WriterState& state = detail::WriterAccess::state(writer);
  if (state.phase == detail::WriterPhase::kIdle) {
    MICROPARQUET_TRY(begin_with_id(state, file, plan, arena, file_id, resume_layout));
    const Status status = put(state);
    if (status != Status::kOk) {
      state.phase = detail::WriterPhase::kIdle;  // the file cannot hold its key-values
      return status;
    }
    if (state.phase == detail::WriterPhase::kOpen) return Status::kOk;
  }
  return detail::WriterAccess::open(writer, file, plan, arena);
}

}  // namespace microparquet::write
