// Files on a card, by FatFs's calls: what tests write in them and expect there.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ff.h"

namespace filesystems {

inline bool is_there(const std::string& path) {
  FILINFO information;
  return f_stat(path.c_str(), &information) == FR_OK;
}

inline std::vector<std::byte> bytes_of(const std::string& path) {
  FIL file;
  if (f_open(&file, path.c_str(), FA_READ) != FR_OK) return {};
  std::vector<std::byte> bytes(f_size(&file));
  UINT moved = 0;
  const bool good = f_read(&file, bytes.data(), static_cast<UINT>(bytes.size()), &moved) == FR_OK;
  return f_close(&file) == FR_OK && good && moved == bytes.size() ? bytes : std::vector<std::byte>();
}

// Appends a byte. 0: as often as there is space. Returns how often.
inline std::size_t fill(const std::string& path, char byte, std::size_t bytes = 0) {
  FIL file;
  if (f_open(&file, path.c_str(), FA_OPEN_APPEND | FA_WRITE) != FR_OK) return 0;
  const std::vector<char> data(8 << 10, byte);
  std::size_t done = 0;
  for (UINT written = 1; written != 0 && (bytes == 0 || done < bytes); done += written) {
    const std::size_t wanted = bytes == 0 || bytes - done > data.size() ? data.size() : bytes - done;
    if (f_write(&file, data.data(), static_cast<UINT>(wanted), &written) != FR_OK) break;
  }
  return f_close(&file) == FR_OK ? done : 0;
}

// A file that cannot be read has not: its bytes are unknown.
inline bool has_only(const std::string& path, char byte) {
  FIL file;
  if (f_open(&file, path.c_str(), FA_READ) != FR_OK) return false;
  std::vector<char> data(32 << 10);
  UINT read = 0;
  bool good = true;
  do {
    good = f_read(&file, data.data(), static_cast<UINT>(data.size()), &read) == FR_OK &&
           std::string(data.data(), read) == std::string(read, byte);
  } while (good && read == data.size());
  return f_close(&file) == FR_OK && good;
}

}  // namespace filesystems
