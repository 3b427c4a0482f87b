// The caller's file, for a layout that writes strictly forward: bytes are taken one after another, and go to
// the medium in long writes of whole sectors.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/file.h"

namespace microparquet::write {

// The largest multiple on which writes end, less one: no card is known to have larger pages.
inline constexpr std::uint16_t kMostPlaceMask = (32 << 10) - 1;

// Takes bytes into a buffer, and writes the buffer when it is full or flush() is called. What is less than a
// sector waits for the bytes after it: a card never sees a part of a sector, nor reads one to change it. A
// repeated call passes over the bytes that an interrupted one has had taken.
//
//   file     ... written | waiting, in the buffer | not taken yet
//                    flushed_to()             taken_to()
//
// The row group's pages lie in the buffer itself: they are moved to the front as they are taken.
class ForwardFile final : public File {
 public:
  // Continues `file` at `offset`; nothing waits, and there is no buffer yet. Bytes that begin a sector will lie on a
  // multiple of `align`. Requires: all members are zero.
  void wrap(File& file, std::uint64_t offset, std::uint8_t align) {
    file_ = &file;
    taken_to_ = offset;
    align_mask_ = static_cast<std::uint8_t>(align - 1);
  }
  // Has less than a sector wait. Row groups should end on multiples of `place_mask` + 1 bytes: of a power of two, at
  // least a sector.
  void take_whole_sectors(std::uint32_t place_mask) {
    place_mask_ = static_cast<std::uint16_t>(place_mask);
    wait_mask_ = kMostPlaceMask;
  }
  // Has no part of a sector wait from here on. Requires: nothing waits.
  void take_parts() { wait_mask_ = 0; }
  // Makes the memory from `begin` to `end` the buffer, and moves there what waits. Requires: it has space for a
  // sector more than that.
  void use(std::byte* begin, std::byte* end);
  // Continues at `offset`, and forgets what waits.
  void go_to(std::uint64_t offset) {
    taken_to_ = offset;
    move_waiting(0);
  }
  // Returns the caller's file.
  File& medium() const { return *file_; }
  // Says that the bytes from `end` on, in the buffer, are still to be taken, or that the buffer ends there.
  void keep_from(std::byte* end) { limit_ = end; }

  // Returns the offset of the next byte to be taken.
  std::uint64_t taken_to() const { return taken_to_; }
  // Returns the offset of the first byte that waits.
  std::uint64_t flushed_to() const { return taken_to_ - waiting(); }
  // Returns how far from the buffer's begin the byte at `offset` lies, which waits or is the next one.
  std::uint32_t place_of(std::uint64_t offset) const {
    return static_cast<std::uint32_t>(next_ - buffer_) - static_cast<std::uint32_t>(taken_to_ - offset);
  }
  bool whole_sectors() const { return wait_mask_ != 0; }
  // Returns the bytes from `at` to the next of the places where pieces should end.
  std::uint32_t bytes_to_place(std::uint64_t at) const {
    return (0 - static_cast<std::uint32_t>(at)) & place_mask_;
  }
  // Returns the bytes between two of them, less one; 0: they may end anywhere.
  std::uint32_t place_mask() const { return place_mask_; }
  // Returns the address of the next byte to be taken.
  const std::byte* next() const { return next_; }

  // Takes the bytes from `from` to `end`, which come next in the file. noinline: the parameter of write_at() would be
  // on the stack.
  [[gnu::noinline]] Status take(const std::byte* from, const std::byte* end);
  // Writes what waits: whole sectors, or all of it if parts of sectors need not wait.
  Status flush();

  FileAbilities abilities() const override { return file_->abilities(); }
  Status size(std::uint64_t& bytes) override { return file_->size(bytes); }
  // Reads what follows in memory, from offset 0 of it on, instead of the file.
  void read_instead(const std::byte* entries) { entries_ = entries; }
  // Requires: these bytes do not wait.
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override;
  Status barrier() override;
  Status sync(std::uint64_t size) override;

 private:
  std::uint32_t waiting() const { return static_cast<std::uint32_t>(next_ - first_); }
  void move_waiting(std::uint32_t rest);
  Status write_out(std::uint32_t part_mask);

  File* file_;
  std::uint64_t taken_to_;
  std::byte* buffer_;
  std::byte* first_;  // the first byte that waits
  std::byte* next_;   // end of those that wait
  std::byte* limit_;  // end of the buffer, or the first byte of it that is to be taken
  std::uint16_t place_mask_;
  std::uint16_t wait_mask_;  // 0: nothing waits
  std::uint8_t align_mask_;
  const std::byte* entries_;  // null: the file can be read back
};

}  // namespace microparquet::write
