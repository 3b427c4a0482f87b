// The files of a log in a folder of ESP-IDF's virtual file system, for a Retention.
#pragma once

#include <cstdint>
#include <string_view>

#include "microparquet/port/named_log_folder.h"
#include "microparquet/port/vfs_file.h"

namespace microparquet {

// See NamedLogFolder. `folder` is "/sd/log", as VfsFile's paths are. Needs CONFIG_VFS_SUPPORT_DIR, the default.
class VfsLogFolder : public NamedLogFolder {
 public:
  // Takes the folder's name, which is copied.
  explicit VfsLogFolder(std::string_view folder) : NamedLogFolder(folder, file_) {}

 protected:
  // Ends a list that is open.
  ~VfsLogFolder() { end_list(); }

 private:
  Status open_list(const char* path) override;
  Status next_entry(Entry& entry) override;
  Status size_of(const char* path, std::uint64_t& bytes) override;
  Status shorten(const char* path, std::uint64_t bytes) override;
  Status unlink_path(const char* path) override;
  void end_list();

  VfsFile file_;
  void* list_ = nullptr;  // a DIR, which FatFs has as well
  char listed_[kMaxFolderBytes + sizeof "/00000000"] = {};
};

}  // namespace microparquet
