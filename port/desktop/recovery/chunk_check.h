// Holds a column chunk against what the footer says of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "open_file.h"

namespace microparquet::recovery {

// All sentences name a place in the file where there is one.
struct ChunkReport {
  std::uint64_t rows = 0;  // from the first on: those in whole pages that hold
  std::uint32_t pages = 0;
  std::uint32_t checksums = 0;              // pages that have one
  std::vector<std::string> damage;          // pages that do not hold
  std::vector<std::string> contradictions;  // the pages hold, but the footer says otherwise of them
  std::vector<std::string> unchecked;       // what this library cannot look at
  bool holds() const { return damage.empty() && contradictions.empty(); }
};

// Goes through one column, row group by row group.
class ColumnCheck {
 public:
  // `file` is what `open` has open.
  ColumnCheck(OpenFile& open, File& file, std::uint32_t column)
      : open_(open), file_(file), column_(column), leaf_(open.leaves()[column]) {}

  ChunkReport check(std::uint32_t row_group);

 private:
  struct Chunk;
  void walk_pages(Chunk& chunk);
  bool walk_page(Chunk& chunk, detail::Window& window, std::uint64_t end);
  void compare_with_footer(Chunk& chunk, std::uint64_t end);
  bool checksum_holds(std::uint64_t at, std::uint32_t bytes, std::uint32_t crc);
  void decode(Chunk& chunk);
  Status decode_rows(Chunk& chunk, std::uint64_t& done);
  void check_statistics(Chunk& chunk);

  OpenFile& open_;
  File& file_;
  std::uint32_t column_;
  const Leaf& leaf_;
  std::uint32_t buffer_bytes_ = 0;  // that the column was chosen with
  Bytes memory_;
};

}  // namespace microparquet::recovery
