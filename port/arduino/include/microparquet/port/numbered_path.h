// Numbered names of files: LOG00001.parquet, LOG00002.parquet and so on, or LOG00001.PQT, in FAT's short
// form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace microparquet {

// Ending of the names of a log's files.
enum class PathEnding : std::uint8_t {
  kParquet,  // .parquet, by which other programs recognise the file
  kPqt,      // .PQT, if a volume has names of eight letters and three
};

// Path of one file of a log, "/LOG00001.parquet". One thread.
class NumberedPath {
 public:
  // Longest name of a log, in letters or digits: it leaves two digits for the number.
  static constexpr std::size_t kMaxNameBytes = 6;

  // Begins the log `name`, which is copied, without a file. Returns false unless it has 1 to kMaxNameBytes
  // letters and digits.
  bool begin(std::string_view name);

  // Returns the file's number; 0 before set().
  std::uint32_t number() const { return number_; }
  // Sets the number. Returns false if there is no such number; then nothing has changed. Requires: begin()
  // was true.
  bool set(std::uint32_t number, PathEnding ending = PathEnding::kPqt);

  // Returns the number of a name of this log, "LOG00001.parquet", with or without its folder, in small or capital
  // letters; 0: it is no such name. Requires: begin() was true.
  std::uint32_t number_of(const char* name) const;

  // Returns the path, which ends in a zero; valid until the next call of set() or begin(). Empty before
  // set().
  const char* path() const { return path_; }

 private:
  static constexpr std::size_t kStemBytes = 8;

  std::uint32_t number_ = 0;
  std::uint32_t after_last_ = 0;  // first number with too many digits
  std::size_t name_bytes_ = 0;
  char name_[kMaxNameBytes] = {};
  char path_[sizeof "/LOG00001.parquet"] = {};
};

}  // namespace microparquet
