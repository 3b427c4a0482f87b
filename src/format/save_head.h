// Head of a save of a stream, as it lies in the file; FORMAT.md explains it.
#pragma once

#include <cstdint>

namespace microparquet::write {

inline constexpr std::uint32_t kSaveTag = 0x5371706D;  // "mpqS"

// Numbers of rows, row groups and entries count those in the save.
struct SaveHead {
  std::uint32_t tag;
  std::uint32_t version;
  std::uint32_t file_id;
  std::uint32_t sequence;   // last one taken
  std::uint32_t number;     // one more for each save; modulo 2 it is the number of the place
  std::uint32_t continues;  // CRC of the last footer
  std::uint32_t row_groups;
  std::uint32_t entries_bytes;
  std::uint32_t entries_crc;
  std::uint32_t bytes;  // length of what follows the head
  std::uint32_t bytes_crc;
  std::uint32_t begin;  // sector to which it belongs
  std::uint64_t rows;
  std::uint32_t next;  // sector in which the next row group begins
  std::uint32_t crc;   // of the bytes before it
};
static_assert(sizeof(SaveHead) == 64);

}  // namespace microparquet::write
