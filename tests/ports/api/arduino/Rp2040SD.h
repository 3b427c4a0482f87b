// SD of the RP2040 and ESP8266 cores, as their documentation declares it, but in a namespace: over FatFs here.
#pragma once

#include "Arduino.h"
#include "fat_handle.h"

namespace rp2040 {

class File final : public Stream {
 public:
  File() = default;
  explicit File(ports::FatHandle handle) : handle_(std::move(handle)) {}

  std::size_t write(std::uint8_t byte) override { return write(&byte, 1); }
  std::size_t write(const std::uint8_t* bytes, std::size_t size) override;
  std::size_t read(std::uint8_t* to, std::size_t bytes);
  int available() override;
  int read() override;
  int peek() override;
  void flush() override;
  bool truncate(std::uint32_t size);
  bool seek(std::uint32_t position);  // not past the end
  std::size_t position() const { return static_cast<std::size_t>(handle_.position()); }
  std::size_t size() const { return static_cast<std::size_t>(handle_.size()); }
  void close();
  File openNextFile();
  const char* name() const { return handle_.name(); }
  operator bool() const { return handle_.is_open(); }

 private:
  ports::FatHandle handle_;
};

class SDClass {
 public:
  bool begin(std::uint8_t chip_select);
  void end(bool end_spi = true);
  // Opening a file for writing empties it, unless it is appended to.
  File open(const char* path, int mode = 1);
  File open(const char* path, const char* mode);
  bool exists(const char* path);
};

}  // namespace rp2040
