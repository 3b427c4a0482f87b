// Decoders: how the bytes of a page become values (Encodings.md).
//
// A decoder is an object that ReaderOptions::decoders names; one that is not named is not linked. A page
// whose encoding no named decoder reads is kUnsupported.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/encoding_id.h"
#include "microparquet/schema.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

namespace detail {
struct ColumnCursor;
}

// Objects are constant and without state: what is kept between values lies in the column. Thread-safe.
//
// The bytes of a page are hostile: a decoder takes nothing from the window that ColumnCursor::load() has not
// promised. After a status other than kOk nothing is taken, and the call may be repeated.
class Decoder {
 public:
  constexpr EncodingId encoding() const { return encoding_; }
  constexpr bool reads(Type type) const { return (types_ >> static_cast<unsigned>(type) & 1U) != 0; }

  // Begins a page of `values` values, after its levels.
  // - kCorrupt: the page surely holds more or less than that
  virtual Status begin_page(detail::ColumnCursor& column, std::uint32_t values) const = 0;

  // Lets `value` and `value_bytes` of the column show the next value, and passes it. What they point at stays
  // until the next call.
  // - kValueTooLarge: the value does not fit in the column's buffer; `too_large` says its size
  virtual Status next(detail::ColumnCursor& column) const = 0;

  // Stores up to `count` values at `out`, one after another, as Reader::next_batch gives them, and says how
  // many in `stored`: at least one.
  virtual Status read(detail::ColumnCursor& column, void* out, std::uint32_t count,
                      std::uint32_t& stored) const = 0;

  // Passes the next value, of any size.
  virtual Status skip(detail::ColumnCursor& column) const = 0;

  // (column, count, lent): lets `value` show up to `count` values as they stand in the page, back to back,
  // and passes them; `lent` says how many, at least one. For fixed-width values that need no decoding.
  // - kUnsupported: the encoding or type is not of that kind
  virtual Status lend(detail::ColumnCursor&, std::uint32_t, std::uint32_t&) const {
    return Status::kUnsupported;
  }

 protected:
  constexpr Decoder(EncodingId encoding, unsigned types)
      : encoding_(encoding), types_(static_cast<std::uint8_t>(types)) {}
  ~Decoder() = default;

  static constexpr unsigned type_bit(Type type) { return 1U << static_cast<unsigned>(type); }

 private:
  EncodingId encoding_;
  std::uint8_t types_;
};

// PLAIN of int32, int64, int96, float, double and fixed_len_byte_array.
class PlainFixedDecoder final : public Decoder {
 public:
  constexpr PlainFixedDecoder()
      : Decoder(EncodingId::kPlain, type_bit(Type::kInt32) | type_bit(Type::kInt64) | type_bit(Type::kInt96) |
                                        type_bit(Type::kFloat) | type_bit(Type::kDouble) |
                                        type_bit(Type::kFixedLenByteArray)) {}
  Status begin_page(detail::ColumnCursor& column, std::uint32_t values) const override;
  Status next(detail::ColumnCursor& column) const override;
  Status read(detail::ColumnCursor& column, void* out, std::uint32_t count,
              std::uint32_t& stored) const override;
  Status skip(detail::ColumnCursor& column) const override;
  Status lend(detail::ColumnCursor& column, std::uint32_t count, std::uint32_t& lent) const override;
};

// PLAIN of boolean.
class PlainBooleanDecoder final : public Decoder {
 public:
  constexpr PlainBooleanDecoder() : Decoder(EncodingId::kPlain, type_bit(Type::kBoolean)) {}
  Status begin_page(detail::ColumnCursor& column, std::uint32_t values) const override;
  Status next(detail::ColumnCursor& column) const override;
  Status read(detail::ColumnCursor& column, void* out, std::uint32_t count,
              std::uint32_t& stored) const override;
  Status skip(detail::ColumnCursor& column) const override;
};

// PLAIN of byte_array.
class PlainByteArrayDecoder final : public Decoder {
 public:
  constexpr PlainByteArrayDecoder() : Decoder(EncodingId::kPlain, type_bit(Type::kByteArray)) {}
  Status begin_page(detail::ColumnCursor& column, std::uint32_t values) const override;
  Status next(detail::ColumnCursor& column) const override;
  Status read(detail::ColumnCursor& column, void* out, std::uint32_t count,
              std::uint32_t& stored) const override;
  Status skip(detail::ColumnCursor& column) const override;
};

inline constexpr PlainFixedDecoder kPlainFixedDecoder;
inline constexpr PlainBooleanDecoder kPlainBooleanDecoder;
inline constexpr PlainByteArrayDecoder kPlainByteArrayDecoder;

// PLAIN of every type.
inline constexpr const Decoder* kPlainDecoders[] = {&kPlainFixedDecoder, &kPlainBooleanDecoder,
                                                    &kPlainByteArrayDecoder};

}  // namespace microparquet
