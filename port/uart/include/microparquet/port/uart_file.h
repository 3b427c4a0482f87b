// A file that goes out through a UART, or anything else that sends bytes one after another.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// What sends: a UART, USB, a radio. The program's own.
class ByteLine {
 public:
  // Sends the first bytes of `data`, all or some, and returns how many; it may wait. 0: the line is down, or
  // has been busy too long.
  virtual std::size_t write(Span<const std::byte> data) = 0;

  // Returns when what was written has left. False: it could not.
  virtual bool flush() = 0;

 protected:
  ~ByteLine() = default;
};

// Strictly forward: neither seeks nor reads back, so the writer needs Options::layout kForward and a number
// in Options::max_row_groups_in_memory. The line is the caller's and must stay. One thread.
//
// What arrives is the file, from its first byte on: the receiver stores it as it comes. It is whole after
// Writer::close() or checkpoint(). Of one that ends anywhere else, since the device was switched off or the
// cable pulled, `mpq recover` brings back all row groups that arrived. Bytes that the line loses or changes
// in between cost the row groups they belong to, and what follows where bytes are missing.
class UartFile final : public File {
 public:
  // What was sent over the line before belongs to no file.
  explicit UartFile(ByteLine& line) : line_(line) {}

  FileAbilities abilities() const override { return {}; }

  // The bytes sent through this object.
  Status size(std::uint64_t& bytes) override;

  // - kUnsupported: always
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;

  // A call that failed may be repeated: what went out before is not sent again.
  // - kInvalidArgument: `offset` is not where the last write ended
  // - kIoError: the line takes nothing
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override;

  // Returns when all bytes have left.
  // - kIoError: they could not
  Status sync(std::uint64_t size) override;

 private:
  ByteLine& line_;
  std::uint64_t size_ = 0;
  std::size_t sent_ = 0;  // bytes after size_ that a failed write_at got rid of
};

}  // namespace microparquet
