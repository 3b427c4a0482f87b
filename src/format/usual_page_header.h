// The header of a data page as most writers make it, which lies in memory: read at once, for pages are small and many on
// devices. Not in builds for size.
#pragma once

#include <cstddef>

#include "format/page_header_reader.h"

namespace microparquet::format {

#ifndef __OPTIMIZE_SIZE__

// No header of this form is longer; as many bytes must be in memory.
inline constexpr std::size_t kMostUsualHeader = 96;

// Reads the header that begins at `at`, which has header_bytes bytes then. False: it has another form, or is wrong;
// read_page_header() reads, or refuses it.
// Requires: kMostUsualHeader bytes are there.
bool read_usual_page_header(const std::byte* at, PageHeader& header);

#endif

}  // namespace microparquet::format
