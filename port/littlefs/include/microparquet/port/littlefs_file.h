// File in flash memory, through littlefs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lfs.h"
#include "microparquet/file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// File for the forward layout: littlefs copies everything after a changed place, so this port does not seek.
// It reads back. It needs littlefs 2.0 or newer, or any 2.x with `lfs_file_opencfg`; no heap.
//
// A sync of littlefs is atomic: after a power cut the file is as it was at one of the syncs. Reading through
// the handle that writes makes littlefs program a whole block again when writing continues. The port
// therefore reads synced bytes through a second handle, opened when needed. Unsynced bytes cost a block for
// each write that follows a read: the forward layout reads records only for a footer, and writes as much of the
// footer at once as its pool holds. littlefs gathers writes in its cache, so whole sectors bring nothing.
//
// After a failed block littlefs closes a file silently. This port therefore never syncs again after a
// failure: all calls return kMediumLost until the file is opened again. Bytes written since the last sync are
// lost then, as they are on a medium that stays full.
//
// The destructor closes nothing: call close() before the object goes away, since littlefs keeps a list of
// open files. The file system and its configuration are the caller's and must stay as long. One thread.
class LittleFsFile final : public File {
 public:
  // Makes a closed file. `caches` are the caller's: twice lfs_config::cache_size bytes, aligned to 4, one for
  // each handle.
  LittleFsFile(lfs_t& volume, Span<std::byte> caches);
  LittleFsFile(const LittleFsFile&) = delete;
  LittleFsFile& operator=(const LittleFsFile&) = delete;

  // Creates a file: see file.h. `path` must stay until close().
  // - kOk
  // - kInvalidArgument: `caches` is too small
  // - kMediumLost: the medium failed
  // - kNoSpace: no block is free for the name
  // - kIoError: anything else; native_error() tells: LFS_ERR_EXIST, LFS_ERR_NAMETOOLONG, ...
  Status create(const char* path, Existing existing = Existing::kRefuse);
  // Opens a file to continue it at its end: see file.h. Otherwise as create().
  Status open_for_append(const char* path);
  // Opens a file only to read it: see file.h. Otherwise as create().
  Status open_for_reading(const char* path);

  // Closes the file and drops unsynced bytes.
  // - kOk
  // - kMediumLost: the file was lost before; synced bytes are there
  Status close();

  // Returns whether a file is open. A lost file is open until it is closed.
  bool is_open() const { return mode_ != Mode::kClosed; }

  // Returns littlefs's error of the call that failed last, LFS_ERR_...; 0 if none has.
  int native_error() const { return native_error_; }

  FileAbilities abilities() const override;
  Status size(std::uint64_t& bytes) override;
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;

  // - kNoSpace: the flash is full, or lfs_config::file_max is exceeded
  // - kInvalidArgument: `offset` is not the file's end
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override;

  // Does nothing: littlefs has no barrier but a sync, which orders its writes by itself.
  Status barrier() override;

  // - kNoSpace: the flash is full; the file stays as it was at the last sync, and the call may be repeated
  // - kInvalidArgument: `size` is not the length of all written bytes
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
  lfs_file_t writer_;  // the only handle of a file that is only read
  lfs_file_t reader_;
  std::uint32_t size_ = 0;
  std::uint32_t synced_ = 0;
  int native_error_ = 0;
  Mode mode_ = Mode::kClosed;
  bool reader_is_open_ = false;
};

}  // namespace microparquet
