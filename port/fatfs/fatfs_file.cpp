#include "microparquet/port/fatfs_file.h"

#include "fatfs_volume.h"

#if FF_FS_READONLY || FF_FS_MINIMIZE != 0
#error "microparquet writes and truncates: FF_FS_READONLY and FF_FS_MINIMIZE must be 0"
#endif

namespace microparquet {

namespace {

constexpr FSIZE_t kMaxOnFat = 0xFFFFFFFF;
constexpr BYTE kModified = 0x40;  // FatFs's FA_MODIFIED: f_sync has something to do
constexpr BYTE kDirty = 0x80;     // FatFs's FA_DIRTY: the sector buffer has bytes that are not on the card

}  // namespace

// The constructor is out of line: a constant object would put all initial values into flash, with FatFs's
// buffer.
FatFsFile::FatFsFile(Span<DWORD> link_map) : link_map_(link_map), file_() {}

std::uint32_t FatFsFile::cluster_bytes() const { return file_.obj.fs->csize * sector_bytes(*file_.obj.fs); }

// Returns how many clusters hold that many bytes: the most that there can be, where an entry lies.
DWORD FatFsFile::clusters_of(FSIZE_t bytes) const {
  constexpr FSIZE_t kMost = 0xFFFFFFFF;
  const FSIZE_t clusters = bytes / cluster_bytes() + (bytes % cluster_bytes() != 0 ? 1 : 0);
  return static_cast<DWORD>(clusters < kMost ? clusters : kMost);
}

// Returns where a number of clusters ends. A file on FAT of 4 GiB - 1 has no whole ones, and FatFs has 32 bits for a size
// without exFAT.
FSIZE_t FatFsFile::end_of(DWORD clusters) const {
  const std::uint64_t end = std::uint64_t{clusters} * cluster_bytes();
  return static_cast<FSIZE_t>(end > kMaxOnFat && !is_exfat() ? kMaxOnFat : end);
}

// Between the calls FatFs's size is that of the chain.
void FatFsFile::let_allocated() { let_end(end_of(allocated_)); }

std::uint64_t FatFsFile::max_bytes() const {
  return is_exfat() ? static_cast<FSIZE_t>(~std::uint64_t{1}) : kMaxOnFat;
}

Status FatFsFile::create_new(const TCHAR* path) { return open_as(path, FA_READ | FA_WRITE | FA_CREATE_NEW); }

Status FatFsFile::open_for_append(const TCHAR* path) {
  return open_as(path, FA_READ | FA_WRITE | FA_OPEN_ALWAYS);
}

Status FatFsFile::open_for_reading(const TCHAR* path) { return open_as(path, FA_READ); }

Status FatFsFile::open_as(const TCHAR* path, BYTE mode) {
  if (const Status status = close(); status == Status::kIoError) return status;
#if FF_FS_EXFAT
  native_error_ = open_and_mend(path, mode);
  constexpr bool kMayBeDamaged = true;  // a folder, and then no card is lost
#else
  native_error_ = f_open(&file_, path, mode);
  constexpr bool kMayBeDamaged = false;
#endif
  if (native_error_ != FR_OK) {
    const bool lost = native_error_ == FR_DISK_ERR || native_error_ == FR_NOT_READY ||
                      (!kMayBeDamaged && native_error_ == FR_INT_ERR);
    return lost ? Status::kMediumLost : Status::kIoError;
  }
  is_open_ = true;
  writable_ = (mode & FA_WRITE) != 0;
  published_ = f_size(&file_);
  written_ = published_;
  const bool stays = (mode & kToEmpty) == 0;
#if FF_FS_EXFAT
  is_exfat_ = file_.obj.fs->fs_type == FS_EXFAT;
  allocated_ = 0;
  Status status = is_exfat() && writable_ ? check_folder() : Status::kOk;
  const bool trims = !is_exfat();
  if (status == Status::kOk && stays) status = follow_chain(clusters_of(published_));
#else
  constexpr bool trims = true;
  Status status = stays ? follow_chain(clusters_of(published_)) : Status::kOk;
#endif
  if (status == Status::kOk && writable_ && stays) {
    // A sync that failed may have changed the entry only in the card's cache, and a writer that resumes the
    // file relies on it.
    status = barrier();
    // Trim before another file can take a free cluster that the chain leads to. On exFAT the chain leads into another
    // file if the entry lies, as damage leaves it: there it ends when the file grows.
    if (status == Status::kOk && trims && !tail_is_sound_) status = trim(allocated_);
  }
  if (status != Status::kOk) static_cast<void>(close());
  return status;
}

Status FatFsFile::close() {
  if (!is_open_) return Status::kOk;
  Status status = usable(false);
  if (status == Status::kOk && writable_) status = trim_to_size();
  if (status == Status::kOk && writable_ && (file_.obj.fs->fsi_flag & kHeld) != 0) {
    file_.obj.fs->fsi_flag = kDue;
    status = write_entry(published_);
  }
  if (status == Status::kOk) {
    let_end(published_);
    const FRESULT result = f_close(&file_);
    if (result != FR_OK) {
      status = failed(result);
      let_allocated();
    }
  }
  if (status == Status::kIoError) return status;  // FatFs has the file open
  file_.obj.fs = nullptr;
  is_open_ = writable_ = lost_ = is_full_ = false;
  return status;
}

FileAbilities FatFsFile::abilities() const {
  FileAbilities abilities;
  abilities.seek = true;
  abilities.read_back = true;
  abilities.shrink = true;
  if (is_open_) abilities.block_bytes = static_cast<std::uint16_t>(sector_bytes(*file_.obj.fs));
  return abilities;
}

Status FatFsFile::usable(bool to_write) const {
  if (!is_open_ || (to_write && !writable_)) return Status::kWrongState;
  const FATFS& volume = *file_.obj.fs;
  // A sync asks the card, not FatFs, which would know that the volume has been mounted again.
  const bool is_mounted = volume.fs_type != 0 && volume.id == file_.obj.id;
  return lost_ || !is_mounted ? Status::kMediumLost : Status::kOk;
}

Status FatFsFile::size(std::uint64_t& bytes) {
  bytes = written_;
  return usable(false);
}

Status FatFsFile::read_at(std::uint64_t offset, Span<std::byte> out) {
  if (const Status status = usable(false); status != Status::kOk) return status;
  if (offset > written_ || out.size() > written_ - offset) return Status::kIoError;
  if (const Status status = seek(static_cast<FSIZE_t>(offset)); status != Status::kOk) return status;
  UINT moved = 0;
  const FRESULT result = f_read(&file_, out.data(), static_cast<UINT>(out.size()), &moved);
  if (result != FR_OK || moved != out.size()) return failed(result);
  return Status::kOk;
}

Status FatFsFile::write_at(std::uint64_t offset, Span<const std::byte> data) {
  if (const Status status = usable(true); status != Status::kOk) return status;
  const std::uint64_t end = offset + data.size();
  if (const Status status = allocate(end < offset ? offset : end); status != Status::kOk) return status;
  if (const Status status = seek(static_cast<FSIZE_t>(offset)); status != Status::kOk) return status;
  UINT moved = 0;
  const FRESULT result = f_write(&file_, data.data(), static_cast<UINT>(data.size()), &moved);
  if (result != FR_OK || moved != data.size()) return failed(result);
  if (end > written_) written_ = static_cast<FSIZE_t>(end);
  return Status::kOk;
}

Status FatFsFile::reserve(std::uint64_t end) {
  const Status status = usable(true);
  return status == Status::kOk ? allocate(end) : status;
}

// Puts written bytes on the card. Before the first sync there is nothing to protect: the file is empty, and a
// sync begins with a barrier of its own. On exFAT what is reserved waits in the window for the sync.
Status FatFsFile::barrier() {
  if (const Status status = usable(true); status != Status::kOk) return status;
  return published_ == 0 ? Status::kOk : sync_card(is_exfat() ? Held::kBytes : Held::kAll);
}

// Puts everything that FatFs has written so far on the card, and what it holds back. A window with bytes of a file,
// as FF_FS_TINY has it, is no different from that file's buffer.
Status FatFsFile::sync_card(Held held) {
  FATFS& volume = *file_.obj.fs;
  if (!lock(volume)) return failed(FR_TIMEOUT);
  DRESULT result = RES_OK;
#if !FF_FS_TINY
  if (held != Held::kNothing && (file_.flag & kDirty) != 0) {
    result = disk_write(drive_of(volume), file_.buf, file_.sect, 1);
    file_.flag &= static_cast<BYTE>(~kDirty);
  }
#endif
  constexpr Held kTakesWindow = FF_FS_TINY != 0 ? Held::kBytes : Held::kAll;
  if (held >= kTakesWindow && !write_window(volume)) result = RES_ERROR;
  if (result == RES_OK) result = disk_ioctl(drive_of(volume), CTRL_SYNC, nullptr);
  unlock(volume);
  return result == RES_OK ? Status::kOk : failed(FR_DISK_ERR);
}

bool write_window(FATFS& volume) {
  if (volume.wflag == 0) return true;
  volume.wflag = 0;
  const DRESULT result = disk_write(drive_of(volume), volume.win, volume.winsect, 1);
  if (volume.n_fats == 2 && volume.winsect - volume.fatbase < volume.fsize) {
    static_cast<void>(disk_write(drive_of(volume), volume.win, volume.winsect + volume.fsize, 1));
  }
  return result == RES_OK;
}

bool load_window(FATFS& volume, LBA_t sector) {
  if (volume.winsect == sector) return true;
  const bool is_loaded = write_window(volume) && disk_read(drive_of(volume), volume.win, sector, 1) == RES_OK;
  volume.winsect = is_loaded ? sector : kNowhere;
  return is_loaded;
}

Status FatFsFile::sync(std::uint64_t size) {
  if (const Status status = usable(true); status != Status::kOk) return status;
  if (size < published_ || size > written_) return Status::kInvalidArgument;
  // Bytes below the new size and their clusters must be on the card before the entry has that size: the card may
  // reverse writes that no sync separates.
  Status status = Status::kOk;
  if (size == published_) {
    status = barrier();
    if (status == Status::kOk) written_ = published_;
    return status;
  }
#if FF_FS_EXFAT
  const DWORD reserved = allocated_;
  if (is_exfat()) status = settle(clusters_of(static_cast<FSIZE_t>(size)));
#endif
  if (status == Status::kOk) status = sync_card(Held::kAll);
  if (status == Status::kOk) status = write_entry(static_cast<FSIZE_t>(size));
  if (status != Status::kOk) return status;
  published_ = written_ = static_cast<FSIZE_t>(size);
#if FF_FS_EXFAT
  // FatFs's window holds what is reserved again. Another task may have filled the card in between.
  if (grow(reserved) == Status::kMediumLost) return Status::kMediumLost;
#endif
  return Status::kOk;
}

// Shrinks the file. The smaller size must be on the card before a cluster is free for others; within a cluster it is all
// that changes.
Status FatFsFile::shrink(std::uint64_t size) {
  if (const Status status = usable(true); status != Status::kOk) return status;
  if (size == 0 || size > written_) return Status::kInvalidArgument;
  const auto end = static_cast<FSIZE_t>(size);
  // What is larger than the published one has clusters to be published on exFAT.
  const Status status = is_exfat() && end > published_ ? sync(end) : write_entry(end);
  if (status != Status::kOk) return status;
  published_ = written_ = end;
  return trim_to_size();
}

// Frees what the published size does not cover.
Status FatFsFile::trim_to_size() {
  const DWORD clusters = clusters_of(published_);
  return allocated_ > clusters ? trim(clusters) : Status::kOk;
}

// Publishes a size. FatFs would publish the size it believes in, which exceeds the written one after clusters
// were reserved. The entry of an empty file names no cluster: on FAT the card might keep the entry and lose
// the table, and on exFAT FatFs could not free clusters in one piece.
Status FatFsFile::write_entry(FSIZE_t size) {
  const DWORD first = file_.obj.sclust;
  const BYTE stat = file_.obj.stat;
  if (size == 0) file_.obj.sclust = file_.obj.stat = 0;
  const Status status = store_entry(size);
  if (size == 0) {
    file_.obj.sclust = first;
    file_.obj.stat = stat;
  }
  return status;
}

// Stores the entry with a size and the clusters that FatFs has, and with it, if that is due, that FSINFO knows no
// count.
Status FatFsFile::store_entry(FSIZE_t size) {
  FATFS& volume = *file_.obj.fs;
  const DWORD free_clusters = volume.free_clst;
  const bool is_due = (volume.fsi_flag & kUnknown) != 0;
  if (is_due) {
    volume.free_clst = kNotCounted;
    volume.fsi_flag = kDue;
  }
  let_end(size);
  file_.flag |= kModified;
  const Status status = answer(f_sync(&file_));
  let_allocated();
  if (is_due) {
    volume.free_clst = free_clusters;
    volume.fsi_flag = kHeld;
  }
  return status;
}

Status FatFsFile::allocate(std::uint64_t end) {
  if (end > max_bytes()) {
    limit_reached_ = true;
    return Status::kNoSpace;
  }
  return grow(clusters_of(static_cast<FSIZE_t>(end)));
}

// Allocates clusters one after the other: FatFs then tells each one's number, and the link map grows without
// reading the chain again.
Status FatFsFile::grow(DWORD clusters) {
  if (clusters <= allocated_) return Status::kOk;
  limit_reached_ = false;
#if FF_FS_EXFAT
  if (is_exfat() && !tail_is_sound_) {
    if (const Status status = trim(allocated_); status != Status::kOk) return status;
  }
#endif
  const DWORD before = allocated_;
  // A search that failed has made the count exact: what does not fit is not allocated to be freed again, which takes
  // long where free clusters lie apart.
  if (is_full_ && clusters - before > file_.obj.fs->free_clst) return Status::kNoSpace;
  if (const Status status = seek_to(before); status != Status::kOk) return status;
  use_link_map(false);  // the link map cannot extend the file
  Status status = hold_count();
  while (status == Status::kOk && allocated_ < clusters) status = add_cluster();
  use_link_map(mapped_);
  if (status != Status::kNoSpace) return status;
#if FF_FS_EXFAT
  const Status trimmed = is_exfat() ? give_back(before) : trim(before);
#else
  const Status trimmed = trim(before);
#endif
  return trimmed == Status::kOk ? status : trimmed;
}

// Tells FSINFO, before the first allocation, that nobody knows how many clusters are free: a power cut leaves no
// count that is wrong. FatFs keeps its own in memory. The next entry stores FSINFO again, since the place
// where the next search begins is known only then; after that it is stored when a file is closed. That place is
// after the file's last cluster, or where FSINFO has it, and nowhere near the beginning of the table.
Status FatFsFile::hold_count() {
  FATFS& volume = *file_.obj.fs;
  if (is_exfat() || volume.fsi_flag > kDue) return Status::kOk;
  if (allocated_ != 0) volume.last_clst = file_.clust;
  if (volume.last_clst < 2 || volume.last_clst >= volume.n_fatent) volume.last_clst = volume.n_fatent / 2;
  volume.fsi_flag = kUnknown;
  const Status status = write_entry(published_);
  volume.fsi_flag = kHeld | kUnknown;
  return status;
}

// A count of 0 may be wrong, as FSINFO gave it, until a search has found no free cluster.
Status FatFsFile::add_cluster() {
  const DWORD before = file_.clust;
  FATFS& volume = *file_.obj.fs;
  const DWORD aim = volume.last_clst;
  if (volume.free_clst == 0 && !is_full_) volume.free_clst = kNotCounted;
#if FF_FS_EXFAT
  const bool is_own = is_exfat() && mapped_;
  const Status taken = is_own ? change_bitmap(0) : seek_to(allocated_ + 1);
#else
  const Status taken = seek_to(allocated_ + 1);
#endif
  if (taken != Status::kOk) return taken;
  if (clusters_of(f_tell(&file_)) == allocated_) {
    volume.free_clst = 0;
    is_full_ = true;
    return Status::kNoSpace;
  }
  // FatFs holds the link to the new cluster back if the cluster's entry, already written, is in another sector of
  // the table. The card might keep the link alone, which would then lead to a free cluster.
  const DWORD entries = entries_in_sector();
  if (!is_exfat() && before / entries != file_.clust / entries) {
    if (const Status status = sync_card(Held::kNothing); status != Status::kOk) return status;
  }
  // A file that continues in one piece leaves it open where the next piece is looked for: see remove_part().
  if (file_.clust == before + 1 && aim != before) volume.last_clst = aim;
  if (mapped_) map_cluster();
#if FF_FS_EXFAT
  if (is_own && !mapped_) return leave_link_map();
#endif
  ++allocated_;
  return Status::kOk;
}

// Adds the current cluster, in which the file continues, to the link map.
void FatFsFile::map_cluster() {
  // A link map has the number of its words, length and first cluster of each fragment, and a zero.
  DWORD& words = link_map_[0];
  DWORD* const zero = link_map_.data() + words - 1;
  if (words > 2 && zero[-1] + zero[-2] == file_.clust) {
    ++zero[-2];
  } else if (words + 2 <= link_map_.size()) {
    zero[0] = 1;
    zero[1] = file_.clust;
    zero[2] = 0;
    words += 2;
  } else {
    mapped_ = false;
  }
}

// Frees all but that many clusters. Requires: the directory entry does not claim those.
Status FatFsFile::trim(DWORD clusters) {
  if (file_.obj.sclust == 0) return Status::kOk;
#if FF_FS_EXFAT
  Status status = is_exfat() ? end_chain(clusters) : free_tail(clusters);
#else
  Status status = free_tail(clusters);
#endif
  if (status != Status::kOk) return status;
  allocated_ = clusters;
  status = write_entry(published_);  // stores the table too, before others take a cluster
  return status == Status::kOk ? follow_chain(clusters) : status;
}

// Frees the tail on FAT from its end, one sector of the table after the other: a power cut in between loses
// one cluster, instead of the rest of the chain.
Status FatFsFile::free_tail(DWORD clusters) {
  const DWORD end = clusters != 0 ? clusters : 1;
  if (chain_end_ > allocated_) allocated_ = chain_end_;
  Status status = Status::kOk;
  while (status == Status::kOk && allocated_ > end) status = trim_table_sector(end);
  if (status == Status::kOk && clusters == 0) status = write_entry(0);  // it may still name the first cluster
  return status == Status::kOk ? cut_chain(clusters) : status;
}

// Returns how many clusters have their entries in one sector of the table; on FAT12 entries lie across
// sectors.
DWORD FatFsFile::entries_in_sector() const {
  const FATFS& volume = *file_.obj.fs;
  if (volume.fs_type == FS_FAT12) return 1;
  return sector_bytes(volume) / (volume.fs_type == FS_FAT16 ? 2 : 4);
}

// Frees the last cluster, and those before it whose entries lie in one sector of the table, except the first
// one. FatFs then holds back the sector that frees the last cluster: the end of the chain reaches the card
// before it.
Status FatFsFile::trim_table_sector(DWORD end) {
  DWORD to = allocated_ - 1;
  if (to > end) {
    if (const Status status = seek_to(to); status != Status::kOk) return status;
    const DWORD last = file_.clust;
    const DWORD in_sector = last % entries_in_sector();
    const DWORD from = to - end > in_sector ? to - in_sector : end;
    if (const Status status = seek_to(from); status != Status::kOk) return status;
    if (last - file_.clust == to - from) to = from;  // no fragment begins in between
  }
  if (const Status status = cut_chain(to); status != Status::kOk) return status;
  allocated_ = to;
  return sync_card(Held::kNothing);
}

// Cuts the chain, which on FAT states its own end.
Status FatFsFile::cut_chain(DWORD clusters) {
  if (!is_exfat()) let_end(kMaxOnFat);
  if (const Status status = seek_to(clusters); status != Status::kOk) return status;
  return answer(f_truncate(&file_));
}

// Finds the clusters of a file that has that many. A longer chain may have been torn within a sector of the
// table, and then lead to free clusters: its tail is unsound unless all of it fits in a link map. On exFAT it
// may lead anywhere, and is never used.
Status FatFsFile::follow_chain(DWORD clusters) {
  if (is_exfat() && clusters == 0) file_.obj.sclust = 0;  // an empty file may name those of another one
  allocated_ = chain_end_ = clusters;
  mapped_ = false;
  use_link_map(false);
  Status found = Status::kOk;
  if (is_in_table() && file_.obj.sclust != 0) found = find_end();
  const bool runs_in_circle = found == Status::kCorrupt;
  if (found != Status::kOk && !runs_in_circle) return found;
  tail_is_sound_ = chain_end_ == allocated_;
#if FF_USE_FASTSEEK
  const bool may_map =
      !runs_in_circle && (tail_is_sound_ || !is_exfat());  // FatFs would map a circle for ever
  if (may_map && link_map_.size() >= 4) {
    link_map_[0] = static_cast<DWORD>(link_map_.size());
    use_link_map(true);
    const FRESULT result = f_lseek(&file_, CREATE_LINKMAP);
    if (result == FR_DISK_ERR) return failed(result);
    file_.err = FR_OK;
    mapped_ = result == FR_OK;
    if (mapped_ || result == FR_NOT_ENOUGH_CORE) {
      tail_is_sound_ = true;
      allocated_ = chain_end_;
    }
  }
#endif
  if (writable_) let_allocated();
  use_link_map(mapped_);
  return Status::kOk;
}

// Finds where the chain on FAT ends, or breaks. FatFs would follow a circular chain for ever. f_lseek does
// not extend a file opened for reading, and fails past the last cluster. kCorrupt: the chain runs in a circle.
Status FatFsFile::find_end() {
  const BYTE flag = file_.flag;
  file_.flag &= static_cast<BYTE>(~FA_WRITE);
  FATFS& volume = *file_.obj.fs;
  let_end(~FSIZE_t{0});
  FRESULT result = FR_OK;
  while ((result = f_lseek(&file_, end_of(chain_end_))) == FR_OK && chain_end_ < volume.n_fatent &&
         f_tell(&file_) != kMaxOnFat) {
    ++chain_end_;
  }
  if (result != FR_OK && chain_end_ != allocated_) --chain_end_;
  if (volume.last_clst >= volume.n_fatent || volume.last_clst < file_.clust) volume.last_clst = file_.clust;
  const bool runs_in_circle = chain_end_ >= volume.n_fatent;
  if (runs_in_circle && !is_exfat()) chain_end_ = allocated_;
  file_.flag = flag;
  let_end(published_);
  if (result != FR_OK && result != FR_INT_ERR) return failed(result);
  file_.err = FR_OK;
  file_.fptr = 0;
  return runs_in_circle ? Status::kCorrupt : Status::kOk;
}

void FatFsFile::use_link_map(bool use) {
#if FF_USE_FASTSEEK
  file_.cltbl = use ? link_map_.data() : nullptr;
#else
  static_cast<void>(use);
#endif
}

Status FatFsFile::seek_to(DWORD clusters) { return seek(end_of(clusters)); }

Status FatFsFile::seek(FSIZE_t offset) { return answer(f_lseek(&file_, offset)); }

Status FatFsFile::answer(FRESULT result) { return result == FR_OK ? Status::kOk : failed(result); }

Status FatFsFile::failed(FRESULT result) {
  native_error_ = result;
  if (result == FR_TIMEOUT || result == FR_NOT_ENOUGH_CORE) return Status::kIoError;
  lost_ = true;
  return Status::kMediumLost;
}

}  // namespace microparquet
