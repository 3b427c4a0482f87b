// A file on a FAT or exFAT volume, through FatFs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ff.h"
#include "microparquet/file.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// Seeks, reads back and shrinks. What a power cut may tear is a sector of FatFs's, of 512 to 4,096 bytes:
// where disk_write() erases more than that, it tears more than this port knows. The file object of FatFs lies
// inside; there is no heap. Made for FatFs R0.15 and R0.16; their options are free, but that files can be
// written (FF_FS_READONLY 0) and truncated (FF_FS_MINIMIZE 0). Mounting the volume is the program's.
//
// Writes of whole sectors go to the card as they are; anything else passes through FatFs's one sector buffer,
// which costs a read and a second write of that sector.
//
// The directory entry changes at sync() and shrink() only, though the cluster chain grows at reserve(). A
// power cut so leaves a file that ends where the last sync said, its chain longer than that on FAT: a checker
// of file systems says so, and nothing is lost, since the file, once resumed, uses these clusters first.
// close() frees them. On exFAT they are lost until a checker frees them, and a cut in the middle of the
// directory entry makes the file unreadable, where FAT keeps it with a wrong size or time: FAT32 is the
// better choice.
//
// On FAT12, of volumes with fewer than 4,085 clusters, a link may lie in two sectors of the table, and a power
// cut between them can lead the chain into another file: give a small volume smaller clusters, which makes it
// FAT16, or littlefs.
//
// FatFs gives up a file after its first failed sector, and then answers f_sync with success. This port so
// never syncs again after a failure: all calls answer kMediumLost until the file is opened again, which should
// follow f_mount.
//
// Nothing is closed by itself (a destructor of a static object would link atexit): call close(). One thread
// for each file; volumes are shared as FF_FS_REENTRANT says.
class FatFsFile final : public File {
 public:
  // `link_map` is where FatFs keeps which clusters are the file's (its "fast seek", FF_USE_FASTSEEK), and
  // must stay until close(). Without it, or where it is too small, each step back to another place of the
  // file reads the file allocation table from the beginning. It takes 2 words and 2 for each fragment: 4 to 8
  // on a card that is written for the first time; 64 are plenty.
  explicit FatFsFile(Span<DWORD> link_map = {});
  FatFsFile(const FatFsFile&) = delete;
  FatFsFile& operator=(const FatFsFile&) = delete;

  // See file.h.
  // - kOk
  // - kMediumLost: the card does not answer
  // - kIoError: anything else; native_error() tells: FR_EXIST, FR_WRITE_PROTECTED, FR_NO_FILESYSTEM, ...; of
  //   these FR_TIMEOUT passes: repeat the call
  Status create(const TCHAR* path, Existing existing = Existing::kRefuse);
  // To continue a file, at its end: see file.h. Else as create().
  Status open_for_append(const TCHAR* path);
  // To read a file only: see file.h. Else as create().
  Status open_for_reading(const TCHAR* path);

  // Frees what was reserved and not used; bytes after what was synced last are dropped.
  // - kOk
  // - kMediumLost: now or before; what was synced is there
  // - kIoError: another task holds the volume too long (FR_TIMEOUT). The file is still open: repeat the call
  Status close();

  // Whether a file is open. One that is lost is, until it is closed.
  bool is_open() const { return is_open_; }

  // What FatFs answered to the call that failed last; FR_OK when none has.
  FRESULT native_error() const { return native_error_; }

  // The calls of File answer kIoError also when another task holds the volume too long (FR_TIMEOUT).
  FileAbilities abilities() const override;
  Status size(std::uint64_t& bytes) override;
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;

  // What lies between the end so far and `offset` is what the card held before.
  // - kNoSpace: as reserve
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override;

  // Allocates clusters.
  // - kNoSpace: the card is full, or 4 GiB - 1 are exceeded on FAT; what was allocated for it is free again
  Status reserve(std::uint64_t end) override;
  Status barrier() override;
  Status sync(std::uint64_t size) override;

  // - kInvalidArgument: `size` is 0, or more than was written
  Status shrink(std::uint64_t size) override;

 private:
  Status open_as(const TCHAR* path, BYTE mode);
  bool forget_clusters(const TCHAR* path);
  Status usable(bool to_write) const;
  Status follow_chain(std::uint64_t size);
  Status find_end(bool& runs_in_circle);
  Status allocate(std::uint64_t end);
  Status add_cluster();
  void map_cluster();
  Status trim(std::uint64_t size);
  Status free_tail(std::uint64_t size);
  Status forget_tail();
  Status trim_table_sector(std::uint64_t end);
  Status cut_chain(std::uint64_t size);
  Status write_entry(std::uint64_t size);
  Status sync_card();
  Status seek(std::uint64_t offset);
  Status failed(FRESULT result);

  bool is_exfat() const { return file_.obj.fs->fs_type == FS_EXFAT; }
  // Whether the file allocation table has its chain: on exFAT only that of a fragmented file.
  bool is_in_table() const { return !is_exfat() || file_.obj.stat == 0; }
  // Whether clusters lie in several pieces on exFAT, and f_sync is to link them in the table.
  bool is_unlinked() const {
#if FF_FS_EXFAT
    return is_exfat() && (file_.obj.stat == 3 || file_.obj.n_frag != 0);
#else
    return false;
#endif
  }
  std::uint64_t most_bytes() const;
  std::uint32_t cluster_bytes() const;
  DWORD entries_in_sector() const;
  std::uint64_t whole_clusters(std::uint64_t bytes) const;
  void let_end(std::uint64_t end) { file_.obj.objsize = static_cast<FSIZE_t>(end); }
  void use_link_map(bool use);

  FIL file_;  // objsize, FatFs's size of the file, is that of the cluster chain between the calls
  Span<DWORD> link_map_;
  std::uint64_t published_ = 0;  // the size in the directory entry
  std::uint64_t written_ = 0;    // the size of the file
  std::uint64_t allocated_ = 0;  // what the cluster chain holds, as far as it can be used
  std::uint64_t chain_end_ = 0;  // and as far as it goes when the file is opened
  FRESULT native_error_ = FR_OK;
  bool is_open_ = false;
  bool writable_ = false;
  bool lost_ = false;
  bool mapped_ = false;         // link_map_ holds the whole chain
  bool tail_is_sound_ = false;  // what the chain holds past the size can be used
  bool buffered_ = false;       // FatFs's sector buffer may hold what is not on the card
};

}  // namespace microparquet
