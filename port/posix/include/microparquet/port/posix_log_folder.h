// The files of a log in a folder of a POSIX system, for a Retention.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/detail/log_path.h"
#include "microparquet/port/posix_file.h"
#include "microparquet/retention.h"

namespace microparquet {

// Files FOLDER/SESSION/SPLIT.parquet, or .PQT, whose SESSION and SPLIT have eight digits each; SPLIT may have the date
// of name_date.h after it. Names that are not of this form are not of the log, and neither are links. The program's own class says which ids its files have:
// LogFolder::has_id().
//
// The system removes a file at once; who has it open keeps it until it is closed. A file's date is that of its last
// change. Free space is what the program's user may take. One thread.
class PosixLogFolder : public LogFolder {
 public:
  // Longest name of a log's folder.
  static constexpr std::size_t kMaxFolderBytes = 1024;

  // Takes the folder's name, which is copied.
  explicit PosixLogFolder(std::string_view folder) { path_.set_folder(folder); }
  PosixLogFolder(const PosixLogFolder&) = delete;
  PosixLogFolder& operator=(const PosixLogFolder&) = delete;

  Status list_sessions() override;
  Status next_session(std::uint32_t& session) override;
  Status list_files(std::uint32_t session) override;
  Status next_file(LogFile& file) override;
  Status open_file(const LogFile& file, File*& opened) override;
  void close_file() override;
  Status remove_file(const LogFile& file, bool& is_done) override;
  Status remove_session(std::uint32_t session) override;
  Status count_free(std::uint64_t enough, std::uint64_t& bytes, bool& is_done) override;

 protected:
  // Ends a list that is open.
  ~PosixLogFolder();

 private:
  using Path = detail::LogPath<char, kMaxFolderBytes>;

  Status list(const char* path);
  Status next(const char*& name);
  void end_list();

  Path path_;
  PosixFile file_;
  void* list_ = nullptr;  // a DIR, which FatFs has as well
};

}  // namespace microparquet
