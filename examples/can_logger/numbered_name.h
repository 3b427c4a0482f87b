// The name of a file: three letters and five digits, which FAT stores as it is but for the ending.
#pragma once

#include <cstdint>

class NumberedName {
 public:
  NumberedName(const char (&prefix)[4], std::uint32_t number) {
    for (int i = 0; i < kPrefix; ++i) text_[i] = prefix[i];
    for (int i = kPrefix + kDigits - 1; i >= kPrefix; --i, number /= 10) {
      text_[i] = static_cast<char>('0' + number % 10);
    }
  }

  const char* text() const { return text_; }

 private:
  static constexpr int kPrefix = 3;
  static constexpr int kDigits = 5;

  char text_[17] = "XXX00000.parquet";
};
