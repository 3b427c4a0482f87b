// Inherited key-values that are left out of later footers: their keys were set again. The writer searches the
// file for them each time, since a list of them would take memory.
#pragma once

#include <cstdint>

#include "microparquet/detail/writer_state.h"
#include "microparquet/status.h"

namespace microparquet::write {

// A run of consecutive key-values; `begin` counts from InheritedKeyValues::begin.
struct InheritedRun {
  std::uint32_t begin;
  std::uint32_t bytes;
};

// Finds the next run after `run` of key-values whose keys were not set. All runs together have `others_bytes`
// bytes. The last run ends at the end of the list and may be empty; after a failure it is empty.
Status next_others(const detail::WriterState& state, std::uint32_t others_bytes, InheritedRun& run);

// Leaves out the inherited key-values with the key of `pair`, which is about to be set for the first time;
// `bytes` becomes the length of the others. Sets `changed` unless there was exactly one and it has the same
// value. On failure nothing changes.
Status leave_out(detail::WriterState& state, const KeyValue& pair, std::uint32_t& bytes);

}  // namespace microparquet::write
