// Thrift's compact protocol, the writing half (thrift-compact-protocol.md).
//
//   field      (id - last id) << 4 | type; or type, zigzag varint of the id, when that is not 1 to 15
//   bool       the type nibble itself: 1 true, 2 false
//   integers   zigzag varint
//   binary     varint length, bytes
//   list       size << 4 | type; or 0xF0 | type, varint size, from 15 on
//   struct     fields, then a zero byte
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/span.h"
#include "thrift/window_sink.h"

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

// Writes one struct with all that is inside it. Fields go in ascending order of their ids.
class CompactWriter {
 public:
  explicit CompactWriter(WindowSink& sink) : sink_(sink) {}

  WindowSink& sink() { return sink_; }

  void field_bool(int id, bool value);
  void field_byte(int id, std::uint8_t value);
  void field_i32(int id, std::int32_t value);
  void field_i64(int id, std::int64_t value);
  // An i64 that is a count or a size.
  void field_count(int id, std::uint32_t value);
  void field_binary(int id, const void* data, std::size_t bytes);
  void field_string(int id, std::string_view text) { field_binary(id, text.data(), text.size()); }
  void field_list(int id, CompactType element, std::uint32_t size);
  // Followed by the fields of that struct and end_struct().
  void field_struct(int id);
  // A struct without fields, as unions use them.
  void field_empty_struct(int id);

  // Elements of a list. A struct is followed by its fields and end_struct().
  void element_struct();
  void element_i32(std::int32_t value) { zigzag(value); }
  void element_string(std::string_view text);

  void end_struct();

  void varint(std::uint64_t value);
  // A varint of exactly `bytes` bytes, with continuation bytes that carry nothing where it could be shorter.
  void varint_fixed(std::uint64_t value, unsigned bytes);
  void field_header(int id, CompactType type);

 private:
  void zigzag(std::int64_t value);
  void byte(unsigned value) { sink_.put(static_cast<std::byte>(value)); }

  static constexpr int kMaxDepth = 6;  // Parquet's own structures need 5

  WindowSink& sink_;
  std::int16_t last_id_[kMaxDepth] = {};
  int depth_ = 0;
};

}  // namespace microparquet::thrift
