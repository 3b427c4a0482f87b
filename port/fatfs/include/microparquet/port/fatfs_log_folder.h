// The files of a log on a FatFs volume, for a Retention. Linked only where a program names it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "microparquet/detail/log_path.h"
#include "microparquet/port/fatfs_file.h"
#include "microparquet/port/fatfs_release.h"
#include "microparquet/port/fatfs_space.h"
#include "microparquet/retention.h"

namespace microparquet {

// Files FOLDER/SESSION/SPLIT.parquet, or .PQT, whose SESSION and SPLIT have eight digits each; SPLIT may have the date of name_date.h
// after it. Names that are not of this form are not of the log. The program's own class says which ids its files have: LogFolder::has_id().
//
// Files are removed by FatFsFile::remove_part(), so that no cut hurts another one, and a session's folder by
// remove_folder(): on exFAT it stays. Files that are open are known by FF_FS_LOCK alone: with 0 no other task may
// read a file of the log. Files have dates if FF_FS_NORTC is 0. Free space is counted by FreeClusters, which reads
// the whole table once where the volume is nearly full. There, on FAT, each count also looks where free clusters
// continue after those in a row, and lets FatFs search there: else a row would wait while it reads the table.
//
// 0.4 KB of memory, most of it FatFs's FILINFO with a long name; and a file of FatFs on the stack, with its sector.
class FatFsLogFolder : public LogFolder {
 public:
  // `folder` has at most kMaxFolderBytes letters, such as "LOG/6A1B0042", and is copied. The volume must stay, and
  // be mounted whenever a call begins.
  FatFsLogFolder(std::string_view folder, FATFS& volume);
  FatFsLogFolder(const FatFsLogFolder&) = delete;
  FatFsLogFolder& operator=(const FatFsLogFolder&) = delete;

  // Longest name of a log's folder.
  static constexpr std::size_t kMaxFolderBytes = 24;

  // Changes the folder, as the constructor sets it.
  void set_folder(std::string_view folder) { path_.set_folder(folder); }

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
  ~FatFsLogFolder() = default;

 private:
  Status list(const TCHAR* path);
  Status next(bool is_folder, bool& is_right);
  Status answer(FRESULT result) const;
  bool is_mounted_again();
  Status look_ahead(bool& is_done);
  Status look_at(DWORD cluster, bool& is_free);
  DWORD after(DWORD cluster) const;

  FATFS& volume_;
  WORD mounted_ = 0;         // FatFs's number of the mount
  bool is_listing_ = false;  // list_ is open
  bool is_exact_ = false;    // FatFs's count of free clusters is right
  detail::LogPath<TCHAR, kMaxFolderBytes> path_;
  DIR list_ = {};
  FILINFO entry_ = {};
  FatFsFile file_;
  std::optional<FreeClusters> counter_;
  DWORD looked_from_ = 0;  // FatFs's place of the search when the look ahead began; 0: it has not
  DWORD looked_at_ = 0;    // cluster that it has come to
  DWORD run_ = 0;          // free clusters that it has found in a row
  bool run_ends_ = false;  // they are fewer than it wants
};

}  // namespace microparquet
