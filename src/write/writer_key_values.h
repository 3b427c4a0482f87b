// Key-values that the program sets.
#pragma once

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Returns the key-values set so far, in the arena, which has space for Options::max_key_values.
inline Span<KeyValue> set_key_values(const detail::WriterState& state) {
  void* const at = arena_of(state) + state.plan->arena.key_values;
  return {static_cast<KeyValue*>(at), state.key_values_count};
}

// Implements Writer::set_key_value() in any phase.
Status put_key_value(detail::WriterState& state, const KeyValue& pair);

}  // namespace microparquet::write
