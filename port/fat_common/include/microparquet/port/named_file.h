// What ports have in common that open a file by its name and speak of errors by errno.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <limits>

#include "microparquet/port/flushed_file.h"
#include "microparquet/status.h"

namespace microparquet {

// No heap. Mounting the volume is the program's. On FAT both layouts work, and the file's size changes at
// sync() only, so that a power cut leaves a file that ends in a footer. On littlefs use the forward layout.
//
// Say what a power cut in the middle of a write may take: `block_bytes`, see FileAbilities::block_bytes. A
// card tears a sector, 512. FAT on flash that is erased before it is written, in a chip's own flash or on a
// SPI one, tears the block it erases, as a rule 4,096 bytes, unless the layer below writes 512 bytes safely.
// With Options::block_bytes of 4,096 no durable row of a file is lost there, if clusters begin on blocks. But
// FAT has blocks of its own, the table and the directory: one that is torn can take every file of the volume
// with it, and no writer of files can help that. littlefs has neither trouble.
//
// FatFs gives up a file after its first failed sector, and littlefs does the like. Once a call has answered
// kMediumLost, unmount the volume before close(), for closing would publish what was written since the last
// sync; then mount it and open the file again.
//
// Nothing is closed by itself: call close(). One thread.
class NamedFile : public FlushedFile {
 public:
  // See file.h.
  // - kOk
  // - kNoSpace, kMediumLost
  // - kIoError: anything else; native_error() is EEXIST for a file that was refused, EROFS or EACCES where it
  //   must not be written, else what the system said
  Status create(const char* path, Existing existing = Existing::kRefuse);
  // To continue a file, at its end: see file.h. Else as create().
  Status open_for_append(const char* path);
  // To read a file only: see file.h. Else as create().
  Status open_for_reading(const char* path);

  // Drops what was not synced.
  // - kOk
  // - kMediumLost: now or before; what was synced is there
  // - kNoSpace, kIoError: see native_error()
  Status close();

  // errno of the call that failed last; 0 when none has.
  int native_error() const { return native_error_; }

 protected:
  // `can`: what the system below offers.
  explicit NamedFile(FlushedAbilities can) : FlushedFile(can) {}
  ~NamedFile() = default;

  // Opens the file, and tells how long it is. Closes it again when that fails.
  virtual Status open_handle(const char* path, bool writable, std::uint64_t& bytes) = 0;
  // Closes what open_handle() has opened.
  virtual Status close_handle() = 0;

  // What errno says: a full medium; one that is gone; or kIoError.
  Status failed(int error);

 private:
  Status open_as(const char* path, bool writable);
  Status give_up(Status status);

  // What the system's positions can say, and FAT, whose files are shorter than 4 GiB.
  static constexpr std::uint64_t kMaxOnFat = 0xFFFFFFFF;
  static constexpr auto kMaxPosition = static_cast<std::uint64_t>((std::numeric_limits<off_t>::max)());
  static constexpr std::uint64_t kMaxBytes = kMaxPosition < kMaxOnFat ? kMaxPosition : kMaxOnFat;

  int native_error_ = 0;
};

}  // namespace microparquet
