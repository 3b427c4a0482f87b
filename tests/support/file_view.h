// A Parquet file as the tests see it: footer and pages decoded from the format's text, apart from the
// library. Flat columns, PLAIN, runs of indices of a byte into a dictionary of fixed-width values, or packed
// differences in blocks of 128, uncompressed, data page version 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/span.h"
#include "support/thrift_view.h"

namespace view {

// Field ids of parquet.thrift that tests ask for.
namespace id {
inline constexpr int kSchema = 2, kNumRows = 3, kRowGroups = 4, kKeyValues = 5, kCreatedBy = 6,
                     kColumnOrders = 7;
inline constexpr int kColumns = 1, kTotalByteSize = 2, kGroupRows = 3, kSortingColumns = 4;
inline constexpr int kFileOffset = 2, kMetaData = 3;
inline constexpr int kPhysicalType = 1, kNumValues = 5, kRawSize = 6, kStoredSize = 7, kDataPageOffset = 9,
                     kDictionaryOffset = 11, kStatistics = 12;
inline constexpr int kNullCount = 3, kMaxValue = 5, kMinValue = 6, kMaxExact = 7, kMinExact = 8,
                     kNanCount = 9;
inline constexpr int kExtension = 32767;
inline constexpr int kFooterExtension = 32766;
}  // namespace id

// CRC-32 bit by bit, as its definition has it.
std::uint32_t plain_crc32(const std::byte* data, std::size_t bytes);

class File {
 public:
  explicit File(microparquet::Span<const std::byte> bytes) : bytes_(bytes) {}

  // PAR1 at both ends, and a footer that is as long as it says.
  bool whole() const;

  microparquet::Span<const std::byte> bytes() const { return bytes_; }
  Struct footer() const;
  std::uint32_t footer_begin() const;
  std::int64_t rows() const { return footer().integer(id::kNumRows); }
  std::uint32_t row_groups() const { return footer().list(id::kRowGroups).size(); }
  Struct row_group(std::uint32_t i) const { return footer().list(id::kRowGroups).structure(i); }
  std::uint32_t columns() const { return footer().list(id::kSchema).size() - 1; }
  // SchemaElement of a column; the root is not counted.
  Struct schema(std::uint32_t column) const { return footer().list(id::kSchema).structure(column + 1); }
  // ColumnMetaData and its Statistics.
  Struct column(std::uint32_t row_group, std::uint32_t column) const;
  Struct statistics(std::uint32_t row_group, std::uint32_t column) const;
  // Empty when the key is not there.
  std::string_view key_value(std::string_view key) const;
  std::uint32_t key_values() const { return footer().list(id::kKeyValues).size(); }

 private:
  microparquet::Span<const std::byte> bytes_;
};

struct Cell {
  bool null;
  std::string_view bytes;  // as in PLAIN, without a length; a boolean is one byte
};

// The values of a page of packed differences (Encodings.md, DELTA_BINARY_PACKED).
class Deltas {
 public:
  // Begins with the page's values at `at`, of `width` bytes each, and moves `at`. False: it is no such page.
  bool begin(const std::byte*& at, const std::byte* end, std::uint32_t width);
  // The next value as in PLAIN. False: there is none.
  bool next(const std::byte*& at, const std::byte* end, std::string_view& bytes);
  // All values have been taken.
  bool done() const { return left_ == 0; }

 private:
  bool find_miniblock(const std::byte*& at, const std::byte* end);
  std::uint64_t take(const std::byte* at);

  std::uint64_t value_ = 0;
  std::uint64_t least_ = 0;  // of the block's differences
  const std::byte* widths_ = nullptr;
  std::uint32_t width_ = 0;  // of a value
  std::uint32_t left_ = 0;
  std::uint32_t miniblock_ = 0;  // of the block that comes next
  std::uint32_t in_miniblock_ = 0;
  std::uint32_t bits_ = 0;  // of a difference
  std::uint32_t bit_ = 0;   // of the miniblock
  bool first_ = false;
  std::byte plain_[8] = {};
};

// The values of a column one after another, through all row groups. Every byte of every page is accounted
// for.
class Column {
 public:
  Column(const File& file, std::uint32_t column);

  // False after the last value, and when something is wrong with the file.
  bool next(Cell& cell);

  // Nothing wrong has been seen; true at the end of a sound column only when all of it was asked for.
  bool sound() const { return sound_; }
  std::uint32_t pages() const { return pages_; }
  // The page of the last value.
  Struct page_header() const { return header_; }
  std::uint32_t page_begin() const { return page_begin_; }
  std::uint32_t page_end() const { return page_end_; }

 private:
  bool next_page();
  bool next_chunk();
  bool take_dictionary();
  bool begin_values(std::int64_t encoding);
  bool next_index();
  bool end_page();
  bool next_level();
  bool fail();

  File file_;
  std::uint32_t column_;
  int type_;
  std::uint32_t width_;
  bool optional_;
  bool sound_ = true;

  std::uint32_t row_groups_;
  std::uint32_t row_group_ = 0;
  Struct next_group_;
  std::uint32_t chunk_end_ = 0;
  std::int64_t chunk_left_ = 0;  // values of the chunk that are not in pages seen

  Struct header_;
  std::uint32_t page_begin_ = 0;
  std::uint32_t page_end_ = 0;
  std::uint32_t pages_ = 0;
  std::uint32_t left_ = 0;  // values in the page
  const std::byte* values_ = nullptr;
  const std::byte* values_end_ = nullptr;
  std::uint32_t bit_ = 0;
  std::byte boolean_{};

  const std::byte* dictionary_ = nullptr;  // of the chunk
  std::uint32_t entries_ = 0;
  bool indexed_ = false;  // so are the values of the page
  std::uint32_t index_run_ = 0;
  std::uint32_t index_ = 0;

  Deltas deltas_;
  bool packed_values_ = false;  // so are the values of the page

  const std::byte* levels_ = nullptr;
  const std::byte* levels_end_ = nullptr;
  std::uint32_t run_left_ = 0;
  bool packed_ = false;
  bool level_ = false;
};

}  // namespace view
