#include "microparquet/port/littlefs_log_folder.h"

namespace microparquet {

namespace {

Status answer(int error) {
  if (error >= 0) return Status::kOk;
  return error == LFS_ERR_IO || error == LFS_ERR_CORRUPT ? Status::kMediumLost : Status::kIoError;
}

// littlefs lists "." and "..", too.
bool is_own_or_parent(const char* name) {
  return name[0] == '.' && (name[1] == 0 || (name[1] == '.' && name[2] == 0));
}

}  // namespace

LittleFsLogFolder::LittleFsLogFolder(std::string_view folder, lfs_t& volume, Span<std::byte> caches)
    : volume_(volume), file_(volume, caches) {
  path_.set_folder(folder);
}

// A list of a folder that is not there is empty.
Status LittleFsLogFolder::list(const char* path) {
  if (is_listing_) static_cast<void>(lfs_dir_close(&volume_, &list_));
  const int error = lfs_dir_open(&volume_, &list_, path);
  is_listing_ = error == 0;
  return error == LFS_ERR_NOENT ? Status::kOk : answer(error);
}

// Reads the next entry. `is_right`: it is of the type.
Status LittleFsLogFolder::next(int type, bool& is_right) {
  is_right = false;
  if (!is_listing_) return Status::kEnd;
  int read = 0;
  do {
    read = lfs_dir_read(&volume_, &list_, &entry_);
  } while (read > 0 && is_own_or_parent(entry_.name));
  if (read > 0) {
    is_right = entry_.type == type;
    return Status::kOk;
  }
  is_listing_ = false;
  const int closed = lfs_dir_close(&volume_, &list_);
  if (read < 0) return answer(read);
  return closed == 0 ? Status::kEnd : answer(closed);
}

Status LittleFsLogFolder::list_sessions() { return list(path_.folder()); }

Status LittleFsLogFolder::next_session(std::uint32_t& session) {
  bool is_folder = false;
  const Status status = next(LFS_TYPE_DIR, is_folder);
  session = is_folder ? Path::session_of(entry_.name) : 0;
  return status;
}

Status LittleFsLogFolder::list_files(std::uint32_t session) { return list(path_.session(session)); }

Status LittleFsLogFolder::next_file(LogFile& file) {
  file = {};
  bool is_file = false;
  const Status status = next(LFS_TYPE_REG, is_file);
  if (!is_file) return status;
  Path::read_name(entry_.name, file);
  file.bytes = entry_.size;
  return status;
}

Status LittleFsLogFolder::open_file(const LogFile& file, File*& opened) {
  opened = &file_;
  return file_.open_for_reading(path_.file(file));
}

void LittleFsLogFolder::close_file() { static_cast<void>(file_.close()); }

Status LittleFsLogFolder::remove_file(const LogFile& file, bool& is_done) {
  const int error = lfs_remove(&volume_, path_.file(file));
  is_done = error == 0;
  return answer(error);
}

Status LittleFsLogFolder::remove_session(std::uint32_t session) {
  return answer(lfs_remove(&volume_, path_.session(session)));
}

Status LittleFsLogFolder::count_free(std::uint64_t /*enough*/, std::uint64_t& bytes, bool& is_done) {
  const lfs_ssize_t used = lfs_fs_size(&volume_);
  if (used < 0) return answer(static_cast<int>(used));
  const lfs_size_t blocks = volume_.block_count;
  const auto taken = static_cast<lfs_size_t>(used);  // blocks of two files may count twice
  bytes = taken < blocks ? std::uint64_t{blocks - taken} * volume_.cfg->block_size : 0;
  is_done = true;
  return Status::kOk;
}

}  // namespace microparquet
