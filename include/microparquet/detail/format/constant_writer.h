// Thrift's compact protocol written into an array, at compile time or once at run time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/compact_writer.h"

namespace microparquet::format {

// Writes bytes into an array, or only counts them if there is none.
class ConstantSink {
 public:
  constexpr explicit ConstantSink(std::byte* at) : at_(at) {}

  constexpr void put_byte(unsigned byte) {
    if (at_ != nullptr) at_[size_] = static_cast<std::byte>(byte);
    ++size_;
  }
  constexpr void put(const char* text, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) put_byte(static_cast<unsigned char>(text[i]));
  }
  constexpr std::uint32_t size() const { return size_; }

 private:
  std::byte* at_;
  std::uint32_t size_ = 0;
};

using ConstantWriter = thrift::BasicCompactWriter<ConstantSink>;

}  // namespace microparquet::format
