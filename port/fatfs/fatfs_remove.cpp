// Files that are removed or overwritten. FatFs frees the clusters and changes the entry before one sync: a card
// that keeps the table alone has a file that names free clusters, another file takes these, and the next removal
// frees them once more.
#include "microparquet/port/fatfs_file.h"

#include <cstring>

#include "allocation_table.h"
#include "fatfs_volume.h"

namespace microparquet {

namespace {

constexpr DWORD kStepOnExfat = 256;  // clusters, which a power cut may lose
constexpr std::uint32_t kAllParts = ~std::uint32_t{0};

bool is_lost(FRESULT result) {
  return result == FR_DISK_ERR || result == FR_NOT_READY || result == FR_INT_ERR;
}

// A folder's short name, as its entry has it.
class ShortName {
 public:
  // Takes the last part of a path. False: it has no short name of the same letters.
  bool set(const TCHAR* path) {
    const TCHAR* part = path;
    for (const TCHAR* at = path; *at != 0; ++at) {
      if (*at == '/' || *at == '\\' || *at == ':') part = at + 1;
    }
    for (BYTE& letter : letters_) letter = ' ';
    std::size_t at = 0;
    for (std::size_t end = kStem; *part != 0; ++part) {
      if (*part == '.' && end == kStem && at != 0) {
        at = kStem;
        end = kLetters;
        continue;
      }
      const bool is_plain = (*part >= '0' && *part <= '9') || (*part >= 'A' && *part <= 'Z') || *part == '_';
      if (!is_plain || at == end) return false;
      letters_[at++] = static_cast<BYTE>(*part);
    }
    return at != 0;
  }

  // Returns the folder's entry in FatFs's window; null: it is not there.
  BYTE* find_entry(FATFS& volume) const {
    for (BYTE* entry = volume.win; entry != volume.win + sector_bytes(volume); entry += kEntryBytes) {
      if ((entry[kAttributesAt] & 0x3F) == AM_DIR && std::memcmp(entry, letters_, kLetters) == 0)
        return entry;
    }
    return nullptr;
  }

 private:
  static constexpr std::size_t kStem = 8;
  static constexpr std::size_t kLetters = 11;
  static constexpr std::size_t kAttributesAt = 11;
  static constexpr std::size_t kEntryBytes = 32;

  BYTE letters_[kLetters] = {};
};

// Opens a folder, and leaves the sector with its entry in FatFs's window. FR_DENIED: it has names.
FRESULT find_folder(const TCHAR* path, FATFS*& volume, DWORD& first) {
  DIR folder;
  FILINFO information;
  FRESULT result = f_opendir(&folder, path);
  if (result != FR_OK) return result;
  result = f_readdir(&folder, &information);
  FRESULT closed = f_closedir(&folder);
  if (result == FR_OK) result = information.fname[0] != 0 ? FR_DENIED : closed;
  if (result == FR_OK) result = f_opendir(&folder, path);
  if (result != FR_OK) return result;
  volume = folder.obj.fs;
  first = folder.obj.sclust;
  return f_closedir(&folder);
}

// Frees a chain that no entry names any more.
FRESULT free_chain(AllocationTable& table, DWORD first) {
  for (DWORD at = first; table.has(at);) {
    if (const FRESULT result = table.load(at); result != FR_OK) return result;
    const DWORD next = table.next(at);
    if (next == 0) break;  // the chain is broken, or comes back
    table.free(at);
    at = next;
  }
  return table.sync();
}

}  // namespace

// FatFs would take the name and the clusters before one sync, as with a file.
Status FatFsFile::remove_folder(const TCHAR* path, FRESULT* native_error) {
  ShortName name;
  if (!name.set(path)) return Status::kUnsupported;
  FATFS* volume = nullptr;
  DWORD first = 0;
  FRESULT result = find_folder(path, volume, first);
  const bool is_fat = result == FR_OK && (volume->fs_type == FS_FAT16 || volume->fs_type == FS_FAT32);
  if (result == FR_OK && !is_fat) return Status::kUnsupported;
  if (result == FR_OK && !lock(*volume)) result = FR_TIMEOUT;
  if (result == FR_OK) {
    AllocationTable table(*volume);
    BYTE* const entry = name.find_entry(*volume);
    constexpr BYTE kDeleted = 0xE5;
    if (entry == nullptr) {
      result = FR_TIMEOUT;  // another task has come in between
    } else {
      *entry = kDeleted;
      volume->wflag = 1;
      result = table.sync();
      if (result == FR_OK) result = free_chain(table, first);
    }
    unlock(*volume);
  }
  if (native_error != nullptr) *native_error = result;
  if (result == FR_OK) return Status::kOk;
  return is_lost(result) ? Status::kMediumLost : Status::kIoError;
}

Status FatFsFile::remove(const TCHAR* path, FRESULT* native_error) {
  bool is_done = false;
  return remove_part(path, kAllParts, is_done, native_error);
}

Status FatFsFile::remove_part(const TCHAR* path, std::uint32_t parts, bool& is_done, FRESULT* native_error) {
  is_done = false;
  DWORD link_map[16];
  FatFsFile file(link_map);
  bool is_empty = false;
  Status status = file.open_as(path, FA_READ | FA_WRITE | kToEmpty);
  if (status == Status::kOk) status = file.empty(parts, is_empty);
  Status closed = file.close();
  // The object ends here, and FatFs must not have it open then.
  for (unsigned tries = kMostTries; closed == Status::kIoError && tries != 0; --tries) closed = file.close();
  if (status == Status::kOk) status = closed;
  if (status == Status::kOk && is_empty) {
    file.native_error_ = f_unlink(path);
    if (file.native_error_ != FR_OK)
      status = is_lost(file.native_error_) ? Status::kMediumLost : Status::kIoError;
    is_done = status == Status::kOk;
  }
  if (native_error != nullptr) *native_error = file.native_error_;
  return status;
}

Status FatFsFile::overwrite(const TCHAR* path) {
  Status status = open_as(path, FA_READ | FA_WRITE | FA_OPEN_ALWAYS | kToEmpty);
  bool is_empty = false;
  if (status == Status::kOk) status = empty(kAllParts, is_empty);
  if (status != Status::kOk) static_cast<void>(close());
  return status;
}

// Empties the file that has just been opened, as far as that takes no more than `parts` sectors of the table.
// Whatever of it a card keeps, the entry names no cluster that is free: on FAT it names the first one until all
// others are.
Status FatFsFile::empty(std::uint32_t parts, bool& is_empty) {
  is_empty = false;
  if (is_exfat()) return empty_in_steps(parts, is_empty);
  allocated_ = chain_end_ = 0;
  use_link_map(false);
  // On FAT12, where an entry of the table lies across sectors, no file may name clusters that become free.
  const bool is_fat12 = file_.obj.fs->fs_type == FS_FAT12;
  bool is_more = file_.obj.sclust != 0 && !is_fat12;
  Status status = is_fat12 ? write_entry(0) : empty_entry();
  if (status == Status::kOk) published_ = written_ = 0;
  for (; status == Status::kOk && is_more && parts != 0; --parts) status = free_next(is_more);
  if (status == Status::kOk) status = sync_card(Held::kAll);
  if (status != Status::kOk || is_more) {
    writable_ = false;  // close() leaves the entry with its clusters, for the next call
    return status;
  }
  is_empty = true;
  if (file_.obj.sclust == 0) return follow_chain(0);
  allocated_ = 1;  // close() frees it, too, if another task holds the volume now
  if (!is_fat12) status = aim_at(file_.obj.sclust);
  return status == Status::kOk ? trim(0) : status;
}

// Lets the next search for a free cluster begin with one that is about to be free, if the one where it would begin
// is taken. On a full card it would read the table up to there.
Status FatFsFile::aim_at(DWORD cluster) {
  FATFS& volume = *file_.obj.fs;
  AllocationTable table(volume);
  if (!table.has(volume.last_clst + 1)) return Status::kOk;
  const FRESULT result = table.open(volume.last_clst + 1);
  if (result != FR_OK) return failed(result);
  if (table.next(volume.last_clst + 1) != 0) volume.last_clst = cluster - 1;
  table.close();
  return Status::kOk;
}

// On exFAT an empty file names no clusters: a cut loses those between two sizes.
Status FatFsFile::empty_in_steps(std::uint32_t parts, bool& is_empty) {
  Status status = follow_chain(clusters_of(published_));
  if (status == Status::kOk && !tail_is_sound_) status = trim(allocated_);
  const FSIZE_t step = FSIZE_t{kStepOnExfat} * cluster_bytes();
  for (; status == Status::kOk && published_ > step; --parts) {
    if (parts == 0) return Status::kOk;
    status = shrink(published_ - step);
  }
  if (status == Status::kOk) status = write_entry(0);  // even an empty one may name another file's clusters
  if (status != Status::kOk) return status;
  published_ = written_ = 0;
  is_empty = true;
  return trim(0);
}

// Publishes that the file has no bytes, but still its first cluster, and with it that FSINFO knows no count.
Status FatFsFile::empty_entry() {
  FATFS& volume = *file_.obj.fs;
  if (volume.fsi_flag <= kDue) volume.fsi_flag = kUnknown;
  return store_entry(0);
}

// Frees the clusters that follow the first one and have their entries in one sector of the table. If the first
// one's is elsewhere, one of them stays in the chain until the first one leads past it: a power cut then loses
// that one.
Status FatFsFile::free_next(bool& is_more) {
  AllocationTable table(*file_.obj.fs);
  const DWORD first = file_.obj.sclust;
  FRESULT result = table.open(first);
  if (result != FR_OK) return failed(result);
  const DWORD next = table.next(first);
  is_more = table.has(next) && next != first;
  if (next == 1) table.set(first, AllocationTable::kLastCluster);  // which FatFs would refuse
  if (is_more && table.sector_of(next) == table.sector_of(first)) {
    table.set(first, table.free_run(first, next, false));
  } else if (is_more) {
    result = table.load(next);
    DWORD after = AllocationTable::kLastCluster;
    if (result == FR_OK) {
      after = table.free_run(first, next, true);
      table.set(next, after);
      result = table.sync();
    }
    if (result == FR_OK) result = table.load(first);
    if (result == FR_OK) {
      table.set(first, after);
      result = table.sync();
    }
    if (result == FR_OK) result = table.load(next);
    if (result == FR_OK) table.free(next);
  }
  table.close();
  return answer(result);
}

}  // namespace microparquet
