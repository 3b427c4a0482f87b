// Bytes of a file that is resumed, through the window, and their checksum.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Takes runs of bytes from `at` on, one run after another. The first failure stays and ends all runs; ask for
// it then.
class FoundBytes {
 public:
  FoundBytes(const detail::WriterState& state, std::uint64_t at) : state_(state), at_(at) {}

  // Continued over each run, as it was read; the caller may set it between two runs.
  std::uint32_t crc = 0;

  // Begins a run. Requires: the one before it is at its end.
  void begin(std::uint32_t bytes) { left_ = bytes; }
  // The next byte; 0 at the end of the run.
  unsigned byte();
  // The next ones; zeros at the end of the run.
  void get(void* to, std::uint32_t bytes);
  bool at_end();
  // A whole run at once.
  void pass(std::uint32_t bytes);

  // It is a failure when the next `bytes` bytes are not the varint of that many bytes that says `value`,
  void expect_varint(unsigned bytes, std::uint64_t value);
  // and `status` when the checksum is not this one.
  void expect_crc(std::uint32_t expected, Status status);

  // Where in the file the next run begins.
  std::uint64_t at() const { return at_; }
  void go_to(std::uint64_t at) { at_ = at; }
  Status status() const { return status_; }

 private:
  void fail(Status status) {
    if (status_ == Status::kOk) status_ = status;
  }

  const detail::WriterState& state_;
  std::uint64_t at_;
  std::uint32_t left_ = 0;  // of the run, to be read
  const std::byte* next_ = nullptr;
  const std::byte* end_ = nullptr;
  Status status_ = Status::kOk;
};

// Continues `crc` over `bytes` bytes of the file from `at`, which moves on.
Status update_crc(const detail::WriterState& state, std::uint64_t& at, std::uint32_t bytes,
                  std::uint32_t& crc);

}  // namespace microparquet::write
