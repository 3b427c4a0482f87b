// The caller's file, for a layout that writes strictly forward: bytes are taken one after another, and go to
// the medium in long writes of whole sectors.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/file.h"

namespace microparquet::write {

// Largest multiple on which writes end: no card is known to have larger pages.
inline constexpr std::uint32_t kMostPlace = 32 << 10;

// Moves bytes towards the beginning of a buffer, by words where the distance allows it.
void move_forward(std::byte* to, const std::byte* from, std::uint32_t bytes);

// How bytes go to a file.
struct Transfers {
  bool whole_sectors;  // less than a sector waits
  bool writes_again;   // what has been written may be written again: the file can seek
  std::uint8_t align;  // Options::transfer_align
};

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
  // Continues `file` at `offset`; nothing waits. Bytes that begin a sector will lie on transfer_align. `kept`:
  // entries to read instead of the file's if it cannot be read back; null: it can.
  void wrap(File& file, std::uint64_t offset, const Transfers& transfers, const std::byte* kept);
  // Makes `buffer` the buffer, and moves there what waits. An empty one: bytes go to the file at once. Requires:
  // it has space for what waits.
  void use(Span<std::byte> buffer);
  // Says that the bytes from `first` on, in the buffer, are still to be taken.
  void keep_from(std::byte* first) { limit_ = first; }
  // Says that there are none.
  void keep_none() { limit_ = buffer_ + capacity_; }

  // Returns the offset of the next byte to be taken.
  std::uint64_t taken_to() const { return taken_to_; }
  // Returns the offset of the first byte that waits.
  std::uint64_t flushed_to() const { return taken_to_ - waiting_; }
  // Returns how far from the buffer's begin the byte at `offset` lies, which waits or is the next one.
  std::uint32_t place_of(std::uint64_t offset) const {
    return shift_ + static_cast<std::uint32_t>(offset - flushed_to());
  }
  // Has the next byte lie at the buffer's begin, wherever that puts sectors. Requires: nothing waits.
  void begin_at_head() { shift_ = 0; }
  bool whole_sectors() const { return transfers_.whole_sectors; }
  // Returns the address of the next byte to be taken.
  const std::byte* next() const { return buffer_ + shift_ + waiting_; }

  // Writes what waits: whole sectors, or all of it if parts of sectors need not wait.
  Status flush();

  FileAbilities abilities() const override { return file_->abilities(); }
  Status size(std::uint64_t& bytes) override { return file_->size(bytes); }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override;
  Status barrier() override;
  Status sync(std::uint64_t size) override;

 private:
  std::byte* first() { return buffer_ + shift_; }
  [[gnu::noinline]] void keep_waiting(std::uint32_t rest);
  bool is_inside(const std::byte* data) const { return data >= next() && data < buffer_ + capacity_; }
  std::uint32_t room_for(const std::byte* data) const;
  std::uint32_t bytes_after_place() const;
  [[gnu::noinline]] bool take(const std::byte* from, std::uint32_t bytes);
  [[gnu::noinline]] Status write_out(std::uint32_t rest);

  File* file_ = nullptr;
  std::uint64_t taken_to_ = 0;
  std::byte* buffer_ = nullptr;
  std::byte* limit_ = nullptr;  // end of the buffer, or the first byte of it that is to be taken
  std::uint32_t capacity_ = 0;
  std::uint32_t waiting_ = 0;
  const std::byte* kept_ = nullptr;
  std::uint32_t shift_ = 0;  // distance of the first byte that waits from the buffer's begin
  Transfers transfers_ = {};
};

}  // namespace microparquet::write
