#include "microparquet/port/fatfs_log_folder.h"

#include "allocation_table.h"
#include "fatfs_volume.h"
#include "microparquet/detail/fat_date.h"

namespace microparquet {

namespace {

constexpr std::uint32_t kTableSectors = 8;  // sectors of the table that a part of a removal frees
constexpr std::uint32_t kSectors = 8;       // of the table, counted in one call
constexpr std::uint32_t kAhead = 1 << 20;   // bytes that should be free in a row

}  // namespace

FatFsLogFolder::FatFsLogFolder(std::string_view folder, FATFS& volume) : volume_(volume) {
  path_.set_folder(folder);
}

// What the folder knows of a volume ends with its mount.
bool FatFsLogFolder::is_mounted_again() {
  if (volume_.id == mounted_) return false;
  mounted_ = volume_.id;
  is_listing_ = is_exact_ = false;
  counter_.reset();
  looked_from_ = 0;
  static_cast<void>(file_.close());
  return true;
}

Status FatFsLogFolder::answer(FRESULT result) const {
  switch (result) {
    case FR_OK: return Status::kOk;
    case FR_DISK_ERR:
    case FR_NOT_READY:
    case FR_INVALID_OBJECT: return Status::kMediumLost;
    default: return Status::kIoError;
  }
}

// A list of a folder that is not there is empty.
Status FatFsLogFolder::list(const TCHAR* path) {
  is_mounted_again();
  if (is_listing_) static_cast<void>(f_closedir(&list_));
  is_listing_ = false;
  FRESULT result = f_opendir(&list_, path);
  if (result == FR_INT_ERR && FatFsFile::mend(path)) result = f_opendir(&list_, path);
  if (result == FR_NO_PATH || result == FR_NO_FILE) return Status::kOk;
  is_listing_ = result == FR_OK;
  return answer(result);
}

// Reads the next entry. `is_right`: it is a folder, or a file.
Status FatFsLogFolder::next(bool is_folder, bool& is_right) {
  is_right = false;
  if (is_mounted_again()) return Status::kMediumLost;
  if (!is_listing_) return Status::kEnd;
  const FRESULT result = f_readdir(&list_, &entry_);
  if (result == FR_OK && entry_.fname[0] != 0) {
    is_right = ((entry_.fattrib & AM_DIR) != 0) == is_folder;
    return Status::kOk;
  }
  is_listing_ = false;
  const FRESULT closed = f_closedir(&list_);
  if (result != FR_OK) return answer(result);
  return closed == FR_OK ? Status::kEnd : answer(closed);
}

Status FatFsLogFolder::list_sessions() { return list(path_.folder()); }

Status FatFsLogFolder::next_session(std::uint32_t& session) {
  bool is_folder = false;
  const Status status = next(true, is_folder);
  session = is_folder ? path_.session_of(entry_.fname) : 0;
  return status;
}

Status FatFsLogFolder::list_files(std::uint32_t session) { return list(path_.session(session)); }

Status FatFsLogFolder::next_file(LogFile& file) {
  file = {};
  bool is_file = false;
  const Status status = next(false, is_file);
  if (!is_file) return status;
  path_.read_name(entry_.fname, file);
  file.bytes = entry_.fsize;
#if !FF_FS_NORTC
  file.written_s = detail::seconds_of({entry_.fdate, entry_.ftime});
#endif
  return status;
}

Status FatFsLogFolder::open_file(const LogFile& file, File*& opened) {
  is_mounted_again();
  if (const Status status = file_.close(); status != Status::kOk) return status;
  opened = &file_;
  return file_.open_for_reading(path_.file(file));
}

void FatFsLogFolder::close_file() { static_cast<void>(file_.close()); }

Status FatFsLogFolder::remove_file(const LogFile& file, bool& is_done) {
  is_mounted_again();
  return FatFsFile::remove_part(path_.file(file), kTableSectors, is_done);
}

Status FatFsLogFolder::remove_session(std::uint32_t session) {
  is_mounted_again();
  return FatFsFile::remove_folder(path_.session(session));
}

// FatFs keeps a count that is right once it was right. Until then the table is counted, up to what is asked for.
Status FatFsLogFolder::count_free(std::uint64_t enough, std::uint64_t& bytes, bool& is_done) {
  is_mounted_again();
  if (looked_from_ != 0) return look_ahead(is_done);
  if (!counter_) counter_.emplace(volume_);
  const DWORD known = volume_.free_clst;
  is_done = is_exact_ && known <= volume_.n_fatent - 2;
  if (is_done) {
    bytes = counter_->bytes_of(known);
  } else {
    if (const Status status = counter_->step(kSectors); status != Status::kOk) return status;
    bytes = counter_->bytes();
    is_done = counter_->is_done() || bytes >= enough;
    if (is_done) is_exact_ = counter_->is_done() && volume_.free_clst == counter_->clusters();
  }
  if (!is_done) return Status::kOk;
  counter_.reset();
  const bool is_fat = volume_.fs_type == FS_FAT16 || volume_.fs_type == FS_FAT32;
  if (!is_fat || volume_.last_clst < 2 || volume_.last_clst >= volume_.n_fatent) return Status::kOk;
  looked_from_ = looked_at_ = volume_.last_clst;
  run_ = 0;
  run_ends_ = is_done = false;
  return Status::kOk;
}

// Looks whether a megabyte is free after the cluster that was allocated last. If not, finds the free cluster after
// the next one that is taken, for the time when these are used up.
Status FatFsLogFolder::look_ahead(bool& is_done) {
  const DWORD wanted = kAhead / sector_bytes(volume_) / volume_.csize + 1;
  for (DWORD i = 0; i < kSectors * AllocationTable(volume_).entries_in_sector(); ++i) {
    looked_at_ = after(looked_at_);
    is_done = looked_at_ == looked_from_ || run_ >= wanted;
    bool is_free = false;
    if (!is_done) {
      if (const Status status = look_at(looked_at_, is_free); status != Status::kOk) return status;
    }
    if (is_free && run_ends_) {
      // Where FatFs's own place has changed, a cluster was allocated, and the next round looks again.
      const DWORD place = looked_at_ == 2 ? volume_.n_fatent - 1 : looked_at_ - 1;
      if (volume_.last_clst == looked_from_) volume_.last_clst = place;
      is_done = true;
    }
    if (is_done) {
      looked_from_ = 0;
      return Status::kOk;
    }
    run_ += is_free ? 1 : 0;
    run_ends_ = run_ends_ || !is_free;
  }
  return Status::kOk;
}

DWORD FatFsLogFolder::after(DWORD cluster) const { return cluster + 1 < volume_.n_fatent ? cluster + 1 : 2; }

Status FatFsLogFolder::look_at(DWORD cluster, bool& is_free) {
  AllocationTable table(volume_);
  const FRESULT result = table.open(cluster);
  if (result != FR_OK) return answer(result);
  is_free = table.next(cluster) == 0;
  table.close();
  return Status::kOk;
}

}  // namespace microparquet
