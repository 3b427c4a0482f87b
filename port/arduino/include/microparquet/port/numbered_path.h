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

// Path of one file of a log, "/LOG00001.parquet", or with the date when it began, "/LOG00001_20270131T1012Z.parquet". One thread.
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

  // Puts a date into a path that ends in .parquet, in seconds since 1970, UTC; from 1970 to 2481. Requires: set() was true, and
  // the path has no date.
  void add_date(std::int64_t unix_s);

  // Returns what a name of this log has beside its number, its ending and its date; kNoForm: a date that no clock
  // shows. Requires: number_of(name) is not 0.
  std::uint32_t form_of(const char* name) const;
  // Sets the path to that of a name's number and form_of(). Otherwise as set().
  bool set_form(std::uint32_t number, std::uint32_t form);
  // What form_of() returns for no form.
  static constexpr std::uint32_t kNoForm = 0xFFFFFFFF;

  // Forgets the file: number() is 0.
  void forget() { number_ = 0, path_[0] = 0; }
  // Takes the path of a file of the volume's root, if its name is of this log, with a date or not, and its number is larger
  // than number(). Requires: begin() was true.
  void take_newer(const char* name);

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
  char path_[sizeof "/LOG00001_20270131T1012Z.parquet"] = {};
};

}  // namespace microparquet
