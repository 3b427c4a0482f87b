// Metadata from a footer: the schema, and the column chunks with their statistics (parquet.thrift).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "microparquet/codec_id.h"
#include "microparquet/schema.h"
#include "microparquet/span.h"

namespace microparquet {

// Stands for a column's number if there is no column.
inline constexpr std::uint32_t kNoColumn = 0xFFFFFFFF;

// A node of the schema's tree (parquet.thrift, SchemaElement). Node 0 is the root, and each node is followed
// by its children; a flat schema is the root and one leaf for each column.
struct SchemaElement {
  std::string_view name;                          // name, in the given buffer
  bool leaf = false;                              // a column; else a group of `children` nodes
  std::uint32_t column = kNoColumn;               // leaf: the column's number in the file
  std::uint32_t children = 0;                     // nodes right below it
  std::uint32_t depth = 0;                        // distance from the root, whose own is 0
  Type type = Type::kInt32;                       // leaf
  std::uint32_t type_length = 0;                  // leaf of kFixedLenByteArray: bytes
  Repetition repetition = Repetition::kRequired;  // repetition; kRequired if the file has none
  LogicalType logical = {};                       // logical type from LogicalType or, in older files, from
                                                  // ConvertedType
  std::int32_t converted_type = -1;               // number as stored, -1: none
  std::int32_t field_id = -1;                     // number as stored, -1: none
  std::uint8_t max_definition_level = 0;          // number of optional and repeated nodes down to it
  std::uint8_t max_repetition_level = 0;          // number of repeated nodes down to it
};

// Metadata of one column in one row group (parquet.thrift, ColumnMetaData).
struct ColumnChunkInfo {
  CodecId codec = CodecId::kUncompressed;    // compression of all its pages
  std::uint32_t encodings = 0;               // bit n: EncodingId n is used, by values or levels
  std::uint64_t values = 0;                  // number with nulls
  std::uint64_t compressed_bytes = 0;        // length in the file, with page headers
  std::uint64_t uncompressed_bytes = 0;      // length before compression, with page headers
  std::uint64_t data_page_offset = 0;        // place of the first data page in the file
  std::uint64_t dictionary_page_offset = 0;  // place in the file; 0: none
};

// Statistics of one column in one row group (parquet.thrift, Statistics). Bounds are values in PLAIN, byte
// arrays without their length. They are claims of the writer; treat them as hints.
struct ColumnStatistics {
  bool has_min = false;     // `min` is valid
  bool has_max = false;     // `max` is valid
  bool min_exact = false;   // `min` is known to be a value of the column
  bool max_exact = false;   // `max` is known to be a value of the column
  bool deprecated = false;  // the bounds come from the fields `min` and `max`, whose order is doubtful for
                            // unsigned and byte array columns
  bool has_null_count = false;
  bool has_nan_count = false;        // `nan_count` is valid
  bool has_distinct_count = false;   // `distinct_count` is valid
  Span<const std::byte> min;         // bound in the given buffer
  Span<const std::byte> max;         // bound in the given buffer
  std::uint64_t null_count = 0;      // rows without a value
  std::uint64_t nan_count = 0;       // values that are NaN
  std::uint64_t distinct_count = 0;  // number of different values
};

// Returns a bound as a number in `value`, or false if it does not have the size of T.
template <typename T>
bool bound_as(Span<const std::byte> bound, T& value) {
  static_assert(std::is_arithmetic_v<T>, "bounds of other types are their bytes");
  if (bound.size() != sizeof(T)) return false;
  std::memcpy(&value, bound.data(), sizeof(T));
  return true;
}

}  // namespace microparquet
