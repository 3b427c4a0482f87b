// View of contiguous elements, as std::span of C++20.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace microparquet {

// View that does not own its elements. Copy it freely.
template <typename T>
class Span {
 public:
  constexpr Span() = default;
  // Makes a view of `size` elements from `data` on.
  constexpr Span(T* data, std::size_t size) : data_(data), size_(size) {}
  // Makes a view of all elements of an array.
  template <std::size_t N>
  constexpr Span(T (&array)[N]) : data_(array), size_(N) {}
  // Makes a view of any container with data() and size(), and a Span<const T> of a Span<T>.
  template <typename Container, typename = std::enable_if_t<
                                    std::is_convertible_v<decltype(std::declval<Container&>().data()), T*>>>
  constexpr Span(Container& container) : data_(container.data()), size_(container.size()) {}
  template <typename Container, typename = std::enable_if_t<std::is_convertible_v<
                                    decltype(std::declval<const Container&>().data()), T*>>>
  // Makes a view of a constant container.
  constexpr Span(const Container& container) : data_(container.data()), size_(container.size()) {}

  // Returns the first element; it may be null if there is none.
  constexpr T* data() const { return data_; }
  // Returns the number of elements.
  constexpr std::size_t size() const { return size_; }
  // Returns whether there are no elements.
  constexpr bool empty() const { return size_ == 0; }
  // Returns the begin for loops over all elements.
  constexpr T* begin() const { return data_; }
  // Returns the place after the last element.
  constexpr T* end() const { return data_ + size_; }
  // Returns element `i`. Requires: i < size().
  constexpr T& operator[](std::size_t i) const { return data_[i]; }
  // Returns a view of `count` elements from `first` on. Requires: first + count <= size().
  constexpr Span subspan(std::size_t first, std::size_t count) const { return Span(data_ + first, count); }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace microparquet
