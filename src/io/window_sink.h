// Writing bytes to a file through a small window.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/crc32.h"
#include "microparquet/file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet::thrift {

// Collects bytes in a window and writes the window to the file whenever it is full. The first error is kept
// and stops all writing; flush() returns it.
//
// A window ends at a multiple of its size in the file, wherever the first one begins: its size is a power of two,
// unless the bytes begin at offset 0. Whole sectors then lie in memory where a driver can take them
// (Options::transfer_align), and none is written in two parts.
class WindowSink {
 public:
  WindowSink(File& file, std::uint64_t offset, Span<std::byte> window, Crc32 crc_function)
      : file_(file),
        crc_function_(crc_function),
        offset_(offset),
        window_(window.data() + (static_cast<std::size_t>(offset) & (window.size() - 1))),
        at_(window_),
        end_(window.data() + window.size()),
        memory_(window.data()),
        summed_(window_) {}

  void put_byte(unsigned byte);  // its lowest eight bits
  void put(const void* data, std::size_t bytes);
  void put(Span<const std::byte> bytes) { put(bytes.data(), bytes.size()); }
  void put_zeros(std::uint32_t bytes);
  // Appends `bytes` bytes from `offset` of the file.
  void copy(std::uint64_t offset, std::uint32_t bytes);

  // Continues `crc` over all bytes put from here on. It is up to date as soon as another one begins. null:
  // none.
  void sum_into(std::uint32_t* crc);
  // Returns the checksum that is continued; null: none.
  const std::uint32_t* summed() const { return crc_; }
  // Returns its value up to here.
  std::uint32_t crc();

  // Passes over the first `bytes` bytes put: they are already in the file, before the window.
  void pass_over(std::uint32_t bytes) { skip_ = bytes; }
  // Takes no more than the window holds, and drops later bytes.
  void stop_when_full() { stops_ = true; }
  // Puts bytes that are passed over, or dropped.
  void pass(std::uint32_t bytes) { skip_ -= bytes; }
  // Returns whether a byte put now would be taken.
  bool reaches() const { return skip_ == 0; }
  // Returns whether it would be dropped.
  bool is_full() const { return skip_ >> 31 != 0; }

  // Returns how many bytes lie between `begin` in the file, less than 4 GiB back, and the next byte.
  std::uint32_t bytes_from(std::uint64_t begin) const {
    return static_cast<std::uint32_t>(offset_) - static_cast<std::uint32_t>(begin) +
           static_cast<std::uint32_t>(at_ - window_);
  }

  // Returns the lower half of the next byte's offset in the file.
  std::uint32_t position() const { return bytes_from(0); }

  // Fails because other bytes were put than expected; nothing more is written.
  void fail(Status status) {
    if (status_ == Status::kOk) status_ = status;
  }

  // Writes the rest of the window. Returns the first error, or kOk.
  Status flush();

 private:
  template <typename Take, typename Pass>
  void put_parts(std::uint32_t bytes, const Take& take, const Pass& pass);
  void drain();
  void sum_up();

  File& file_;
  Crc32 crc_function_;
  // The most used members come first, bytes before words, within reach of the shorter instructions.
  std::uint64_t offset_;  // offset in the file of the window's first byte
  std::byte* window_;
  std::byte* at_;  // place of the next byte
  std::byte* end_;
  Status status_ = Status::kOk;
  bool stops_ = false;  // whether bytes after the first window are dropped
  std::byte* memory_;   // the window's memory
  std::byte* summed_;   // bytes before it are in the checksum
  std::uint32_t* crc_ = nullptr;
  std::uint32_t skip_ = 0;  // bytes still to be passed over
};

}  // namespace microparquet::thrift
