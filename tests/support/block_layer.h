// The interface that a file system's disk functions call: a disk, or a layer in front of one.
#pragma once

#include <cstddef>
#include <cstdint>

namespace filesystems {

class BlockLayer {
 public:
  virtual bool read(std::uint32_t first, std::byte* out, std::uint32_t count) = 0;
  virtual bool write(std::uint32_t first, const std::byte* data, std::uint32_t count) = 0;
  virtual bool sync() = 0;

  // Whether the medium still puts down what it was given.
  virtual bool is_busy() const { return false; }
  // Whether a library that has one sector in memory has this one, so that it reads it without asking.
  virtual bool has_in_memory(std::uint32_t sector) const {
    static_cast<void>(sector);
    return false;
  }

  // The medium becomes what it would be if nothing else happened for a while.
  virtual void settle() {}
  // The power is gone, or the medium was put back as it had been: what is held is lost.
  virtual void lose() {}

 protected:
  ~BlockLayer() = default;
};

}  // namespace filesystems
