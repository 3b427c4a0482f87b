// The footer, in constant memory and in steps.
#pragma once

#include <cstdint>

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

inline constexpr std::uint32_t kMagicBytes = 4;
// Between a footer's constant head and its first entry.
inline constexpr unsigned kRowsBytes = 10;
inline constexpr unsigned kRowGroupsBytes = 5;
inline constexpr std::uint32_t kCountsBytes = kRowsBytes + 2 + kRowGroupsBytes;

// Bytes of a footer that says so much, up to and with the closing PAR1.
std::uint32_t footer_bytes(const detail::WriterState& state, const detail::FooterExtension& said);

// Begins the draft of a footer at `at` that describes all finished row groups.
void begin_footer(detail::WriterState& state, std::uint64_t at);

// Writes the draft on: as much as the window holds, or all that is left. Nothing changes on failure, and the
// same call goes on. kCorrupt when what is read back from the file is not what was written.
Status write_footer(detail::WriterState& state, bool whole);

bool footer_is_written(const detail::WriterState& state);

// Syncs the file with the written draft as its end, and makes it the last footer.
Status publish_footer(detail::WriterState& state);

}  // namespace microparquet::write
