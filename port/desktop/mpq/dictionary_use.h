// What a file's column chunks make of dictionaries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "microparquet/file.h"
#include "microparquet/file_metadata.h"

namespace mpq_tool {

// Of a column.
struct DictionaryUse {
  std::uint64_t chunks = 0;
  std::uint64_t with_dictionary = 0;
  // Those of them that have data pages of another encoding as well. None: headers of pages cannot be read.
  std::optional<std::uint64_t> fallbacks = 0;
};

// Goes through the headers of data pages, since a chunk lists the encoding of its dictionary page among those of
// its data pages. Reads no more than the file has bytes, wherever chunks claim to be.
class DictionaryCounter {
 public:
  // Of `file`, which must stay.
  explicit DictionaryCounter(microparquet::File& file);

  // Counts the chunk in.
  void add(const microparquet::ColumnChunkInfo& chunk, DictionaryUse& use);

 private:
  std::optional<bool> falls_back(const microparquet::ColumnChunkInfo& chunk);

  microparquet::File& file_;
  std::uint64_t bytes_ = 0;          // of the file
  std::uint64_t bytes_to_pass_ = 0;  // of chunks
  std::vector<std::byte> memory_;
};

}  // namespace mpq_tool
