// Files that are removed or overwritten. FatFs frees the clusters and changes the entry before one sync: a card
// that keeps the table alone has a file that names free clusters, another file takes these, and the next removal
// frees them once more.
#include "microparquet/port/fatfs_file.h"

#include "fatfs_volume.h"

namespace microparquet {

namespace {

constexpr DWORD kStepOnExfat = 256;  // clusters, which a power cut may lose
constexpr unsigned kMaxTries = 16;   // to close a file while another task holds the volume
constexpr DWORD kLastCluster = 0x0FFFFFFF;

bool is_lost(FRESULT result) {
  return result == FR_DISK_ERR || result == FR_NOT_READY || result == FR_INT_ERR;
}

// The table of a FAT16 or FAT32 volume, a sector at a time in FatFs's window; between open() and close() under
// the volume's mutex.
class AllocationTable {
 public:
  AllocationTable(FATFS& volume, DWORD entries_in_sector) : volume_(volume), entries_(entries_in_sector) {}

  // Begins with the sector that has the cluster's entry.
  FRESULT open(DWORD cluster) {
    if (!lock(volume_)) return FR_TIMEOUT;
    const FRESULT result = load(cluster);
    if (result != FR_OK) unlock(volume_);
    return result;
  }
  void close() { unlock(volume_); }

  FRESULT load(DWORD cluster) {
    return load_window(volume_, volume_.fatbase + sector_of(cluster)) ? FR_OK : FR_DISK_ERR;
  }

  FRESULT sync() { return sync_window(volume_) ? FR_OK : FR_DISK_ERR; }

  bool has(DWORD cluster) const { return cluster >= 2 && cluster < volume_.n_fatent; }
  DWORD sector_of(DWORD cluster) const { return cluster / entries_; }

  DWORD next(DWORD cluster) const {
    const BYTE* const at = entry(cluster);
    DWORD value = 0;
    for (unsigned i = bytes(); i-- != 0;) value = value << 8 | at[i];
    return value & kLastCluster;
  }

  void set(DWORD cluster, DWORD value) {
    BYTE* const at = entry(cluster);
    if (bytes() == 4) value |= DWORD{at[3]} << 24 & ~kLastCluster;
    for (unsigned i = 0; i < bytes(); ++i) at[i] = static_cast<BYTE>(value >> 8 * i);
    volume_.wflag = 1;
  }

  void free(DWORD cluster) {
    set(cluster, 0);
    if (volume_.free_clst >= volume_.n_fatent - 2) return;
    ++volume_.free_clst;
    volume_.fsi_flag |= 1;
  }

  // Frees the clusters from `next` on that have their entries in the loaded sector, but for `first`, and for
  // `next` if it is `kept`. Returns where the chain continues.
  DWORD free_run(DWORD first, DWORD next, bool kept) {
    DWORD at = next;
    while (has(at) && at != first && sector_of(at) == sector_of(next)) {
      const DWORD following = this->next(at);
      if (following == 0)
        return kLastCluster;  // the chain is broken, or comes back to what has just been freed
      if (at != next || !kept) free(at);
      at = following;
    }
    return has(at) && at != first ? at : kLastCluster;
  }

 private:
  unsigned bytes() const { return volume_.fs_type == FS_FAT32 ? 4 : 2; }
  BYTE* entry(DWORD cluster) const { return volume_.win + cluster % entries_ * bytes(); }

  FATFS& volume_;
  DWORD entries_;
};

}  // namespace

Status FatFsFile::remove(const TCHAR* path, FRESULT* native_error) {
  DWORD link_map[16];
  FatFsFile file(link_map);
  Status status = file.open_as(path, FA_READ | FA_WRITE | kToEmpty);
  if (status == Status::kOk) status = file.empty();
  Status closed = file.close();
  // The object ends here, and FatFs must not have it open then.
  for (unsigned tries = kMaxTries; closed == Status::kIoError && tries != 0; --tries) closed = file.close();
  if (status == Status::kOk) status = closed;
  if (status == Status::kOk) {
    file.native_error_ = f_unlink(path);
    if (file.native_error_ != FR_OK)
      status = is_lost(file.native_error_) ? Status::kMediumLost : Status::kIoError;
  }
  if (native_error != nullptr) *native_error = file.native_error_;
  return status;
}

Status FatFsFile::overwrite(const TCHAR* path) {
  Status status = open_as(path, FA_READ | FA_WRITE | FA_OPEN_ALWAYS | kToEmpty);
  if (status == Status::kOk) status = empty();
  if (status != Status::kOk) static_cast<void>(close());
  return status;
}

// Empties the file that has just been opened. Whatever of it a card keeps, the entry names no cluster that is
// free: on FAT it names the first one until all others are.
Status FatFsFile::empty() {
  if (is_exfat()) return empty_in_steps();
  allocated_ = chain_end_ = 0;
  use_link_map(false);
  // On FAT12, where an entry of the table lies across sectors, no file may name clusters that become free.
  const bool is_fat12 = file_.obj.fs->fs_type == FS_FAT12;
  bool is_more = file_.obj.sclust != 0 && !is_fat12;
  Status status = is_fat12 ? write_entry(0) : empty_entry();
  if (status == Status::kOk) published_ = written_ = 0;
  while (status == Status::kOk && is_more) status = free_next(is_more);
  if (status == Status::kOk) status = sync_card(true);
  if (status != Status::kOk) {
    writable_ = false;  // close() leaves the entry with its clusters, for the next call
    return status;
  }
  if (file_.obj.sclust == 0) return follow_chain(0);
  allocated_ = cluster_bytes();  // close() frees it, too, if another task holds the volume now
  return trim(0);
}

// On exFAT an empty file names no clusters: a cut loses those between two sizes.
Status FatFsFile::empty_in_steps() {
  Status status = follow_chain(published_);
  if (status == Status::kOk && !tail_is_sound_) status = trim(published_);
  const FSIZE_t step = FSIZE_t{kStepOnExfat} * cluster_bytes();
  while (status == Status::kOk && published_ > step) status = shrink(published_ - step);
  if (status == Status::kOk) status = write_entry(0);  // even an empty one may name another file's clusters
  if (status != Status::kOk) return status;
  published_ = written_ = 0;
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
  AllocationTable table(*file_.obj.fs, entries_in_sector());
  const DWORD first = file_.obj.sclust;
  FRESULT result = table.open(first);
  if (result != FR_OK) return failed(result);
  const DWORD next = table.next(first);
  is_more = table.has(next) && next != first;
  if (next == 1) table.set(first, kLastCluster);  // which FatFs would refuse
  if (is_more && table.sector_of(next) == table.sector_of(first)) {
    table.set(first, table.free_run(first, next, false));
  } else if (is_more) {
    result = table.load(next);
    DWORD after = kLastCluster;
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
  return result == FR_OK ? Status::kOk : failed(result);
}

}  // namespace microparquet
