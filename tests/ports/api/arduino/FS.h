// A file of the ESP32 core for Arduino, as its documentation declares it: over FatFs here.
#pragma once

#include "Arduino.h"
#include "fat_handle.h"

namespace fs {

class File final : public Stream {
 public:
  File() = default;
  explicit File(ports::FatHandle handle) : handle_(std::move(handle)) {}

  std::size_t write(std::uint8_t byte) override { return write(&byte, 1); }
  std::size_t write(const std::uint8_t* bytes, std::size_t size) override;
  int available() override;
  int read() override;
  std::size_t read(std::uint8_t* to, std::size_t bytes);
  int peek() override;
  void flush() override;
  bool seek(std::uint32_t position);  // past the end, too
  // Offsets are std::size_t in that library: 32 bits.
  std::uint32_t position() const { return static_cast<std::uint32_t>(handle_.position()); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(handle_.size()); }
  void close();
  File openNextFile(const char* mode = "r");
  const char* name() const { return handle_.name(); }
  operator bool() const { return handle_.is_open(); }

 private:
  ports::FatHandle handle_;
};

// Modes are those of fopen.
class FS {
 public:
  File open(const char* path, const char* mode = "r", bool create = false);
  bool exists(const char* path);
};

// A card.
class SDFS : public FS {
 public:
  bool begin(std::uint8_t chip_select = 5);
  void end();
  int begun = 0;  // this test's: how often it was, and was not ended
};

}  // namespace fs
