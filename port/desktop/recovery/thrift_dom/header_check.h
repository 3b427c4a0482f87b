// Page headers by the letter (parquet.thrift).
#pragma once

#include <cstddef>

#include "byte_views.h"

namespace microparquet::recovery {

// Whether a header that this library's lenient reader takes is one that every reader takes: all required
// fields are there, fields have their types, and levels have an encoding for levels. Headers have no
// checksum.
bool header_is_exact(ByteView header);

// Bytes by which `header` is longer than what it says needs: long varints, and the field that every structure
// leaves to extensions. 0 when it is no header.
std::size_t header_padding(ByteView header);

}  // namespace microparquet::recovery
