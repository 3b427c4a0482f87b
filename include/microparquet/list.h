// A list inside a struct.
#pragma once

#include <cstddef>
#include <cstdint>

namespace microparquet {

// Up to N values, kept in the struct: the first size() of N places. An empty one is all zeros where T{} is.
template <typename T, std::size_t N>
class List {
 public:
  static_assert(N != 0 && N <= 0xFFFFFFFF, "a list holds something");
  // Of its elements.
  using value_type = T;

  constexpr List() = default;

  // N.
  static constexpr std::size_t capacity() { return N; }
  // How many elements it has.
  constexpr std::size_t size() const { return size_; }
  // Whether it has none.
  constexpr bool empty() const { return size_ == 0; }
  // Whether it has N.
  constexpr bool full() const { return size_ == N; }

  // Adds one element after the others. False: it is full, and nothing has been added.
  constexpr bool push_back(const T& value) {
    if (full()) return false;
    values_[size_++] = value;
    return true;
  }
  // Leaves no element.
  constexpr void clear() { size_ = 0; }

  // The first element; the others follow it.
  constexpr T* data() { return values_; }
  // The same.
  constexpr const T* data() const { return values_; }
  // Requires: i < size().
  constexpr T& operator[](std::size_t i) { return values_[i]; }
  // The same.
  constexpr const T& operator[](std::size_t i) const { return values_[i]; }
  // As of any container.
  constexpr T* begin() { return values_; }
  // The same.
  constexpr const T* begin() const { return values_; }
  // The same.
  constexpr T* end() { return values_ + size_; }
  // The same.
  constexpr const T* end() const { return values_ + size_; }

 private:
  T values_[N] = {};
  std::uint32_t size_ = 0;
};

// An entry of a map, which is a list of them: List<Entry<Text<12>, float>, 4>.
template <typename Key, typename Value>
struct Entry {
  Key key = {};      // never missing
  Value value = {};  // of the key
};

}  // namespace microparquet
