// Entry sets that a power cut has torn. FatFs writes a set that lies in two sectors with two writes, and gives
// up a folder at its first bad set: no later file of it can be opened, and none created. All is done in FatFs's
// window, its buffer of one sector, and needs no memory of its own.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "exfat_table.h"
#include "fatfs_volume.h"
#include "microparquet/port/fatfs_file.h"

#if FF_FS_EXFAT
namespace microparquet {

namespace {

constexpr unsigned kMostMended = 16;  // on the way to a file, one for each folder

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

constexpr DWORD kMostFolderBytes = 256UL << 20;

// What a set of entries needs: nothing, no set at all, or the checksum that it should have, above the low bits.
using Remedy = unsigned;
constexpr Remedy kNone = 0;
constexpr Remedy kGiveUp = 1;
constexpr Remedy kDamaged = 2;  // there is no remedy
constexpr Remedy kChecksumIs = 3;
constexpr unsigned kRemedyBits = 2;

// Loads a number, which exFAT stores with its lowest byte first.
template <typename Number>
Number load(const BYTE* bytes) {
  Number number = 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  std::memcpy(&number, bytes, sizeof number);
#else
  for (unsigned i = sizeof number; i-- != 0;) number = static_cast<Number>(number << 8 | bytes[i]);
#endif
  return number;
}

// A folder that is walked through, cluster by cluster or entry by entry.
struct Folder : DIR {
  bool is_linked;  // true if the walk has changed its chain
  // The set that a cut has torn.
  Remedy remedy;
  LBA_t sector;
  BYTE* torn;  // its first entry, while FatFs's window has the sector
};

// Loads a sector of a cluster; false: the volume has no such cluster, or the card does not answer.
bool load_cluster(FATFS& volume, DWORD cluster, DWORD sector) {
  if (cluster - 2 >= volume.n_fatent - 2) return false;
  return load_window(volume, volume.database + LBA_t{volume.csize} * (cluster - 2) + sector);
}

bool has_entries(FATFS& volume, DWORD cluster) {
  constexpr BYTE kOfNoSet = static_cast<BYTE>(~(kFile | kStream | kName));
  return load_cluster(volume, cluster, 0) && volume.win[0] != kEndMarker && (volume.win[0] & kOfNoSet) == 0;
}

// Moves to the cluster of a folder's next entry. A chain may run in a circle. It is linked where the card has kept the
// entry of a folder, in one piece until it grew elsewhere, and lost the table; only the new cluster is left out, which
// has no whole set yet.
bool next_cluster(Folder& folder) {
  FATFS& volume = *folder.obj.fs;
  const auto end = static_cast<DWORD>(folder.obj.objsize);
  if (folder.dptr == 0) {
    folder.clust = folder.obj.sclust != 0 ? folder.obj.sclust : static_cast<DWORD>(volume.dirbase);
  } else if ((folder.obj.stat & kContiguous) != 0) {
    ++folder.clust;
    return folder.dptr < end;
  } else {
    const BYTE* const link = load_link(volume, folder.clust);
    if (link == nullptr) return false;
    DWORD next = load<DWORD>(link);
    if (next == kFree && folder.dptr < end) {
      const bool goes_on = folder.dptr + volume.csize * sector_bytes(volume) < end;
      next = goes_on && has_entries(volume, folder.clust + 1) ? folder.clust + 1 : kEndOfChain;
      if (!set_link(volume, folder.clust, next)) return false;
      folder.is_linked = true;
    }
    folder.clust = next;
  }
  return folder.dptr < kMostFolderBytes;
}

// Returns a folder's next entry, in FatFs's window; null: it has no more, or the card does not answer.
BYTE* next_entry(Folder& folder) {
  FATFS& volume = *folder.obj.fs;
  const DWORD bytes = sector_bytes(volume);
  const DWORD in_cluster = folder.dptr & (volume.csize * bytes - 1);
  if (in_cluster == 0 && !next_cluster(folder)) return nullptr;
  if (!load_cluster(volume, folder.clust, in_cluster / bytes)) return nullptr;
  folder.dptr += kEntryBytes;
  return volume.win + in_cluster % bytes;
}

// Puts what was mended on the card, and releases the volume.
FRESULT finish(FATFS& volume, FRESULT result) {
  if (result == FR_OK && !sync_window(volume)) {
    volume.winsect = kNowhere;  // FatFs must not see what the card has not taken
  }
  if (volume.winsect == kNowhere) result = FR_DISK_ERR;
  unlock(volume);
  return result;
}

[[gnu::noinline]] unsigned add_entry(unsigned sum, const BYTE* entry, bool is_first) {
  for (unsigned i = 0; i < kEntryBytes; ++i) {
    if (is_first && i == kChecksum) i += 2;
    sum = static_cast<std::uint16_t>((sum << 15 | sum >> 1) + entry[i]);
  }
  return sum;
}

// Reads a set, from its first entry on. A creation takes entries that are not in use, and a cut leaves its
// beginning: a set that is cut off otherwise, or that has clusters and is no empty folder, is damaged.
[[gnu::noinline]] Remedy read_set(Folder& folder, const BYTE* entry) {
  FATFS& volume = *folder.obj.fs;
  unsigned left = entry[kSecondaries];
  const auto expected = load<std::uint16_t>(entry + kChecksum);
  const bool is_folder = (entry[kAttributes] & AM_DIR) != 0;
  bool is_cut_off = left < kMinSecondaries || left > kMaxSecondaries;
  if (is_cut_off) left = 1;
  DWORD first = 0;
  std::uint64_t bytes = 0;
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
    bytes = load<std::uint64_t>(entry + kLength);
  }
  if (!is_cut_off && sum == expected) return kNone;
  if (first != 0 && !load_cluster(volume, first, 0)) return kDamaged;
  if (is_cut_off) return first == 0 || (is_folder && volume.win[0] == kEndMarker) ? kGiveUp : kDamaged;
  const DWORD clusters = first != 0 ? volume.n_fatent : 0;
  const bool fits = bytes <= std::uint64_t{clusters} * (volume.csize * sector_bytes(volume));
  return fits ? sum << kRemedyBits | kChecksumIs : kDamaged;
}

// Mends the one set of a folder that a cut has torn.
FRESULT mend_folder(Folder& folder) {
  FATFS& volume = *folder.obj.fs;
  folder.dptr = 0;
  while (BYTE* const entry = next_entry(folder)) {
    if (entry[0] == kEndMarker) break;
    if (entry[0] != kFile) continue;
    const LBA_t sector = volume.winsect;
    const Remedy remedy = read_set(folder, entry);
    if (remedy == kNone) continue;
    if (remedy == kDamaged || folder.remedy != kNone) return FR_INT_ERR;
    folder.remedy = remedy;
    folder.torn = entry;
    folder.sector = sector;
  }
  if (folder.remedy == kNone || !load_window(volume, folder.sector)) return FR_INT_ERR;
  volume.wflag = 1;
  BYTE* torn = folder.torn;
  if (folder.remedy == kGiveUp) {
    const BYTE* const end = volume.win + sector_bytes(volume);
    for (; torn != end && (torn[0] & kInUse) != 0; torn += kEntryBytes) torn[0] &= kUnused;
  } else {
    torn[kChecksum] = static_cast<BYTE>(folder.remedy >> kRemedyBits);
    torn[kChecksum + 1] = static_cast<BYTE>(folder.remedy >> (kRemedyBits + 8));
  }
  return FR_OK;
}

// Links a folder's clusters, see next_cluster(), and takes the last one, of which the card may have lost that it is not
// free. Returns whether it changed anything.
bool link_folder(Folder& folder) {
  FATFS& volume = *folder.obj.fs;
  if (folder.obj.sclust == 0) return false;
  const auto end = static_cast<DWORD>(folder.obj.objsize);
  DWORD last = 0;
  for (folder.dptr = 0; folder.dptr < end && next_cluster(folder) && folder.clust - 2 < volume.n_fatent - 2;
       folder.dptr += volume.csize * sector_bytes(volume)) {
    last = folder.clust;
  }
  return is_free(volume, last, true) || folder.is_linked;
}

#if FF_STR_VOLUME_ID == 0
// Opens the root that a path begins at.
FRESULT open_root(DIR& root, const TCHAR* path) {
  TCHAR with_drive[] = {path[0], ':', '/', 0};
  return f_opendir(&root, path[0] != 0 && path[1] == ':' ? with_drive : with_drive + 2);
}
#else
FRESULT open_root(DIR& root, const TCHAR* path) {
  constexpr std::size_t kMostDrive = 30;
  std::size_t drive = 0;
#if FF_STR_VOLUME_ID == 2
  while (path[drive] == '/') ++drive;
  while (drive != 0 && path[drive] >= ' ' && path[drive] != '/') ++drive;
#else
  while (path[drive] >= ' ' && path[drive] != ':') ++drive;
  drive = path[drive] == ':' ? drive + 1 : 0;
#endif
  if (drive > kMostDrive) return FR_INVALID_DRIVE;
  TCHAR with_drive[kMostDrive + 2];
  for (std::size_t i = 0; i < drive; ++i) with_drive[i] = path[i];
  with_drive[drive] = '/';
  with_drive[drive + 1] = 0;
  return f_opendir(&root, with_drive);
}
#endif

// Finds the folder `path`, or the one on the way there in which FatFs stops. Without success f_opendir leaves that
// one, but not its volume. Returns FatFs's answer to `path`.
FRESULT find_folder(Folder& folder, const TCHAR* path) {
  FRESULT result = open_root(folder, path);
  if (result != FR_OK) return result;
  FATFS* const volume = folder.obj.fs;
  result = f_opendir(&folder, path);
#if FF_FS_LOCK
  if (result == FR_OK) f_closedir(&folder);
#endif
  folder.obj.fs = volume;
  return result;
}

// Mends the folder that find_folder() finds.
// - FR_OK: a set was mended
// - FR_INT_ERR: the folder is damaged otherwise, or not at all, and stays as it is
// - anything else: FatFs's answer, or that of the card
FRESULT mend_on_path(const TCHAR* path) {
  Folder folder = {};
  FRESULT result = find_folder(folder, path);
  // FR_NO_PATH: FatFs has stopped later, where the folder was to grow.
  if (result != FR_OK && result != FR_INT_ERR && result != FR_NO_PATH) return result;
  FATFS& volume = *folder.obj.fs;
  if (volume.fs_type != FS_EXFAT) return FR_INT_ERR;
  if (!lock(volume)) return FR_TIMEOUT;
  return finish(volume, link_folder(folder) ? FR_OK : mend_folder(folder));
}

// Removes the end markers of a folder in front of the first set after them. A card that has lost the first sector of
// a new set and kept the second one leaves such markers; FatFs makes folders after them, and never finds them.
FRESULT remove_markers(Folder& folder) {
  FATFS& volume = *folder.obj.fs;
  DWORD end = 0;
  bool is_behind = false;
  folder.dptr = 0;
  while (const BYTE* const entry = end == 0 ? next_entry(folder) : nullptr) {
    if (entry[0] == kEndMarker) is_behind = true;
    if (is_behind && entry[0] == kFile) end = folder.dptr;
  }
  folder.dptr = 0;
  while (folder.dptr != end) {
    BYTE* const entry = next_entry(folder);
    if (entry == nullptr) return FR_DISK_ERR;
    if (entry[0] != kEndMarker) continue;
    entry[0] = kUnused;
    volume.wflag = 1;
  }
  return FR_OK;
}

}  // namespace

bool FatFsFile::mend(const TCHAR* path) { return mend_on_path(path) == FR_OK; }

FRESULT FatFsFile::make_folder(const TCHAR* path) {
  Folder parent = {};
  FRESULT result = find_folder(parent, path);
  if (result == FR_NO_PATH && parent.obj.fs->fs_type == FS_EXFAT) {
    FATFS& volume = *parent.obj.fs;
    if (!lock(volume)) return FR_TIMEOUT;
    result = link_folder(parent) ? finish(volume, FR_OK) : (unlock(volume), FR_OK);
    if (result != FR_OK) return result;
  }
  result = f_mkdir(path);
  for (unsigned left = kMostMended; result == FR_INT_ERR && left != 0 && mend(path); --left) {
    result = f_mkdir(path);
  }
  if (result != FR_OK) return result;
  Folder folder = {};
  result = find_folder(folder, path);
  FATFS& volume = *folder.obj.fs;
  if (result != FR_NO_PATH || volume.fs_type != FS_EXFAT) return result;
  if (!lock(volume)) return FR_TIMEOUT;
  return finish(volume, remove_markers(folder));
}

// Opens a file, and mends what stops FatFs: folders on the way, one after the other.
FRESULT FatFsFile::open_and_mend(const TCHAR* path, BYTE mode) {
  is_mended_ = false;
  for (unsigned left = kMostMended;; --left) {  // a worn card may drop what it is given
    FRESULT result = f_open(&file_, path, mode);
    if (result != FR_INT_ERR || left == 0) return result;
    result = mend_on_path(path);
    if (result != FR_OK) return result;
    is_mended_ = true;
  }
}

// Mends the chain of the file's folder. The file is no file unless FatFs has found the bitmap: that says that the root's
// first cluster is taken. FatFs would give away clusters that files have.
Status FatFsFile::check_folder() {
  FATFS& volume = *file_.obj.fs;
  // FatFs holds back the second sector of a new set: the first one must be on the card before it.
  if (published_ == 0) {
    if (const Status status = sync_card(Held::kNothing); status != Status::kOk) return status;
  }
  if (!lock(volume)) return failed(FR_TIMEOUT);
  if (is_free(volume, static_cast<DWORD>(volume.dirbase), false)) {
    unlock(volume);
    native_error_ = FR_NO_FILESYSTEM;
    return Status::kIoError;
  }
  Folder folder = {};
  folder.obj.fs = &volume;
  folder.obj.sclust = file_.obj.c_scl;
  folder.obj.stat = static_cast<BYTE>(file_.obj.c_size);
  folder.obj.objsize = file_.obj.c_size & 0xFFFFFF00;
  // Without a sector in the window the card has not taken, or given, what it should.
  if (volume.winsect != kNowhere) static_cast<void>(link_folder(folder));
  return answer(finish(volume, FR_OK));
}

}  // namespace microparquet
#endif
