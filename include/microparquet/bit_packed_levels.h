// Levels in the deprecated BIT_PACKED encoding (Encodings.md), found in data pages V1 of old files.
#pragma once

#include <cstdint>

#include "microparquet/page_input.h"
#include "microparquet/status.h"

namespace microparquet {

// Reads the next `count` levels of the page into `levels`, and passes them. Thread-safe.
// - kCorrupt: the page is shorter
// - kOutOfMemory: the page and its levels do not fit in the buffer together, see Reader::needed_bytes()
// - statuses of the file
using LevelReader = Status(PageInput page, detail::LevelDecoder& levels, std::uint32_t count);

// Function for ReaderOptions::bit_packed_levels; a program that does not name it does not link it.
LevelReader read_bit_packed_levels;

}  // namespace microparquet
