#include "thrift/compact_reader.h"

#include "base/bytes.h"
#include "microparquet/detail/math.h"

namespace microparquet::thrift {

namespace {

constexpr bool is_integer(CompactType type) {
  return type >= CompactType::kByte && type <= CompactType::kI64;
}

}  // namespace

unsigned CompactReader::byte() {
  if (window_.cursor == window_.end) {
    if (ok()) fail(window_.fill(1));
    if (!ok()) return 0;
  }
  return static_cast<unsigned>(*window_.cursor++);
}

std::uint64_t CompactReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    const unsigned next = byte();
    const std::uint64_t bits = next & 0x7F;
    // The tenth byte has space for one bit.
    expect(shift < 63 || bits <= 1);
    value |= bits << shift;
    if (next < 0x80) return value;
  }
  fail(Status::kCorrupt);
  return 0;
}

std::int64_t CompactReader::zigzag() { return static_cast<std::int64_t>(detail::unzigzag(varint())); }

// Reads a length or size. An item has at least a byte, so it is at most the number of bytes left.
std::uint32_t CompactReader::length() {
  const std::uint64_t value = varint();
  if (ok() && (value > 0x7FFFFFFF || value > window_.left())) fail(Status::kCorrupt);
  return ok() ? static_cast<std::uint32_t>(value) : 0;
}

bool CompactReader::next(FieldHeader& field) {
  const unsigned head = byte();
  if (!ok() || head == 0) return false;
  field.type = static_cast<CompactType>(head & 15);
  std::int64_t id = field.id + static_cast<int>(head >> 4);
  if (head < 16) id = zigzag();
  expect(field.type >= CompactType::kTrue && field.type <= CompactType::kStruct);
  expect(id >= -32768 && id <= 32767);
  field.id = static_cast<std::int16_t>(id);
  return ok();
}

bool CompactReader::boolean(const FieldHeader& field) {
  expect(field.type <= CompactType::kFalse);
  return field.type == CompactType::kTrue;
}

std::int64_t CompactReader::i64(const FieldHeader& field) {
  expect(is_integer(field.type));
  if (field.type == CompactType::kByte) return static_cast<std::int8_t>(byte());
  const std::int64_t value = zigzag();
  return ok() ? value : 0;
}

std::int32_t CompactReader::i32(const FieldHeader& field) {
  const std::int64_t value = i64(field);
  const auto narrow = static_cast<std::int32_t>(value);
  expect(narrow == value);
  return narrow;
}

std::uint64_t CompactReader::count(const FieldHeader& field) {
  const std::int64_t value = i64(field);
  expect(value >= 0);
  return static_cast<std::uint64_t>(value);
}

std::uint32_t CompactReader::count32(const FieldHeader& field) {
  const std::int32_t value = i32(field);
  expect(value >= 0);
  return static_cast<std::uint32_t>(value);
}

std::uint32_t CompactReader::binary(const FieldHeader& field) {
  expect(field.type == CompactType::kBinary);
  return length();
}

std::uint32_t CompactReader::list_header(CompactType& element) {
  const unsigned head = byte();
  element = static_cast<CompactType>(head & 15);
  if (head < 0xF0) return head >> 4;
  return length();
}

std::uint32_t CompactReader::list(const FieldHeader& field, CompactType element) {
  expect(field.type == CompactType::kList);
  CompactType found = element;
  const std::uint32_t size = list_header(found);
  expect(found == element || size == 0);
  return ok() ? size : 0;
}

std::uint32_t CompactReader::list_of_booleans(const FieldHeader& field) {
  expect(field.type == CompactType::kList);
  CompactType found = CompactType::kTrue;
  const std::uint32_t size = list_header(found);
  expect(found == CompactType::kTrue || found == CompactType::kFalse || size == 0);
  return ok() ? size : 0;
}

void CompactReader::begin_struct(const FieldHeader& field) { expect(field.type == CompactType::kStruct); }

std::int32_t CompactReader::element_i32() {
  const std::int64_t value = zigzag();
  const auto narrow = static_cast<std::int32_t>(value);
  expect(narrow == value);
  return narrow;
}

std::uint32_t CompactReader::element_binary() { return length(); }

void CompactReader::copy(void* to, std::uint32_t bytes) {
  auto* out = static_cast<std::byte*>(to);
  while (bytes != 0) {
    if (window_.available() == 0) fail(window_.fill(1));
    if (!ok()) return;
    const auto there = static_cast<std::uint32_t>(window_.available());
    const std::uint32_t part = there < bytes ? there : bytes;
    util::move_bytes(out, window_.cursor, part);
    window_.cursor += part;
    out += part;
    bytes -= part;
  }
}

void CompactReader::pass(std::uint64_t bytes) {
  if (ok()) fail(window_.skip(bytes));
}

bool CompactReader::passes(std::string_view text, std::uint32_t bytes) {
  if (bytes != text.size()) {
    pass(bytes);
    return false;
  }
  bool equal = true;
  for (const char expected : text) {
    if (byte() != static_cast<unsigned char>(expected)) equal = false;
  }
  return equal && ok();
}

// Structs and containers being skipped, from the outside in. With recursion the file would choose the depth
// of the stack.
struct CompactReader::Frames {
  static constexpr std::uint8_t kStruct = 0;

  // Elements left in a list or map, whose types alternate; a struct lasts to its end.
  std::uint32_t left[kMaxDepth];
  std::uint8_t types[kMaxDepth];  // types of elements: the next one's, then the other's; kStruct: fields
  unsigned depth = 0;

  bool push(std::uint32_t elements, std::uint8_t element_types, unsigned most) {
    if (depth == most) return false;
    left[depth] = elements;
    types[depth] = element_types;
    ++depth;
    return true;
  }
};

void CompactReader::skip_scalar(CompactType type, bool in_list) {
  switch (type) {
    case CompactType::kTrue:
    case CompactType::kFalse:
      if (in_list) byte();
      return;
    case CompactType::kByte: byte(); return;
    case CompactType::kI16:
    case CompactType::kI32:
    case CompactType::kI64: varint(); return;
    case CompactType::kDouble: pass(8); return;
    case CompactType::kBinary: pass(length()); return;
    default: fail(Status::kCorrupt); return;
  }
}

void CompactReader::skip_value(CompactType type, bool in_list) {
  Frames frames;
  for (;;) {
    // Skip one value of `type`, or enter a container.
    if (type == CompactType::kStruct) {
      if (!frames.push(0, Frames::kStruct, max_depth_)) fail(Status::kUnsupported);
    } else if (type >= CompactType::kList && type <= CompactType::kMap) {
      // Elements of a list have one type; those of a map are keys and values in turn.
      const bool map = type == CompactType::kMap;
      std::uint32_t size = map ? length() : list_header(type);
      unsigned types = static_cast<unsigned>(type) * 0x11;
      if (map && size != 0) {
        types = byte();
        expect(size <= 0x3FFFFFFF);
        size *= 2;
      }
      expect(size == 0 || ((types & 15) != 0 && types >= 16));
      if (size != 0 && !frames.push(size, static_cast<std::uint8_t>(types), max_depth_))
        fail(Status::kUnsupported);
    } else {
      skip_scalar(type, in_list);
    }
    // Go to the next value of the innermost container that has one.
    for (;;) {
      if (!ok() || frames.depth == 0) return;
      std::uint32_t& left = frames.left[frames.depth - 1];
      std::uint8_t& types = frames.types[frames.depth - 1];
      if (types == Frames::kStruct) {
        FieldHeader field;
        if (next(field)) {
          type = field.type;
          in_list = false;
          break;
        }
      } else if (left != 0) {
        --left;
        types = static_cast<std::uint8_t>(types << 4 | types >> 4);
        type = static_cast<CompactType>(types & 15);
        in_list = true;
        break;
      }
      --frames.depth;
    }
  }
}

}  // namespace microparquet::thrift
