#include "session_folder.h"

using microparquet::File;
using microparquet::LogFile;
using microparquet::Status;

Status SessionFolder::list_sessions() {
  use(listed_ = 0);
  return FatFsLogFolder::list_sessions();
}

Status SessionFolder::next_session(std::uint32_t& session) {
  const Status status = FatFsLogFolder::next_session(session);
  if (status != Status::kEnd || listed_ >= files_.last_group()) return status;
  use(++listed_);
  return FatFsLogFolder::list_sessions();
}

Status SessionFolder::list_files(std::uint32_t session) {
  find(session);
  return FatFsLogFolder::list_files(session);
}

Status SessionFolder::open_file(const LogFile& file, File*& opened) {
  find(file.session);
  return FatFsLogFolder::open_file(file, opened);
}

Status SessionFolder::remove_file(const LogFile& file, bool& is_done) {
  find(file.session);
  return FatFsLogFolder::remove_file(file, is_done);
}

Status SessionFolder::remove_session(std::uint32_t session) {
  find(session);
  return FatFsLogFolder::remove_session(session);
}

// A split that was left without a row has taken a number, but not an id: an id may be lower than its split.
bool SessionFolder::has_id(const LogFile& file, std::uint32_t file_id) {
  const std::uint32_t last = files_.file_id(file.session, file.split);
  return last - file_id < file.split;
}

// Returns where the path ends.
std::size_t SessionFolder::put_folder(char* path, std::uint32_t group) const {
  char* to = path;
  for (const char letter : files_.folder()) *to++ = letter;
  if (group != 0) to = SessionFiles::put_group(to, group);
  return static_cast<std::size_t>(to - path);
}

void SessionFolder::use(std::uint32_t group) {
  char path[kMaxFolderBytes];
  set_folder({path, put_folder(path, group)});
  found_ = 0;
}

// Uses the folder in which the session is.
void SessionFolder::find(std::uint32_t session) {
  if (session == found_) return;
  std::uint32_t group = SessionFiles::group_of(session);
  if (group != 0) {
    char path[kMaxFolderBytes + sizeof "/00000000"];
    std::size_t at = put_folder(path, group);
    path[at++] = '/';
    at = SessionFiles::put_session(path, at, session);
    path[at] = '\0';
    FILINFO about;
    const FRESULT result = f_stat(path, &about);
    if (result == FR_NO_FILE || result == FR_NO_PATH) group = 0;
  }
  use(group);
  found_ = session;
}
