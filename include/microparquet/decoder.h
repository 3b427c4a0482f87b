// Decoders, which turn the bytes of a page into values (Encodings.md).
//
// A decoder is an object that ReaderOptions::decoders names; one that is not named is not linked. A page is
// kUnsupported if no named decoder reads its encoding.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/encoding_id.h"
#include "microparquet/page_input.h"
#include "microparquet/status.h"
#include "microparquet/type_set.h"

namespace microparquet {

namespace format {
struct PageHeader;
}

// Base class of decoders. Derive with RTTI or without: the library defines no virtual function.
//
// Objects are constant: state between values lies in the column, see PageInput::state(). Thread-safe.
//
// The bytes of a page are hostile. A decoder takes no byte that PageInput::load() has not promised, and
// checks each length and index before using it. After a status other than kOk nothing has been taken, and the
// call may be repeated; kCorrupt stays.
class Decoder {
 public:
  // Returns whether it reads pages of this encoding.
  constexpr bool supports(EncodingId encoding) const { return encodings_.contains(encoding); }
  // Returns whether it reads columns of this physical type.
  constexpr bool supports(Type type) const { return types_.contains(type); }

  // Returns the memory that it needs in each column. A column keeps as much as the largest of the decoders
  // that support its type.
  constexpr std::uint32_t state_bytes() const { return state_bytes_; }

  // Begins a page of `values` values, after its levels.
  // - kCorrupt: the page certainly holds more or fewer values
  virtual Status begin_page(PageInput page, std::uint32_t values) const = 0;

  // Shows the next value, and passes it.
  // - kValueTooLarge: by PageInput::too_large()
  virtual Status next(PageInput page) const = 0;

  // Stores up to `count` values at `out`, one after another as in Reader::next_batch(); `stored` becomes
  // their number, at least one.
  virtual Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const = 0;

  // Passes the next value, of any size.
  virtual Status skip(PageInput page) const = 0;

  // Shows up to `count` values that lie in memory back to back, and passes them; arguments (page, count,
  // viewed). `viewed` becomes their number, at least one. For fixed-width values that need no decoding.
  // - kUnsupported: the encoding or type is not of that kind
  virtual Status view_run(PageInput, std::uint32_t, std::uint32_t&) const { return Status::kUnsupported; }

  // Takes a dictionary page, for the reader, which otherwise passes it: see dictionary_decoder.h.
  virtual Status take_dictionary(detail::ColumnCursor&, const format::PageHeader&) const {
    return Status::kOk;
  }

 protected:
  // Makes a decoder for pages of any of `encodings` of any of `types`, with `state_bytes` bytes a column.
  constexpr Decoder(EncodingSet encodings, TypeSet types, std::uint16_t state_bytes = 0)
      : encodings_(encodings), state_bytes_(state_bytes), types_(types) {}
  ~Decoder() = default;

 private:
  EncodingSet encodings_;
  std::uint16_t state_bytes_;
  TypeSet types_;
};

// Decoder of PLAIN for int32, int64, int96, float, double and fixed_len_byte_array.
class PlainFixedDecoder final : public Decoder {
 public:
  constexpr PlainFixedDecoder()
      : Decoder(EncodingId::kPlain, {Type::kInt32, Type::kInt64, Type::kInt96, Type::kFloat, Type::kDouble,
                                     Type::kFixedLenByteArray}) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
  Status view_run(PageInput page, std::uint32_t count, std::uint32_t& viewed) const override;
};

// Decoder of PLAIN for boolean.
class PlainBooleanDecoder final : public Decoder {
 public:
  // State of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = 3;
  constexpr PlainBooleanDecoder() : Decoder(EncodingId::kPlain, Type::kBoolean, kStateBytes) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// Decoder of PLAIN for byte_array.
class PlainByteArrayDecoder final : public Decoder {
 public:
  constexpr PlainByteArrayDecoder() : Decoder(EncodingId::kPlain, Type::kByteArray) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// Object for ReaderOptions::decoders; kPlainDecoders has it.
inline constexpr PlainFixedDecoder kPlainFixedDecoder;
// Object for ReaderOptions::decoders; kPlainDecoders has it.
inline constexpr PlainBooleanDecoder kPlainBooleanDecoder;
// Object for ReaderOptions::decoders; kPlainDecoders has it.
inline constexpr PlainByteArrayDecoder kPlainByteArrayDecoder;

// Decoders of PLAIN for every type.
inline constexpr const Decoder* kPlainDecoders[] = {&kPlainFixedDecoder, &kPlainBooleanDecoder,
                                                    &kPlainByteArrayDecoder};

}  // namespace microparquet
