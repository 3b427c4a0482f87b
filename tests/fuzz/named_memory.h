// Bytes as a file that is opened by its name.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

// A file with a name, and without a place on a medium.
class NamedMemory {
 public:
  NamedMemory(const std::uint8_t* data, std::size_t size) : descriptor_(memfd_create("other", 0)) {
    if (descriptor_ < 0 || ::write(descriptor_, data, size) != static_cast<ssize_t>(size)) std::abort();
  }
  ~NamedMemory() { ::close(descriptor_); }
  NamedMemory(const NamedMemory&) = delete;
  NamedMemory& operator=(const NamedMemory&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};
