// Encodings: how the values of a page become bytes (Encodings.md).
//
// An encoding is an object a column names; one that no column names is not linked.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/encoding_id.h"

namespace microparquet {

namespace detail {
struct ColumnWriter;
}

// Turns values into bytes as they arrive, in the page buffer of their column. Objects are constant and
// without state, three functions and what they are for: what an encoding keeps between values lies in the
// column. Thread-safe.
class Encoding {
 public:
  using ValuesThatFit = std::uint32_t(const detail::ColumnWriter& column);
  using Put = void(detail::ColumnWriter& column, const void* values, std::uint32_t count);
  using Finish = void(detail::ColumnWriter& column);

  // `types`: the physical types it encodes, a bit each by their number in parquet.thrift.
  constexpr Encoding(EncodingId id, ValuesThatFit& values_that_fit, Put& put, Finish& finish,
                     std::uint8_t types)
      : id_(id), types_(types), values_that_fit_(&values_that_fit), put_(&put), finish_(&finish) {}

  constexpr EncodingId id() const { return id_; }
  constexpr bool takes(unsigned type) const { return (types_ >> type & 1) != 0; }

  // How many more values are guaranteed to fit in the open page, whatever they are. Byte arrays, whose size is
  // known value by value, answer as if they were empty and are asked through fits() instead.
  std::uint32_t values_that_fit(const detail::ColumnWriter& column) const { return values_that_fit_(column); }

  // Appends `count` values. They are int32_t, int64_t, float, double, bool or, in a fixed_len_byte_array,
  // type_length bytes each, one after another; of a byte array, std::string_view.
  // Requires: they fit.
  void put(detail::ColumnWriter& column, const void* values, std::uint32_t count) const {
    put_(column, values, count);
  }

  // Ends the open page's values: all are in the buffer and in the column's statistics when it returns.
  void finish(detail::ColumnWriter& column) const { finish_(column); }

 private:
  EncodingId id_;
  std::uint8_t types_;
  ValuesThatFit* values_that_fit_;
  Put* put_;
  Finish* finish_;
};

namespace detail {
Encoding::ValuesThatFit fixed_that_fit;
Encoding::ValuesThatFit booleans_that_fit;
Encoding::ValuesThatFit byte_arrays_that_fit;
Encoding::Put put_plain_fixed;
Encoding::Put put_plain_booleans;
Encoding::Put put_plain_byte_arrays;
Encoding::Finish finish_plain;
Encoding::Finish finish_plain_booleans;
}  // namespace detail

// PLAIN of int32, int64, float, double and fixed_len_byte_array: values little-endian, one after another.
inline constexpr Encoding kPlainFixed(EncodingId::kPlain, detail::fixed_that_fit, detail::put_plain_fixed,
                                      detail::finish_plain, 1 << 1 | 1 << 2 | 1 << 4 | 1 << 5 | 1 << 7);
// PLAIN of boolean: one bit a value, least significant first.
inline constexpr Encoding kPlainBoolean(EncodingId::kPlain, detail::booleans_that_fit,
                                        detail::put_plain_booleans, detail::finish_plain_booleans, 1 << 0);
// PLAIN of byte_array: a length of four bytes, little-endian, before each value.
inline constexpr Encoding kPlainByteArray(EncodingId::kPlain, detail::byte_arrays_that_fit,
                                          detail::put_plain_byte_arrays, detail::finish_plain, 1 << 6);

}  // namespace microparquet
