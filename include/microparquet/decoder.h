// Decoders: how the bytes of a page become values (Encodings.md).
//
// A decoder is an object that ReaderOptions::decoders names; one that is not named is not linked. A page
// whose encoding no named decoder reads is kUnsupported.
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

// To derive from, with RTTI or without: no virtual function is defined in the library, which has none.
//
// Objects are constant: what is kept between values lies in the column, see PageInput::state(). Thread-safe.
//
// The bytes of a page are hostile: a decoder takes nothing that PageInput::load() has not promised, and
// compares each length and index with what there is before it uses it. After a status other than kOk nothing
// is taken, and the call may be repeated; kCorrupt stays.
class Decoder {
 public:
  // Whether it reads pages of that encoding.
  constexpr bool supports(EncodingId encoding) const { return encodings_.contains(encoding); }
  // Whether it reads columns of that physical type.
  constexpr bool supports(Type type) const { return types_.contains(type); }

  // Of the memory that a column keeps for it. Columns keep as much as the largest of the decoders that
  // support their type wants.
  constexpr std::uint32_t state_bytes() const { return state_bytes_; }

  // Begins a page of `values` values, after its levels.
  // - kCorrupt: the page surely holds more or less than that
  virtual Status begin_page(PageInput page, std::uint32_t values) const = 0;

  // Shows the next value, and passes it.
  // - kValueTooLarge: by PageInput::too_large()
  virtual Status next(PageInput page) const = 0;

  // Stores up to `count` values at `out`, one after another, as Reader::next_batch gives them, and says how
  // many in `stored`: at least one.
  virtual Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const = 0;

  // Passes the next value, of any size.
  virtual Status skip(PageInput page) const = 0;

  // (page, count, viewed): shows up to `count` values as they stand in memory, back to back, and passes them;
  // `viewed` says how many, at least one. For fixed-width values that need no decoding.
  // - kUnsupported: the encoding or type is not of that kind
  virtual Status view_run(PageInput, std::uint32_t, std::uint32_t&) const { return Status::kUnsupported; }

  // For the reader, which passes over the page of a dictionary unless this takes it: see
  // dictionary_decoder.h.
  virtual Status take_dictionary(detail::ColumnCursor&, const format::PageHeader&) const {
    return Status::kOk;
  }

 protected:
  // It reads pages of any of `encodings` of any of `types`, with `state_bytes` bytes a column.
  constexpr Decoder(EncodingSet encodings, TypeSet types, std::uint16_t state_bytes = 0)
      : encodings_(encodings), state_bytes_(state_bytes), types_(types) {}
  ~Decoder() = default;

 private:
  EncodingSet encodings_;
  std::uint16_t state_bytes_;
  TypeSet types_;
};

// PLAIN of int32, int64, int96, float, double and fixed_len_byte_array.
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

// PLAIN of boolean.
class PlainBooleanDecoder final : public Decoder {
 public:
  // Of a column: see state_bytes().
  static constexpr std::uint16_t kStateBytes = 3;
  constexpr PlainBooleanDecoder() : Decoder(EncodingId::kPlain, Type::kBoolean, kStateBytes) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// PLAIN of byte_array.
class PlainByteArrayDecoder final : public Decoder {
 public:
  constexpr PlainByteArrayDecoder() : Decoder(EncodingId::kPlain, Type::kByteArray) {}
  Status begin_page(PageInput page, std::uint32_t values) const override;
  Status next(PageInput page) const override;
  Status read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const override;
  Status skip(PageInput page) const override;
};

// For ReaderOptions::decoders; kPlainDecoders has it.
inline constexpr PlainFixedDecoder kPlainFixedDecoder;
// For ReaderOptions::decoders; kPlainDecoders has it.
inline constexpr PlainBooleanDecoder kPlainBooleanDecoder;
// For ReaderOptions::decoders; kPlainDecoders has it.
inline constexpr PlainByteArrayDecoder kPlainByteArrayDecoder;

// PLAIN of every type.
inline constexpr const Decoder* kPlainDecoders[] = {&kPlainFixedDecoder, &kPlainBooleanDecoder,
                                                    &kPlainByteArrayDecoder};

}  // namespace microparquet
