// The CRC of a row group's dictionaries, which its record has after the entry.
#pragma once

#include <cstdint>

#include "format/record_format.h"
#include "io/window_sink.h"
#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Writes the proof after the entry, where the sink sums it. A sink without a sum keeps the entry in memory, and there is
// no slot. Returns `end`.
[[gnu::always_inline]] inline std::uint32_t put_proof(thrift::WindowSink& sink,
                                                      const detail::WriterState& state, std::uint32_t end) {
  const std::uint32_t* const entries_crc = sink.summed();
  if (entries_crc == nullptr) return end;
  sink.sum_into(nullptr);
  const detail::FooterExtension& now = state.footer.now;
  DictionaryProof proof;
  proof.crc = state.dictionaries_crc;
  proof.seal = seal_of(proof.crc, *entries_crc, now.file_id, now.sequence + 1);
  sink.put(&proof, sizeof proof);
  sink.pass_over(sizeof proof);
  return end;
}

}  // namespace microparquet::write
