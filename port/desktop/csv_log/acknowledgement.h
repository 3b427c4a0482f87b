// What the program says of rows that a crash cannot take away any more.
#pragma once

#include <cstdint>

namespace csv_log {

class Acknowledgement {
 public:
  explicit Acknowledgement(bool wanted) : wanted_(wanted) {}

  // Prints "durable ROWS" on standard output when there are more than the last time.
  void say(std::uint64_t rows);

 private:
  bool wanted_;
  std::uint64_t said_ = 0;
};

}  // namespace csv_log
