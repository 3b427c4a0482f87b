// Reader of Thrift's compact protocol; compact_writer.h describes the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/detail/window.h"
#include "microparquet/status.h"
#include "thrift/compact_writer.h"

namespace microparquet::thrift {

// The last field found by next(). It begins empty in each struct.
struct FieldHeader {
  std::int16_t id = 0;
  CompactType type = CompactType::kStruct;
};

// Reads one item after another through a window that moves along the file. The first error is kept: from then
// on next() returns false, numbers are 0, and status() returns the error. Numbers may have more bytes than
// they need, up to ten. An item of another type than asked for is kCorrupt.
class CompactReader {
 public:
  explicit CompactReader(detail::Window& window) : window_(window) {}

  // Depth of nested structs and lists that skip() and skip_struct() pass. A reader of the whole footer allows
  // less: it counts from the fields it reads, while later passes over the same bytes count from further out
  // and must pass everything that it has accepted.
  static constexpr unsigned kMaxDepth = 9;
  // Structures of Parquet need 4, for the unit of a time in its logical type.
  static constexpr unsigned kMaxDepthOfFooter = 5;
  void limit_depth(unsigned depth) { max_depth_ = static_cast<std::uint8_t>(depth); }

  detail::Window& window() { return window_; }
  Status status() const { return status_; }
  bool ok() const { return status_ == Status::kOk; }
  void fail(Status status) {
    if (ok()) status_ = status;
  }

  // Goes to the next field of a struct. Returns false at the struct's end, which it passes.
  bool next(FieldHeader& field);

  // Read the value of a field.
  bool boolean(const FieldHeader& field);
  std::int32_t i32(const FieldHeader& field);
  std::int64_t i64(const FieldHeader& field);
  // Work as i64() for a count, size or offset: a negative one is kCorrupt.
  std::uint64_t count(const FieldHeader& field);
  std::uint32_t count32(const FieldHeader& field);
  // Reads the length of a binary or string. Its bytes are next in the window.
  std::uint32_t binary(const FieldHeader& field);
  // Reads the size of a list of `element`; its elements are next.
  std::uint32_t list(const FieldHeader& field, CompactType element);
  // Reads the size of a list of booleans, whose elements may have either type.
  std::uint32_t list_of_booleans(const FieldHeader& field);
  // Begins a struct, whose fields are next.
  void begin_struct(const FieldHeader& field);
  // Passes an unknown or unwanted value.
  void skip(const FieldHeader& field) { skip_value(field.type, false); }

  // Read an element of a list.
  std::int32_t element_i32();
  std::uint64_t element_count() { return count({0, CompactType::kI64}); }
  bool element_boolean() { return byte() == static_cast<unsigned>(CompactType::kTrue); }
  std::uint32_t element_binary();
  void skip_struct() { skip_value(CompactType::kStruct, true); }

  // Read or pass bytes of a binary.
  void copy(void* to, std::uint32_t bytes);
  void pass(std::uint64_t bytes);
  // Passes `bytes` bytes, and returns whether they are `text`.
  bool passes(std::string_view text, std::uint32_t bytes);

 private:
  struct Frames;

  unsigned byte();
  std::uint64_t varint();
  std::int64_t zigzag();
  std::uint32_t length();
  std::uint32_t list_header(CompactType& element);
  void skip_value(CompactType type, bool in_list);
  void skip_scalar(CompactType type, bool in_list);
  void expect(bool condition) {
    if (!condition) fail(Status::kCorrupt);
  }

  detail::Window& window_;
  Status status_ = Status::kOk;
  std::uint8_t max_depth_ = kMaxDepth;
};

}  // namespace microparquet::thrift
