// Holds a column chunk against what the footer says of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "chunk_pages.h"
#include "column_file.h"
#include "row_ranges.h"
#include "value_summary.h"

namespace microparquet::recovery {

// Pages that hold, one after another.
struct HeldPages {
  RowRange rows;
  PageRun run;
};

// All sentences name a place in the file where there is one.
struct ChunkReport {
  ColumnChunkInfo info;                         // chunk as the footer describes it
  RowRanges rows;                               // rows in whole pages that hold
  std::vector<HeldPages> held;                  // pages of these rows; not known for lists
  std::optional<Piece> dictionary;              // its page, if there is one that holds
  std::optional<std::uint32_t> dictionary_crc;  // CRC in the header of its dictionary page
  std::uint32_t buffer_bytes = 0;               // a reader's buffer in which all of that can be decoded
  std::uint32_t pages = 0;
  std::uint32_t checksums = 0;              // pages that have one
  bool decoded = false;                     // values were looked at, and statistics held against them
  std::vector<std::string> damage;          // pages that do not hold
  std::vector<std::string> contradictions;  // the pages hold, but the footer says otherwise of them
  std::vector<std::string> slips;  // the same, of a kind that misleads no reader: writers are known for it
  // Contradictions between its page index and pages that hold, or within the index, so that no reader can
  // believe it.
  std::vector<std::string> index_faults;
  std::vector<std::string> index_slips;
  std::vector<std::string> unchecked;  // names of the encodings and codecs that this library cannot decode
};

// Continues `crc`, as Described::dictionaries_crc is, by the dictionary of a chunk, if it has one.
std::uint32_t with_dictionary(std::uint32_t crc, const ChunkReport& chunk);

// Goes through column chunks, in any order.
class ColumnCheck {
 public:
  // `pages` has the pages, at the places that chunks name. It must stay.
  explicit ColumnCheck(File& pages);

  // The ColumnChunk structure `bytes`, in a row group of `rows` rows. What is `overwritten` is none of its
  // pages.
  ChunkReport check(const SchemaElement& element, ByteView bytes, std::uint64_t rows,
                    const std::vector<Piece>& overwritten = {});

 private:
  struct Chunk;
  bool find_place(Chunk& chunk);
  void compare_with_footer(Chunk& chunk, const ChunkPages& found) const;
  void decode(Chunk& chunk, ChunkPages& found);
  void decode_lists(Chunk& chunk, const ChunkPages& found);
  static std::string count_sentence(const Chunk& chunk, const ChunkPages& found);
  static void report_surplus(Chunk& chunk, const ChunkPages& found);
  Status decode_pages(Chunk& chunk, ChunkPages& found);
  Status decode_run(Chunk& chunk, const PageRun& run, std::uint64_t& done);
  Status enlarge_buffer(const Chunk& chunk, const PageRun& run);
  Status begin_run(Chunk& chunk, const PageRun& run);
  Status decode_nulls(Chunk& chunk, std::uint64_t& done);
  void check_statistics(Chunk& chunk) const;

  File& pages_;
  ColumnFile column_;
  std::uint64_t values_left_;  // values that may still be decoded
  std::uint32_t buffer_bytes_ = 0;
  Bytes memory_;
  std::vector<std::uint64_t> values_;  // words, since values must be aligned
  std::vector<std::uint8_t> levels_;
};

}  // namespace microparquet::recovery
