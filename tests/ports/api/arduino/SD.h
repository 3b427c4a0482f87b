// Arduino's library SD, as its documentation declares it: over FatFs here.
#pragma once

#include "Arduino.h"
#include "fat_handle.h"
#include "open_modes.h"

// NOLINTBEGIN(readability-identifier-naming, bugprone-dynamic-static-initializers): as Arduino has it
inline constexpr std::uint8_t FILE_READ = O_READ;
inline constexpr std::uint8_t FILE_WRITE = O_READ | O_WRITE | O_CREAT | O_APPEND;

namespace SDLib {

class File final : public Stream {
 public:
  File() = default;
  File(ports::FatHandle handle, std::uint8_t mode) : handle_(std::move(handle)), mode_(mode) {}

  using Print::write;
  std::size_t write(std::uint8_t byte) override { return write(&byte, 1); }
  std::size_t write(const std::uint8_t* bytes, std::size_t size) override;
  int available() override;
  int read() override;
  int read(void* to, std::uint16_t bytes);
  int peek() override;
  void flush() override;
  bool seek(std::uint32_t position);  // not past the end
  std::uint32_t position() { return static_cast<std::uint32_t>(handle_.position()); }
  std::uint32_t size() { return static_cast<std::uint32_t>(handle_.size()); }
  void close();
  File openNextFile(std::uint8_t mode = O_READ);
  char* name() { return const_cast<char*>(handle_.name()); }
  operator bool() const { return handle_.is_open(); }

 private:
  ports::FatHandle handle_;
  std::uint8_t mode_ = 0;
};

class SDClass {
 public:
  bool begin(std::uint8_t chip_select = 10);
  File open(const char* path, std::uint8_t mode = FILE_READ);
  bool exists(const char* path);
  bool remove(const char* path);
};

extern SDClass SD;

}  // namespace SDLib

using namespace SDLib;
// NOLINTEND(readability-identifier-naming, bugprone-dynamic-static-initializers)
