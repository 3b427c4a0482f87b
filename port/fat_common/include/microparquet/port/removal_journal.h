// Removal of a log's file on FAT, through calls that have no barrier between its name and its clusters.
#pragma once

#include <cstdint>

#include "microparquet/retention.h"
#include "microparquet/status.h"

namespace microparquet {

// Removes a file in parts, so that a power cut costs no other file anything: a note on the medium names the file
// before anything of it is freed, and the next boot finishes the removal before anything takes a cluster. Files are
// shortened from their end, kStepBytes at a time: no part takes long, and a cut leaves at most as many bytes
// neither free nor in a file.
//
// `Files` is the folder, which may keep these private and have the journal as a friend:
//   Status read_note(LogFile& file);        // split 0: none is being removed
//   Status write_note(const LogFile& file);  // on the medium when it returns; split 0: none
//   Status size_of_removed(const LogFile& file, std::uint64_t& bytes);  // as its entry has it; kEnd: it is not there
//   Status shorten_removed(const LogFile& file, std::uint64_t bytes);   // on the medium when it returns
//   Status unlink_removed(const LogFile& file);                         // whatever a cut has left of its clusters
// One thread.
template <typename Files>
class RemovalJournal {
 public:
  // Bytes that a part of a removal frees.
  static constexpr std::uint32_t kStepBytes = 1 << 20;

  // Takes the folder, which must stay.
  explicit RemovalJournal(Files& files) : files_(files) {}

  // Finishes a removal that a power cut has interrupted. Nothing is removed before it was kOk. Statuses as those of
  // LogFolder; it may be repeated.
  Status begin() {
    is_read_ = false;
    removed_ = {};
    Status status = files_.read_note(removed_);
    if (status == Status::kOk && is_removing()) status = find_size();
    bool is_done = !is_removing();
    while (status == Status::kOk && !is_done) status = remove_part(is_done);
    is_read_ = status == Status::kOk;
    return status;
  }

  // Returns whether a file has been noted and is not gone.
  bool is_removing() const { return removed_.split != 0; }

  // See LogFolder::remove_file(). A file whose removal has failed is the only one until begin() was kOk.
  Status remove(const LogFile& file, bool& is_done) {
    is_done = false;
    if (!is_read_) return begin();
    if (is_removing()) return is_same(removed_, file) ? remove_part(is_done) : Status::kIoError;
    Status status = files_.size_of_removed(file, left_);
    if (status == Status::kEnd) status = Status::kIoError;
    if (status == Status::kOk) status = files_.write_note(file);
    if (status == Status::kOk) removed_ = file;
    return status;
  }

 private:
  static bool is_same(const LogFile& a, const LogFile& b) {
    return a.session == b.session && a.split == b.split && a.name == b.name;
  }

  Status find_size() {
    const Status status = files_.size_of_removed(removed_, left_);
    is_there_ = status == Status::kOk;
    return status == Status::kEnd ? Status::kOk : status;
  }

  // A chain of clusters that was freed in part ends earlier than the file, which then cannot be shortened: it goes as a
  // whole.
  Status remove_part(bool& is_done) {
    is_done = false;
    if (left_ > kStepBytes) {
      left_ -= kStepBytes;
      if (files_.shorten_removed(removed_, left_) != Status::kOk) left_ = 0;
      return Status::kOk;
    }
    Status status = find_size();
    left_ = 0;
    if (status == Status::kOk && is_there_) status = files_.unlink_removed(removed_);
    if (status == Status::kOk) status = files_.write_note({});
    if (status != Status::kOk) return status;
    removed_ = {};
    is_done = true;
    return status;
  }

  Files& files_;
  LogFile removed_;         // file that the note names; split 0: none
  std::uint64_t left_ = 0;  // of its bytes
  bool is_there_ = false;   // its name is
  bool is_read_ = false;    // true once begin() has seen the note
};

}  // namespace microparquet
