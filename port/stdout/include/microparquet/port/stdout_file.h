// Standard output, or any descriptor that takes bytes one after another: a pipe, a socket, a serial line.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// Strictly forward: neither seeks nor reads back, so the writer needs Options::layout kForward and a number
// in Options::max_row_groups_in_memory. The descriptor is the caller's, who opens and closes it. One thread.
//
// A reader that goes away raises SIGPIPE; a program that ignores the signal gets kIoError with EPIPE.
class StdoutFile final : public File {
 public:
  // `descriptor` is open for writing, and stays so as long as this object is used.
  explicit StdoutFile(int descriptor = 1) : descriptor_(descriptor) {}

  // errno of the call that failed last; 0 when none has.
  int native_error() const { return native_error_; }

  FileAbilities abilities() const override;

  // The bytes written through this object.
  Status size(std::uint64_t& bytes) override;

  // - kUnsupported: always
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;

  // A call that failed may be repeated: what went out before is not sent again.
  // - kInvalidArgument: `offset` is not where the last write ended
  // - kNoSpace: the descriptor's disk is full
  // - kIoError: anything else; see native_error()
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override;

  // Of a regular file, the bytes are on the medium; of anything else there is nothing to wait for.
  Status sync(std::uint64_t size) override;

 private:
  Status failed(int error);

  int descriptor_;
  int native_error_ = 0;
  std::uint64_t size_ = 0;
  std::size_t moved_ = 0;  // bytes after size_ that a failed write_at got rid of
};

}  // namespace microparquet
