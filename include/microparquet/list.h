// A list inside a struct.
#pragma once

#include <cstddef>
#include <cstdint>

namespace microparquet {

// Up to N values, stored in the struct itself: the first size() of N places are in use. An empty list is all
// zeros if T{} is. Threads may share one that nobody changes.
template <typename T, std::size_t N>
class List {
 public:
  static_assert(N != 0 && N <= 0xFFFFFFFF, "a list holds something");
  // The type of an element.
  using value_type = T;

  constexpr List() = default;

  // The most elements it can hold: N.
  static constexpr std::size_t capacity() { return N; }
  // How many elements it has.
  constexpr std::size_t size() const { return size_; }
  // Whether it has none.
  constexpr bool empty() const { return size_ == 0; }
  // Whether it has N elements: push_back() would refuse another one.
  constexpr bool full() const { return size_ == N; }

  // Appends a copy of `value`. Returns false if the list is full; it is unchanged then.
  constexpr bool push_back(const T& value) {
    if (full()) return false;
    values_[size_++] = value;
    return true;
  }
  // Removes all elements.
  constexpr void clear() { size_ = 0; }

  // The elements, one after another; valid as long as the list.
  constexpr T* data() { return values_; }
  // The same.
  constexpr const T* data() const { return values_; }
  // Element `i`, counted from 0. Requires: i < size().
  constexpr T& operator[](std::size_t i) { return values_[i]; }
  // The same.
  constexpr const T& operator[](std::size_t i) const { return values_[i]; }
  // Iterators, as of any container.
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
