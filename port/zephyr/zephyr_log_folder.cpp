#include "microparquet/port/zephyr_log_folder.h"

#include <cerrno>

namespace microparquet {

namespace {

Status status_of_folder(int error) {
  if (error >= 0) return Status::kOk;
  return error == -EIO || error == -ENODEV || error == -ENXIO ? Status::kMediumLost : Status::kIoError;
}

}  // namespace

void ZephyrLogFolder::end_list() {
  if (is_listing_) static_cast<void>(fs_closedir(&list_));
  is_listing_ = false;
}

Status ZephyrLogFolder::open_list(const char* path) {
  end_list();
  fs_dir_t_init(&list_);
  const int error = fs_opendir(&list_, path);
  is_listing_ = error == 0;
  return error == -ENOENT ? Status::kOk : status_of_folder(error);
}

// An empty name ends the list.
Status ZephyrLogFolder::next_entry(Entry& entry) {
  if (!is_listing_) return Status::kEnd;
  const int error = fs_readdir(&list_, &entry_);
  if (error != 0 || entry_.name[0] == 0) {
    end_list();
    return error != 0 ? status_of_folder(error) : Status::kEnd;
  }
  entry.name = entry_.name;
  entry.is_folder = entry_.type == FS_DIR_ENTRY_DIR;
  entry.bytes = entry_.size;
  return Status::kOk;
}

Status ZephyrLogFolder::size_of(const char* path, std::uint64_t& bytes) {
  const int error = fs_stat(path, &entry_);
  bytes = error == 0 ? entry_.size : 0;
  return status_of_folder(error);
}

Status ZephyrLogFolder::shorten(const char* path, std::uint64_t bytes) {
  fs_file_t file;
  fs_file_t_init(&file);
  int error = fs_open(&file, path, FS_O_RDWR);
  if (error != 0) return status_of_folder(error);
  error = fs_truncate(&file, static_cast<off_t>(bytes));
  if (error == 0) error = fs_sync(&file);
  const int closed = fs_close(&file);
  return status_of_folder(error != 0 ? error : closed);
}

Status ZephyrLogFolder::unlink_path(const char* path) { return status_of_folder(fs_unlink(path)); }

}  // namespace microparquet
