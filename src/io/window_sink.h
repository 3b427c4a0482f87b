// Bytes on their way to a file through a small window.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/crc32.h"
#include "microparquet/file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet::thrift {

// Collects bytes in a window and writes it to the file whenever it is full. The first error stays and stops
// all writing; ask for it at the end.
class WindowSink {
 public:
  WindowSink(File& file, std::uint64_t offset, Span<std::byte> window, Crc32 crc)
      : file_(file),
        crc_function_(crc),
        offset_(offset),
        window_(window.data()),
        at_(window_),
        end_(window_ + window.size()),
        summed_(window_) {}

  void put_byte(unsigned byte);  // its lowest eight bits
  void put(const void* data, std::size_t bytes);
  void put(Span<const std::byte> bytes) { put(bytes.data(), bytes.size()); }
  void put_zeros(std::uint32_t bytes);
  // Appends `bytes` bytes that stand at `offset` in the file.
  void copy(std::uint64_t offset, std::uint32_t bytes);

  // `crc` is continued over what is put from here on, and is up to date when the next one begins; null: none.
  void sum_into(std::uint32_t* crc);
  // Which one is continued; null: none.
  const std::uint32_t* summed() const { return crc_; }
  // The one that is continued, up to here.
  std::uint32_t crc();

  // The first `bytes` bytes put are passed over: they are in the file, before the window.
  void pass_over(std::uint32_t bytes) { skip_ = bytes; }
  // Takes no more than the window holds; what is put after it is dropped.
  void stop_when_full() { skip_when_full_ = 0xFFFFFFFF; }
  // Puts bytes that are passed over, or dropped.
  void pass(std::uint32_t bytes) { skip_ -= bytes; }
  // True when a byte put now would be taken.
  bool reaches() const { return skip_ == 0; }
  // True when it would be dropped.
  bool is_full() const { return skip_ >> 31 != 0; }

  // Bytes of the file from `begin`, which lies less than 4 GiB before it, to where the next byte goes.
  std::uint32_t bytes_from(std::uint64_t begin) const {
    return static_cast<std::uint32_t>(offset_) - static_cast<std::uint32_t>(begin) +
           static_cast<std::uint32_t>(at_ - window_);
  }

  // The lower half of the place in the file where the next byte goes.
  std::uint32_t position() const { return bytes_from(0); }

  // What is put is not what it should be; nothing more is written.
  void fail(Status status) {
    if (status_ == Status::kOk) status_ = status;
  }

  // Writes what the window holds; what the whole came to.
  Status flush();

 private:
#ifndef __OPTIMIZE_SIZE__
  template <typename Take, typename Pass>
  void put_parts(std::uint32_t bytes, const Take& take, const Pass& pass);
#endif
  void drain();
  void sum_up();

  File& file_;
  Crc32 crc_function_;
  std::uint64_t offset_;  // in the file, of the window's first byte
  std::byte* window_;
  std::byte* at_;  // where the next byte goes
  std::byte* end_;
  std::byte* summed_;  // what lies before it is in the checksum
  std::uint32_t* crc_ = nullptr;
  std::uint32_t skip_ = 0;  // bytes still to be passed over
  std::uint32_t skip_when_full_ = 0;
  Status status_ = Status::kOk;
};

}  // namespace microparquet::thrift
