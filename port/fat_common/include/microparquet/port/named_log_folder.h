// The files of a log in a folder of a system that has no barrier, for a Retention: ESP-IDF's and Zephyr's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/detail/log_path.h"
#include "microparquet/port/named_file.h"
#include "microparquet/port/removal_journal.h"
#include "microparquet/retention.h"
#include "microparquet/status.h"

namespace microparquet {

// Files FOLDER/SESSION/SPLIT.parquet, or .PQT, whose SESSION and SPLIT have eight digits each; SPLIT may have the date of name_date.h
// after it. Names that are not of this form are not of the log. The program's own class says which ids its files have: LogFolder::has_id().
//
// These systems take a file's name and its clusters before one sync, and a card may keep either alone when the power goes. The
// file FOLDER/REMOVING.LOG, a cluster that stays, therefore names a file before it is removed, and the next boot finishes that
// before anything takes a cluster: begin(), see RemovalJournal. What a cut leaves neither free nor in a file stays so until a PC
// checks the card.
//
// One thread. Free space cannot be counted: files go where limits of bytes, files or age say so, or after kNoSpace.
class NamedLogFolder : public LogFolder {
 public:
  // Longest name of a log's folder.
  static constexpr std::size_t kMaxFolderBytes = 64;
  // Bytes that a part of a removal frees.
  static constexpr std::uint32_t kStepBytes = RemovalJournal<NamedLogFolder>::kStepBytes;

  NamedLogFolder(const NamedLogFolder&) = delete;
  NamedLogFolder& operator=(const NamedLogFolder&) = delete;

  // Finishes a removal that a power cut has interrupted. Call it each time the volume has been mounted, and the folder is
  // there, before anything is written on the volume: by others, too. Statuses as those of LogFolder; repeat it until kOk.
  Status begin() { return journal_.begin(); }

  Status list_sessions() override { return open_list(path_.folder()); }
  Status next_session(std::uint32_t& session) override;
  Status list_files(std::uint32_t session) override { return open_list(path_.session(session)); }
  Status next_file(LogFile& file) override;
  Status open_file(const LogFile& file, File*& opened) override;
  void close_file() override { static_cast<void>(file_.close()); }
  // Begins with REMOVING.LOG, and ends with it.
  Status remove_file(const LogFile& file, bool& is_done) override { return journal_.remove(file, is_done); }
  Status remove_session(std::uint32_t session) override { return unlink_path(path_.session(session)); }

 protected:
  // An entry of a folder.
  struct Entry {
    const char* name = nullptr;  // valid until the next one
    bool is_folder = false;      // else it is a file
    std::uint64_t bytes = 0;     // of a file
    std::int64_t written_s = 0;  // see LogFile
  };

  // Takes the folder's name, which is copied, and a file of the system, which must stay.
  NamedLogFolder(std::string_view folder, NamedFile& file) : file_(file) {
    path_.set_folder(folder);
    put_journal_path(folder);
  }
  ~NamedLogFolder() = default;

  // Begins a list of a folder, and ends the one before. One of a folder that is not there is empty.
  virtual Status open_list(const char* path) = 0;
  // Gives the next entry. kEnd: no more
  virtual Status next_entry(Entry& entry) = 0;
  // Returns a file's size as its entry has it, not as its clusters do. kIoError: there is no file.
  virtual Status size_of(const char* path, std::uint64_t& bytes) = 0;
  // Makes a file shorter and puts that on the medium.
  virtual Status shorten(const char* path, std::uint64_t bytes) = 0;
  // Removes a file, or an empty folder.
  virtual Status unlink_path(const char* path) = 0;

 private:
  using Path = detail::LogPath<char, kMaxFolderBytes>;
  static constexpr std::size_t kJournalBytes = 4 * sizeof(std::uint32_t);

  friend RemovalJournal<NamedLogFolder>;
  void put_journal_path(std::string_view folder);
  Status read_note(LogFile& file);
  Status write_note(const LogFile& file);
  Status size_of_removed(const LogFile& file, std::uint64_t& bytes);
  Status shorten_removed(const LogFile& file, std::uint64_t bytes) {
    return shorten(path_.file(file), bytes);
  }
  Status unlink_removed(const LogFile& file) { return unlink_path(path_.file(file)); }

  NamedFile& file_;
  Path path_;
  char journal_path_[kMaxFolderBytes + sizeof "/REMOVING.LOG"] = {};
  RemovalJournal<NamedLogFolder> journal_{*this};
};

}  // namespace microparquet
