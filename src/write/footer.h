// The footer, in constant memory and in steps.
#pragma once

#include <cstdint>

#include "microparquet/detail/footer_constants.h"
#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

using detail::kCountsBytes;
using detail::kMagicBytes;

// Bytes of a footer that says so much, up to and with the closing PAR1.
std::uint32_t footer_bytes(const detail::WriterState& state, const detail::FooterExtension& said);

// Begins the draft of a footer at `at` that describes all finished row groups.
void begin_footer(detail::WriterState& state, std::uint64_t at);

// Writes the draft on: as much as the window holds, or all that is left. Nothing changes on failure, and the
// same call goes on. kCorrupt when what is read back from the file is not what was written.
Status write_footer(detail::WriterState& state, bool whole);

bool footer_is_written(const detail::WriterState& state);

// The draft is the last footer on the medium.
[[gnu::always_inline]] inline void count_footer(detail::WriterState& state) {
  detail::FooterState& footer = state.footer;
  const detail::FooterDraft& draft = footer.draft;
  state.footer_crc = draft.footer_crc;
  footer.entries_begin = draft.at + draft.said.entries_offset;
  footer.row_groups = draft.said.row_groups;
  footer.entries_bytes = draft.said.entries_bytes;
  footer.first_record = static_cast<std::uint64_t>(draft.said.next) << 9;
  if (footer.now.sequence < draft.said.sequence) footer.now.sequence = draft.said.sequence;
  footer.now.pages_sum -= draft.said.pages_sum;
  state.durable_rows = draft.said.rows;
}

}  // namespace microparquet::write
