// Key-values of the file that is written.
#pragma once

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Those that have been set; in the arena, followed by space for Options::max_key_values.
inline Span<KeyValue> set_key_values(const detail::WriterState& state) {
  void* const at = arena_of(state) + state.plan->arena.key_values;
  return {static_cast<KeyValue*>(at), state.key_values_count};
}

// Writer::set_key_value(), whatever the phase.
Status put_key_value(detail::WriterState& state, const KeyValue& pair);

}  // namespace microparquet::write
