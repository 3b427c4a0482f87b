// Levels in the deprecated BIT_PACKED encoding (Encodings.md), which old files have in data pages of V1.
#pragma once

#include <cstdint>

#include "microparquet/page_input.h"
#include "microparquet/status.h"

namespace microparquet {

// Gives `levels` the next levels of the page, `count` of them, and passes these. Thread-safe.
// - kCorrupt: the page is shorter
// - kOutOfMemory: the page and its levels do not fit in the buffer together, see Reader::needed_bytes()
// - what the file answers
using LevelReader = Status(PageInput page, detail::LevelDecoder& levels, std::uint32_t count);

// For ReaderOptions::bit_packed_levels; a program that does not name it does not link it.
LevelReader read_bit_packed_levels;

}  // namespace microparquet
