// Standard output, or any descriptor that takes bytes one after another: a pipe, a socket, a serial line.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// File written strictly forward: it neither seeks nor reads back, so the writer needs Options::layout
// kForward and a number in Options::max_row_groups_in_memory. The descriptor is the caller's, who opens and
// closes it. One thread.
//
// A reader that goes away raises SIGPIPE; a program that ignores the signal gets kIoError with EPIPE.
class StdoutFile final : public File {
 public:
  // Takes a descriptor that is open for writing, and stays so while this object is used.
  explicit StdoutFile(int descriptor = 1) : descriptor_(descriptor) {}

  // Returns errno of the call that failed last; 0 if none has.
  int native_error() const { return native_error_; }

  FileAbilities abilities() const override;

  // Returns the bytes written through this object.
  Status size(std::uint64_t& bytes) override;

  // Refuses, since nothing can be read back.
  // - kUnsupported: always
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;

  // Sends bytes. A failed call may be repeated: bytes that went out before are not sent again.
  // - kInvalidArgument: `offset` is not the end of the last write
  // - kNoSpace: the descriptor's disk is full
  // - kIoError: anything else; see native_error()
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override;

  // Waits until the bytes of a regular file are on the medium; for any other descriptor it has nothing to
  // wait for.
  Status sync(std::uint64_t size) override;

 private:
  Status failed(int error);

  int descriptor_;
  int native_error_ = 0;
  std::uint64_t size_ = 0;
  std::size_t moved_ = 0;  // bytes after size_ that a failed write_at sent
};

}  // namespace microparquet
