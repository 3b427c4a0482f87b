// A list inside a struct.
#pragma once

#include <cstddef>
#include <cstdint>

namespace microparquet {

// List of up to N values, stored in the struct itself: the first size() of N places are in use. An empty list
// is all zeros if T{} is. Threads may share one that nobody changes.
template <typename T, std::size_t N>
class List {
 public:
  static_assert(N != 0 && N <= 0xFFFFFFFF, "a list holds something");
  // Type of an element.
  using value_type = T;

  constexpr List() = default;

  // Returns N, the most elements it can hold.
  static constexpr std::size_t capacity() { return N; }
  // Returns the number of elements.
  constexpr std::size_t size() const { return size_; }
  // Returns whether it has no elements.
  constexpr bool empty() const { return size_ == 0; }
  // Returns whether it has N elements: push_back() would refuse another one.
  constexpr bool full() const { return size_ == N; }

  // Appends a copy of `value`. Returns false if the list is full; it is unchanged then.
  constexpr bool push_back(const T& value) {
    if (full()) return false;
    values_[size_++] = value;
    return true;
  }
  // Removes all elements.
  constexpr void clear() { size_ = 0; }

  // Returns the elements, one after another; valid as long as the list.
  constexpr T* data() { return values_; }
  // Returns the elements of a constant list.
  constexpr const T* data() const { return values_; }
  // Returns element `i`, counted from 0. Requires: i < size().
  constexpr T& operator[](std::size_t i) { return values_[i]; }
  // Returns element `i` of a constant list. Requires: i < size().
  constexpr const T& operator[](std::size_t i) const { return values_[i]; }
  // Iterators over the elements.
  constexpr T* begin() { return values_; }
  // Iterator over constant elements.
  constexpr const T* begin() const { return values_; }
  // Iterator after the last element.
  constexpr T* end() { return values_ + size_; }
  // Iterator after the last constant element.
  constexpr const T* end() const { return values_ + size_; }

 private:
  T values_[N] = {};
  std::uint32_t size_ = 0;
};

// An entry of a map, which is a list of them: List<Entry<Text<12>, float>, 4>.
template <typename Key, typename Value>
struct Entry {
  Key key = {};      // key, which is never missing
  Value value = {};  // value of the key
};

}  // namespace microparquet
