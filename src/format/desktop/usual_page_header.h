// Fast reading of the usual form of a data page header that lies in memory, on desktops: files from devices
// have many small pages.
#pragma once

#include <cstddef>

#include "format/page_header_reader.h"

namespace microparquet::format {

// Longest header of this form; this many bytes must be in memory.
inline constexpr std::size_t kMostUsualHeader = 96;

// Reads the header at `at`, which takes header_bytes bytes. Returns false if it has another form, or is
// wrong: then read_page_header() reads or refuses it. Requires: kMostUsualHeader bytes are there.
bool read_usual_page_header(const std::byte* at, PageHeader& header);

}  // namespace microparquet::format
