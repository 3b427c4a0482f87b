// Thrift's compact protocol, the reading half; see compact_writer.h for the bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/detail/window.h"
#include "microparquet/status.h"
#include "thrift/compact_writer.h"

namespace microparquet::thrift {

// The field that next() found last. Begins empty at each struct.
struct FieldHeader {
  std::int16_t id = 0;
  CompactType type = CompactType::kStruct;
};

// Pulls one item after another out of a window that moves through a file. The first error stays: from then on
// next() is false, numbers are 0, and status() tells it. Numbers may be written with more bytes than they
// need, up to ten. An item of another type than asked for is kCorrupt.
class CompactReader {
 public:
  explicit CompactReader(detail::Window& window) : window_(window) {}

  // Of structs and lists in each other, as many as skip() and skip_struct() pass. A reader of the whole footer takes
  // fewer: it counts from where the fields it reads end, those that pass what it has read count from further out, and
  // are to pass all that it has let through.
  static constexpr unsigned kMaxDepth = 9;
  // Structures of Parquet need 4: the unit of a time, in its logical type.
  static constexpr unsigned kMaxDepthOfFooter = 5;
  void limit_depth(unsigned depth) { max_depth_ = static_cast<std::uint8_t>(depth); }

  detail::Window& window() { return window_; }
  Status status() const { return status_; }
  bool ok() const { return status_ == Status::kOk; }
  void fail(Status status) {
    if (ok()) status_ = status;
  }

  // Goes to the next field of a struct; false at the struct's end, which it passes.
  bool next(FieldHeader& field);

  // The value of a field.
  bool boolean(const FieldHeader& field);
  std::int32_t i32(const FieldHeader& field);
  std::int64_t i64(const FieldHeader& field);
  // As i64, of a number that is a count, size or offset: a negative one is kCorrupt.
  std::uint64_t count(const FieldHeader& field);
  std::uint32_t count32(const FieldHeader& field);
  // The length of a binary or string. Its bytes stand next in the window.
  std::uint32_t binary(const FieldHeader& field);
  // The size of a list of `element`; its elements are next.
  std::uint32_t list(const FieldHeader& field, CompactType element);
  // The same of a list of booleans, whose elements may have either type.
  std::uint32_t list_of_booleans(const FieldHeader& field);
  // Begins a struct, whose fields are next.
  void begin_struct(const FieldHeader& field);
  // Passes a value that is not known or not wanted.
  void skip(const FieldHeader& field) { skip_value(field.type, false); }

  // Elements of lists.
  std::int32_t element_i32();
  std::uint64_t element_count() { return count({0, CompactType::kI64}); }
  bool element_boolean() { return byte() == static_cast<unsigned>(CompactType::kTrue); }
  std::uint32_t element_binary();
  void skip_struct() { skip_value(CompactType::kStruct, true); }

  // Bytes of a binary.
  void copy(void* to, std::uint32_t bytes);
  void pass(std::uint64_t bytes);
  // Passes `bytes` bytes and tells whether they are `text`.
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
