// Names of files that count: LOG00001.parquet, LOG00002.parquet and so on, or LOG00001.PQT, as FAT's short names have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace microparquet {

// How the names of a log's files end.
enum class PathEnding : std::uint8_t {
  kParquet,  // .parquet, by which other programs know what the file is
  kPqt,      // .PQT, where a volume has names of eight letters and three
};

// The path of one file of a log, "/LOG00001.parquet". One thread.
class NumberedPath {
 public:
  // Letters or digits that the name of a log has at most: two digits of the number are left.
  static constexpr std::size_t kMaxNameBytes = 6;

  // Begins with no file of the log `name`, which is copied. False: it has not 1 to kMaxNameBytes letters and digits.
  bool begin(std::string_view name);

  // The file's number; 0 before set().
  std::uint32_t number() const { return number_; }
  // False: there is no such number, and nothing has changed. Requires: begin() was true.
  bool set(std::uint32_t number, PathEnding ending = PathEnding::kPqt);

  // Ends in a zero; valid until the next call of set() or begin(). Empty before set().
  const char* path() const { return path_; }

 private:
  static constexpr std::size_t kStemBytes = 8;

  std::uint32_t number_ = 0;
  std::uint32_t after_last_ = 0;  // the first number with too many digits
  std::size_t name_bytes_ = 0;
  char name_[kMaxNameBytes] = {};
  char path_[sizeof "/LOG00001.parquet"] = {};
};

}  // namespace microparquet
