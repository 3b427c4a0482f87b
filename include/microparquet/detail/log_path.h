// Names of a log's files, FOLDER/SESSION/SPLIT.parquet or .PQT, whose numbers have eight digits; SPLIT may have a date after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/name_date.h"
#include "microparquet/retention.h"

namespace microparquet::detail {

// `Char` is that of the file system's names.
template <typename Char, std::size_t kMaxFolderBytes>
class LogPath {
 public:
  // A folder that is longer is cut off, and then has no sessions.
  void set_folder(std::string_view folder) {
    folder_bytes_ = folder.size() < kMaxFolderBytes ? folder.size() : kMaxFolderBytes;
    for (std::size_t i = 0; i < folder_bytes_; ++i) path_[i] = static_cast<Char>(folder[i]);
  }

  // Paths; valid until the next call.
  const Char* folder() { return end(folder_bytes_); }
  const Char* session(std::uint32_t session) {
    path_[folder_bytes_] = '/';
    return end(put_number(folder_bytes_ + 1, session));
  }
  const Char* file(const LogFile& file) {
    static_cast<void>(session(file.session));
    std::size_t at = folder_bytes_ + 1 + kDigits;
    path_[at++] = '/';
    at = put_number(at, file.split);
    if ((file.name & kNameIsDated) != 0) {
      put_name_date_number(path_ + at, file.name >> kNameDateAt);
      at += kNameDateLetters;
    }
    for (const char letter : kExtensions[file.name & kNameIsPqt]) path_[at++] = static_cast<Char>(letter);
    return end(at);
  }

  // Returns the number of a session's name; 0: it is none.
  static std::uint32_t session_of(const Char* name) {
    const std::uint32_t number = parse(name);
    return number != 0 && name[kDigits] == 0 ? number : 0;
  }
  // Sets split and name of `file` from a file's name; split 0: it is none.
  static void read_name(const Char* name, LogFile& file) {
    file.split = parse(name);
    if (file.split == 0) return;
    const Char* const date = name + kDigits;
    const Char* const ending = after_name_date(date);
    std::uint32_t number = 0;
    if (ending != date && !read_name_date(date, number)) return forget(file);
    file.name = ending != date ? number << kNameDateAt | kNameIsDated : 0;
    const bool is_pqt = ends_with(ending, kExtensions[kNameIsPqt]);
    if (is_pqt) file.name |= kNameIsPqt;
    if (!is_pqt && !ends_with(ending, kExtensions[0])) forget(file);
  }

  // Letters of the longest name of a file.
  static constexpr std::size_t kMostLetters = sizeof "00000000.parquet" - 1 + kNameDateLetters;

 private:
  static constexpr std::size_t kDigits = 8;
  static constexpr std::string_view kExtensions[] = {".parquet", ".PQT"};

  static void forget(LogFile& file) { file.split = file.name = 0; }

  static std::uint32_t parse(const Char* text) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < kDigits; ++i) {
      if (text[i] < '0' || text[i] > '9') return 0;
      number = number * 10 + static_cast<std::uint32_t>(text[i] - '0');
    }
    return number;
  }

  static bool ends_with(const Char* text, std::string_view end) {
    for (const char letter : end) {
      if (*text++ != static_cast<Char>(letter)) return false;
    }
    return *text == 0;
  }

  const Char* end(std::size_t at) {
    path_[at] = 0;
    return path_;
  }

  std::size_t put_number(std::size_t at, std::uint32_t number) {
    for (std::size_t i = kDigits; i-- > 0; number /= 10) path_[at + i] = static_cast<Char>('0' + number % 10);
    return at + kDigits;
  }

  std::size_t folder_bytes_ = 0;
  Char path_[kMaxFolderBytes + sizeof "/00000000/" + kMostLetters] = {};
};

}  // namespace microparquet::detail
