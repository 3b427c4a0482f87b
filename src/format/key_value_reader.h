// Reading KeyValue (parquet.thrift) and created_by from any writer: the offsets of their texts.
#pragma once

#include <cstdint>

#include "microparquet/detail/format/fields.h"
#include "thrift/compact_reader.h"

namespace microparquet::format {

// Place of a text in the file.
struct TextPlace {
  std::uint64_t begin = 0;
  std::uint32_t bytes = 0;
};

// Passes the next text, of `bytes` bytes.
[[gnu::noinline]] static inline TextPlace pass_text(thrift::CompactReader& in, std::uint32_t bytes) {
  const TextPlace place{in.window().position(), bytes};
  in.pass(bytes);
  return place;
}

// Passes created_by, whose length is next.
static inline TextPlace read_created_by(thrift::CompactReader& in) {
  return pass_text(in, in.element_binary());
}

// Reads the next key-value.
static inline void read_key_value(thrift::CompactReader& in, TextPlace& key, TextPlace& value) {
  for (thrift::FieldHeader field; in.next(field);) {
    switch (field.id) {
      case KeyValueField::kKey: key = pass_text(in, in.binary(field)); break;
      case KeyValueField::kValue: value = pass_text(in, in.binary(field)); break;
      default: in.skip(field); break;
    }
  }
}

}  // namespace microparquet::format
