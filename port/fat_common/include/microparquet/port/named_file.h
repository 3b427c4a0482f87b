// Common part of ports that open a file by its name and report errors by errno.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <limits>

#include "microparquet/port/flushed_file.h"
#include "microparquet/status.h"

namespace microparquet {

// File opened by its name, without heap. The program mounts the volume. On FAT both layouts work, and the
// file's size changes only at sync(), so that a power cut leaves a file that ends in a footer. On littlefs
// use the forward layout.
//
// State the bytes that a power cut in the middle of a write may destroy: `block_bytes`, see
// FileAbilities::block_bytes. A card tears a sector, 512. FAT on flash that is erased before it is written, a
// chip's own or a SPI flash, tears the block it erases, usually 4,096 bytes, unless the layer below writes
// 512 bytes safely. With Options::block_bytes of 4,096 no durable row of a file is lost there, if clusters
// begin on blocks. But FAT has blocks of its own, the table and the directory: a torn one can destroy every
// file of the volume, and no writer of files can prevent that. littlefs has neither problem.
//
// FatFs gives up a file after its first failed sector, and so does littlefs. Once a call has returned
// kMediumLost, unmount the volume before close(), since closing would publish the bytes written since the
// last sync; then mount it and open the file again.
//
// A file ends at 4 GiB - 1 on FAT, and on exFAT where the system's off_t does: one of 32 bits at 2 GiB - 1.
// limit_reached() tells this from a full medium.
//
// The destructor closes nothing: call close(). One thread.
class NamedFile : public FlushedFile {
 public:
  // Creates a file: see file.h.
  // - kOk
  // - kNoSpace, kMediumLost
  // - kIoError: anything else; native_error() is EEXIST for a file that was refused, EROFS or EACCES if it
  //   must not be written, EFBIG for one that is longer than off_t counts, otherwise the system's error
  Status create(const char* path, Existing existing = Existing::kRefuse);
  // Opens a file to continue it at its end: see file.h. Otherwise as create().
  Status open_for_append(const char* path);
  // Opens a file only to read it: see file.h. Otherwise as create().
  Status open_for_reading(const char* path);

  // Closes the file and drops unsynced bytes.
  // - kOk
  // - kMediumLost: now or before; synced bytes are there
  // - kNoSpace, kIoError: see native_error()
  Status close();

  // Returns errno of the call that failed last; 0 if none has. EFBIG: the file is at max_bytes().
  int native_error() const { return native_error_; }

  Status write_at(std::uint64_t offset, Span<const std::byte> data) override;
  Status reserve(std::uint64_t end) override;

 protected:
  // `can`: abilities of the system below.
  explicit NamedFile(FlushedAbilities can) : FlushedFile(can) {}
  ~NamedFile() = default;

  // Opens the file and returns its length in `bytes`. Closes it again on failure.
  virtual Status open_handle(const char* path, bool writable, std::uint64_t& bytes) = 0;
  // Closes the handle of open_handle().
  virtual Status close_handle() = 0;

  // Converts errno to a status: the medium is full, or gone; or kIoError.
  Status failed(int error);
  // Refuses a file that is longer than off_t counts, with EFBIG.
  Status too_long();

 private:
  Status open_as(const char* path, bool writable);
  Status give_up(Status status);
  Status may_pass_fat(std::uint64_t end);
  Status explain(Status status);

  // Largest file of FAT, and largest position of the system.
  static constexpr std::uint64_t kMaxOnFat = 0xFFFFFFFF;
  static constexpr auto kMaxBytes = static_cast<std::uint64_t>((std::numeric_limits<off_t>::max)());

  int native_error_ = 0;
};

}  // namespace microparquet
