// A file that is open in FatFs, shared by its copies: what implements the file systems' interfaces here.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>

#include "ff.h"

#include "diskio.h"

namespace ports {

// Whether the system's off_t has 32 bits, as on many a board.
inline bool has_short_off_t = false;
inline off_t as_off_t(std::uint64_t position) {
  return has_short_off_t ? static_cast<std::int32_t>(static_cast<std::uint32_t>(position))
                         : static_cast<off_t>(position);
}

class FatHandle {
  // A file with its name, or the root, which may be listed.
  struct Opened : FIL {
    std::string name;
    std::shared_ptr<DIR> list;
    bool list_failed = false;        // it could not be read to its end
    std::uint64_t listed_bytes = 0;  // size of a file that a list has given
  };

 public:
  // Files that were opened, for which a library may hold memory.
  static inline int not_closed = 0;

  FatHandle() = default;
  // Whether the file is closed when the last copy goes.
  explicit FatHandle(bool closes_itself) : closes_itself_(closes_itself) {}

  // FA_...
  FRESULT open(const char* path, BYTE mode) {
    file_ = closes_itself_ ? std::shared_ptr<Opened>(new Opened{}, close_last) : std::make_shared<Opened>();
    const FRESULT result = f_open(file_.get(), path, mode);
    if (result != FR_OK) {
      file_.reset();
      return result;
    }
    ++not_closed;
    file_->name = path[0] == '/' ? path + 1 : path;
    remember(file_);
    return result;
  }
  // The root of the volume, which has nothing of its own to write.
  FRESULT open_root();
  // Opens the next file in the root. The name that it has was given by open() or by this. `searches`: by its name, as
  // libraries do but for SdFat; otherwise the file's bytes are not there.
  bool open_next(FatHandle& root, bool searches = true);
  bool list_failed() const { return is_open() && file_->list_failed; }
  const char* name() const { return is_open() ? file_->name.c_str() : ""; }
  bool is_open() const { return file_ != nullptr; }
  bool is_root() const { return is_open() && (file_->obj.attr & AM_DIR) != 0; }
  FRESULT close() {
    if (is_root()) return file_.reset(), FR_OK;
    const FRESULT result = is_open() ? f_close(file_.get()) : FR_INVALID_OBJECT;
    if (is_open()) --not_closed;
    file_.reset();
    return result;
  }

  std::uint64_t size() const {
    if (is_root()) return file_->listed_bytes;
    return is_open() ? f_size(file_.get()) : 0;
  }
  std::uint64_t position() const { return is_open() ? f_tell(file_.get()) : 0; }

  // FatFs refuses a file after its first error; the libraries made for Arduino do not.
  void forget_error() {
    if (is_open()) file_->err = 0;
  }

  // Past the end too, where the file is open to be written.
  FRESULT seek(std::uint64_t offset) { return f_lseek(file_.get(), static_cast<FSIZE_t>(offset)); }

  // Bytes moved, or -1 and `result` says why.
  std::int64_t read(void* to, std::size_t bytes, FRESULT& result) {
    UINT moved = 0;
    result = f_read(file_.get(), to, static_cast<UINT>(bytes), &moved);
    return result == FR_OK ? std::int64_t{moved} : -1;
  }
  std::int64_t write(const void* from, std::size_t bytes, FRESULT& result) {
    UINT moved = 0;
    result = f_write(file_.get(), from, static_cast<UINT>(bytes), &moved);
    return result == FR_OK ? std::int64_t{moved} : -1;
  }
  FRESULT sync() { return f_sync(file_.get()); }
  static bool sync_device() { return disk_ioctl(0, CTRL_SYNC, nullptr) == RES_OK; }

  FRESULT truncate(std::uint64_t bytes) {
    const FRESULT result = seek(bytes);
    return result == FR_OK ? f_truncate(file_.get()) : result;
  }

  // Makes an empty file longer, in one piece.
  FRESULT expand(std::uint64_t bytes) { return f_expand(file_.get(), static_cast<FSIZE_t>(bytes), 1); }
  std::uint32_t first_sector() const {
    const FATFS& volume = *file_->obj.fs;
    return static_cast<std::uint32_t>(volume.database) + (file_->obj.sclust - 2) * volume.csize;
  }

  // SdFat's objects share the volume's memory, which the sync of each puts on the card: what files have written, without
  // their entries, and the table.
  bool sync_volume();
  // The first byte of the root.
  bool read_root();
  static bool is_busy();
  // SdFat's number of the volume's file system: 12, 16, 32, or 64 for exFAT.
  static std::uint8_t fat_type();
  static std::uint32_t cluster_bytes();
  static std::uint32_t clusters();
  // -1: they cannot be counted.
  static std::int32_t free_clusters();
  // FatFs has a sector for each file in memory, SdFat one for all.
  void share_memory();

 private:
  static constexpr BYTE kDirty = 0x80;  // ff.c's FA_DIRTY

  // Files that are open, for sync_volume().
  static void remember(const std::shared_ptr<FIL>& file);
  bool put_window();
  static void close_last(Opened* file) {
    if (file->obj.fs != nullptr) {
      f_close(file);
      --not_closed;
    }
    delete file;
  }

  std::shared_ptr<Opened> file_;
  bool closes_itself_ = false;
};

}  // namespace ports
