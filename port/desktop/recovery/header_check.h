// Page headers by the letter (parquet.thrift).
#pragma once

#include "bytes.h"

namespace microparquet::recovery {

// Whether a header that this library's lenient reader takes is one that every reader takes: all required
// fields are there, fields have their types, and levels have an encoding for levels. Headers have no
// checksum.
bool header_is_exact(ByteView header);

}  // namespace microparquet::recovery
