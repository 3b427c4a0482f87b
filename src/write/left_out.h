// Key-values of a file that is resumed whose keys have been set again: its footers to come leave them
// out. They are found again in the file each time, so that no number of them takes memory.
#pragma once

#include <cstdint>

#include "microparquet/detail/writer_state.h"
#include "microparquet/status.h"

namespace microparquet::write {

// Some that follow each other. From InheritedKeyValues::begin on.
struct InheritedRun {
  std::uint32_t begin;
  std::uint32_t bytes;
};

// The next ones after `run` whose keys have not been set, which come to `others_bytes` bytes in all. The
// last run ends where all of them do; it may have none, and so it has after a failure.
Status next_others(const detail::WriterState& state, std::uint32_t others_bytes, InheritedRun& run);

// Before a key-value is set whose key has not been: takes those of that key out of what the state says of the
// others, which have that many `bytes` then. Unless there was just one, with this value, they have changed.
// Nothing changes on failure.
Status leave_out(detail::WriterState& state, const KeyValue& pair, std::uint32_t& bytes);

}  // namespace microparquet::write
