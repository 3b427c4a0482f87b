// Reading BloomFilterHeader (parquet.thrift) from any writer.
#pragma once

#include <cstdint>

#include "microparquet/detail/format/fields.h"
#include "thrift/compact_reader.h"

namespace microparquet::format {

// Reads the next header, and returns the length of the bitset after it: 0 if it is anything but uncompressed
// blocks with xxHash.
static inline std::uint32_t read_bloom_filter_header(thrift::CompactReader& in) {
  // Each of these is a union, whose first member is the one known here.
  constexpr unsigned kKnown = 1U << BloomFilterHeaderField::kAlgorithm | 1U << BloomFilterHeaderField::kHash |
                              1U << BloomFilterHeaderField::kCompression;
  unsigned known = 0;
  std::uint32_t bytes = 0;
  for (thrift::FieldHeader field; in.next(field);) {
    switch (field.id) {
      case BloomFilterHeaderField::kNumBytes: bytes = in.count32(field); break;
      case BloomFilterHeaderField::kAlgorithm:
      case BloomFilterHeaderField::kHash:
      case BloomFilterHeaderField::kCompression:
        in.begin_struct(field);
        for (thrift::FieldHeader member; in.next(member); in.skip(member)) {
          if (member.id == 1) known |= 1U << static_cast<unsigned>(field.id);
        }
        break;
      default: in.skip(field); break;
    }
  }
  return known == kKnown ? bytes : 0;
}

}  // namespace microparquet::format
