// A line of text put together without a heap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

// Text beyond the buffer's size is dropped.
class Message {
 public:
  Message& add(std::string_view text);
  Message& add(std::uint32_t number);  // decimal digits

  // Ends in '\0'. Stays valid until the next add.
  const char* text() const { return text_; }

 private:
  std::size_t size_ = 0;
  char text_[256] = {};
};
