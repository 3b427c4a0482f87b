#include "microparquet/port/named_log_folder.h"

#include "microparquet/crc32.h"

namespace microparquet {

namespace {

constexpr std::string_view kJournal = "/REMOVING.LOG";

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

// Session, split and form of name of a file, and their CRC. Anything else, as a torn sector, names none: no cluster was freed
// before it was whole, and all were before it was written again.
Status NamedLogFolder::read_note(LogFile& file) {
  file = {};
  std::byte bytes[kJournalBytes] = {};
  Status status = file_.open_for_append(journal_path_);
  std::uint64_t size = 0;
  if (status == Status::kOk) status = file_.size(size);
  if (status == Status::kOk && size < kJournalBytes) {
    status = file_.close();
    return status == Status::kOk ? write_note({}) : status;
  }
  if (status == Status::kOk) status = file_.read_at(0, {bytes, kJournalBytes});
  const Status closed = file_.close();
  if (status != Status::kOk || closed != Status::kOk) return status == Status::kOk ? closed : status;
  constexpr std::size_t kNumberBytes = sizeof(std::uint32_t);
  if (little_endian_at(bytes + 3 * kNumberBytes) != crc32_portable(0, bytes, 3 * kNumberBytes))
    return Status::kOk;
  file.session = little_endian_at(bytes);
  file.split = little_endian_at(bytes + kNumberBytes);
  file.name = little_endian_at(bytes + 2 * kNumberBytes);
  return Status::kOk;
}

Status NamedLogFolder::write_note(const LogFile& file) {
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

// Its calls do not tell a file that is not there from one of another fault.
Status NamedLogFolder::size_of_removed(const LogFile& file, std::uint64_t& bytes) {
  const Status status = size_of(path_.file(file), bytes);
  return status == Status::kIoError ? Status::kEnd : status;
}

}  // namespace microparquet
