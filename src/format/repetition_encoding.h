// The encoding of a data page's repetition levels, which only columns with lists have.
#pragma once

#include <cstdint>

#include "thrift/compact_reader.h"

namespace microparquet::format {

// DataPageHeader.repetition_level_encoding of the PageHeader that comes next; that of RLE where it is not there.
std::uint32_t read_repetition_encoding(thrift::CompactReader& in);

}  // namespace microparquet::format
