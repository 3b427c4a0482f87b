// Reading a resumed file through the window, with a checksum.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Reads runs of bytes from `at` on, one after the other. The first failure is kept and ends all runs; the
// caller checks status() then.
class FoundBytes {
 public:
  FoundBytes(const detail::WriterState& state, std::uint64_t at) : state_(state), at_(at) {}

  // checksum over all runs so far; the caller may set it between two runs
  std::uint32_t crc = 0;

  // Begins a run. Requires: the one before it is at its end.
  void begin(std::uint32_t bytes) { left_ = bytes; }
  // Returns the next byte; 0 at the end of the run.
  unsigned byte();
  // Copies the next bytes; zeros after the end of the run.
  void get(void* to, std::uint32_t bytes);
  bool at_end();
  // Passes a whole run.
  void pass(std::uint32_t bytes);

  // Fails unless the next `bytes` bytes are the varint of `value`.
  void expect_varint(unsigned bytes, std::uint64_t value);
  // Fails with `status` unless the checksum is `expected`.
  void expect_crc(std::uint32_t expected, Status status);

  // Returns the place in the file where the next run begins.
  std::uint64_t at() const { return at_; }
  void go_to(std::uint64_t at) { at_ = at; }
  Status status() const { return status_; }

 private:
  void fail(Status status) {
    if (status_ == Status::kOk) status_ = status;
  }

  const detail::WriterState& state_;
  std::uint64_t at_;
  std::uint32_t left_ = 0;  // bytes of the run still to be read
  const std::byte* next_ = nullptr;
  const std::byte* end_ = nullptr;
  Status status_ = Status::kOk;
};

// Continues `crc` over `bytes` bytes of the file from `at` on, and moves `at` past them.
Status update_crc(const detail::WriterState& state, std::uint64_t& at, std::uint32_t bytes,
                  std::uint32_t& crc);

}  // namespace microparquet::write
