// A row group whose pages were found, described by that of another file with the same columns.
#pragma once

#include <cstdint>
#include <vector>

#include "byte_views.h"
#include "thrift_dom/thrift_value.h"

namespace microparquet::recovery {

// Where the pages of a column chunk lie, and what their headers say.
struct FoundChunk {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t data_begin = 0;  // of the first page that is no dictionary
  std::uint64_t values = 0;
  std::uint64_t uncompressed_bytes = 0;  // with page headers
  std::uint32_t encodings = 0;           // of pages, a bit each
};

// A RowGroup structure, by that of the other file, `model`, which has as many column chunks as `chunks`.
Bytes describe_row_group(const ThriftValue& model, const std::vector<FoundChunk>& chunks, std::uint64_t rows);

}  // namespace microparquet::recovery
