// A file in flash memory, through littlefs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lfs.h"
#include "microparquet/file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// For the forward layout: littlefs copies everything after a place that is changed, so this port does not
// seek. It reads back. Needs littlefs 2.0 or newer, or any 2.x with `lfs_file_opencfg`; no heap.
//
// A sync of littlefs is atomic: after a power cut the file is as it was at one of the syncs. Reading through
// the handle that writes makes littlefs program a whole block again when writing continues, so what was synced
// is read through a second handle, which is opened when it is needed. What was not costs a block for each row
// group since.
//
// After a failed block littlefs closes a file without a word. This port so never syncs again after a failure:
// all calls answer kMediumLost until the file is opened again. What was written since the last sync is gone
// then; the same goes for a medium that is full and stays so.
//
// Nothing is closed by itself: call close() before the object goes away, since littlefs keeps a list of open
// files. The file system and its configuration are the caller's and must stay as long. One thread.
class LittleFsFile final : public File {
 public:
  // `caches` are the caller's: twice lfs_config::cache_size bytes, aligned to 4, one for each handle.
  LittleFsFile(lfs_t& volume, Span<std::byte> caches);
  LittleFsFile(const LittleFsFile&) = delete;
  LittleFsFile& operator=(const LittleFsFile&) = delete;

  // See file.h. `path` must stay until close().
  // - kOk
  // - kInvalidArgument: `caches` is too small
  // - kMediumLost: the medium failed
  // - kNoSpace: no block is free for the name
  // - kIoError: anything else; native_error() tells: LFS_ERR_EXIST, LFS_ERR_NAMETOOLONG, ...
  Status create(const char* path, Existing existing = Existing::kRefuse);
  // To continue a file, at its end: see file.h. Else as create().
  Status open_for_append(const char* path);
  // To read a file only: see file.h. Else as create().
  Status open_for_reading(const char* path);

  // Drops what was not synced.
  // - kOk
  // - kMediumLost: the file was lost before; what was synced is there
  Status close();

  // Whether a file is open. One that is lost is, until it is closed.
  bool is_open() const { return mode_ != Mode::kClosed; }

  // What littlefs answered to the call that failed last, LFS_ERR_...; 0 when none has.
  int native_error() const { return native_error_; }

  FileAbilities abilities() const override;
  Status size(std::uint64_t& bytes) override;
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;

  // - kNoSpace: the flash is full, or lfs_config::file_max is exceeded
  // - kInvalidArgument: `offset` is not where the file ends
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override;

  // littlefs knows no barrier but a sync, which orders its writes by itself: this does nothing.
  Status barrier() override;

  // - kNoSpace: the flash is full; the file stays as it was at the last sync, and the call may be repeated
  // - kInvalidArgument: `size` is not that of all that was written
  Status sync(std::uint64_t size) override;

 private:
  enum class Mode : std::uint8_t { kClosed, kRead, kWrite, kLost };

  Status open_as(const char* path, int flags);
  Status usable(bool to_write) const;
  Status open_reader();
  Status close_reader();
  Status undo_failed_write();
  Status sync_device();
  Status read(lfs_file_t& handle, std::uint64_t offset, Span<std::byte> out);
  Status failed(lfs_ssize_t error);

  lfs_t& volume_;
  Span<std::byte> caches_;
  const char* path_ = nullptr;
  lfs_file_config writer_config_;
  lfs_file_config reader_config_;
  lfs_file_t writer_;  // the one handle of a file that is only read
  lfs_file_t reader_;
  std::uint32_t size_ = 0;
  std::uint32_t synced_ = 0;
  int native_error_ = 0;
  Mode mode_ = Mode::kClosed;
  bool reader_is_open_ = false;
};

}  // namespace microparquet
