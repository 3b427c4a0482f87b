#include "microparquet/port/zephyr_file.h"

#include <cerrno>

#ifdef CONFIG_MICROPARQUET_FATFS
#include "microparquet/port/fatfs_file.h"
#endif

namespace microparquet {

namespace {

// Returns whether a folder was mended that a power cut had left unreadable on exFAT: see FatFsFile::mend().
bool mend(const char* path) {
#ifdef CONFIG_MICROPARQUET_FATFS
  return FatFsFile::mend(path + 1);  // Zephyr's FatFs has the path without its slash, too
#else
  static_cast<void>(path);
  return false;
#endif
}

}  // namespace

Status ZephyrFile::open_handle(const char* path, bool writable, std::uint64_t& bytes) {
  fs_file_t_init(&file_);
  const fs_mode_t flags = writable ? FS_O_RDWR | FS_O_CREATE : FS_O_READ;
  int opened = fs_open(&file_, path, flags);
  if (opened == -EIO && mend(path)) opened = fs_open(&file_, path, flags);
  if (const Status status = answer(opened); status != Status::kOk) return status;
  const Status status = find_end(bytes);
  if (status != Status::kOk) static_cast<void>(fs_close(&file_));
  return status;
}

// Finds the file's length. An off_t of 32 bits has the low ones of a longer file's: Zephyr refuses to seek
// to a negative one, and after any other there are bytes to read.
Status ZephyrFile::find_end(std::uint64_t& bytes) {
  off_t end = fs_seek(&file_, 0, FS_SEEK_END);
  if (end == -EINVAL) return too_long();
  if (end == 0) end = fs_tell(&file_);
  if (end < 0) return answer(end);
  std::byte more{};
  const off_t moved = fs_read(&file_, &more, 1);
  bytes = static_cast<std::uint64_t>(end);
  return moved > 0 ? too_long() : answer(moved);
}

Status ZephyrFile::close_handle() { return answer(fs_close(&file_)); }

Status ZephyrFile::read(std::uint64_t offset, Span<std::byte> out) {
  off_t result = fs_seek(&file_, static_cast<off_t>(offset), FS_SEEK_SET);
  if (result == 0) result = fs_read(&file_, out.data(), out.size());
  if (result == static_cast<off_t>(out.size())) return Status::kOk;
  return result < 0 ? answer(result) : failed(EIO);
}

// Writes all bytes. A full medium takes fewer than it is given.
Status ZephyrFile::write(std::uint64_t offset, Span<const std::byte> data) {
  off_t result = fs_seek(&file_, static_cast<off_t>(offset), FS_SEEK_SET);
  if (result == 0) result = fs_write(&file_, data.data(), data.size());
  if (result == static_cast<off_t>(data.size())) return Status::kOk;
  return result < 0 ? answer(result) : failed(ENOSPC);
}

// Flushes the file. FatFs asks the medium for a sync only after a write to the file, even an empty one.
Status ZephyrFile::flush() {
  const std::byte none{};
  const off_t result = fs_write(&file_, &none, 0);
  return answer(result == 0 ? fs_sync(&file_) : result);
}

Status ZephyrFile::truncate(std::uint64_t size) {
  return answer(fs_truncate(&file_, static_cast<off_t>(size)));
}

}  // namespace microparquet
