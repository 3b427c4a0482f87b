#include "microparquet/port/littlefs_file.h"

namespace microparquet {

// The constructor is out of line: a constant object would put all initial values into flash.
LittleFsFile::LittleFsFile(lfs_t& volume, Span<std::byte> caches)
    : volume_(volume), caches_(caches), writer_config_(), reader_config_(), writer_(), reader_() {}

Status LittleFsFile::create(const char* path, Existing existing) {
  return open_as(path, LFS_O_RDWR | LFS_O_CREAT | (existing == Existing::kRefuse ? LFS_O_EXCL : LFS_O_TRUNC));
}

// Opens a file to continue it. A sync that failed may have left readable bytes only in the cache of the block
// device.
Status LittleFsFile::open_for_append(const char* path) {
  Status status = open_as(path, LFS_O_RDWR | LFS_O_CREAT);
  if (status == Status::kOk && size_ != 0) status = sync_device();
  if (status != Status::kOk) static_cast<void>(close());
  return status;
}

Status LittleFsFile::sync_device() {
  const lfs_config& device = *volume_.cfg;
#ifdef LFS_THREADSAFE
  if (const int error = device.lock(&device); error != 0) return failed(error);
#endif
  const int error = device.sync(&device);
#ifdef LFS_THREADSAFE
  static_cast<void>(device.unlock(&device));
#endif
  return error == 0 ? Status::kOk : failed(error);
}

Status LittleFsFile::open_for_reading(const char* path) { return open_as(path, LFS_O_RDONLY); }

Status LittleFsFile::open_as(const char* path, int flags) {
  static_cast<void>(close());
  const lfs_size_t cache = volume_.cfg->cache_size;
  if (caches_.size() < 2 * std::size_t{cache}) return Status::kInvalidArgument;
  writer_config_.buffer = caches_.data();
  reader_config_.buffer = caches_.data() + cache;
  const int error = lfs_file_opencfg(&volume_, &writer_, path, flags, &writer_config_);
  if (error != 0) {
    native_error_ = error;
    const bool lost = error == LFS_ERR_IO || error == LFS_ERR_CORRUPT;
    return lost ? Status::kMediumLost : error == LFS_ERR_NOSPC ? Status::kNoSpace : Status::kIoError;
  }
  path_ = path;
  mode_ = flags == LFS_O_RDONLY ? Mode::kRead : Mode::kWrite;
  size_ = synced_ = static_cast<std::uint32_t>(lfs_file_size(&volume_, &writer_));
  return Status::kOk;
}

// Closes the file. littlefs would publish unsynced bytes, unless the handle is marked as failed.
Status LittleFsFile::close() {
  if (!is_open()) return Status::kOk;
  const Status status = mode_ == Mode::kLost ? Status::kMediumLost : Status::kOk;
  static_cast<void>(close_reader());
  if (mode_ == Mode::kLost || size_ != synced_) writer_.flags |= LFS_F_ERRED;
  const int error = lfs_file_close(&volume_, &writer_);
  mode_ = Mode::kClosed;
  size_ = synced_ = 0;
  if (status == Status::kOk && error != 0) {
    native_error_ = error;
    return Status::kMediumLost;
  }
  return status;
}

FileAbilities LittleFsFile::abilities() const {
  FileAbilities abilities;
  abilities.read_back = true;
  abilities.gathers = true;  // in lfs_config::cache_size bytes
  return abilities;
}

Status LittleFsFile::usable(bool to_write) const {
  if (mode_ == Mode::kLost) return Status::kMediumLost;
  const bool can = mode_ == Mode::kWrite || (mode_ == Mode::kRead && !to_write);
  return can ? Status::kOk : Status::kWrongState;
}

Status LittleFsFile::size(std::uint64_t& bytes) {
  bytes = size_;
  return usable(false);
}

Status LittleFsFile::read_at(std::uint64_t offset, Span<std::byte> out) {
  if (const Status status = usable(false); status != Status::kOk) return status;
  if (offset > size_ || out.size() > size_ - offset) return Status::kIoError;
  if (mode_ == Mode::kRead || offset + out.size() > synced_) return read(writer_, offset, out);
  const Status status = open_reader();
  return status == Status::kOk ? read(reader_, offset, out) : status;
}

Status LittleFsFile::read(lfs_file_t& handle, std::uint64_t offset, Span<std::byte> out) {
  const lfs_soff_t place = lfs_file_seek(&volume_, &handle, static_cast<lfs_soff_t>(offset), LFS_SEEK_SET);
  if (place < 0) return failed(place);
  const lfs_ssize_t moved = lfs_file_read(&volume_, &handle, out.data(), static_cast<lfs_size_t>(out.size()));
  return moved == static_cast<lfs_ssize_t>(out.size()) ? Status::kOk : failed(moved);
}

Status LittleFsFile::write_at(std::uint64_t offset, Span<const std::byte> data) {
  if (const Status status = usable(true); status != Status::kOk) return status;
  if (offset != size_) return Status::kInvalidArgument;
  if (data.size() > volume_.file_max - size_) return Status::kNoSpace;
  if (const Status status = undo_failed_write(); status != Status::kOk) return status;
  // The handle is elsewhere after a read.
  if (lfs_file_tell(&volume_, &writer_) != static_cast<lfs_soff_t>(size_)) {
    const lfs_soff_t place = lfs_file_seek(&volume_, &writer_, static_cast<lfs_soff_t>(size_), LFS_SEEK_SET);
    if (place < 0) return failed(place);
  }
  const lfs_ssize_t moved =
      lfs_file_write(&volume_, &writer_, data.data(), static_cast<lfs_size_t>(data.size()));
  if (moved < 0) return failed(moved);
  size_ += static_cast<std::uint32_t>(moved);
  return Status::kOk;
}

Status LittleFsFile::barrier() { return usable(true); }

Status LittleFsFile::sync(std::uint64_t size) {
  if (const Status status = usable(true); status != Status::kOk) return status;
  if (size != size_) return Status::kInvalidArgument;
  if (const Status status = close_reader(); status != Status::kOk)
    return status;  // the second handle shows the old file
  if (const Status status = undo_failed_write(); status != Status::kOk) return status;
  const int error = lfs_file_sync(&volume_, &writer_);
  if (error != 0) return failed(error);
  synced_ = size_;
  return Status::kOk;
}

// Undoes a failed write. A write without space may have left bytes past the end; and littlefs reports success
// from a sync, but does nothing, while the handle is marked as failed.
Status LittleFsFile::undo_failed_write() {
  if ((writer_.flags & LFS_F_ERRED) == 0) return Status::kOk;
  const int error = lfs_file_truncate(&volume_, &writer_, size_);
  if (error != 0) return failed(error);
  writer_.flags &= ~std::uint32_t{LFS_F_ERRED};
  return Status::kOk;
}

Status LittleFsFile::open_reader() {
  if (reader_is_open_) return Status::kOk;
  const int error = lfs_file_opencfg(&volume_, &reader_, path_, LFS_O_RDONLY, &reader_config_);
  if (error != 0) return failed(error);
  reader_is_open_ = true;
  return Status::kOk;
}

Status LittleFsFile::close_reader() {
  if (!reader_is_open_) return Status::kOk;
  reader_is_open_ = false;
  const int error = lfs_file_close(&volume_, &reader_);
  return error == 0 ? Status::kOk : failed(error);
}

Status LittleFsFile::failed(lfs_ssize_t error) {
  native_error_ = static_cast<int>(error);
  if (error == LFS_ERR_NOSPC || error == LFS_ERR_FBIG) return Status::kNoSpace;
  mode_ = Mode::kLost;
  return Status::kMediumLost;
}

}  // namespace microparquet
