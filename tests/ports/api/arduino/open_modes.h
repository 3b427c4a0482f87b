// The modes of SD and SdFat.
#pragma once

#include "ff.h"

#include <cstdint>

// NOLINTBEGIN(readability-identifier-naming, bugprone-dynamic-static-initializers): as Arduino has it
inline constexpr std::uint8_t O_READ = 0x01;
inline constexpr std::uint8_t O_WRITE = 0x02;
inline constexpr std::uint8_t O_RDWR = O_READ | O_WRITE;
inline constexpr std::uint8_t O_APPEND = 0x04;
inline constexpr std::uint8_t O_CREAT = 0x10;
inline constexpr std::uint8_t O_EXCL = 0x40;

inline BYTE fat_mode(std::uint8_t mode) {
  int fat = mode & O_WRITE ? FA_READ | FA_WRITE : FA_READ;
  if (mode & O_CREAT) fat |= mode & O_EXCL ? FA_CREATE_NEW : FA_OPEN_ALWAYS;
  return static_cast<BYTE>(fat);
}
// NOLINTEND(readability-identifier-naming, bugprone-dynamic-static-initializers)
