// The files of a log in a folder of Zephyr's file system, for a Retention.
#pragma once

#include <zephyr/fs/fs.h>

#include <cstdint>
#include <string_view>

#include "microparquet/port/named_log_folder.h"
#include "microparquet/port/zephyr_file.h"

namespace microparquet {

// See NamedLogFolder. `folder` is "/SD:/log", as ZephyrFile's paths are. Zephyr tells no dates: RetentionLimits::age_s removes nothing.
class ZephyrLogFolder : public NamedLogFolder {
 public:
  // Takes the folder's name, which is copied.
  explicit ZephyrLogFolder(std::string_view folder) : NamedLogFolder(folder, file_) {}

 protected:
  // Ends a list that is open.
  ~ZephyrLogFolder() { end_list(); }

 private:
  Status open_list(const char* path) override;
  Status next_entry(Entry& entry) override;
  Status size_of(const char* path, std::uint64_t& bytes) override;
  Status shorten(const char* path, std::uint64_t bytes) override;
  Status unlink_path(const char* path) override;
  void end_list();

  ZephyrFile file_;
  fs_dir_t list_ = {};
  bool is_listing_ = false;
  fs_dirent entry_ = {};
};

}  // namespace microparquet
