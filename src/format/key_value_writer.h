// FileMetaData.key_value_metadata, a list of KeyValue (parquet.thrift).
#pragma once

#include <cstdint>
#include <string_view>

#include "io/window_sink.h"
#include "microparquet/detail/format/fields.h"
#include "microparquet/detail/math.h"
#include "microparquet/options.h"
#include "thrift/compact_writer.h"

namespace microparquet::format {

// Longest list whose length fits in the byte of its header.
inline constexpr std::uint32_t kMostInShortList = 14;

constexpr std::uint32_t key_values_header_bytes(std::uint32_t count) {
  return 2 + (count <= kMostInShortList ? 0 : detail::varint_bytes(count));
}

inline std::uint32_t text_field_bytes(std::string_view text) {
  const auto bytes = static_cast<std::uint32_t>(text.size());
  return 1 + detail::varint_bytes(bytes) + bytes;
}

inline std::uint32_t key_value_bytes(const KeyValue& pair) {
  constexpr std::uint32_t kStop = 1;
  return text_field_bytes(pair.key) + text_field_bytes(pair.value) + kStop;
}

// noinline, the following functions: their variables are off the stack while others are copied.

// Writes the header of the list, after the row groups; `count` elements follow.
[[gnu::noinline]] static inline void put_key_values_header(thrift::WindowSink& sink, std::uint32_t count) {
  thrift::CompactWriter out(sink, FileMetaDataField::kRowGroups);
  out.field_list(FileMetaDataField::kKeyValueMetadata, thrift::CompactType::kStruct, count);
}

[[gnu::noinline]] static inline void put_key_value(thrift::WindowSink& sink, const KeyValue& pair) {
  thrift::CompactWriter out(sink);
  out.field_string(KeyValueField::kKey, pair.key);
  out.field_string(KeyValueField::kValue, pair.value);
  out.end_struct(FileMetaDataField::kKeyValueMetadata);
}

}  // namespace microparquet::format
