// Filling and transforming a column's pages, as far as its field determines it.
#pragma once

#include <cstdint>

#include "microparquet/compressor.h"
#include "microparquet/detail/encoding/plain.h"
#include "microparquet/detail/format/page_header_bytes.h"
#include "microparquet/detail/math.h"
#include "microparquet/detail/sectors.h"
#include "microparquet/options.h"
#include "microparquet/schema.h"

namespace microparquet::detail {

constexpr bool is_optional(const Field& field) { return field.repetition == Repetition::kOptional; }

// Returns the transform that can do more; null: there is none.
constexpr const PageTransform* larger_transform(const PageTransform* a, const PageTransform* b) {
  return b == nullptr || (a != nullptr && a->chunk_bytes >= b->chunk_bytes) ? a : b;
}

// Returns the transform of the column's pages; null: there is none.
constexpr const PageTransform* transform_of(const Field& field) {
  const PageTransform* transform = field.encoder->transform;
  if (field.encoder->dictionary != nullptr)
    transform = larger_transform(transform, field.encoder->dictionary->transform);
  if (field.compressor != nullptr) transform = larger_transform(transform, &field.compressor->transform());
  return transform;
}

// Returns the pages that `values` fixed-width values take in PLAIN, aligned after `header_bytes` bytes in
// each page.
constexpr std::uint32_t pages_of_values(std::uint32_t values, std::uint32_t value_bytes,
                                        std::uint32_t page_bytes, std::uint32_t header_bytes) {
  constexpr std::uint32_t kAlignment = 7;
  const std::uint32_t in_page = (page_bytes - header_bytes - kAlignment) / value_bytes;
  return in_page >= values ? 1 : (values + in_page - 1) / in_page;
}

// Returns the longest dictionary page with its header.
constexpr std::uint32_t dictionary_page_bytes(const EncoderDictionary& dictionary,
                                              const Compressor* compressor) {
  const std::uint32_t bytes = dictionary.most_bytes;
  return format::kMostDictionaryPageHeader +
         (compressor != nullptr ? compressor->growth().most_bytes(bytes) : bytes);
}
// Returns the longest dictionary page of the column; 0: it has none.
constexpr std::uint32_t dictionary_page_bytes(const Encoder& encoder, const Compressor* compressor) {
  return encoder.dictionary != nullptr ? dictionary_page_bytes(*encoder.dictionary, compressor) : 0;
}

// Returns the length of a value in a column whose pages all hold the same number of values; 0: the number
// depends on the values.
constexpr std::uint32_t fixed_width(const Field& field) {
  if (is_optional(field) || field.encoder->id != EncodingId::kPlain || field.compressor != nullptr) return 0;
  return encoding::plain_width(field.type, field.type_length);
}

// Returns the space for the header at the head of a page buffer. PLAIN values of a required fixed-width column
// fill the rest exactly, and a full page needs no move; very wide ones may leave some space. A column with a
// compressor also has space for its growth there, in whole words.
constexpr std::uint32_t header_reserve(const Field& field, std::uint32_t page_bytes) {
  constexpr std::uint32_t kAnyNumber = 0x7FFFFFFF;
  const std::uint32_t width = fixed_width(field);
  const bool is_split = field.encoder->id == EncodingId::kByteStreamSplit;  // values are put as in PLAIN
                                                                            // before
  const bool is_plain = (field.encoder->id == EncodingId::kPlain || is_split) && !is_optional(field);
  const std::uint32_t most_values =
      is_plain ? encoding::most_plain_values(field.type, encoding::plain_width(field.type, field.type_length),
                                             page_bytes)
               : kAnyNumber;
  const std::uint32_t least = format::page_header_bytes(page_bytes, most_values);
  if (field.compressor != nullptr) {
    const Growth& growth = field.compressor->growth();
    if (page_bytes <= least + growth.bytes) return page_bytes;
    const std::uint32_t most = page_bytes - least - growth.bytes;  // longest page after compression
    return round_up(page_bytes - most + (growth.share != 0 ? most / (growth.share + 1) + 1 : 0), 8);
  }
  const bool exact = width >= 2 && width < 256 && page_bytes >= least;
  if (exact) return page_bytes - (page_bytes - least) / width * width;
  return is_split ? round_up(least, 8) : least;
}

// Returns whether the pages of a column follow each other without padding, although only whole sectors are
// written. The rest of a compressed page in its last sector then stays at the head of the column's buffer,
// and is written with the next page. A buffer of one sector has no space for that beside a page, and neither
// has a buffer that keeps much for growth.
constexpr bool has_tails(const Compressor* compressor, bool pads, std::uint32_t page_bytes) {
  constexpr std::uint32_t kLeastShare = 8;
  if (compressor == nullptr || !pads || page_bytes < 2 * kSectorBytes) return false;
  const Growth& growth = compressor->growth();
  return growth.bytes <= kSectorBytes / 8 && (growth.share == 0 || growth.share >= kLeastShare);
}
constexpr bool pads_pages(const Options& options) {
  return options.whole_sectors && options.layout->in_place;
}
constexpr bool has_tails(const Field& field, const Options& options) {
  const std::uint32_t page_bytes = field.page_bytes != 0 ? field.page_bytes : options.page_bytes;
  return has_tails(field.compressor, pads_pages(options), page_bytes);
}
constexpr bool any_tails(Schema schema, const Options& options) {
  for (const Field& field : schema) {
    if (has_tails(field, options)) return true;
  }
  return false;
}

// Returns whether an open page of the column can be written and stay open: PLAIN leaves values where they are.
constexpr bool stays_open(const Field& field) {
  const Encoder& encoder = *field.encoder;
  return encoder.id == EncodingId::kPlain && encoder.transform == nullptr && encoder.dictionary == nullptr &&
         field.compressor == nullptr;
}

// Returns whether checkpoints leave the open pages open.
constexpr bool keeps_pages(Schema schema, const Options& options) {
  if (options.layout->checkpoints != CheckpointKind::kKeepPages) return false;
  for (const Field& field : schema) {
    if (!stays_open(field)) return false;
  }
  return options.whole_sectors && options.block_bytes == kSectorBytes;
}

// Returns the rows of a full page; 0: it depends on the values.
constexpr std::uint32_t rows_per_page(const Field& field, std::uint32_t page_bytes) {
  const std::uint32_t width = fixed_width(field);
  if (width == 0) return 0;
  const std::uint32_t body = page_bytes - header_reserve(field, page_bytes);
  return encoding::most_plain_values(field.type, width, body);
}

}  // namespace microparquet::detail
