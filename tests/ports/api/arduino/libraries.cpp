// SD, SdFat and the ESP32 core's files over FatFs. As the libraries do, none of them says why it failed.
#include <cstdio>
#include <cstring>

#include "FS.h"
#include "SD.h"
#include "SdFat.h"

namespace {

// Bytes moved, or -1.
template <typename Handle>
int read_some(Handle& handle, void* to, std::size_t bytes) {
  FRESULT result = FR_OK;
  return static_cast<int>(handle.read(to, bytes, result));
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
  return position <= handle.size() && handle.seek(position) == FR_OK;
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
  return true;  // the volume is the test's
}
File SDClass::open(const char* path, std::uint8_t mode) {
  ports::FatHandle handle;
  if (handle.open(path, fat_mode(mode)) != FR_OK) return {};
  if (mode & (O_APPEND | O_WRITE)) static_cast<void>(handle.seek(handle.size()));
  return {handle, mode};
}
bool SDClass::exists(const char* path) { return f_stat(path, nullptr) == FR_OK; }
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

}  // namespace SDLib

bool FsFile::open(const char* path, std::uint8_t mode) { return handle_.open(path, fat_mode(mode)) == FR_OK; }
bool FsFile::close() { return handle_.close() == FR_OK; }
std::size_t FsFile::write(const void* from, std::size_t bytes) { return write_all(handle_, from, bytes); }
int FsFile::available() { return left(handle_); }
int FsFile::read() { return read_byte(handle_); }
int FsFile::read(void* to, std::size_t bytes) { return read_some(handle_, to, bytes); }
int FsFile::peek() { return peek_byte(handle_); }
bool FsFile::sync() { return handle_.sync() == FR_OK && ports::FatHandle::sync_device(); }
bool FsFile::seek(std::uint64_t position) { return seek_inside(handle_, position); }
bool FsFile::truncate(std::uint64_t size) {
  return size <= handle_.size() && handle_.truncate(size) == FR_OK && sync();
}

namespace fs {

File FS::open(const char* path, const char* mode) {
  const BYTE fat = std::strcmp(mode, "r") == 0    ? FA_READ
                   : std::strcmp(mode, "r+") == 0 ? FA_READ | FA_WRITE
                                                  : FA_READ | FA_WRITE | FA_CREATE_ALWAYS;
  ports::FatHandle handle;
  return handle.open(path, fat) == FR_OK ? File(handle) : File();
}

std::size_t File::write(const std::uint8_t* bytes, std::size_t size) {
  return write_all(handle_, bytes, size);
}
int File::available() { return left(handle_); }
int File::read() { return read_byte(handle_); }
std::size_t File::read(std::uint8_t* to, std::size_t bytes) {
  const int moved = read_some(handle_, to, bytes);
  return moved < 0 ? 0 : static_cast<std::size_t>(moved);
}
int File::peek() { return peek_byte(handle_); }
void File::flush() { static_cast<void>(handle_.sync()); }
bool File::seek(std::uint32_t position) { return handle_.seek(position) == FR_OK; }
void File::close() { static_cast<void>(handle_.close()); }

}  // namespace fs
