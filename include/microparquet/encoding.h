// Encodings: how the values of a page become bytes (Encodings.md).
//
// An encoding is an object a column names; one that no column names is not linked.
#pragma once

#include <cstddef>
#include <cstdint>

namespace microparquet {

namespace detail {
struct ColumnWriter;
}

// parquet.thrift's Encoding.
enum class EncodingId : std::uint8_t {
  kPlain = 0,
  kPlainDictionary = 2,
  kRle = 3,
  kBitPacked = 4,
  kDeltaBinaryPacked = 5,
  kDeltaLengthByteArray = 6,
  kDeltaByteArray = 7,
  kRleDictionary = 8,
  kByteStreamSplit = 9,
};

// Turns values into bytes as they arrive, in the page buffer of their column. Objects are constant and
// without state: what an encoding keeps between values lies in the column. Thread-safe.
class Encoding {
 public:
  constexpr EncodingId id() const { return id_; }

  // True when it encodes values of this physical type, by its number in parquet.thrift.
  constexpr bool takes(unsigned type) const { return (types_ >> type & 1) != 0; }

  // How many more values surely fit in the open page, whatever they are. Byte arrays, whose size is
  // known value by value, answer as if they were empty and are asked through fits() instead.
  virtual std::uint32_t values_that_fit(const detail::ColumnWriter& column) const = 0;

  // Appends `count` values. They are int32_t, int64_t, float, double, bool or, in a fixed_len_byte_array,
  // type_length bytes each, one behind another; of a byte array, std::string_view.
  // Requires: they fit.
  virtual void put(detail::ColumnWriter& column, const void* values, std::uint32_t count) const = 0;

  // Ends the open page's values: all are in the buffer and in the column's statistics when it returns.
  virtual void finish(detail::ColumnWriter& column) const = 0;

 protected:
  constexpr Encoding(EncodingId id, std::uint8_t types) : id_(id), types_(types) {}
  ~Encoding() = default;

 private:
  EncodingId id_;
  std::uint8_t types_;  // a bit each
};

// PLAIN of int32, int64, float, double and fixed_len_byte_array: values little-endian, one behind another.
class PlainFixed final : public Encoding {
 public:
  constexpr PlainFixed() : Encoding(EncodingId::kPlain, 1 << 1 | 1 << 2 | 1 << 4 | 1 << 5 | 1 << 7) {}
  std::uint32_t values_that_fit(const detail::ColumnWriter& column) const override;
  void put(detail::ColumnWriter& column, const void* values, std::uint32_t count) const override;
  void finish(detail::ColumnWriter& column) const override;
};

// PLAIN of boolean: one bit a value, least significant first.
class PlainBoolean final : public Encoding {
 public:
  constexpr PlainBoolean() : Encoding(EncodingId::kPlain, 1 << 0) {}
  std::uint32_t values_that_fit(const detail::ColumnWriter& column) const override;
  void put(detail::ColumnWriter& column, const void* values, std::uint32_t count) const override;
  void finish(detail::ColumnWriter& column) const override;
};

// PLAIN of byte_array: a length of four bytes, little-endian, before each value.
class PlainByteArray final : public Encoding {
 public:
  constexpr PlainByteArray() : Encoding(EncodingId::kPlain, 1 << 6) {}
  std::uint32_t values_that_fit(const detail::ColumnWriter& column) const override;
  void put(detail::ColumnWriter& column, const void* values, std::uint32_t count) const override;
  void finish(detail::ColumnWriter& column) const override;
};

inline constexpr PlainFixed kPlainFixed;
inline constexpr PlainBoolean kPlainBoolean;
inline constexpr PlainByteArray kPlainByteArray;

}  // namespace microparquet
