// Clusters of a file on exFAT. The bitmap says that a cluster is taken and not by whom, so that one which no size
// covers is lost in a power cut. FatFs's window therefore holds back what is reserved: FatFs sees it there, and gives it
// to nobody. Bits and links get on the card just before the size that covers them.
#include "exfat_table.h"
#include "fatfs_volume.h"
#include "microparquet/port/fatfs_file.h"

#if FF_FS_EXFAT
namespace microparquet {

BYTE* load_bitmap(FATFS& volume, DWORD cluster) {
  const DWORD bit = cluster - 2;
  const DWORD bits = sector_bytes(volume) * 8;
  if (bit >= volume.n_fatent - 2 || !load_window(volume, volume.bitbase + bit / bits)) return nullptr;
  return volume.win + bit % bits / 8;
}

bool set_link(FATFS& volume, DWORD cluster, DWORD next) {
  const DWORD bytes = sector_bytes(volume);
  if (!load_window(volume, volume.fatbase + cluster / (bytes / 4))) return false;
  BYTE* const entry = volume.win + cluster * 4 % bytes;
  for (unsigned i = 0; i < 4; ++i) entry[i] = static_cast<BYTE>(next >> (8 * i));
  volume.wflag = 1;
  return true;
}

// Takes the first free cluster after the file's last one, and goes to its end. Without one it stays where it is.
Status FatFsFile::take_cluster() {
  FATFS& volume = *file_.obj.fs;
  if (!lock(volume)) return failed(FR_TIMEOUT);
  DWORD cluster = allocated_ != 0 ? file_.clust : volume.last_clst - 1;
  BYTE* bits = nullptr;
  DWORD left = volume.free_clst != 0 ? volume.n_fatent - 2 : 0;
  for (; left != 0; --left) {
    ++cluster;
    if (cluster < 2 || cluster >= volume.n_fatent) cluster = 2;
    bits = load_bitmap(volume, cluster);
    if (bits == nullptr || (*bits & taken_bit(cluster)) == 0) break;
  }
  if (left != 0 && bits != nullptr) {
    *bits |= taken_bit(cluster);
    volume.wflag = 1;
    volume.last_clst = cluster;
    if (volume.free_clst != kNotCounted) --volume.free_clst;
  }
  unlock(volume);
  if (left == 0) return Status::kOk;
  if (bits == nullptr) return failed(FR_DISK_ERR);
  if (allocated_ == 0) {  // an empty file may name clusters of another one
    file_.obj.sclust = cluster;
    file_.obj.stat = kContiguous;
  }
  go_to(cluster, cluster_end(allocated_));
  return Status::kOk;
}

// Goes to the end of a cluster, which is the file's last one from now on.
void FatFsFile::go_to(DWORD cluster, FSIZE_t end) {
  file_.clust = cluster;
  file_.fptr = end;
  let_end(end);
}

// Frees a cluster in the bitmap, or links it to the next one in the table.
Status FatFsFile::set_cluster(DWORD cluster, DWORD next) {
  FATFS& volume = *file_.obj.fs;
  if (!lock(volume)) return failed(FR_TIMEOUT);
  bool is_set = false;
  if (next != kFree) {
    is_set = set_link(volume, cluster, next);
  } else if (BYTE* const bits = load_bitmap(volume, cluster); bits != nullptr) {
    *bits &= static_cast<BYTE>(~taken_bit(cluster));
    volume.wflag = 1;
    if (volume.free_clst < volume.n_fatent - 2) ++volume.free_clst;
    is_set = true;
  }
  unlock(volume);
  return is_set ? Status::kOk : failed(FR_DISK_ERR);
}

// Frees the clusters from the offset `end` on, where one begins. Once one is free the file is not what it was: then
// another task that holds the volume too long loses it.
Status FatFsFile::give_back(FSIZE_t end) {
  DWORD freed = 0;
  for (FSIZE_t at = end; at < allocated_; ++freed) {
    at = cluster_end(at);
    Status status = Status::kIoError;
    for (unsigned left = kMostTries; status == Status::kIoError && left != 0; --left) {
      status = seek(at);
      if (status == Status::kOk) status = set_cluster(file_.clust, kFree);
    }
    if (status != Status::kOk) return freed != 0 ? failed(FR_INT_ERR) : status;
  }
  for (; mapped_ && freed != 0; --freed) {
    DWORD& words = link_map_[0];
    if (--link_map_[words - 3] == 0) words -= 2;
  }
  allocated_ = end;
  let_end(end);
  if (end == 0) file_.obj.sclust = file_.obj.stat = 0;
  return Status::kOk;
}

// Links the clusters between two offsets where clusters end, and ends the chain there.
Status FatFsFile::link(FSIZE_t at, FSIZE_t end) {
  Status status = seek(at);
  while (status == Status::kOk) {
    const DWORD cluster = file_.clust;
    const bool is_last = at >= end;
    at = cluster_end(at);
    if (!is_last) status = seek(at);
    if (status == Status::kOk) status = set_cluster(cluster, is_last ? kEndOfChain : file_.clust);
    if (is_last) break;
  }
  return status;
}

// Frees the clusters after `size`, and ends the chain there if the table has it. A chain that was longer than its file
// when it was opened may lead into other files: the rest of it is lost.
Status FatFsFile::end_chain(FSIZE_t size) {
  const Status status = give_back(whole_clusters(size));
  const bool is_linked = file_.obj.stat == 0 && file_.obj.sclust != 0;
  return status == Status::kOk && is_linked ? link(allocated_, allocated_) : status;
}

// Returns whether a larger size has clusters in several pieces that the table does not link.
bool FatFsFile::is_unlinked(FSIZE_t size) const {
  const FSIZE_t end = whole_clusters(size);
  if (!is_exfat() || !mapped_ || end <= whole_clusters(published_)) return false;
  return file_.obj.stat == 0 || FSIZE_t{link_map_[1]} * cluster_bytes() < end;
}

// Puts the links between the published clusters and the offset `end` on the card; all of them if the table has none
// yet. The entry refers to the table after that: the card might keep the entry and lose the table.
Status FatFsFile::store_links(FSIZE_t end) {
  const Status status = link(file_.obj.stat != 0 ? cluster_bytes() : whole_clusters(published_), end);
  if (status != Status::kOk) return status;
  file_.obj.stat = 0;
  return sync_card(Held::kAll);
}

// Links the cluster that a file has got after `before`, where the link map has no space: FatFs then follows the table.
Status FatFsFile::link_last(DWORD before, bool was_mapped) {
  const DWORD cluster = file_.clust;
  const FSIZE_t end = allocated_;
  const bool is_contiguous = file_.obj.stat != 0 && !was_mapped;
  if (is_contiguous && (cluster == before + 1 || cluster == file_.obj.sclust)) return Status::kOk;
  Status status = Status::kOk;
  if (was_mapped || is_contiguous) {
    use_link_map(was_mapped);
    status = store_links(end - cluster_bytes());
    use_link_map(false);
  }
  if (status == Status::kOk) status = set_cluster(before, cluster);
  if (status == Status::kOk) status = set_cluster(cluster, kEndOfChain);
  go_to(cluster, end);
  return status;
}

}  // namespace microparquet
#endif
