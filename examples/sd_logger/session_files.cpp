#include "session_files.h"

#include "settings.h"

using microparquet::FatFsFile;
using microparquet::File;
using microparquet::Status;

namespace {

constexpr std::uint32_t kSectorBytes = 512;
constexpr std::uint32_t kLeastFreeBytes = 1 << 20;
// A row takes a page of each column.
constexpr std::uint32_t kLeastBytesWithRows = kSchema.fields.size() * kOptions.page_bytes;

}  // namespace

SessionFiles::SessionFiles(std::string_view device, microparquet::Span<DWORD> link_map) : file_(link_map) {
  for (std::size_t i = 0; i < kDigits; ++i) path_[kDeviceAt + i] = device[i];
}

Status SessionFiles::next(File*& file) {
  if (const Status status = file_.close(); status != Status::kOk) return status;
  if (!has_space()) return result_ == FR_OK ? Status::kNoSpace : failed();
  if (!find_session() && (!is_missing() || !begin_session())) return failed();
  // One that was lost before it had rows gives its place.
  while (good(f_stat(path_, &information_)) && has_rows()) {
    put_number(kSplitAt, parse(path_ + kSplitAt) + 1);
  }
  if (result_ != FR_OK && result_ != FR_NO_FILE) return failed();
  const Status status = file_.create(path_, FatFsFile::Existing::kOverwrite);
  result_ = file_.last_result();
  file = &file_;
  return status;
}

Status SessionFiles::reopen() {
  if (!good(f_stat(path_, &information_))) {
    return is_missing() ? Status::kSchemaMismatch : failed();
  }
  const Status status = file_.resume(path_);
  result_ = file_.last_result();
  return status;
}

// Before the first file, and on another card, there is none.
bool SessionFiles::find_session() {
  path_[kSplitAt - 1] = '\0';
  result_ = f_stat(path_, &information_);
  path_[kSplitAt - 1] = '/';
  return result_ == FR_OK;
}

bool SessionFiles::begin_session() {
  std::uint32_t session = 0;
  std::uint32_t split = 0;
  if (!make_directory(kDeviceAt - 1) || !make_directory(kSessionAt - 1)) return false;
  if (!find_largest(kSessionAt - 1, AM_DIR, session)) return false;
  put_number(kSessionAt, session);
  if (session != 0 && !find_largest(kSplitAt - 1, 0, split)) return false;
  put_number(kSplitAt, split);
  if (split != 0 && !clean_up()) return false;
  const bool used = split > 1 || (split == 1 && has_rows());
  put_number(kSessionAt, used || session == 0 ? session + 1 : session);
  put_number(kSplitAt, 1);
  return make_directory(kSplitAt - 1);
}

// The last file of a session.
bool SessionFiles::clean_up() {
  if (!good(f_stat(path_, &information_))) return false;
  if (!has_rows()) return good(f_unlink(path_));
  Status status = file_.resume(path_);
  if (status == Status::kOk) status = file_.close();  // which frees what was reserved
  return status == Status::kOk || good(file_.last_result());
}

bool SessionFiles::make_directory(std::size_t end) {
  path_[end] = '\0';
  const FRESULT result = f_mkdir(path_);
  path_[end] = '/';
  return good(result == FR_EXIST ? FR_OK : result);
}

// Of the numbers that name directories, or files, in a directory, whose path ends at `end`; 0: there are
// none.
bool SessionFiles::find_largest(std::size_t end, BYTE kind, std::uint32_t& largest) {
  DIR directory;
  path_[end] = '\0';
  result_ = f_opendir(&directory, path_);
  path_[end] = '/';
  while (result_ == FR_OK && good(f_readdir(&directory, &information_)) && information_.fname[0] != '\0') {
    const std::uint32_t number = (information_.fattrib & AM_DIR) == kind ? parse(information_.fname) : 0;
    if (number > largest) largest = number;
  }
  const FRESULT closed = f_closedir(&directory);
  return result_ == FR_OK && good(closed);
}

// The file that was looked for last.
bool SessionFiles::has_rows() const { return information_.fsize >= kLeastBytesWithRows; }

bool SessionFiles::has_space() {
  FATFS* volume = nullptr;
  DWORD clusters = 0;
  if (!good(f_getfree("", &clusters, &volume))) return false;
  return clusters >= kLeastFreeBytes / kSectorBytes / volume->csize;
}

bool SessionFiles::good(FRESULT result) {
  result_ = result;
  return result == FR_OK;
}

bool SessionFiles::is_missing() const { return result_ == FR_NO_FILE || result_ == FR_NO_PATH; }

Status SessionFiles::failed() const {
  const bool lost = result_ == FR_DISK_ERR || result_ == FR_NOT_READY || result_ == FR_INT_ERR;
  return lost ? Status::kMediumLost : Status::kIoError;
}

// The number that a name begins with; 0: none of eight digits.
std::uint32_t SessionFiles::parse(const char* name) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < kDigits; ++i) {
    if (name[i] < '0' || name[i] > '9') return 0;
    number = number * 10 + static_cast<std::uint32_t>(name[i] - '0');
  }
  return number;
}

void SessionFiles::put_number(std::size_t at, std::uint32_t number) {
  for (std::size_t i = kDigits; i-- > 0; number /= 10) path_[at + i] = static_cast<char>('0' + number % 10);
}
