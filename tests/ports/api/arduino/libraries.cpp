// SD, SdFat and the files of the cores for the ESP32, RP2040 and Teensy over FatFs. As the libraries do, none of them
// says why it failed.
#include <cstdio>
#include <cstring>

#include "FS.h"
#include "Rp2040SD.h"
#include "SD.h"
#include "SdFat.h"
#include "TeensySD.h"

namespace {

// Bytes moved, or -1.
int read_some(ports::FatHandle& handle, void* to, std::size_t bytes) {
  FRESULT result = FR_OK;
  return static_cast<int>(handle.read(to, bytes, result));
}

// Bytes moved, or 0.
std::size_t read_or_none(ports::FatHandle& handle, void* to, std::size_t bytes) {
  const int moved = read_some(handle, to, bytes);
  return moved < 0 ? 0 : static_cast<std::size_t>(moved);
}

// All, or 0.
std::size_t write_all(ports::FatHandle& handle, const void* from, std::size_t bytes) {
  FRESULT result = FR_OK;
  return handle.write(from, bytes, result) == static_cast<std::int64_t>(bytes) ? bytes : 0;
}

int read_byte(ports::FatHandle& handle) {
  std::uint8_t byte = 0;
  return read_some(handle, &byte, 1) == 1 ? byte : -1;
}

int peek_byte(ports::FatHandle& handle) {
  const std::uint64_t position = handle.position();
  const int byte = read_byte(handle);
  return handle.seek(position) == FR_OK ? byte : -1;
}

int left(const ports::FatHandle& handle) { return static_cast<int>(handle.size() - handle.position()); }

bool seek_inside(ports::FatHandle& handle, std::uint64_t position) {
  handle.forget_error();
  return position <= handle.size() && handle.seek(position) == FR_OK;
}

bool truncate_to(ports::FatHandle& handle, std::uint64_t size) {
  handle.forget_error();
  return size <= handle.size() && handle.truncate(size) == FR_OK;
}

bool is_there(const char* path) { return f_stat(path, nullptr) == FR_OK; }

// Does the same as SdFat's sync().
bool sync_all(ports::FatHandle& handle) {
  if (handle.is_root()) return handle.sync_volume();
  return handle.sync() == FR_OK && ports::FatHandle::sync_device();
}

// The root directory in the cores for the RP2040 and the Teensy, which use SdFat.
ports::FatHandle open_root() {
  ports::FatHandle root(true);
  static_cast<void>(root.open_root());
  return root;
}

bool is_root(const char* path) { return std::strcmp(path, "/") == 0; }

// Opens by the modes of fopen. These cores close a file when the last copy of its object goes.
ports::FatHandle open_by_text(const char* path, const char* mode) {
  const BYTE fat = std::strcmp(mode, "r") == 0    ? FA_READ
                   : std::strcmp(mode, "r+") == 0 ? FA_READ | FA_WRITE
                   : mode[0] == 'a'               ? FA_READ | FA_WRITE | FA_OPEN_APPEND
                                                  : FA_READ | FA_WRITE | FA_CREATE_ALWAYS;
  ports::FatHandle handle(true);
  static_cast<void>(handle.open(path, fat));
  return handle;
}

// The card of the test is there as long as it can be read.
bool has_card() {
  DIR folder;
  return f_opendir(&folder, "/") == FR_OK && f_closedir(&folder) == FR_OK;
}

}  // namespace

std::size_t Print::print(const char* text) {
  return write(reinterpret_cast<const std::uint8_t*>(text), std::strlen(text));
}
std::size_t Print::println(const char* text) { return print(text) + print("\r\n"); }

namespace SDLib {

SDClass SD;

bool SDClass::begin(std::uint8_t chip_select) {
  static_cast<void>(chip_select);
  return has_card();
}
File SDClass::open(const char* path, std::uint8_t mode) {
  ports::FatHandle handle;
  if (is_root(path)) return handle.open_root() == FR_OK ? File(handle, mode) : File();
  if (handle.open(path, fat_mode(mode)) != FR_OK) return {};
  if (mode & (O_APPEND | O_WRITE)) static_cast<void>(handle.seek(handle.size()));
  return {handle, mode};
}
bool SDClass::exists(const char* path) { return is_there(path); }
bool SDClass::remove(const char* path) { return f_unlink(path) == FR_OK; }

std::size_t File::write(const std::uint8_t* bytes, std::size_t size) {
  if (mode_ & O_APPEND) static_cast<void>(handle_.seek(handle_.size()));
  const std::size_t written = write_all(handle_, bytes, static_cast<std::uint16_t>(size));
  if (written == 0) setWriteError();
  return written;
}
int File::available() { return left(handle_); }
int File::read() { return read_byte(handle_); }
int File::read(void* to, std::uint16_t bytes) {
  return static_cast<std::int16_t>(read_some(handle_, to, bytes));
}
int File::peek() { return peek_byte(handle_); }
void File::flush() { static_cast<void>(handle_.sync()); }
bool File::seek(std::uint32_t position) { return seek_inside(handle_, position); }
void File::close() { static_cast<void>(handle_.close()); }
File File::openNextFile(std::uint8_t mode) {
  ports::FatHandle next;
  return next.open_next(handle_) ? File(next, mode) : File();
}

}  // namespace SDLib

// One that is open is not opened again.
bool FsFile::open(const char* path, int mode) {
  if (!handle_.is_open()) path_ = path;
  return !handle_.is_open() && handle_.open(path, fat_mode(static_cast<std::uint8_t>(mode))) == FR_OK;
}
bool FsFile::open(FsVolume* volume, const char* path, int mode) {
  return volume != nullptr && open(path, mode);
}
bool FsFile::close() { return handle_.close() == FR_OK; }
std::size_t FsFile::write(const void* from, std::size_t bytes) { return write_all(handle_, from, bytes); }
int FsFile::available() { return left(handle_); }
int FsFile::read() { return read_byte(handle_); }
int FsFile::read(void* to, std::size_t bytes) {
  if (handle_.is_root()) return handle_.read_root() ? 1 : -1;
  handle_.share_memory();
  return read_some(handle_, to, bytes);
}
int FsFile::peek() { return peek_byte(handle_); }
bool FsFile::sync() { return sync_all(handle_); }
bool FsFile::openRoot(FsVolume* volume) {
  return volume != nullptr && !handle_.is_open() && handle_.open_root() == FR_OK;
}
bool FsFile::openNext(FsFile* folder, int) {
  return !handle_.is_open() && handle_.open_next(folder->handle_, false);
}
std::size_t FsFile::getName(char* name, std::size_t size) {
  const std::size_t bytes = std::strlen(handle_.name());
  if (bytes >= size) return 0;
  std::memcpy(name, handle_.name(), bytes + 1);
  return bytes;
}
bool FsFile::seek(std::uint64_t position) { return seek_inside(handle_, position); }
bool FsFile::truncate(std::uint64_t size) { return truncate_to(handle_, size) && sync(); }
bool FsFile::preAllocate(std::uint64_t size) { return handle_.is_open() && handle_.expand(size) == FR_OK; }
bool FsFile::contiguousRange(std::uint32_t* first, std::uint32_t* last) {
  if (!handle_.is_open() || handle_.size() == 0) return false;
  *first = handle_.first_sector();
  *last = *first + static_cast<std::uint32_t>((handle_.size() + 511) / 512) - 1;
  return true;
}
bool FsFile::remove() { return handle_.close() == FR_OK && f_unlink(path_.c_str()) == FR_OK; }
FsFile FsVolume::open(const char* path, int mode) {
  FsFile file;
  static_cast<void>(file.open(path, mode));
  return file;
}
bool FsVolume::exists(const char* path) { return is_there(path); }
bool SdFs::begin(std::uint8_t) { return has_card(); }
bool SdFs::volumeBegin() { return has_card(); }
int SdCard::errorCode() const { return disk_status(0) == 0 ? 0 : 1; }
std::uint32_t SdCard::sectorCount() {
  LBA_t sectors = 0;
  return disk_ioctl(0, GET_SECTOR_COUNT, &sectors) == RES_OK ? static_cast<std::uint32_t>(sectors) : 0;
}
bool SdCard::writeSector(std::uint32_t sector, const std::uint8_t* from) {
  return disk_write(0, from, sector, 1) == RES_OK;
}
bool SdCard::writeSectors(std::uint32_t sector, const std::uint8_t* from, std::size_t count) {
  return disk_write(0, from, sector, static_cast<UINT>(count)) == RES_OK;
}
bool SdCard::readCID(cid_t* cid) {
  *cid = {{3, 'S', 'D', 'S', 'U', '0', '"', 'G', 0x80, 1, 2, 3, 4, 1, 0x76, 0}};
  return disk_status(0) == 0;
}

namespace fs {

File FS::open(const char* path, const char* mode, bool) {
  if (is_root(path)) return File(open_root());
  const ports::FatHandle handle = path[0] == '/' ? open_by_text(path, mode) : ports::FatHandle();
  return handle.is_open() ? File(handle) : File();
}
bool FS::exists(const char* path) { return path[0] == '/' && is_there(path); }
bool SDFS::begin(std::uint8_t) {
  if (begun == 0 && has_card()) ++begun;
  return begun != 0;  // also where it is not there any more
}
void SDFS::end() { begun = 0; }

std::size_t File::write(const std::uint8_t* bytes, std::size_t size) {
  return write_all(handle_, bytes, size);
}
int File::available() { return left(handle_); }
int File::read() { return read_byte(handle_); }
std::size_t File::read(std::uint8_t* to, std::size_t bytes) { return read_or_none(handle_, to, bytes); }
int File::peek() { return peek_byte(handle_); }
void File::flush() { static_cast<void>(handle_.sync()); }
bool File::seek(std::uint32_t position) { return handle_.seek(position) == FR_OK; }
void File::close() { static_cast<void>(handle_.close()); }
File File::openNextFile(const char*) {
  ports::FatHandle next(true);
  return next.open_next(handle_) ? File(next) : File();
}

}  // namespace fs

namespace rp2040 {

bool SDClass::begin(std::uint8_t) { return has_card(); }
void SDClass::end(bool) {}
File SDClass::open(const char* path, int mode) { return open(path, (mode & O_WRITE) != 0 ? "w+" : "r"); }
File SDClass::open(const char* path, const char* mode) {
  return File(is_root(path) ? open_root() : open_by_text(path, mode));
}
bool SDClass::exists(const char* path) { return is_there(path); }

std::size_t File::write(const std::uint8_t* bytes, std::size_t size) {
  return write_all(handle_, bytes, size);
}
int File::available() { return left(handle_); }
int File::read() { return read_byte(handle_); }
std::size_t File::read(std::uint8_t* to, std::size_t bytes) { return read_or_none(handle_, to, bytes); }
int File::peek() { return peek_byte(handle_); }
void File::flush() { static_cast<void>(sync_all(handle_)); }
bool File::truncate(std::uint32_t size) { return truncate_to(handle_, size); }
bool File::seek(std::uint32_t position) { return seek_inside(handle_, position); }
void File::close() { static_cast<void>(handle_.close()); }
File File::openNextFile() {
  ports::FatHandle next(true);
  return next.open_next(handle_) ? File(next) : File();
}

}  // namespace rp2040

namespace teensy {

bool SDClass::begin(std::uint8_t) { return has_card(); }
File SDClass::open(const char* path, std::uint8_t mode) {
  if (is_root(path)) return File(open_root());
  const BYTE fat = mode == kRead         ? FA_READ
                   : mode == kWrite      ? FA_READ | FA_WRITE | FA_OPEN_APPEND
                   : mode == kWriteBegin ? FA_READ | FA_WRITE | FA_OPEN_ALWAYS
                                         : FA_READ;
  ports::FatHandle handle(true);
  static_cast<void>(handle.open(path, fat));
  return File(handle);
}
bool SDClass::exists(const char* path) { return is_there(path); }

std::size_t File::write(const std::uint8_t* bytes, std::size_t size) {
  return write_all(handle_, bytes, size);
}
int File::available() { return left(handle_); }
int File::read() { return read_byte(handle_); }
std::size_t File::read(void* to, std::size_t bytes) { return read_or_none(handle_, to, bytes); }
int File::peek() { return peek_byte(handle_); }
void File::flush() { static_cast<void>(sync_all(handle_)); }
bool File::truncate(std::uint64_t size) { return truncate_to(handle_, size); }
bool File::seek(std::uint64_t position, int mode) { return mode == 0 && seek_inside(handle_, position); }
void File::close() { static_cast<void>(handle_.close()); }
File File::openNextFile(std::uint8_t) {
  ports::FatHandle next(true);
  return next.open_next(handle_) ? File(next) : File();
}

}  // namespace teensy
