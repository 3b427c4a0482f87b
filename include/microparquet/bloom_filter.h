// Whether a value can be in a column chunk, by the bloom filter that some writers keep of it (BloomFilter.md of the
// format). One value costs two short reads.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/reader.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// Asks the filter of `column` in the reader's current row group for `value`, as PLAIN has it, a byte array without its
// length. `may` false: no row of the row group has it. Without a filter, or with one of an algorithm, hash or compression
// that is not known, or in a wrong place, it may be there. Where the reader is does not change.
// - kInvalidArgument: no such column
// - kWrongState: the reader is in no row group
// - what the file answers: it may be repeated
Status may_contain(Reader& reader, std::uint32_t column, Span<const std::byte> value, bool& may);

}  // namespace microparquet
