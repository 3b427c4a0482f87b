#include "microparquet/port/named_log_folder.h"

#include "microparquet/crc32.h"

namespace microparquet {

namespace {

constexpr std::string_view kJournal = "/REMOVING.LOG";

bool is_same(const LogFile& a, const LogFile& b) {
  return a.session == b.session && a.split == b.split && a.name == b.name;
}

void put_little_endian(std::byte* at, std::uint32_t number) {
  for (std::size_t i = 0; i < sizeof number; ++i, number >>= 8) at[i] = static_cast<std::byte>(number & 0xFF);
}

std::uint32_t little_endian_at(const std::byte* at) {
  std::uint32_t number = 0;
  for (std::size_t i = sizeof number; i-- > 0;) number = number << 8 | static_cast<std::uint32_t>(at[i]);
  return number;
}

}  // namespace

void NamedLogFolder::put_journal_path(std::string_view folder) {
  char* to = journal_path_;
  for (std::size_t i = 0; i < folder.size() && i < kMaxFolderBytes; ++i) *to++ = folder[i];
  for (const char letter : kJournal) *to++ = letter;
  *to = 0;
}

Status NamedLogFolder::begin() {
  is_read_ = false;
  removed_ = {};
  Status status = read_journal(removed_);
  if (status == Status::kOk && removed_.split != 0) {
    if (size_of(path_.file(removed_), left_) != Status::kOk) left_ = 0;
    bool is_done = false;
    while (status == Status::kOk && !is_done) status = remove_part(is_done);
  }
  is_read_ = status == Status::kOk;
  return status;
}

// Session, split and extension of a file, and their CRC. Anything else, as a torn sector, names none: no cluster was freed
// before it was whole, and all were before it was written again.
Status NamedLogFolder::read_journal(LogFile& file) {
  file = {};
  std::byte bytes[kJournalBytes] = {};
  Status status = file_.open_for_append(journal_path_);
  std::uint64_t size = 0;
  if (status == Status::kOk) status = file_.size(size);
  if (status == Status::kOk && size < kJournalBytes) {
    status = file_.close();
    return status == Status::kOk ? write_journal({}) : status;
  }
  if (status == Status::kOk) status = file_.read_at(0, {bytes, kJournalBytes});
  const Status closed = file_.close();
  if (status != Status::kOk || closed != Status::kOk) return status == Status::kOk ? closed : status;
  constexpr std::size_t kNumberBytes = sizeof(std::uint32_t);
  if (little_endian_at(bytes + 3 * kNumberBytes) != crc32_portable(0, bytes, 3 * kNumberBytes))
    return Status::kOk;
  file.session = little_endian_at(bytes);
  file.split = little_endian_at(bytes + kNumberBytes);
  file.name = little_endian_at(bytes + 2 * kNumberBytes) & 1;
  return Status::kOk;
}

Status NamedLogFolder::write_journal(const LogFile& file) {
  std::byte bytes[kJournalBytes] = {};
  const std::uint32_t numbers[] = {file.session, file.split, file.name};
  for (std::size_t i = 0; i < 3; ++i) put_little_endian(bytes + i * sizeof(std::uint32_t), numbers[i]);
  put_little_endian(bytes + sizeof numbers, crc32_portable(0, bytes, sizeof numbers));
  Status status = file_.open_for_append(journal_path_);
  if (status == Status::kOk) status = file_.write_at(0, {bytes, kJournalBytes});
  if (status == Status::kOk) status = file_.sync(kJournalBytes);
  const Status closed = file_.close();
  return status == Status::kOk ? closed : status;
}

Status NamedLogFolder::next_session(std::uint32_t& session) {
  Entry entry;
  session = 0;
  const Status status = next_entry(entry);
  if (status == Status::kOk && entry.is_folder) session = Path::session_of(entry.name);
  return status;
}

Status NamedLogFolder::next_file(LogFile& file) {
  Entry entry;
  file = {};
  const Status status = next_entry(entry);
  if (status != Status::kOk || entry.is_folder) return status;
  Path::read_name(entry.name, file);
  file.bytes = entry.bytes;
  file.written_s = entry.written_s;
  return status;
}

Status NamedLogFolder::open_file(const LogFile& file, File*& opened) {
  opened = &file_;
  return file_.open_for_reading(path_.file(file));
}

Status NamedLogFolder::remove_file(const LogFile& file, bool& is_done) {
  is_done = false;
  if (!is_read_) return begin();
  if (removed_.split != 0 && is_same(removed_, file)) return remove_part(is_done);
  if (removed_.split != 0)
    return Status::kIoError;  // that one could not be removed: until the next boot nothing is
  Status status = size_of(path_.file(file), left_);
  if (status == Status::kOk) status = write_journal(file);
  if (status == Status::kOk) removed_ = file;
  return status;
}

// Does a part of the removal of removed_. A chain of clusters that was freed in part ends earlier than the file, which then cannot
// be shortened: it goes as a whole.
Status NamedLogFolder::remove_part(bool& is_done) {
  is_done = false;
  const char* const path = path_.file(removed_);
  if (left_ > kStepBytes) {
    left_ -= kStepBytes;
    if (shorten(path, left_) != Status::kOk) left_ = 0;
    return Status::kOk;
  }
  std::uint64_t bytes = 0;
  Status status = size_of(path, bytes) == Status::kOk ? unlink_path(path) : Status::kOk;
  if (status == Status::kOk) status = write_journal({});
  if (status != Status::kOk) return status;
  removed_ = {};
  is_done = true;
  return status;
}

}  // namespace microparquet
