// Test whether a column chunk can have a value, by the bloom filter that some writers add to the chunk
// (BloomFilter.md of the format). A test costs two short reads.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/reader.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// Asks the filter of `column` in the reader's current row group for `value`, in PLAIN, a byte array without
// its length. `may` is false if no row of the row group has the value. It is true without a filter, and for
// one in a wrong place or of an unknown algorithm, hash or compression. The reader stays where it is.
// - kInvalidArgument: no such column
// - kWrongState: the reader is in no row group
// - statuses of the file: the call may be repeated
Status may_contain(Reader& reader, std::uint32_t column, Span<const std::byte> value, bool& may);

}  // namespace microparquet
