// The files of a log in flash through littlefs, for a Retention. Linked only where a program names it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lfs.h"
#include "microparquet/detail/log_path.h"
#include "microparquet/port/littlefs_file.h"
#include "microparquet/retention.h"

namespace microparquet {

// Files FOLDER/SESSION/SPLIT.parquet, or .PQT, whose SESSION and SPLIT have eight digits each; SPLIT may have the date
// of name_date.h after it. Names that are not of this form are not of the log. The program's own class says which ids its files have: LogFolder::has_id().
//
// littlefs removes a file, or a folder without names, at once: a power cut leaves it whole or not at all. Files have
// no dates, so that no age counts. Free space is counted by lfs_fs_size(), which reads what leads to each block of
// each file, in one call: with a low_water of 0 none is counted, and kNoSpace alone makes place. A file that is open
// must not be removed: littlefs does not know it. One thread. 0.6 KB of memory, most of it littlefs's entry of a name.
class LittleFsLogFolder : public LogFolder {
 public:
  // Longest name of a log's folder.
  static constexpr std::size_t kMaxFolderBytes = 24;

  // Takes the folder's name, which is copied, the mounted file system, and memory as LittleFsFile does. Both must stay.
  LittleFsLogFolder(std::string_view folder, lfs_t& volume, Span<std::byte> caches);
  LittleFsLogFolder(const LittleFsLogFolder&) = delete;
  LittleFsLogFolder& operator=(const LittleFsLogFolder&) = delete;

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
  ~LittleFsLogFolder() = default;

 private:
  using Path = detail::LogPath<char, kMaxFolderBytes>;

  Status list(const char* path);
  Status next(int type, bool& is_right);

  lfs_t& volume_;
  LittleFsFile file_;
  Path path_;
  bool is_listing_ = false;
  lfs_dir_t list_ = {};
  lfs_info entry_ = {};
};

}  // namespace microparquet
