// File on a FAT or exFAT volume, through FatFs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/file.h"
#include "microparquet/port/fatfs_release.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

// File that seeks, reads back and shrinks. A power cut may tear a sector of FatFs, of 512 to 4,096 bytes: if
// disk_write() erases more than that, it tears more than this port knows. The file object of FatFs lies
// inside; there is no heap. The port is made for FatFs R0.14b, R0.15 and R0.16 with any options, and for
// R0.12c without exFAT, provided that files can be written (FF_FS_READONLY 0) and truncated (FF_FS_MINIMIZE 0). The program mounts the volume.
//
// Writes of whole sectors go to the card as they are; anything else passes through FatFs's one sector buffer,
// which costs a read and a second write of that sector.
//
// The directory entry changes only at sync() and shrink(), but the cluster chain grows at reserve(). A power
// cut therefore leaves a file that ends at the last sync, on FAT with a longer chain. A file system checker
// reports that; nothing is lost, since the file, once resumed, uses these clusters first. close() frees them.
// On exFAT clusters get on the card with the size that covers them, as a rule: see README.md of this port.
//
// On exFAT an entry is a set of three or more, and a power cut between its two sectors leaves one with which
// FatFs opens no file of the folder any more. The port mends such a set at every open, and mend() does it for
// the program's own calls. Where a folder is damaged in another way the port leaves it as it is, and the
// program logs in another folder.
//
// FSINFO on FAT32 is a hint here. A count of free clusters that is too low, 0 even, ends no file. From a file's
// first cluster to close() the card has an unknown count, so that a power cut leaves no wrong one. FatFs then
// looks for a cluster after the file's last one, or where FSINFO says, not from the beginning of the table.
//
// On FAT12, on volumes with fewer than 4,085 clusters, a link may lie in two sectors of the table, and a
// power cut between them can lead the chain into another file: give a small volume smaller clusters, which
// makes it FAT16, or littlefs.
//
// FatFs gives up a file after its first failed sector, and then reports success from f_sync. This port
// therefore never syncs again after a failure: all calls return kMediumLost until the file is opened again,
// after f_mount.
//
// The destructor closes nothing (for a static object it would link atexit): call close(). One thread for each
// file; FF_FS_REENTRANT tells how volumes are shared.
class FatFsFile final : public File {
 public:
  // Makes a closed file. FatFs stores the file's clusters in `link_map` (its "fast seek", FF_USE_FASTSEEK),
  // which must stay until close(). Without it, or if it is too small, each step back in the file reads the
  // file allocation table from the beginning. It takes 2 words and 2 for each fragment: 4 to 8 on a card that
  // is written for the first time; 64 are plenty.
  explicit FatFsFile(Span<DWORD> link_map = {});
  FatFsFile(const FatFsFile&) = delete;
  FatFsFile& operator=(const FatFsFile&) = delete;

  // Creates a file: see file.h.
  // - kOk
  // - kMediumLost: the card does not answer
  // - kIoError: anything else; native_error() tells: FR_EXIST, FR_WRITE_PROTECTED, FR_NO_FILESYSTEM, ...; of
  //   these FR_TIMEOUT passes: repeat the call. FR_INT_ERR on exFAT: a folder of the path is damaged, and stays
  //   so: log in another one
  Status create(const TCHAR* path, Existing existing = Existing::kRefuse) {
    return existing == Existing::kRefuse ? create_new(path) : overwrite(path);
  }
  // Opens a file to continue it at its end: see file.h. Otherwise as create().
  Status open_for_append(const TCHAR* path);
  // Opens a file only to read it: see file.h. Otherwise as create().
  Status open_for_reading(const TCHAR* path);

  // Removes a file, no folder, which must not be open. Also when the card puts writes down in any order, no power
  // cut leaves a name that refers to free clusters, as f_unlink may. A cut loses one cluster at most; on exFAT
  // 256, on FAT12 those of the file. The call can be repeated then. It has a file of FatFs on the stack, with
  // its sector. `native_error`, if given, gets FatFs's result.
  // - kOk
  // - kMediumLost: the card does not answer
  // - kIoError: there is no such file, it is write-protected or open, or another task holds the volume too long
  static Status remove(const TCHAR* path, FRESULT* native_error = nullptr);

  // Does a part of remove(): frees what has its entries in at most `parts` sectors of the table, each of which takes
  // some writes of a sector, and removes the name in the last part. Between two parts the file is there and empty; on
  // exFAT it is shorter, and a part is 256 clusters. Call it again, also after a power cut, until `is_done`. Whoever
  // opens the file to write in between has it as an empty one. Statuses as remove().
  static Status remove_part(const TCHAR* path, std::uint32_t parts, bool& is_done,
                            FRESULT* native_error = nullptr);

  // Removes a folder without names in it, on FAT16 and FAT32, whose name there has no more than eight letters and
  // three. As with remove(), whatever the card keeps, no name leads to free clusters; a cut loses the folder's.
  // - kOk
  // - kUnsupported: another file system, or a long name
  // - kMediumLost: the card does not answer
  // - kIoError: there is no such folder, it has names, or another task holds the volume too long
  static Status remove_folder(const TCHAR* path, FRESULT* native_error = nullptr);

  // Mends the entry set that a power cut on exFAT has left without its second sector, in the folder `path` or on
  // the way there. Returns whether it did: then repeat the call for `path` that failed with FR_INT_ERR, which
  // FatFs answers when it reads, makes or opens something there. The calls above do so by themselves.
  static bool mend(const TCHAR* path);

  // Makes a folder, as f_mkdir does. Whatever a power cut during that leaves on exFAT, the next call mends it.
  static FRESULT make_folder(const TCHAR* path);

  // Returns whether the last open has mended a folder of its path.
  bool is_mended() const;

  // Closes the file: frees reserved and unused clusters, and drops unsynced bytes.
  // - kOk
  // - kMediumLost: now or before; synced bytes are there
  // - kIoError: another task holds the volume too long (FR_TIMEOUT). The file is still open: repeat the call
  Status close();

  // Returns whether a file is open. A lost file is open until it is closed.
  bool is_open() const { return is_open_; }

  // Returns FatFs's result of the call that failed last; FR_OK if none has.
  FRESULT native_error() const { return native_error_; }

  // Returns the largest size of the open file, in bytes: 4 GiB - 1 on FAT, whatever is free there.
  std::uint64_t max_bytes() const;
  // Returns whether the last kNoSpace was a file at max_bytes(), not a full card: close the file and continue
  // in a new one.
  bool limit_reached() const { return limit_reached_; }

  // The functions of File also return kIoError if another task holds the volume too long (FR_TIMEOUT).
  FileAbilities abilities() const override;
  Status size(std::uint64_t& bytes) override;
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;

  // Bytes between the present end and `offset` have the card's old contents.
  // - kNoSpace: as reserve
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override;

  // Allocates clusters.
  // - kNoSpace: the card is full, or the file, see limit_reached(); clusters allocated for the call are free
  //   again
  Status reserve(std::uint64_t end) override;
  Status barrier() override;
  Status sync(std::uint64_t size) override;

  // - kInvalidArgument: `size` is 0, or more than was written
  Status shrink(std::uint64_t size) override;

 private:
  // A mode beside FatFs's: the file is emptied next, and nothing of its chain is used.
  static constexpr BYTE kToEmpty = 0x80;

  // What FatFs holds back, and gets onto the card: bytes in the file's buffer, and the sector in the volume's window.
  enum class Held : std::uint8_t { kNothing, kBytes, kAll };

  Status open_as(const TCHAR* path, BYTE mode);
  Status create_new(const TCHAR* path);
  Status overwrite(const TCHAR* path);
  Status empty(std::uint32_t parts, bool& is_empty);
  Status empty_in_steps(std::uint32_t parts, bool& is_empty);
  Status empty_entry();
  Status free_next(bool& is_more);
  Status aim_at(DWORD cluster);
#if FF_FS_EXFAT
  FRESULT open_and_mend(const TCHAR* path, BYTE mode);
  Status check_folder();
  Status change_bitmap(DWORD cluster);
  Status give_back(DWORD clusters);
  Status link(DWORD at);
  Status link_rest();
  Status settle(DWORD clusters);
  Status end_chain(DWORD clusters);
  Status leave_link_map();
  bool is_linked() const { return file_.obj.stat == 0 && file_.obj.sclust != 0; }
#endif
  Status usable(bool to_write) const;
  Status follow_chain(DWORD clusters);
  Status find_end();
  Status allocate(std::uint64_t end);
  Status grow(DWORD clusters);
  Status hold_count();
  Status add_cluster();
  void map_cluster();
  Status trim(DWORD clusters);
  Status trim_to_size();
  Status free_tail(DWORD clusters);
  Status trim_table_sector(DWORD end);
  Status cut_chain(DWORD clusters);
  Status write_entry(FSIZE_t size);
  Status store_entry(FSIZE_t size);
  Status sync_card(Held held);
  Status seek(FSIZE_t offset);
  Status seek_to(DWORD clusters);
  Status answer(FRESULT result);
  Status failed(FRESULT result);

#if FF_FS_EXFAT
  bool is_exfat() const { return is_exfat_; }
#else
  static constexpr bool is_exfat() { return false; }
#endif
  // Returns whether the file allocation table has its chain: on exFAT only that of a fragmented file.
  bool is_in_table() const { return !is_exfat() || file_.obj.stat == 0; }
  std::uint32_t cluster_bytes() const;
  DWORD entries_in_sector() const;
  DWORD clusters_of(FSIZE_t bytes) const;
  FSIZE_t end_of(DWORD clusters) const;
  void let_end(FSIZE_t end) { file_.obj.objsize = end; }
  void let_allocated();
  void use_link_map(bool use);

  // FatFs's buffer of a sector comes last: what lies after it takes longer instructions.
  bool is_open_ = false;
  bool writable_ = false;
  bool lost_ = false;
  bool limit_reached_ = false;
  bool mapped_ = false;         // true if link_map_ holds the whole chain
  bool tail_is_sound_ = false;  // true if the chain can be used past the size
  bool is_full_ = false;        // true if a search has found no free cluster
#if FF_FS_EXFAT
  bool is_mended_ = false;
  bool is_exfat_ = false;
#endif
  FRESULT native_error_ = FR_OK;
  Span<DWORD> link_map_;
  FSIZE_t published_ = 0;  // size in the directory entry
  FSIZE_t written_ = 0;    // size of the file
  DWORD allocated_ = 0;    // clusters of the chain, as far as it can be used
  DWORD chain_end_ = 0;    // clusters of the chain when the file is opened
  FIL file_;               // FatFs's size, objsize, is that of the cluster chain between the calls
};

#if FF_FS_EXFAT
inline bool FatFsFile::is_mended() const { return is_mended_; }
#else
inline bool FatFsFile::mend(const TCHAR*) { return false; }
inline FRESULT FatFsFile::make_folder(const TCHAR* path) { return f_mkdir(path); }
inline bool FatFsFile::is_mended() const { return false; }
#endif

}  // namespace microparquet
