#include "support/thrift_view.h"

namespace view {
namespace {

constexpr int kTrue = 1;
constexpr int kFalse = 2;
constexpr int kByte = 3;
constexpr int kI64 = 6;
constexpr int kDouble = 7;
constexpr int kBinary = 8;
constexpr int kList = 9;
constexpr int kSet = 10;
constexpr int kStruct = 12;

unsigned byte_at(const std::byte* at) { return static_cast<unsigned>(*at); }

const std::byte* skip_varint(const std::byte* at) {
  while ((byte_at(at) & 0x80) != 0) ++at;
  return at + 1;
}

std::string_view binary(const std::byte* at) {
  const auto size = static_cast<std::size_t>(varint(at));
  return {reinterpret_cast<const char*>(at), size};
}

List list_at(const std::byte* at) {
  const unsigned head = byte_at(at++);
  std::uint32_t size = head >> 4;
  if (size == 15) size = static_cast<std::uint32_t>(varint(at));
  return {at, size, static_cast<int>(head & 15)};
}

const std::byte* skip(const std::byte* at, int type, bool in_list) {
  switch (type) {
    case kTrue:
    case kFalse: return in_list ? at + 1 : at;
    case kByte: return at + 1;
    case kDouble: return at + 8;
    case kBinary: {
      const std::string_view text = binary(at);
      return reinterpret_cast<const std::byte*>(text.data()) + text.size();
    }
    case kList:
    case kSet: {
      const List list = list_at(at);
      return list.end();
    }
    case kStruct: return Struct(at).end();
    default: return type > kByte && type <= kI64 ? skip_varint(at) : at;
  }
}

// Moves `at` past a field header; false at the stop byte.
bool field_header(const std::byte*& at, int& id, int& type) {
  const unsigned head = byte_at(at++);
  if (head == 0) return false;
  type = static_cast<int>(head & 15);
  id = head >> 4 != 0 ? id + static_cast<int>(head >> 4) : static_cast<int>(zigzag(at));
  return true;
}

}  // namespace

std::uint64_t varint(const std::byte*& at) {
  std::uint64_t value = byte_at(at) & 0x7F;  // most have one byte; cores of 32 bits are slow to shift 64
  if ((byte_at(at++) & 0x80) == 0) return value;
  for (unsigned shift = 7;; shift += 7) {
    const unsigned byte = byte_at(at++);
    if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) return value;
  }
}

std::int64_t zigzag(const std::byte*& at) {
  const std::uint64_t value = varint(at);
  return static_cast<std::int64_t>(value >> 1 ^ (0 - (value & 1)));
}

const std::byte* Struct::end() const {
  const std::byte* at = at_;
  for (int id = 0, type = 0; field_header(at, id, type);) at = skip(at, type, false);
  return at;
}

const std::byte* Struct::find(int id, int& type) const {
  type = 0;
  if (at_ == nullptr) return nullptr;
  const std::byte* at = at_;
  int found = 0;
  int found_type = 0;
  while (field_header(at, found, found_type)) {
    if (found == id) {
      type = found_type;
      return at;
    }
    at = skip(at, found_type, false);
  }
  return nullptr;
}

int Struct::type(int id) const {
  int type = 0;
  find(id, type);
  return type;
}

std::int64_t Struct::integer(int id) const {
  int type = 0;
  const std::byte* at = find(id, type);
  if (type == kByte) return static_cast<std::int8_t>(byte_at(at));
  return type > kByte && type <= kI64 ? zigzag(at) : 0;
}

std::string_view Struct::text(int id) const {
  int type = 0;
  const std::byte* const at = find(id, type);
  if (type == kBinary) return binary(at);
  if (type != kList) return {};
  const List list = list_at(at);
  return list.bytes();
}

Struct Struct::structure(int id) const {
  int type = 0;
  const std::byte* const at = find(id, type);
  return Struct(type == kStruct ? at : nullptr);
}

List Struct::list(int id) const {
  int type = 0;
  const std::byte* const at = find(id, type);
  return type == kList ? list_at(at) : List();
}

const std::byte* List::element(std::uint32_t i) const {
  const std::byte* at = first_;
  for (; i != 0; --i) at = skip(at, element_, true);
  return at;
}

std::int64_t List::integer(std::uint32_t i) const {
  const std::byte* at = element(i);
  return zigzag(at);
}

std::string_view List::bytes() const {
  if (element_ != kByte) return {};
  return {reinterpret_cast<const char*>(first_), size_};
}

std::string_view List::text(std::uint32_t i) const { return binary(element(i)); }

}  // namespace view
