// Entry sets that a power cut has torn. FatFs writes a set that lies in two sectors with two writes, and gives
// up a folder at its first bad set: no later file of it can be opened, and none created.
#include <cstddef>
#include <cstdint>

#include "exfat.h"
#include "fatfs_volume.h"
#include "microparquet/port/fatfs_file.h"

#if FF_FS_EXFAT
namespace microparquet {

namespace {

constexpr unsigned kMostTries = 16;  // one for each folder of a path

}  // namespace

namespace exfat {

namespace {

// The set of a file or a folder: an entry for it, one for its bytes, and one for each 15 characters of its
// name.
constexpr DWORD kEntryBytes = 32;
constexpr BYTE kInUse = 0x80;
constexpr BYTE kEndMarker = 0;
constexpr BYTE kUnused = 0x7F;  // type of an entry that is not in use, and bits that others keep
constexpr BYTE kFile = 0x85;
constexpr BYTE kStream = 0xC0;
constexpr BYTE kName = 0xC1;
constexpr unsigned kMinSecondaries = 2;
constexpr unsigned kMaxSecondaries = 18;
// Places in the first entry.
constexpr unsigned kSecondaries = 1;
constexpr unsigned kChecksum = 2;
constexpr unsigned kAttributes = 4;
// Places in the entry for the bytes.
constexpr unsigned kFirstCluster = 20;
constexpr unsigned kLength = 24;
constexpr BYTE kContiguous = 2;

constexpr DWORD kMostFolderBytes = 256UL << 20;
constexpr DWORD kEndOfChain = 0xFFFFFFFF;

LBA_t first_sector(const FATFS& volume, DWORD cluster) {
  return volume.database + LBA_t{volume.csize} * (cluster - 2);
}

bool is_cluster(const FATFS& volume, DWORD cluster) { return cluster - 2 < volume.n_fatent - 2; }

// Moves to the cluster of a folder's next entry. A chain may run in a circle.
bool next_cluster(DIR& folder) {
  FATFS& volume = *folder.obj.fs;
  if (folder.dptr == 0) {
    folder.clust = folder.obj.sclust != 0 ? folder.obj.sclust : static_cast<DWORD>(volume.dirbase);
  } else if ((folder.obj.stat & kContiguous) != 0) {
    if (folder.dptr >= static_cast<DWORD>(folder.obj.objsize)) return false;
    ++folder.clust;
  } else {
    const DWORD bytes = sector_bytes(volume);
    const BYTE* const window = read_window(volume, volume.fatbase + folder.clust / (bytes / 4));
    if (window == nullptr) return false;
    folder.clust = load<DWORD>(window + folder.clust * 4 % bytes);
  }
  return is_cluster(volume, folder.clust) && folder.dptr < kMostFolderBytes;
}

// Returns a folder's next entry, in FatFs's window; null: it has no more, or the card does not answer.
BYTE* next_entry(DIR& folder) {
  FATFS& volume = *folder.obj.fs;
  const DWORD bytes = sector_bytes(volume);
  const DWORD in_cluster = folder.dptr & (volume.csize * bytes - 1);
  if (in_cluster == 0 && !next_cluster(folder)) return nullptr;
  BYTE* const window = read_window(volume, first_sector(volume, folder.clust) + in_cluster / bytes);
  if (window == nullptr) return nullptr;
  folder.dptr += kEntryBytes;
  return window + in_cluster % bytes;
}

// What a set of entries needs: nothing, the checksum that it should have, which is smaller, or no set at all.
using Remedy = unsigned;
constexpr Remedy kNone = 0x10000;
constexpr Remedy kGiveUp = 0x10001;
constexpr Remedy kDamaged = 0x10002;  // there is no remedy

unsigned add_entry(unsigned sum, const BYTE* entry, bool is_first) {
  for (unsigned i = 0; i < kEntryBytes; ++i) {
    if (is_first && i == kChecksum) i += 2;
    sum = static_cast<std::uint16_t>((sum << 15 | sum >> 1) + entry[i]);
  }
  return sum;
}

// Returns whether a file's bytes lie within the volume.
bool has_place(const FATFS& volume, const BYTE* stream) {
  const DWORD first = load<DWORD>(stream + kFirstCluster);
  const auto bytes = load<std::uint64_t>(stream + kLength);
  if (!is_cluster(volume, first)) return first == 0 && bytes == 0;
  return bytes <= std::uint64_t{volume.n_fatent} * (volume.csize * sector_bytes(volume));
}

bool is_empty_folder(FATFS& volume, DWORD first) {
  if (!is_cluster(volume, first)) return false;
  const BYTE* const window = read_window(volume, first_sector(volume, first));
  return window != nullptr && window[0] == kEndMarker;
}

// Reads a set, from its first entry on. A creation takes entries that are not in use, and a cut leaves its
// beginning: a set that is cut off otherwise, or that has clusters, is damaged.
Remedy read_set(DIR& folder, const BYTE* entry) {
  FATFS& volume = *folder.obj.fs;
  unsigned left = entry[kSecondaries];
  const auto expected = load<std::uint16_t>(entry + kChecksum);
  const bool is_folder = (entry[kAttributes] & AM_DIR) != 0;
  bool is_cut_off = left < kMinSecondaries || left > kMaxSecondaries;
  if (is_cut_off) left = 1;
  DWORD first = 0;
  bool is_sound = false;
  unsigned sum = add_entry(0, entry, true);
  for (BYTE wanted = kStream; left != 0; --left, wanted = kName) {
    entry = next_entry(folder);
    if (entry == nullptr) {
      if (volume.winsect == kNowhere) return kDamaged;
      is_cut_off = true;  // where the folder was to grow
      break;
    }
    if (is_cut_off || entry[0] != wanted) {
      if ((entry[0] & kInUse) != 0) return kDamaged;
      is_cut_off = true;
      continue;
    }
    sum = add_entry(sum, entry, false);
    if (wanted != kStream) continue;
    first = load<DWORD>(entry + kFirstCluster);
    is_sound = has_place(volume, entry);
  }
  if (is_cut_off) return first == 0 || (is_folder && is_empty_folder(volume, first)) ? kGiveUp : kDamaged;
  if (sum == expected) return kNone;
  return is_sound ? sum : kDamaged;
}

FRESULT sync(FATFS& volume) {
  return write_window(volume) && disk_ioctl(volume.pdrv, CTRL_SYNC, nullptr) == RES_OK ? FR_OK : FR_DISK_ERR;
}

FRESULT mend_set(FATFS& volume, LBA_t sector, DWORD at, Remedy remedy) {
  BYTE* const window = read_window(volume, sector);
  if (window == nullptr) return FR_DISK_ERR;
  if (remedy == kGiveUp) {
    for (; at < sector_bytes(volume) && (window[at] & kInUse) != 0; at += kEntryBytes) window[at] &= kUnused;
  } else {
    window[at + kChecksum] = static_cast<BYTE>(remedy);
    window[at + kChecksum + 1] = static_cast<BYTE>(remedy >> 8);
  }
  return sync(volume);
}

// Removes the end markers at the end of a sector. A card that has lost the first sector of a new set and kept the
// second one leaves such markers; FatFs then creates files behind them, and never finds them.
FRESULT remove_markers(FATFS& volume, LBA_t sector) {
  BYTE* const window = read_window(volume, sector);
  if (window == nullptr) return FR_DISK_ERR;
  DWORD at = sector_bytes(volume) - kEntryBytes;
  for (; at != 0 && window[at] == kEndMarker; at -= kEntryBytes) window[at] = kUnused;
  return sync(volume);
}

// Mends a folder in which FatFs does not find a name, or finds a bad set.
FRESULT mend_folder(DIR& folder, bool is_name_missing) {
  FATFS& volume = *folder.obj.fs;
  LBA_t marker = 0;  // the last entry's sector, if it is an end marker
  LBA_t torn = 0;    // sector of the torn set
  DWORD torn_at = 0;
  Remedy remedy = kNone;
  while (const BYTE* const entry = next_entry(folder)) {
    if (entry[0] == kEndMarker) {
      if (!is_name_missing) break;
      marker = volume.winsect;
      continue;
    }
    if ((entry[0] & kInUse) != 0 && marker != 0 && marker != volume.winsect) {
      return remove_markers(volume, marker);
    }
    marker = 0;
    if (entry[0] == kFile) {
      const LBA_t sector = volume.winsect;
      const auto at = static_cast<DWORD>(entry - volume.win);
      const Remedy found = read_set(folder, entry);
      if (found == kNone) continue;
      if (found == kDamaged || remedy != kNone) return FR_INT_ERR;
      torn = sector;
      torn_at = at;
      remedy = found;
    }
  }
  return remedy == kNone ? FR_NO_FILE : mend_set(volume, torn, torn_at, remedy);
}

bool has_entries(FATFS& volume, DWORD cluster) {
  if (!is_cluster(volume, cluster)) return false;
  const BYTE* const window = read_window(volume, first_sector(volume, cluster));
  const BYTE type = window == nullptr ? kEndMarker : window[0] | kInUse;
  return type == kFile || type == kStream || type == kName;
}

// Links the clusters of a folder, in one piece until it grew elsewhere, of which the card has kept the entry and
// lost the table. Only the new cluster may be left out, which has no whole set yet. Returns whether it did so.
bool link_folder(const DIR& folder) {
  FATFS& volume = *folder.obj.fs;
  if (folder.obj.sclust == 0 || (folder.obj.stat & kContiguous) != 0) return false;
  const DWORD bytes = sector_bytes(volume);
  const DWORD cluster_bytes = volume.csize * bytes;
  const auto end = static_cast<DWORD>(folder.obj.objsize);
  bool is_linked = false;
  DWORD cluster = folder.obj.sclust;
  for (DWORD at = cluster_bytes; at < end && at < kMostFolderBytes && is_cluster(volume, cluster);
       at += cluster_bytes) {
    const LBA_t sector = volume.fatbase + cluster / (bytes / 4);
    const BYTE* const window = read_window(volume, sector);
    if (window == nullptr) return false;
    DWORD next = load<DWORD>(window + cluster * 4 % bytes);
    if (next == 0) {
      next = kEndOfChain;
      if (at + cluster_bytes < end && has_entries(volume, cluster + 1)) next = cluster + 1;
      BYTE* const table = read_window(volume, sector);
      if (table == nullptr) return false;
      store(table + cluster * 4 % bytes, next);
      is_linked = write_window(volume);
      if (!is_linked) return false;
    }
    cluster = next;
  }
  return is_linked;
}

// The root that a path begins at.
class Root {
 public:
  explicit Root(const TCHAR* path) {
    std::size_t drive = 0;
#if FF_STR_VOLUME_ID == 2
    while (path[drive] == '/') ++drive;
    if (drive != 0) {
      while (path[drive] >= ' ' && path[drive] != '/') ++drive;
    }
#elif FF_STR_VOLUME_ID == 1
    while (path[drive] >= ' ' && path[drive] != ':') ++drive;
    drive = path[drive] == ':' ? drive + 1 : 0;
#else
    if (path[0] != 0 && path[1] == ':') drive = 2;
#endif
    if (drive > kMostDrive) drive = 0;
    for (std::size_t i = 0; i < drive; ++i) path_[i] = path[i];
    path_[drive] = '/';
    path_[drive + 1] = 0;
  }
  const TCHAR* path() const { return path_; }

 private:
  static constexpr std::size_t kMostDrive = FF_STR_VOLUME_ID == 0 ? 2 : 14;
  TCHAR path_[kMostDrive + 2];
};

}  // namespace

FRESULT mend(const TCHAR* path) {
  DIR folder;
  FRESULT result = f_opendir(&folder, Root(path).path());
  if (result != FR_OK) return result;
  FATFS& volume = *folder.obj.fs;
  if (volume.fs_type != FS_EXFAT) return FR_NO_FILE;
  // Without success f_opendir leaves the folder in which it has stopped.
  result = f_opendir(&folder, path);
  if (result == FR_OK) f_closedir(&folder);
  if (result != FR_OK && result != FR_INT_ERR && result != FR_NO_PATH) return result;
  if (!lock(volume)) return FR_TIMEOUT;
  folder.obj.fs = &volume;
  folder.dptr = 0;
  if (volume.wflag == 0 || write_window(volume)) {
    result = link_folder(folder) ? sync(volume) : mend_folder(folder, result == FR_NO_PATH);
  }
  if (volume.winsect == kNowhere) result = FR_DISK_ERR;
  unlock(volume);
  return result;
}

}  // namespace exfat

bool FatFsFile::mend(const TCHAR* path) { return exfat::mend(path) == FR_OK; }

// Opens a file, and mends what stops FatFs, or hides a file that it has just created: folders on the way, one after
// the other.
FRESULT FatFsFile::open_and_mend(const TCHAR* path, BYTE mode) {
  is_mended_ = false;
  FRESULT result = FR_INT_ERR;
  for (unsigned tries = kMostTries; tries != 0; --tries) {  // a worn card may drop what it is given
    result = f_open(&file_, path, mode);
    if (result == FR_OK && is_exfat() && (file_.flag & FA_CREATE_ALWAYS) != 0 &&
        f_stat(path, nullptr) == FR_NO_FILE) {
      result = let_go();
      if (result != FR_OK) return result;
      mode = FA_READ | FA_WRITE | FA_OPEN_ALWAYS;
      result = FR_INT_ERR;
    }
    if (result == FR_OK && is_exfat() && (mode & FA_WRITE) != 0) return check_bitmap();
    if (result != FR_INT_ERR && result != FR_NO_PATH) return result;
    const FRESULT mended = exfat::mend(path);
    if (mended == FR_NO_FILE) return result;
    if (mended != FR_OK) return mended;
    is_mended_ = true;
  }
  return result;
}

// Lets the file go that FatFs has opened to write, unless the bitmap is one.
FRESULT FatFsFile::check_bitmap() {
  FATFS& volume = *file_.obj.fs;
  FRESULT result = FR_TIMEOUT;
  if (lock(volume)) {
    const bool is_bitmap = exfat::has_bitmap(volume);
    result = is_bitmap ? FR_OK : volume.winsect == exfat::kNowhere ? FR_DISK_ERR : FR_NO_FILESYSTEM;
    unlock(volume);
  }
  if (result != FR_OK) static_cast<void>(let_go());
  return result;
}

// Closes FatFs's file, now or when the next one is opened.
FRESULT FatFsFile::let_go() {
  const FRESULT result = f_close(&file_);
  is_open_ = result != FR_OK;
  return result;
}

}  // namespace microparquet
#endif
