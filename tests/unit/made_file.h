// Parquet files put together by hand, byte by byte, right or wrong, for the reader's tests. Independent of
// the writer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/port/memory_file.h"
#include "microparquet/span.h"

namespace made {

// Bytes that grow, with Thrift's compact protocol on top. Never larger than its memory: what does not fit is
// dropped, and the test then fails on a short file.
class Bytes {
 public:
  Bytes& byte(unsigned value) {
    if (size_ < kCapacity) data_[size_++] = static_cast<std::byte>(value);
    return *this;
  }
  Bytes& text(std::string_view text) {
    for (const char c : text) byte(static_cast<unsigned char>(c));
    return *this;
  }
  Bytes& append(const Bytes& other) { return text(other.view()); }
  // `width` bytes, little-endian.
  Bytes& little(std::uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; ++i, value >>= 8) byte(static_cast<unsigned>(value & 0xFF));
    return *this;
  }
  // Adds a varint at least `length` bytes long, with continuation bytes that carry nothing.
  Bytes& varint(std::uint64_t value, unsigned length = 1) {
    for (; value >= 0x80 || length > 1; value >>= 7) {
      byte(static_cast<unsigned>(value & 0x7F) | 0x80);
      if (length > 1) --length;
    }
    return byte(static_cast<unsigned>(value));
  }
  Bytes& zigzag(std::int64_t value, unsigned length = 1) {
    return varint(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63), length);
  }
  // A field by its long form, whatever the one before.
  Bytes& field(int id, unsigned type) { return byte(type).zigzag(id); }
  Bytes& i32(int id, std::int64_t value, unsigned length = 1) { return field(id, 5).zigzag(value, length); }
  Bytes& i64(int id, std::int64_t value) { return field(id, 6).zigzag(value); }
  Bytes& boolean(int id, bool value) { return field(id, value ? 1 : 2); }
  Bytes& binary(int id, std::string_view value) { return field(id, 8).varint(value.size()).text(value); }
  Bytes& list(int id, unsigned element, std::uint32_t size) {
    field(id, 9);
    return size < 15 ? byte(size << 4 | element) : byte(0xF0 | element).varint(size);
  }
  Bytes& begin(int id) { return field(id, 12); }
  Bytes& end() { return byte(0); }

  std::string_view view() const { return {reinterpret_cast<const char*>(data_), size_}; }
  std::size_t size() const { return size_; }
  std::byte* data() { return data_; }
  void clear() { size_ = 0; }
  static constexpr std::size_t kCapacity = 6000;

 private:
  std::byte data_[kCapacity];
  std::size_t size_ = 0;
};

// parquet.thrift's numbers.
enum : std::int32_t { kBoolean, kInt32, kInt64, kInt96, kFloat, kDouble, kByteArray, kFixed };
enum : std::int32_t { kRequired, kOptional, kRepeated };
enum : std::int32_t { kDataPage, kIndexPage, kDictionaryPage, kDataPageV2 };
enum : std::int32_t { kPlain = 0, kPlainDictionary = 2, kRle = 3, kBitPacked = 4, kDelta = 5 };

// A page, right unless a test says otherwise.
struct Page {
  std::int32_t type = kDataPage;
  std::int32_t stated_type = -1;  // in the header; -1: the type
  std::int64_t values = 0;
  std::int32_t encoding = kPlain;
  std::int32_t level_encoding = kRle;
  std::int32_t repetition_encoding = -1;  // V1; -1: the same
  std::int64_t uncompressed = -2;         // -2: the size of the body
  std::int64_t compressed = -2;
  std::int64_t definition_bytes = 0;  // V2
  std::int64_t repetition_bytes = 0;  // V2
  std::int64_t rows = -2;             // V2; -2: as many as values
  bool is_compressed = true;          // V2
  bool crc = true;
  std::uint32_t crc_error = 0;
  unsigned varint_bytes = 1;        // of the sizes
  std::size_t extension_bytes = 0;  // of a field 32767
};

// One flat column. Texts have their lengths: where one of a constant object must be counted, GCC 14 warns for Arm.
struct Column {
  std::string_view name = {"c", 1};
  std::int32_t type = kInt32;
  std::int32_t type_length = 0;
  std::int32_t chunk_type = -1;  // in the column chunk; -1: the type
  std::int32_t repetition = kRequired;
  std::int32_t codec = 0;
  std::int64_t values = 0;
  std::int64_t begin = 0;             // set by File::begin_column
  std::int64_t bytes = 0;             // set by File::end_column
  std::int64_t dictionary = -1;       // offset; -1: none
  std::int32_t converted_type = -1;   // -1: none
  std::string_view min = {"min", 3};  // bounds in the statistics
  std::string_view max = {"max", 3};
  std::int64_t nulls = 0;
  bool old_bounds = false;  // in the deprecated fields
  std::int32_t order = 1;   // the member of its ColumnOrder; 0 in any column: the file has none
  bool encrypted = false;
  bool without_meta_data = false;
  std::int64_t offset_index = 0;  // offset; 0: none
  std::int64_t offset_index_bytes = 0;
  std::int64_t column_index = 0;
  std::int64_t column_index_bytes = 0;
  std::int64_t bloom_filter = 0;
  const Bytes* sizes = nullptr;  // its SizeStatistics
};

// A file of one row group. The same memory every time: one at a time.
class File {
 public:
  File();

  void begin_column(Column& column);
  void page(const Page& page, std::string_view body);
  void end_column(Column& column);

  // FileMetaData of these columns, the length and the magic. `stated_rows` for the whole file; -1: `rows`.
  void footer(microparquet::Span<const Column> columns, std::int64_t rows, bool encryption_algorithm = false,
              std::int64_t stated_rows = -1);
  // The same of bytes that a test has made itself.
  void end_with(const Bytes& footer, std::string_view magic = "PAR1");

  Bytes& bytes() { return bytes_; }
  // The finished file; `size` other than 0 cuts it short.
  microparquet::MemoryFile open(std::size_t size = 0) {
    return microparquet::MemoryFile({bytes_.data(), Bytes::kCapacity}, size != 0 ? size : bytes_.size());
  }

 private:
  Bytes& bytes_;
};

// A schema element that is a leaf, and the root.
void root(Bytes& out, std::int32_t children);
void leaf(Bytes& out, const Column& column);

// An element of the list of row groups.
void row_group(Bytes& out, microparquet::Span<const Column> columns, std::int64_t rows);

}  // namespace made
