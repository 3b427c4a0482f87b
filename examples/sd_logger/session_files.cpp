#include "session_files.h"

#include <cstring>

#include "microparquet/crc32.h"
#include "microparquet/port/fatfs_space.h"
#include "settings.h"

using microparquet::FatFsFile;
using microparquet::File;
using microparquet::Status;

namespace {

constexpr std::uint32_t kSectorBytes = 512;
constexpr std::uint32_t kMinFreeBytes = 1 << 20;
constexpr std::uint32_t kSectorsAtATime = 8;
constexpr std::uint32_t kMaxSteps = 16;  // of them, before a row is written
constexpr std::uint32_t kMaxNumber = 99'999'999;
constexpr std::uint32_t kMaxSplits = 100;  // names in a folder
constexpr std::uint32_t kMaxCleanUps = 3;  // tries for a file that the card cannot read or write
// Extensions of the files' names: other programs know the first one, the second one fits FAT's short names.
constexpr std::string_view kExtensions[] = {".parquet", ".PQT"};
constexpr std::string_view kExtension = kExtensions[FF_USE_LFN == 0 ? 1 : 0];
// A file without rows is a footer, of 2 KB with these key-values. One row takes a page of each column in place, and in a
// stream a second footer, longer than the first.
constexpr std::uint32_t kMinBytesWithRows = 3 << 10;

}  // namespace

SessionFiles::SessionFiles(std::string_view device, microparquet::Span<DWORD> link_map, FATFS& volume)
    : file_(link_map), volume_(volume) {
  for (std::size_t i = 0; i < kDigits; ++i) path_[kDeviceAt + i] = device[i];
  put_ending(kExtension);
}

Status SessionFiles::next(File*& file) { return open(file, false); }

Status SessionFiles::again(File*& file) { return open(file, true); }

// A folder that FatFs cannot read to its end stays so until a computer has checked the card.
Status SessionFiles::open(File*& file, bool again) {
  Status status = open_in_folder(file, again);
  while (status != Status::kOk && result_ == FR_INT_ERR && is_exfat() && leave_folder()) {
    status = open_in_folder(file, again);
  }
  return status;
}

Status SessionFiles::open_in_folder(File*& file, bool again) {
  result_ = FR_OK;
  if (const Status status = file_.close(); status != Status::kOk) return status;
  if (!has_space()) return result_ == FR_OK ? no_space() : failed();
  if (!find_session() && (!is_missing() || !begin_session())) return failed();
  find_split(again);
  if (split_number() > kMaxSplits && !continue_session()) return failed();
  if (result_ != FR_OK && result_ != FR_NO_FILE) return failed();
  if (!name_file(again)) return failed();
  const bool is_new = result_ == FR_NO_FILE;
  const Status status = file_.create(path_, microparquet::Existing::kOverwrite);
  result_ = file_.native_error();
  file = &file_;
  return status == Status::kIoError && is_new ? failed() : status;
}

// Names the session that would begin: files of earlier ones may go.
Status SessionFiles::no_space() {
  std::uint32_t session = 0;
  if (session_number() != 0) return Status::kNoSpace;
  if (!find_group()) return failed();
  if (!find_largest(session_at() - 1, false, session) && !is_missing()) return failed();
  put_number(split_at(), 1);
  return choose_number(session) ? Status::kNoSpace : failed();
}

Status SessionFiles::open_last(File*& file) {
  result_ = FR_OK;
  if (const Status status = file_.close(); status != Status::kOk) return status;
  std::uint32_t session = 0;
  std::uint32_t split = 0;
  bool found = find_group() && find_largest(session_at() - 1, false, session) && session != 0;
  put_number(session_at(), session);
  found = found && find_largest(split_at() - 1, true, split) && split != 0;
  put_number(split_at(), split);
  if (!found) {
    end_session();
    put_ending(kExtension);
    return result_ == FR_OK || is_missing() ? Status::kSchemaMismatch : failed();
  }
  file = &file_;
  Status status = file_.open_for_append(path_);
  result_ = file_.native_error();
  std::uint64_t bytes = 0;
  if (status == Status::kOk) status = file_.size(bytes);
  information_.fsize = static_cast<FSIZE_t>(bytes);
  return status;
}

void SessionFiles::leave_last() {
  if (has_rows()) leave_file();
}

Status SessionFiles::reopen() {
  if (!look_up()) {
    return is_missing() ? Status::kSchemaMismatch : failed();
  }
  const Status status = file_.open_for_append(path_);
  result_ = file_.native_error();
  return status;
}

// Finds the next split. One that was lost before it had rows gives its place.
void SessionFiles::find_split(bool again) {
  while (split_number() <= kMaxSplits && find_file() && !again && has_rows()) leave_file();
}

// Finds the file of the split, whatever else its name has, and leaves its name in the path: of several one with rows.
bool SessionFiles::find_file() {
  const std::uint32_t split = split_number();
  path_[split_at() - 1] = '\0';
  bool is_read = list_split(split);
  if (!is_read && mends(path_)) is_read = list_split(split);
  path_[split_at() - 1] = '/';
  return is_read;
}

bool SessionFiles::list_split(std::uint32_t split) {
  DIR directory;
  FSIZE_t bytes = 0;
  bool found = false;
  if (!good(f_opendir(&directory, path_))) return false;
  while (good(f_readdir(&directory, &information_)) && information_.fname[0] != '\0') {
    if (parse_name(information_.fname, true) != split) continue;
    found = true;
    bytes = information_.fsize;
    put_ending(information_.fname + kDigits);
    if (has_rows()) break;
  }
  const FRESULT closed = f_closedir(&directory);
  information_.fsize = bytes;
  if (result_ == FR_OK && good(closed) && !found) result_ = FR_NO_FILE;
  return result_ == FR_OK;
}

// Names the file that begins, by the time if it is known. A file without rows whose place it takes goes, unless it has that name or
// cannot be removed.
bool SessionFiles::name_file(bool again) {
  char ending[kMostEnding + 1];
  char* end = ending;
  const bool is_there = result_ == FR_OK;
  if (is_there && again) return true;
  if (unix_s_ != 0 && FF_USE_LFN != 0) end = microparquet::put_name_date(end, unix_s_);
  for (const char letter : kExtension) *end++ = letter;
  const std::string_view wanted(ending, static_cast<std::size_t>(end - ending));
  if (is_there && wanted != std::string_view(path_ + ending_at())) {
    if (FatFsFile::remove(path_, &result_) != Status::kOk) {
      if (failed() == Status::kMediumLost) return false;
      result_ = FR_OK;
      return true;
    }
    result_ = FR_NO_FILE;
  }
  put_ending(wanted);
  return true;
}

// No session exists before the first file, nor on a card that was exchanged.
bool SessionFiles::find_session() {
  result_ = FR_NO_FILE;
  if (parse(path_ + session_at()) == 0) return false;
  path_[split_at() - 1] = '\0';
  const bool is_there = look_up();
  path_[split_at() - 1] = '/';
  return is_there;
}

// Looks the path up. A folder on the way there that a power cut has torn is mended.
bool SessionFiles::look_up() {
  if (good(f_stat(path_, &information_))) return true;
  return mends(path_) && good(f_stat(path_, &information_));
}

bool SessionFiles::mends(const char* path) const { return result_ == FR_INT_ERR && FatFsFile::mend(path); }

// Continues in LO1 instead of LOG, in LO2 instead of LO1, up to LO9.
bool SessionFiles::leave_folder() {
  char& last = path_[kDeviceAt - 2];
  if (last == '9') return false;
  last = static_cast<char>(last == 'G' ? '1' : last + 1);
  end_session();
  return true;
}

// Leaves no number in the path when it fails: the next try would otherwise continue in the session before.
bool SessionFiles::begin_session() {
  put_number(split_at(), 1);
  const bool begun = make_directory(kDeviceAt - 1) && find_group() && make_directory(session_at() - 1) &&
                     choose_session() && make_directory(split_at() - 1);
  if (!begun) end_session();
  return begun;
}

// Goes to the last folder of sessions.
bool SessionFiles::find_group() {
  std::uint32_t last = 0;
  path_[kDeviceAt - 1] = '\0';
  bool is_read = list_groups(last);
  if (!is_read && mends(path_)) is_read = list_groups(last);
  path_[kDeviceAt - 1] = '/';
  if (!is_read && !is_missing()) return false;
  last_group_ = last;
  set_group(last);
  return true;
}

bool SessionFiles::list_groups(std::uint32_t& last) {
  DIR directory;
  const std::string_view device(path_ + kDeviceAt, kDigits);
  if (!good(f_opendir(&directory, path_))) return false;
  while (good(f_readdir(&directory, &information_)) && information_.fname[0] != '\0') {
    const std::string_view name = information_.fname;
    const bool is_folder = (information_.fattrib & AM_DIR) != 0 && name.size() == kDigits + kGroupLetters;
    if (!is_folder || std::string_view(name.data(), kDigits) != device) continue;
    char digits[kDigits + 1] = "00000000";
    std::memcpy(digits + kDigits - (kGroupLetters - 1), name.data() + kDigits + 1, kGroupLetters - 1);
    const std::uint32_t group = name[kDigits] == '.' ? parse(digits) : 0;
    last = group > last ? group : last;
  }
  const FRESULT closed = f_closedir(&directory);
  return result_ == FR_OK && good(closed);
}

// The path's session, its split and what follows stay.
void SessionFiles::set_group(std::uint32_t group) {
  const std::size_t from = session_at() - 1;
  const std::size_t bytes = path_bytes_ - from;
  group_ = group;
  std::memmove(path_ + session_at() - 1, path_ + from, bytes + 1);
  path_bytes_ = session_at() - 1 + bytes;
  if (group != 0) put_group(path_ + kGroupAt, group);
}

char* SessionFiles::put_group(char* to, std::uint32_t group) {
  char digits[kDigits];
  put_digits(digits, group);
  *to++ = '.';
  for (std::size_t i = kDigits - (kGroupLetters - 1); i < kDigits; ++i) *to++ = digits[i];
  return to;
}

// Begins a session after one whose folder has enough names.
bool SessionFiles::continue_session() {
  const std::uint32_t last = session_number();
  put_number(split_at(), 1);
  const bool begun = begin_number(last) && make_directory(split_at() - 1);
  if (!begun) end_session();
  result_ = begun ? FR_NO_FILE : result_;  // as that of a split in an empty folder
  return begun;
}

// Takes the next number, or that of a session that has no rows.
bool SessionFiles::choose_session() {
  std::uint32_t session = 0;
  bool is_used = true;
  if (!find_largest(session_at() - 1, false, session)) return false;
  if (session != 0 && !clean_up(session, is_used)) return false;
  put_number(split_at(), 1);
  if (session == 0 && group_ != 0) session = group_ * kSessionsInFolder - 1;
  return !is_used || begin_number(session);
}

// Takes the next free number after one, and makes the folder of its hundred where it is the first.
bool SessionFiles::begin_number(std::uint32_t last) {
  const std::uint32_t group = group_;
  if (!choose_number(last)) return false;
  last_group_ = group_ > last_group_ ? group_ : last_group_;
  return group_ == group || make_directory(session_at() - 1);
}

// Takes the next free number after one.
bool SessionFiles::choose_number(std::uint32_t last) {
  do {
    last = last < kMaxNumber ? last + 1 : 1;
    set_group(group_of(last));
    put_number(session_at(), last);
  } while (find_session());
  return is_missing();
}

// Succeeds also if a single file cannot be cleaned up, for that must not stop the log. False: the card
// failed, and may be tried again.
bool SessionFiles::clean_up(std::uint32_t session, bool& is_used) {
  std::uint32_t split = 0;
  put_number(session_at(), session);
  is_used = true;
  bool clean = find_largest(split_at() - 1, true, split);
  put_number(split_at(), split);
  if (clean && split != 0) clean = clean_up_last_file();
  if (clean) is_used = split > 1 || (split == 1 && has_rows());
  const bool lost = !clean && failed() == Status::kMediumLost && ++clean_ups_ < kMaxCleanUps;
  if (!lost) clean_ups_ = 0;
  put_ending(kExtension);
  return !lost;
}

// Removes the last file if it has no rows.
bool SessionFiles::clean_up_last_file() {
  if (!has_rows()) return FatFsFile::remove(path_, &result_) == Status::kOk;
  Status status = file_.open_for_append(path_);
  if (status == Status::kOk) status = file_.close();  // frees the clusters after the end
  return status == Status::kOk || good(file_.native_error());
}

bool SessionFiles::make_directory(std::size_t end) {
  path_[end] = '\0';
  const FRESULT result = FatFsFile::make_folder(path_);
  path_[end] = '/';
  return good(result == FR_EXIST ? FR_OK : result);
}

// Finds the largest of the numbers that are names in the directory whose path ends at `end`; 0: it has none.
// Leaves the end of that file's name in the path, and its size as that of a file looked up.
bool SessionFiles::find_largest(std::size_t end, bool are_files, std::uint32_t& largest) {
  path_[end] = '\0';
  bool found = list(are_files, largest);
  if (!found && mends(path_)) found = list(are_files, largest);
  path_[end] = '/';
  return found;
}

bool SessionFiles::list(bool are_files, std::uint32_t& largest) {
  DIR directory;
  FSIZE_t bytes = 0;
  if (!good(f_opendir(&directory, path_))) return false;
  while (good(f_readdir(&directory, &information_)) && information_.fname[0] != '\0') {
    const std::uint32_t number = parse_name(information_.fname, are_files);
    if (number <= largest) continue;
    largest = number;
    bytes = information_.fsize;
    if (are_files) put_ending(information_.fname + kDigits);
  }
  const FRESULT closed = f_closedir(&directory);
  information_.fsize = bytes;
  return result_ == FR_OK && good(closed);
}

// Whether the file looked up last has rows.
bool SessionFiles::has_rows() const { return information_.fsize >= kMinBytesWithRows; }

// Counts until there is enough. FSINFO is believed only on a card that has been counted to be full. Where the count
// takes long, the first row does not wait for it: the file finds out.
bool SessionFiles::has_space() {
  result_ = FR_OK;
  if (is_full_ && volume_.free_clst < kMinFreeBytes / kSectorBytes / volume_.csize) return false;
  microparquet::FreeClusters free(volume_);
  for (std::uint32_t steps = 0; !free.is_done() && free.bytes() < kMinFreeBytes; ++steps) {
    if (steps == kMaxSteps) return true;
    const Status status = free.step(kSectorsAtATime);
    if (status != Status::kOk) return good(status == Status::kMediumLost ? FR_DISK_ERR : FR_TIMEOUT);
  }
  is_full_ = free.bytes() < kMinFreeBytes;
  return !is_full_;
}

std::uint32_t SessionFiles::file_id(std::uint32_t session, std::uint32_t split) const {
  char text[] = "00000000/00000000/";
  std::memcpy(text, path_ + kDeviceAt, kDigits);
  put_digits(text + kDigits + 1, session);
  return microparquet::crc32_portable(0, text, sizeof text - 1) + split;
}

bool SessionFiles::good(FRESULT result) {
  result_ = result;
  return result == FR_OK;
}

bool SessionFiles::is_missing() const { return result_ == FR_NO_FILE || result_ == FR_NO_PATH; }

// FatFs answers FR_DENIED when a directory is full.
Status SessionFiles::failed() const {
  if (result_ == FR_DENIED) return Status::kNoSpace;
  const bool lost = result_ == FR_DISK_ERR || result_ == FR_NOT_READY || result_ == FR_INT_ERR;
  return lost ? Status::kMediumLost : Status::kIoError;
}

// Reads eight digits; 0: they are not digits.
std::uint32_t SessionFiles::parse(const char* digits) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < kDigits; ++i) {
    if (digits[i] < '0' || digits[i] > '9') return 0;
    number = number * 10 + static_cast<std::uint32_t>(digits[i] - '0');
  }
  return number;
}

// Whether a text is what a file's name has after its number.
bool SessionFiles::is_ending(const char* text) {
  const std::string_view extension = microparquet::after_name_date(text);
  return extension == kExtensions[0] || extension == kExtensions[1];
}

// Reads the number of a session or a file; 0: the name is none.
std::uint32_t SessionFiles::parse_name(const char* name, bool is_file) {
  const std::uint32_t number = parse(name);
  if (number == 0) return 0;
  const bool is_one = is_file ? is_ending(name + kDigits) : name[kDigits] == '\0';
  return is_one ? number : 0;
}

void SessionFiles::put_ending(std::string_view ending) {
  path_bytes_ = ending_at() + ending.size();
  for (std::size_t i = 0; i < ending.size(); ++i) path_[ending_at() + i] = ending[i];
  path_[path_bytes_] = '\0';
}

void SessionFiles::put_digits(char* at, std::uint32_t number) {
  for (std::size_t i = kDigits; i-- > 0; number /= 10) at[i] = static_cast<char>('0' + number % 10);
}
