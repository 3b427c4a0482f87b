// The complete state of a reader, and the division of its arena.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "microparquet/detail/column_cursor.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/detail/math.h"
#include "microparquet/file.h"
#include "microparquet/schema.h"
#include "microparquet/span.h"

namespace microparquet {

class RowGroupFilter;
struct Int96;
struct ReaderOptions;

namespace detail {

// Column of the file, chosen or not.
struct Leaf {
  std::uint32_t type_length;
  std::uint8_t type;
  std::uint8_t max_definition;
  std::uint8_t max_repetition;
  std::uint16_t cursor;  // place among the chosen columns; kNotChosen: none
};

// Column chunk from the footer (parquet.thrift, ColumnChunk and ColumnMetaData).
struct ColumnChunk {
  std::uint64_t values;
  std::uint64_t compressed_bytes;
  std::uint64_t uncompressed_bytes;
  std::uint64_t data_page_offset;
  std::uint64_t dictionary_page_offset;  // place in the file; 0: none
  std::uint64_t statistics_begin;        // place in the file of the struct's first field; 0: none
  std::uint64_t begin;                   // place of its entry in the footer, if find_chunk() has read it
  std::uint64_t end;                     // end of the entry; 0: find_chunk() has not read it
  std::uint32_t column;                  // column of the entry
  std::uint32_t encodings;               // bit n: the encoding numbered n
  std::uint32_t codec;
  std::uint32_t type;
  bool complete;  // every required field was there
  bool encrypted;
  bool in_other_file;
};

inline constexpr std::uint16_t kNotChosen = 0xFFFF;
inline constexpr std::uint32_t kNoRowGroup = 0xFFFFFFFF;
inline constexpr std::uint32_t kNoPlace = 0xFFFFFFFF;

// Mode in which the current row group is read. kPassing: by rows, and some columns have passed a row that
// others still have.
enum class ReadingMode : std::uint8_t { kUndecided, kRows, kPassing, kColumns };

constexpr bool is_by_rows(ReadingMode mode) {
  return mode == ReadingMode::kRows || mode == ReadingMode::kPassing;
}

struct ReaderState {
  File* file;
  const ReaderOptions* options;
  const RowGroupFilter* filter;
  Span<std::byte> arena;
  const std::byte* image;            // the whole file, if it lies in memory
  const Decompressor* mapped_pages;  // reads uncompressed pages of such a file; null: they go through windows
  Window footer;
  ColumnChunk chunk;  // chunk being read; it lies here because stacks are small
  Leaf* leaves;
  ColumnCursor* columns;
  std::uint32_t chosen;
  std::uint32_t failed;  // chosen column that stopped a call last; kNoPlace: the footer did
  Status failed_status;
  std::uint32_t leaf_count;
  std::uint32_t schema_elements;
  std::uint32_t row_groups;
  std::uint32_t key_values;
  std::uint32_t footer_bytes;
  std::int32_t version;
  std::uint64_t needed_bytes;

  std::uint64_t file_bytes;
  std::uint64_t file_rows;     // rows in all row groups
  std::uint64_t stated_rows;   // rows that the footer states
  std::uint64_t footer_begin;  // offsets in the file; for a list that of its first element
  std::uint64_t schema_begin;
  std::uint64_t row_groups_begin;
  std::uint64_t key_values_begin;
  std::uint64_t created_by_begin;     // the string's length, then its bytes; 0: none
  std::uint64_t column_orders_begin;  // the list's size, then its elements; 0: none

  std::uint32_t row_group;       // the current one; kNoRowGroup: none
  std::uint32_t next_row_group;  // the next one
  std::uint64_t entry_begin;     // entry of the current row group in the footer
  std::uint64_t next_entry;      // entry of the next one
  std::uint64_t group_rows;
  std::uint64_t group_bytes;
  std::uint64_t rows_left;  // rows left for next_row()
  ReadingMode mode;
  // Number of next rows whose values are all loaded, one after another, on desktops: next_row() need not
  // check them.
  std::uint32_t ready_rows;

  std::uint64_t pages_read;
  std::uint64_t pages_checked;
};

// Forgets the ready rows before the columns go elsewhere than to the next row.
inline void forget_ready_rows([[maybe_unused]] ReaderState& state) {
  if constexpr (kDesktop) state.ready_rows = 0;
}

// Returns the length of the arena's head: the footer's window and the columns of the file.
constexpr std::size_t reader_head_bytes(std::size_t file_columns, std::uint32_t footer_bytes) {
  return align8(footer_bytes) + align8(file_columns * sizeof(Leaf));
}

// Memory of a chosen column, without its decoder's state and its buffer.
inline constexpr std::size_t kReaderColumnBytes = sizeof(ColumnCursor) + sizeof(LevelDecoder);

inline constexpr std::uint32_t kMinWindow = 64;
inline constexpr std::uint32_t kMaxBuffer = 0x40000000;

// Returns the part of a column's buffer for definition levels when the page does not fit in the buffer.
constexpr std::uint32_t level_share(std::uint32_t buffer_bytes) {
  return buffer_bytes / 8 > 16 ? buffer_bytes / 8 : 16;
}

// Returns the smallest buffer that passes values of `width` bytes, beside the levels' share. Requires: width
// < 2^30.
constexpr std::uint32_t least_buffer(std::uint32_t width) { return width * 2 + 32; }

// Returns whether next_batch() reads values of `type` as T.
template <typename T>
constexpr bool stored_as(Type type) {
  switch (type) {
    case Type::kBoolean: return std::is_same_v<T, bool>;
    case Type::kInt32: return std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::uint32_t>;
    case Type::kInt64: return std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::uint64_t>;
    case Type::kInt96: return std::is_same_v<T, Int96>;
    case Type::kFloat: return std::is_same_v<T, float>;
    case Type::kDouble: return std::is_same_v<T, double>;
    case Type::kByteArray: return std::is_same_v<T, std::string_view>;
    case Type::kFixedLenByteArray: return false;
  }
  return false;
}

}  // namespace detail
}  // namespace microparquet
