// Thrift's compact protocol in memory: its bytes, and any structure as a tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "byte_views.h"
#include "microparquet/detail/compact_writer.h"
#include "microparquet/detail/window.h"

namespace microparquet::recovery {

// A sink of a BasicCompactWriter.
class BytesSink {
 public:
  explicit BytesSink(Bytes& bytes) : bytes_(bytes) {}
  void put_byte(unsigned byte) { bytes_.push_back(static_cast<std::byte>(byte)); }
  void put(const void* data, std::size_t size) {
    append(bytes_, {static_cast<const std::byte*>(data), size});
  }

 private:
  Bytes& bytes_;
};

using BytesWriter = thrift::BasicCompactWriter<BytesSink>;

// The header of a field, in the long form where its id is too far from that of the field before.
inline void write_field_header(BytesWriter& out, int id, thrift::CompactType type, int& last_id) {
  if (id > last_id && id - last_id <= 15) {
    out.byte(thrift::field_byte(id, type, last_id));
  } else {
    out.byte(static_cast<unsigned>(type));
    out.element_i32(id);
  }
  last_id = id;
}

// A window that shows `bytes`, whose positions count from its first one. Reading does not change them.
inline detail::Window window_on(ByteView bytes) {
  detail::Window window = {};
  window.view_memory(const_cast<std::byte*>(bytes.data()), static_cast<std::uint32_t>(bytes.size()));
  return window;
}

// Any structure of Thrift as a tree, to be changed and written again.
class ThriftValue {
 public:
  using Type = thrift::CompactType;
  using Field = std::pair<int, ThriftValue>;

  explicit ThriftValue(Type type = Type::kStruct) : type_(type) {}
  static ThriftValue of_number(Type type, std::int64_t number);
  static ThriftValue of_i32(std::int64_t number) { return of_number(Type::kI32, number); }
  static ThriftValue of_i64(std::uint64_t number) {
    return of_number(Type::kI64, static_cast<std::int64_t>(number));
  }
  static ThriftValue of_bytes(Bytes bytes);
  static ThriftValue of_text(const std::string& text);
  static ThriftValue of_list(Type element, std::vector<ThriftValue> items);
  // A list of the numbers whose bits are set.
  static ThriftValue of_bits(std::uint32_t bits);

  Type type() const { return type_; }
  // Value of an integer, or 0 and 1 of a boolean.
  std::int64_t number() const { return number_; }
  // Bytes of a binary; the eight bytes of a double.
  const Bytes& bytes() const { return bytes_; }
  // Items of a list.
  std::vector<ThriftValue>& items() { return items_; }
  const std::vector<ThriftValue>& items() const { return items_; }

  // Field of a struct; null: there is none.
  ThriftValue* find(int id);
  const ThriftValue* find(int id) const;
  // The number of a field; 0: there is none.
  std::uint64_t number_of(int id) const;
  // Sets or adds a field.
  void set(int id, ThriftValue value);
  void remove(int id);

  // None when `bytes` are no struct, hold a map, or are nested too deeply. `used` says how many there were of
  // it.
  static std::optional<ThriftValue> parse_struct(ByteView bytes, std::size_t& used);
  Bytes serialise() const;

 private:
  friend class ThriftParser;
  friend class ThriftPrinter;

  Type type_;
  Type element_ = Type::kStruct;  // type of a list's items
  std::int64_t number_ = 0;
  Bytes bytes_;
  std::vector<ThriftValue> items_;
  std::vector<Field> fields_;  // fields in ascending order
};

}  // namespace microparquet::recovery
