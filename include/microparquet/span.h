// A view of contiguous elements, as std::span of C++20.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace microparquet {

// Does not own what it shows. Copy it freely.
template <typename T>
class Span {
 public:
  constexpr Span() = default;
  // `size` elements from `data` on.
  constexpr Span(T* data, std::size_t size) : data_(data), size_(size) {}
  // All elements of an array.
  template <std::size_t N>
  constexpr Span(T (&array)[N]) : data_(array), size_(N) {}
  // From any container with data() and size(), and from Span<T> to Span<const T>.
  template <typename Container, typename = std::enable_if_t<
                                    std::is_convertible_v<decltype(std::declval<Container&>().data()), T*>>>
  constexpr Span(Container& container) : data_(container.data()), size_(container.size()) {}
  template <typename Container, typename = std::enable_if_t<std::is_convertible_v<
                                    decltype(std::declval<const Container&>().data()), T*>>>
  // The same of a constant one.
  constexpr Span(const Container& container) : data_(container.data()), size_(container.size()) {}

  // The first element; null perhaps where there is none.
  constexpr T* data() const { return data_; }
  // How many elements there are.
  constexpr std::size_t size() const { return size_; }
  // Whether there is none.
  constexpr bool empty() const { return size_ == 0; }
  // For loops over all elements.
  constexpr T* begin() const { return data_; }
  // One after the last element.
  constexpr T* end() const { return data_ + size_; }
  // Requires: i < size().
  constexpr T& operator[](std::size_t i) const { return data_[i]; }
  // Requires: first + count <= size().
  constexpr Span subspan(std::size_t first, std::size_t count) const { return Span(data_ + first, count); }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace microparquet
