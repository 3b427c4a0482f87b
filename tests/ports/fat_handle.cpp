// SdFat's operations on a volume, by FatFs's own fields.
#include "fat_handle.h"

#include <algorithm>
#include <vector>

#include "support/ram_disk.h"

namespace ports {

namespace {

std::vector<std::weak_ptr<FIL>> open_files;

struct Mounted {
  const FATFS* volume = nullptr;  // null: none is
  DWORD free_clusters = 0;
};
Mounted mounted() {
  Mounted found;
  FATFS* volume = nullptr;
  if (f_getfree("", &found.free_clusters, &volume) == FR_OK) found.volume = volume;
  return found;
}

}  // namespace

void FatHandle::remember(const std::shared_ptr<FIL>& file) {
  const auto is_gone = [](const std::weak_ptr<FIL>& open) { return open.expired(); };
  open_files.erase(std::remove_if(open_files.begin(), open_files.end(), is_gone), open_files.end());
  open_files.push_back(file);
}

FRESULT FatHandle::open_root() {
  DIR root;
  const FRESULT result = f_opendir(&root, "/");
  if (result != FR_OK) return result;
  file_ = std::make_shared<Opened>();
  file_->obj.fs = root.obj.fs;
  file_->obj.attr = AM_DIR;
  return f_closedir(&root);
}

bool FatHandle::open_next(FatHandle& root, bool searches) {
  if (!root.is_root()) return false;
  if (root.file_->list == nullptr) {
    root.file_->list = std::make_shared<DIR>();
    root.file_->list_failed = f_opendir(root.file_->list.get(), "/") != FR_OK;
    if (root.file_->list_failed) return false;
  }
  FILINFO entry;
  FRESULT result = FR_OK;
  while ((result = f_readdir(root.file_->list.get(), &entry)) == FR_OK && entry.fname[0] != 0) {
    if ((entry.fattrib & AM_DIR) != 0) continue;
    if (searches) return open(entry.fname, FA_READ) == FR_OK;
    file_ = std::make_shared<Opened>();
    file_->obj.attr = AM_DIR;  // closed like a folder
    file_->name = entry.fname;
    file_->listed_bytes = entry.fsize;
    return true;
  }
  root.file_->list_failed = result != FR_OK;
  return false;
}

bool FatHandle::sync_volume() {
  const FATFS* const volume = file_->obj.fs;
  for (const std::weak_ptr<FIL>& open : open_files) {
    const std::shared_ptr<FIL> file = open.lock();
    if (file == nullptr || file->obj.fs != volume || (file->flag & kDirty) == 0) continue;
    if (disk_write(volume->pdrv, file->buf, file->sect, 1) != RES_OK) return false;
    file->flag &= static_cast<BYTE>(~kDirty);
  }
  return put_window() && sync_device();
}

// Writes both copies of the table, as FatFs does: the second one follows the first.
bool FatHandle::put_window() {
  FATFS& fs = *file_->obj.fs;
  if (fs.wflag == 0) return true;
  if (disk_write(fs.pdrv, fs.win, fs.winsect, 1) != RES_OK) return false;
  fs.wflag = 0;
  const bool mirrored = fs.n_fats == 2 && fs.winsect - fs.fatbase < fs.fsize;
  return !mirrored || disk_write(fs.pdrv, fs.win, fs.winsect + fs.fsize, 1) == RES_OK;
}

bool FatHandle::read_root() {
  static BYTE sector[FF_MAX_SS];
  const FATFS& fs = *file_->obj.fs;
  const LBA_t first = fs.fs_type == FS_FAT32
                          ? fs.database + LBA_t{static_cast<DWORD>(fs.dirbase) - 2} * fs.csize
                          : fs.dirbase;
  const bool in_memory =
      filesystems::RamDisk::inserted()->front().has_in_memory(static_cast<std::uint32_t>(first));
  return in_memory || disk_read(fs.pdrv, sector, first, 1) == RES_OK;
}

bool FatHandle::is_busy() {
  filesystems::RamDisk* const disk = filesystems::RamDisk::inserted();
  return disk != nullptr && disk->front().is_busy();
}

std::uint8_t FatHandle::fat_type() {
  const FATFS* const volume = mounted().volume;
  if (volume == nullptr) return 0;
  switch (volume->fs_type) {
    case FS_FAT12: return 12;
    case FS_FAT16: return 16;
    case FS_FAT32: return 32;
    default: return 64;
  }
}

std::uint32_t FatHandle::cluster_bytes() {
  const FATFS* const volume = mounted().volume;
  return volume == nullptr ? 0 : volume->csize * 512U;
}

std::uint32_t FatHandle::clusters() {
  const FATFS* const volume = mounted().volume;
  return volume == nullptr ? 0 : volume->n_fatent - 2;
}

std::int32_t FatHandle::free_clusters() {
  const Mounted found = mounted();
  return found.volume == nullptr ? -1 : static_cast<std::int32_t>(found.free_clusters);
}

void FatHandle::share_memory() {
  filesystems::RamDisk* const disk = filesystems::RamDisk::inserted();
  if (file_ == nullptr || disk == nullptr || (file_->flag & kDirty) != 0) return;
  if (!disk->front().has_in_memory(static_cast<std::uint32_t>(file_->sect))) file_->sect = 0;
}

}  // namespace ports
