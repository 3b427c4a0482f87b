// A file descriptor of a POSIX system with an owner.
#pragma once

#include <unistd.h>
#include <utility>

namespace microparquet::desktop {

// Closed by its destructor. A negative one is none.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) {
      static_cast<void>(::close(number_));
    }
  }

  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace microparquet::desktop
