#include "thrift/compact_writer.h"

namespace microparquet::thrift {

void CompactWriter::field_header(int id, CompactType type) {
  const int delta = id - last_id_[depth_];
  const auto nibble = static_cast<unsigned>(type);
  if (delta > 0 && delta <= 15) {
    byte(static_cast<unsigned>(delta) << 4 | nibble);
  } else {
    byte(nibble);
    zigzag(id);
  }
  last_id_[depth_] = static_cast<std::int16_t>(id);
}

void CompactWriter::field_bool(int id, bool value) {
  field_header(id, value ? CompactType::kTrue : CompactType::kFalse);
}

void CompactWriter::field_byte(int id, std::uint8_t value) {
  field_header(id, CompactType::kByte);
  byte(value);
}

void CompactWriter::field_i32(int id, std::int32_t value) {
  field_header(id, CompactType::kI32);
  zigzag(value);
}

void CompactWriter::field_i64(int id, std::int64_t value) {
  field_header(id, CompactType::kI64);
  zigzag(value);
}

void CompactWriter::field_count(int id, std::uint32_t value) { field_i64(id, value); }

void CompactWriter::field_binary(int id, const void* data, std::size_t bytes) {
  field_header(id, CompactType::kBinary);
  varint(bytes);
  sink_.put(data, bytes);
}

void CompactWriter::field_list(int id, CompactType element, std::uint32_t size) {
  field_header(id, CompactType::kList);
  const auto nibble = static_cast<unsigned>(element);
  if (size < 15) {
    byte(size << 4 | nibble);
  } else {
    byte(0xF0 | nibble);
    varint(size);
  }
}

void CompactWriter::field_struct(int id) {
  field_header(id, CompactType::kStruct);
  element_struct();
}

void CompactWriter::field_empty_struct(int id) {
  field_header(id, CompactType::kStruct);
  byte(0);
}

void CompactWriter::element_struct() { last_id_[++depth_] = 0; }

void CompactWriter::element_string(std::string_view text) {
  varint(text.size());
  sink_.put(text.data(), text.size());
}

void CompactWriter::end_struct() {
  byte(0);
  if (depth_ > 0) --depth_;
}

void CompactWriter::varint(std::uint64_t value) {
  while (value >= 0x80) {
    byte(static_cast<unsigned>(value & 0x7F) | 0x80);
    value >>= 7;
  }
  byte(static_cast<unsigned>(value));
}

void CompactWriter::varint_fixed(std::uint64_t value, unsigned bytes) {
  for (; bytes > 1; --bytes) {
    byte(static_cast<unsigned>(value & 0x7F) | 0x80);
    value >>= 7;
  }
  byte(static_cast<unsigned>(value));
}

void CompactWriter::zigzag(std::int64_t value) {
  varint(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
}

}  // namespace microparquet::thrift
