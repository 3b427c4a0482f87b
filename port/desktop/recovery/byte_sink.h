// Where the bytes of a new file go.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/file.h"

namespace microparquet::recovery {

// All calls throw Failure.
class ByteSink {
 public:
  // Appends bytes.
  virtual void write(const void* data, std::size_t bytes) = 0;
  // Appends bytes of `from`. One that can say where they are need not copy them.
  virtual void take(File& from, std::uint64_t begin, std::uint64_t bytes) = 0;
  // Bytes appended so far.
  virtual std::uint64_t bytes() const = 0;
  // The new file, to be read.
  virtual File& written() = 0;

 protected:
  ~ByteSink() = default;
};

// Writes them piece by piece.
void copy_bytes(File& from, std::uint64_t begin, std::uint64_t bytes, ByteSink& sink);

}  // namespace microparquet::recovery
