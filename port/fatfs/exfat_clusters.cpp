// Clusters of a file on exFAT. The bitmap says that a cluster is taken and not by whom, so that one which no size
// covers is lost in a power cut. FatFs's window therefore holds back what is reserved: FatFs sees it there, and gives it
// to nobody. Bits and links get on the card just before the size that covers them.
#include "exfat_table.h"
#include "fatfs_volume.h"
#include "microparquet/port/fatfs_file.h"

#if FF_FS_EXFAT
namespace microparquet {

bool is_free(FATFS& volume, DWORD cluster, bool takes) {
  const DWORD bit = cluster - 2;
  const DWORD bits = sector_bytes(volume) * 8;
  if (bit >= volume.n_fatent - 2 || !load_window(volume, volume.bitbase + bit / bits)) return false;
  BYTE& byte = volume.win[bit % bits / 8];
  const auto mask = static_cast<BYTE>(1U << bit % 8);
  if ((byte & mask) != 0) return false;
  if (takes) {
    byte |= mask;
    volume.wflag = 1;
  }
  return true;
}

BYTE* load_link(FATFS& volume, DWORD cluster) {
  const DWORD bytes = sector_bytes(volume);
  return load_window(volume, volume.fatbase + cluster / (bytes / 4)) ? volume.win + cluster * 4 % bytes
                                                                     : nullptr;
}

bool set_link(FATFS& volume, DWORD cluster, DWORD next) {
  BYTE* const link = load_link(volume, cluster);
  if (link == nullptr) return false;
  link[0] = static_cast<BYTE>(next);
  link[1] = static_cast<BYTE>(next >> 8);
  link[2] = static_cast<BYTE>(next >> 16);
  link[3] = static_cast<BYTE>(next >> 24);
  volume.wflag = 1;
  return true;
}

// Lets FatFs take a cluster for the file, the first free one after its last one, or free `cluster`: as if the file were
// this cluster alone, of which FatFs changes the bit and no table. Without a free one the file stays where it is.
Status FatFsFile::change_bitmap(DWORD cluster) {
  FFOBJID& chain = file_.obj;
  const DWORD first = chain.sclust;
  const BYTE stat = chain.stat;
  chain.sclust = cluster;
  chain.stat = kContiguous;
  file_.fptr = 0;
  let_end(1);
  FRESULT result = FR_OK;
  if (cluster != 0) {
    result = f_truncate(&file_);
    if (result == FR_INT_ERR) {  // a damaged bitmap had it free
      file_.err = FR_OK;
      result = FR_OK;
    }
  } else {
    if (allocated_ != 0) chain.fs->last_clst = file_.clust;
    result = f_lseek(&file_, cluster_bytes());
  }
  if (allocated_ != 0 || chain.sclust == 0) {
    chain.sclust = first;
    chain.stat = stat;
  }
  file_.fptr += end_of(allocated_);
  let_end(file_.fptr);
  return answer(result);
}

// Frees all but that many clusters, from the last one on, so that the file is whole after each. Without a link map FatFs
// does it by itself. A chain that was longer than its file when it was opened may lead into other files: the rest of it
// is lost.
Status FatFsFile::give_back(DWORD clusters) {
  Status status = Status::kOk;
  if (!mapped_) {
    if (is_linked()) status = link(allocated_);
    if (status == Status::kOk) status = cut_chain(clusters);
    if (status != Status::kOk) return status;
    allocated_ = clusters;
  }
  while (allocated_ > clusters) {
    DWORD& words = link_map_[0];
    DWORD* const fragment = &link_map_[words - 3];
    status = change_bitmap(fragment[1] + fragment[0] - 1);
    if (status != Status::kOk) return status;
    if (--fragment[0] == 0) words -= 2;
    --allocated_;
  }
  let_allocated();
  if (clusters == 0) file_.obj.sclust = file_.obj.stat = 0;
  return Status::kOk;
}

// Links the file's cluster number `at`, from 1 on, and all after it, and ends the chain with the last one.
Status FatFsFile::link(DWORD at) {
  FATFS& volume = *file_.obj.fs;
  Status status = seek_to(at);
  while (status == Status::kOk && at <= allocated_) {
    const DWORD cluster = file_.clust;
    const bool is_last = at++ == allocated_;
    if (!is_last) {
      status = seek_to(at);
      if (status != Status::kOk) break;
    }
    if (!lock(volume)) return failed(FR_TIMEOUT);
    if (!set_link(volume, cluster, is_last ? kEndOfChain : file_.clust)) status = failed(FR_DISK_ERR);
    unlock(volume);
  }
  if (status == Status::kOk) file_.obj.stat = 0;
  return status;
}

// Links all that the table does not have yet: that of a file in one piece has nothing.
Status FatFsFile::link_rest() { return link(file_.obj.stat != 0 ? 1 : clusters_of(published_)); }

// Gives back what a larger size does not cover, and links the rest if it lies in several pieces. The entry refers to the
// table after a barrier: the card might keep the entry and lose the table.
Status FatFsFile::settle(DWORD clusters) {
  const Status status = give_back(clusters);
  constexpr DWORD kOnePiece = 4;  // words of a link map
  const bool is_in_pieces = file_.obj.stat != kContiguous || (mapped_ && link_map_[0] > kOnePiece);
  return status == Status::kOk && is_in_pieces && clusters > clusters_of(published_) ? link_rest() : status;
}

// Frees all but that many clusters, and ends the chain there if the table has it.
Status FatFsFile::end_chain(DWORD clusters) {
  const Status status = give_back(clusters);
  return status == Status::kOk && mapped_ && is_linked() ? link(allocated_) : status;
}

// Frees the cluster that a file has got, for which the link map has no space: from now on FatFs follows the table.
Status FatFsFile::leave_link_map() {
  Status status = change_bitmap(file_.clust);
  use_link_map(true);
  if (status == Status::kOk) status = link_rest();
  if (status == Status::kOk) status = sync_card(Held::kAll);
  use_link_map(false);
  file_.fptr = 0;
  mapped_ = status != Status::kOk;
  return status;
}

}  // namespace microparquet
#endif
