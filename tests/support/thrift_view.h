// Thrift's compact protocol read where it lies, written from the protocol's text and apart from the library:
// the tests judge by it what the library writes. It trusts the bytes to be whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace view {

class List;

// A struct that begins at `at`. Asking for a field goes through it from the start. An absent one is 0, false
// or empty.
class Struct {
 public:
  explicit Struct(const std::byte* at = nullptr) : at_(at) {}

  const std::byte* begin() const { return at_; }
  const std::byte* end() const;  // one after its stop byte

  bool has(int id) const { return type(id) != 0; }
  int type(int id) const;  // the type in the field's header
  std::int64_t integer(int id) const;
  bool boolean(int id) const { return type(id) == 1; }
  std::string_view text(int id) const;  // a binary's, or all of a list of bytes
  Struct structure(int id) const;
  List list(int id) const;

 private:
  // The value of a field; its type is 0 when there is none.
  const std::byte* find(int id, int& type) const;

  const std::byte* at_;
};

class List {
 public:
  List() = default;
  List(const std::byte* first, std::uint32_t size, int element)
      : first_(first), size_(size), element_(element) {}

  std::uint32_t size() const { return size_; }
  int element_type() const { return element_; }
  std::int64_t integer(std::uint32_t i) const;
  std::string_view text(std::uint32_t i) const;
  std::string_view bytes() const;  // all of a list of bytes
  Struct structure(std::uint32_t i) const { return Struct(element(i)); }
  const std::byte* end() const { return element(size_); }  // one after the last element

 private:
  const std::byte* element(std::uint32_t i) const;

  const std::byte* first_ = nullptr;
  std::uint32_t size_ = 0;
  int element_ = 0;
};

// An unsigned varint at `at`, which moves past it.
std::uint64_t varint(const std::byte*& at);
std::int64_t zigzag(const std::byte*& at);

}  // namespace view
