// File that is sent through a UART, or any other line that sends bytes one after another.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// Line that sends bytes: a UART, USB, a radio. The program implements it.
class ByteLine {
 public:
  // Sends the first bytes of `data`, all or some, and returns how many; it may wait. 0: the line is down, or
  // has been busy too long.
  virtual std::size_t write(Span<const std::byte> data) = 0;

  // Waits until all written bytes have left. Returns false if they could not.
  virtual bool flush() = 0;

 protected:
  ~ByteLine() = default;
};

// File written strictly forward: it neither seeks nor reads back, so the writer needs Options::layout
// kForward and a number in Options::max_row_groups_in_memory. The line is the caller's and must stay. One
// thread.
//
// The receiver stores the bytes as they arrive: they are the file, from its first byte on. It is complete
// after Writer::close() or checkpoint(). If it ends anywhere else, since the device was switched off or the
// cable pulled, `mpq recover` restores all row groups that arrived. Bytes that the line changes cost the row
// groups they belong to; bytes that it loses cost everything after them as well.
class UartFile final : public File {
 public:
  // Takes a line. Bytes sent over it before belong to no file.
  explicit UartFile(ByteLine& line) : line_(line) {}

  FileAbilities abilities() const override { return {}; }

  // Returns the bytes sent through this object.
  Status size(std::uint64_t& bytes) override;

  // Refuses, since nothing can be read back.
  // - kUnsupported: always
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;

  // Sends bytes. A failed call may be repeated: bytes that went out before are not sent again.
  // - kInvalidArgument: `offset` is not the end of the last write
  // - kIoError: the line takes nothing
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override;

  // Waits until all bytes have left.
  // - kIoError: they could not
  Status sync(std::uint64_t size) override;

 private:
  ByteLine& line_;
  std::uint64_t size_ = 0;
  std::size_t sent_ = 0;  // bytes after size_ that a failed write_at sent
};

}  // namespace microparquet
