// The Teensy's SD, as its documentation declares it, but in a namespace: over FatFs here.
#pragma once

#include "Arduino.h"
#include "fat_handle.h"

namespace teensy {

// The numbers of FILE_READ, FILE_WRITE, which appends, and FILE_WRITE_BEGIN.
enum Mode : std::uint8_t { kRead = 0, kWrite = 1, kWriteBegin = 2 };

class File final : public Stream {
 public:
  File() = default;
  explicit File(ports::FatHandle handle) : handle_(std::move(handle)) {}

  std::size_t write(std::uint8_t byte) override { return write(&byte, 1); }
  std::size_t write(const std::uint8_t* bytes, std::size_t size) override;
  std::size_t read(void* to, std::size_t bytes);
  int available() override;
  int read() override;
  int peek() override;
  void flush() override;
  bool truncate(std::uint64_t size = 0);
  bool seek(std::uint64_t position, int mode = 0);  // not past the end
  std::uint64_t position() { return handle_.position(); }
  std::uint64_t size() { return handle_.size(); }
  void close();
  File openNextFile(std::uint8_t mode = 0);
  const char* name() { return handle_.name(); }
  operator bool() const { return handle_.is_open(); }

 private:
  ports::FatHandle handle_;
};

// SdFat's volume, as far as this class shows it.
struct SdFs {
  std::uint8_t fatType() const { return ports::FatHandle::fat_type(); }
  std::uint32_t bytesPerCluster() const { return ports::FatHandle::cluster_bytes(); }
  std::int32_t freeClusterCount() const { return ports::FatHandle::free_clusters(); }
};

class SDClass {
 public:
  SdFs sdfs;
  bool begin(std::uint8_t chip_select = 10);
  File open(const char* path, std::uint8_t mode = kRead);
  bool exists(const char* path);
};

}  // namespace teensy
