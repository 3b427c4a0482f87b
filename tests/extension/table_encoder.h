// An encoder of a program's own with a dictionary: numbers of eight bytes as indices into a table of those
// seen before (Encodings.md, RLE_DICTIONARY), written by what encoder.h says and nothing else.
//
//   1 byte    bit width of the indices: 8
//   runs      length << 1, of up to 63 values; the index in one byte
//
// A page whose values do not all find a place in the table stays PLAIN.
#pragma once

#include "microparquet/encoder.h"

namespace extension {

namespace mpq = microparquet;

inline constexpr std::uint32_t kTableEntries = 48;

mpq::Encoder::ValuesThatFit table_values_that_fit;
mpq::Encoder::Put put_table_values;
mpq::Encoder::Finish finish_table_values;
mpq::EncoderDictionary::Freeze freeze_table;
mpq::EncoderDictionary::Drop drop_table;

inline constexpr mpq::EncoderDictionary kTable{8 * kTableEntries, &freeze_table, &drop_table};

inline constexpr mpq::Encoder kTableEncoder{mpq::EncodingId::kRleDictionary,
                                            {mpq::Type::kInt64, mpq::Type::kDouble},
                                            8 * kTableEntries + 8,
                                            false,
                                            nullptr,
                                            &table_values_that_fit,
                                            nullptr,
                                            &put_table_values,
                                            &finish_table_values,
                                            nullptr,
                                            &kTable};

}  // namespace extension
