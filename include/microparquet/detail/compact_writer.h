// Writer of Thrift's compact protocol (thrift-compact-protocol.md).
//
//   field      (id - last id) << 4 | type
//   bool       the type nibble itself: 1 true, 2 false
//   integers   zigzag varint
//   binary     varint length, bytes
//   list       size << 4 | type; or 0xF0 | type, varint size, from 15 on
//   struct     fields, then a zero byte
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/detail/math.h"

namespace microparquet::thrift {

enum class CompactType : std::uint8_t {
  kTrue = 1,
  kFalse = 2,
  kByte = 3,
  kI16 = 4,
  kI32 = 5,
  kI64 = 6,
  kDouble = 7,
  kBinary = 8,
  kList = 9,
  kSet = 10,
  kMap = 11,
  kStruct = 12,
};

// Returns the first byte of a field; `after` is the id of the field before it, 0 for the first.
constexpr std::uint8_t field_byte(int id, CompactType type, int after) {
  return static_cast<std::uint8_t>((id - after) * 16 + static_cast<int>(type));
}
// Returns the first byte of a list of less than 15 elements.
constexpr std::uint8_t list_byte(CompactType element, unsigned size) {
  return static_cast<std::uint8_t>(size << 4 | static_cast<unsigned>(element));
}

// Writes structs to any sink with put(byte) and put(data, bytes): a file's window, or an array at compile
// time. Fields go in ascending order of their ids, none more than 15 above the one before.
//
// The beginning of a field is inlined even at -Os: the compiler then knows its id and the one before, and
// reduces it to a constant. Parts common to all fields are static functions.
template <typename Sink>
class BasicCompactWriter {
 public:
  // `last_id`: field after which the struct continues; 0: it begins.
  constexpr explicit BasicCompactWriter(Sink& sink, int last_id = 0) : sink_(sink), last_id_(last_id) {}

  [[gnu::always_inline]] constexpr void field_header(int id, CompactType type) {
    byte(begin_field(id, type));
  }
  [[gnu::always_inline]] constexpr void field_bool(int id, bool value) {
    field_header(id, value ? CompactType::kTrue : CompactType::kFalse);
  }
  constexpr void field_byte(int id, std::uint8_t value) {
    field_header(id, CompactType::kByte);
    byte(value);
  }
  [[gnu::always_inline]] constexpr void field_i32(int id, std::int32_t value) {
    field_header(id, CompactType::kI32);
    element_i32(value);
  }
  [[gnu::always_inline]] constexpr void field_i64(int id, std::uint64_t value) {
    put_i64(sink_, begin_field(id, CompactType::kI64), value);
  }
  [[gnu::always_inline]] constexpr void field_string(int id, std::string_view text) {
    put_string(sink_, begin_field(id, CompactType::kBinary), text.data(), text.size());
  }
  [[gnu::always_inline]] constexpr void field_list(int id, CompactType element, std::uint32_t size) {
    field_header(id, CompactType::kList);
    byte(list_byte(element, size < 15 ? size : 15));
    if (size >= 15) varint(size);
  }
  // Begins a struct; its fields and end_struct() follow.
  [[gnu::always_inline]] constexpr void field_struct(int id) {
    field_header(id, CompactType::kStruct);
    element_struct();
  }

  // Writes elements of a list. The fields of a struct and end_struct() follow.
  constexpr void element_struct() { last_id_ = 0; }
  constexpr void element_i32(std::int32_t value) {
    varint(detail::zigzag(static_cast<std::uint32_t>(value)));
  }
  constexpr void element_string(std::string_view text) {
    varint(text.size());
    sink_.put(text.data(), text.size());
  }

  // Ends a struct that is field `id`, or an element of field `id`, of the struct around it.
  constexpr void end_struct(int id) {
    byte(0);
    last_id_ = id;
  }

  [[gnu::always_inline]] constexpr void varint(std::uint64_t value) { put_varint(sink_, value); }
  [[gnu::always_inline]] constexpr void byte(unsigned value) { sink_.put_byte(value); }

  // Puts a string after `first`, the header of its field or of a list of this one string.
  [[gnu::noinline]] static constexpr void put_string(Sink& sink, unsigned first, const char* text,
                                                     std::size_t bytes) {
    sink.put_byte(first);
    put_varint(sink, bytes);
    sink.put(text, bytes);
  }

  // Puts an i64 after the header of its field.
  [[gnu::noinline]] static constexpr void put_i64(Sink& sink, unsigned field, std::uint64_t value) {
    sink.put_byte(field);
    put_varint(sink, value << 1);
  }

 private:
  [[gnu::always_inline]] constexpr unsigned begin_field(int id, CompactType type) {
    const unsigned byte = thrift::field_byte(id, type, last_id_);
    last_id_ = id;
    return byte;
  }

  [[gnu::noinline]] static constexpr void put_varint(Sink& sink, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) sink.put_byte(static_cast<unsigned>(value) | 0x80);
    sink.put_byte(static_cast<unsigned>(value));
  }

  Sink& sink_;
  int last_id_;
};

}  // namespace microparquet::thrift
