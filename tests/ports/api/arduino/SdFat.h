// A file of the library SdFat, as its documentation declares it: over FatFs here.
#pragma once

#include "Arduino.h"
#include "fat_handle.h"
#include "open_modes.h"

class FsFile final : public Stream {
 public:
  FsFile() = default;
  FsFile(const FsFile&) = delete;
  FsFile& operator=(const FsFile&) = delete;

  bool open(const char* path, std::uint8_t mode = O_READ);
  bool close();
  operator bool() const { return handle_.is_open(); }

  std::size_t write(std::uint8_t byte) override { return write(&byte, 1); }
  std::size_t write(const std::uint8_t* bytes, std::size_t size) override {
    return write(static_cast<const void*>(bytes), size);
  }
  std::size_t write(const void* from, std::size_t bytes);
  int available() override;
  int read() override;
  int read(void* to, std::size_t bytes);
  int peek() override;
  void flush() override { sync(); }
  bool sync();
  bool seek(std::uint64_t position);  // not past the end
  std::uint64_t position() const { return handle_.position(); }
  std::uint64_t size() const { return handle_.size(); }
  bool truncate(std::uint64_t size);  // publishes the size, too

 private:
  ports::FatHandle handle_;
};
