// A folder with all that was collected, the table of its files, and why it cannot be written.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "collected.h"
#include "microparquet/desktop/files.h"
#include "microparquet/desktop/native_file.h"
#include "read_failure.h"

namespace mpq_tool {

// The lake cannot be written: all files that are still to come fail, too.
class LakeFailure : public Failure {
 public:
  using Failure::Failure;
};

// The failure for an errno of a call for `path`.
inline LakeFailure lake_failure(const std::string& path, int error) {
  using namespace microparquet::desktop;
  return LakeFailure(
      path + ": " + error_text(error) +
      (is_no_space(error) ? "; what was collected before is whole: make space, and collect again" : ""));
}

// A folder with all that was collected.
//
//   LAKE/raw/device=.../session=.../SPLIT.parquet   a file each, which says itself where it is from
//   LAKE/files.parquet                              a row a file; made from what the files say
//   LAKE/.mpq_lake                                  that this is a lake, and its version
//   LAKE/.work                                      files that are not whole yet, of one program at a time
//
// All calls throw LakeFailure.
class Lake {
 public:
  // Makes the folder if it is not there. No other program may collect into it until this one ends.
  explicit Lake(const std::string& folder);
  Lake(const Lake&) = delete;
  Lake& operator=(const Lake&) = delete;
  ~Lake();

  const std::string& folder() const { return folder_; }
  // Files by their paths.
  const std::map<std::string, Collected>& files() const { return files_; }

  // The one that was collected from these bytes; null: there is none.
  const Collected* from_source(const Collected& file) const;
  // Files that claim to be the same: of the same device, session, split and file id. They stay until they are replaced.
  std::vector<const Collected*> namesakes_of(const Collected& file) const;

  // Path of a new file.
  std::string free_path(const Collected& file) const;
  // Path at which a file is made, before it is taken in.
  std::string work_path() const { return folder_ + "/.work/file.parquet"; }
  // Takes the file at work_path() to its place, instead of the one that was there.
  void take_in(Collected file);
  // Puts what is at work_path() at `path` of the lake.
  void put(const std::string& path);
  // Makes or replaces a file with this text.
  void put_text(const std::string& path, const std::string& text);
  // The text of a file; empty: there is none.
  std::string text_of(const std::string& path) const;
  // Makes a folder, unless it is there.
  void make_folder(const std::string& path) const;

 private:
  void begin();
  void check_version();
  void lock();
  void read_files();
  void read_file(const std::string& path);
  void add(Collected file);

  std::string folder_;
  microparquet::desktop::Descriptor lock_;
  std::map<std::string, Collected> files_;
  std::multimap<std::string, const Collected*> by_name_;
  std::map<std::string, const Collected*> by_source_;
};

// Makes LAKE/files.parquet from what the files say. Throws LakeFailure.
void write_files_table(Lake& lake);

}  // namespace mpq_tool
