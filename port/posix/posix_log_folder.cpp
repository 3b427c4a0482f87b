#include "microparquet/port/posix_log_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>

namespace microparquet {

namespace {

Status answer(bool good) { return good ? Status::kOk : Status::kIoError; }

// Looks at a name of a folder that is being listed, not at where it leads.
bool look_at(void* list, const char* name, struct stat& about) {
  const int folder = dirfd(static_cast<DIR*>(list));
  return folder >= 0 && fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) == 0;
}

}  // namespace

PosixLogFolder::~PosixLogFolder() { end_list(); }

void PosixLogFolder::end_list() {
  if (list_ != nullptr) static_cast<void>(closedir(static_cast<DIR*>(list_)));
  list_ = nullptr;
}

// A list of a folder that is not there is empty.
Status PosixLogFolder::list(const char* path) {
  end_list();
  list_ = opendir(path);
  return answer(list_ != nullptr || errno == ENOENT);
}

Status PosixLogFolder::next(const char*& name) {
  if (list_ == nullptr) return Status::kEnd;
  for (;;) {
    errno = 0;
    const dirent* const entry = readdir(static_cast<DIR*>(list_));
    if (entry == nullptr) {
      const bool good = errno == 0;
      end_list();
      return good ? Status::kEnd : Status::kIoError;
    }
    name = entry->d_name;
    const std::string_view text = name;
    if (text != "." && text != "..") return Status::kOk;
  }
}

Status PosixLogFolder::list_sessions() { return list(path_.folder()); }

Status PosixLogFolder::next_session(std::uint32_t& session) {
  session = 0;
  const char* name = nullptr;
  const Status status = next(name);
  if (status == Status::kOk) session = Path::session_of(name);
  struct stat about = {};
  if (session != 0 && (!look_at(list_, name, about) || !S_ISDIR(about.st_mode))) session = 0;
  return status;
}

Status PosixLogFolder::list_files(std::uint32_t session) { return list(path_.session(session)); }

Status PosixLogFolder::next_file(LogFile& file) {
  file = {};
  const char* name = nullptr;
  const Status status = next(name);
  if (status != Status::kOk) return status;
  Path::read_name(name, file);
  struct stat about = {};
  if (file.split == 0) return Status::kOk;
  if (!look_at(list_, name, about) || !S_ISREG(about.st_mode)) {
    file = {};
    return Status::kOk;
  }
  file.bytes = static_cast<std::uint64_t>(about.st_size);
  file.written_s = about.st_mtime;
  return Status::kOk;
}

Status PosixLogFolder::open_file(const LogFile& file, File*& opened) {
  opened = &file_;
  return file_.open_for_reading(path_.file(file));
}

void PosixLogFolder::close_file() { static_cast<void>(file_.close()); }

Status PosixLogFolder::remove_file(const LogFile& file, bool& is_done) {
  is_done = unlink(path_.file(file)) == 0;
  return answer(is_done);
}

Status PosixLogFolder::remove_session(std::uint32_t session) {
  return answer(rmdir(path_.session(session)) == 0);
}

Status PosixLogFolder::count_free(std::uint64_t /*enough*/, std::uint64_t& bytes, bool& is_done) {
  struct statvfs volume = {};
  if (statvfs(path_.folder(), &volume) != 0) return Status::kIoError;
  bytes = std::uint64_t{volume.f_bavail} * volume.f_frsize;
  is_done = true;
  return Status::kOk;
}

}  // namespace microparquet
