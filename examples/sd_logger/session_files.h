// The files of the log, as field loggers name them: LOG/<device>/<session>/<split>.parquet, or .PQT where
// FatFs has no long names (FF_USE_LFN). With long names a file that begins when the time is known has it in its name:
// 00000012_20270131T1012Z.parquet. Files of all forms are known. A session begins when the device is switched
// on, on each card, and after a hundred files, since FAT looks through a folder from its beginning; its number is the
// next one that is free on the card. A file gives way to the next split when it is large or old enough. Numbers
// have eight digits, so that names sort as numbers do; after 99999999 come those that are free below it. A folder has a
// hundred names: the sessions from 100 on lie in LOG/<device>.001, those from 200 on in LOG/<device>.002, and so on up to
// .999, which has the rest. Files with other names are left alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ff.h"
#include "microparquet/name_date.h"
#include "microparquet/port/fatfs_file.h"
#include "microparquet/rolling.h"
#include "microparquet/status.h"

class SessionFiles final : public microparquet::FileSequence {
 public:
  // Sessions in a folder: FAT looks through it at each boot.
  static constexpr std::uint32_t kSessionsInFolder = 100;

  // `device` has eight characters. `link_map` is FatFsFile's. `volume` is mounted whenever a call begins. Both must
  // stay.
  SessionFiles(std::string_view device, microparquet::Span<DWORD> link_map, FATFS& volume);

  // Creates the next file. The first of a session cleans up after the one before, as a power cut has left it:
  // clusters after the end of its last file are free again, and a file without rows is removed, since readers
  // would take an empty one for a damaged one. A file that cannot be cleaned up stays as it is. Clusters
  // within the file that its last row group had been given stay, too. result() tells why a call failed.
  // - kNoSpace: there is less than a megabyte, or a directory is full; session() is the one that would begin
  // - kMediumLost: the card does not answer: mount it again
  // - kIoError: the card cannot be written: write-protected, or a file has the name of a directory, as LOG
  microparquet::Status next(microparquet::File*& file) override;

  // Tells the time, in seconds since 1970, UTC, for the names of files that begin. 0: it is not known
  void set_time(std::int64_t unix_s) { unix_s_ = unix_s; }

  // The same as next(), but the file before, which has no durable row, is replaced, whatever it looks like.
  microparquet::Status again(microparquet::File*& file) override;

  // Opens the newest file of the last session, to be continued.
  // - kSchemaMismatch: there is none
  // - kMediumLost, kIoError: see above
  microparquet::Status open_last(microparquet::File*& file);

  // The file that open_last() has opened is not continued: the next one comes after it, or in its place if it has no
  // rows.
  void leave_last();

  // Opens the file again, on a card that was mounted again.
  // - kSchemaMismatch: it is not there: this is another card
  // - kMediumLost, kIoError: see above
  microparquet::Status reopen();

  // The next file does not take this one's place, though it has no rows: its clusters may be bad.
  void leave_file() { put_number(split_at(), parse(path_ + split_at()) + 1); }

  // The next file begins a session.
  void end_session() { put_number(session_at(), 0); }

  // Statuses as FatFsFile::close().
  microparquet::Status close() { return file_.close(); }

  microparquet::FatFsFile& file() { return file_; }

  // Returns whether a folder is damaged, and logs continue in LO1, LO2, ... instead of LOG.
  bool has_left_folder() const { return path_[kDeviceAt - 2] != 'G'; }

  std::string_view path() const { return {path_, path_bytes_}; }

  // Parts of the path, eight digits each. The views stay valid, and change with it.
  std::string_view session() const { return {path_ + session_at(), kDigits}; }
  std::string_view split() const { return {path_ + split_at(), kDigits}; }
  std::uint32_t session_number() const { return parse(path_ + session_at()); }
  std::uint32_t split_number() const { return parse(path_ + split_at()); }
  // The first folder of sessions, whose names the others have with a number after it; and the number of the last one.
  std::string_view folder() const { return {path_, kGroupAt}; }
  std::uint32_t last_group() const { return last_group_; }
  // Returns the number of a session's folder; 0: it is the first one.
  static std::uint32_t group_of(std::uint32_t session) {
    const std::uint32_t group = session / kSessionsInFolder;
    return group < kMaxGroup ? group : kMaxGroup;
  }
  // Writes the name of a session at `at`. Returns where it ends.
  static std::size_t put_session(char* path, std::size_t at, std::uint32_t session) {
    put_digits(path + at, session);
    return at + kDigits;
  }
  // Writes what a folder's name has after that of the first one. Returns where it ends.
  static char* put_group(char* to, std::uint32_t group);

  // Another number for each device, session and split; splits follow each other, as roll() counts.
  std::uint32_t file_id() const { return file_id(session_number(), split_number()); }
  std::uint32_t file_id(std::uint32_t session, std::uint32_t split) const;

  // FatFs's last answer.
  FRESULT result() const { return result_; }

 private:
  static constexpr std::size_t kDigits = 8;
  static constexpr std::size_t kDeviceAt = 4;
  static constexpr std::size_t kGroupAt = kDeviceAt + kDigits;
  static constexpr std::size_t kGroupLetters = sizeof ".001" - 1;
  static constexpr std::uint32_t kMaxGroup = 999;
  static constexpr std::size_t kMostEnding = microparquet::kNameDateLetters + sizeof ".parquet" - 1;

  std::size_t session_at() const { return kGroupAt + (group_ == 0 ? 0 : kGroupLetters) + 1; }
  std::size_t split_at() const { return session_at() + kDigits + 1; }
  std::size_t ending_at() const { return split_at() + kDigits; }

  bool find_group();
  bool list_groups(std::uint32_t& last);
  void set_group(std::uint32_t group);
  bool find_session();
  void find_split(bool again);
  bool find_file();
  bool list_split(std::uint32_t split);
  bool name_file(bool again);
  bool begin_session();
  bool continue_session();
  bool choose_session();
  bool choose_number(std::uint32_t last);
  bool begin_number(std::uint32_t last);
  microparquet::Status no_space();
  bool make_directory(std::size_t end);
  bool find_largest(std::size_t end, bool are_files, std::uint32_t& largest);
  microparquet::Status open(microparquet::File*& file, bool again);
  microparquet::Status open_in_folder(microparquet::File*& file, bool again);
  bool look_up();
  bool mends(const char* path) const;
  bool leave_folder();
  bool list(bool are_files, std::uint32_t& largest);
  bool is_exfat() const { return volume_.fs_type == FS_EXFAT; }
  bool clean_up(std::uint32_t session, bool& is_used);
  bool clean_up_last_file();
  bool has_rows() const;
  bool has_space();
  bool good(FRESULT result);
  bool is_missing() const;
  microparquet::Status failed() const;

  static std::uint32_t parse(const char* digits);
  static bool is_ending(const char* text);
  static std::uint32_t parse_name(const char* name, bool is_file);
  void put_ending(std::string_view ending);
  static void put_digits(char* at, std::uint32_t number);
  void put_number(std::size_t at, std::uint32_t number) { put_digits(path_ + at, number); }

  microparquet::FatFsFile file_;
  FATFS& volume_;
  bool is_full_ = false;  // the last card that was counted
  FRESULT result_ = FR_OK;
  FILINFO information_ = {};
  std::uint32_t clean_ups_ = 0;  // clean-ups that have failed with the card
  std::int64_t unix_s_ = 0;
  std::size_t path_bytes_ = 0;
  std::uint32_t group_ =
      0;  // folder of sessions in the path; 0: the first one, which has no number in its name
  std::uint32_t last_group_ = 0;  // of those on the card
  char path_[sizeof "LOG/00000000.001/00000000/00000000" + kMostEnding] = "LOG/00000000/00000000/00000000";
};
