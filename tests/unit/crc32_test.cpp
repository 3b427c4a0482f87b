#include "microparquet/crc32.h"

#include "support/check.h"
#include "support/file_view.h"
#include "written_file.h"

using microparquet::crc32_portable;

TEST("checksums of known texts") {
  CHECK_EQ(crc32_portable(0, "", 0), 0U);
  CHECK_EQ(crc32_portable(0, "a", 1), 0xE8B7BE43U);
  CHECK_EQ(crc32_portable(0, "123456789", 9), 0xCBF43926U);
  CHECK_EQ(crc32_portable(0, "The quick brown fox jumps over the lazy dog", 43), 0x414FA339U);
}

TEST("a checksum continues where another ended") {
  const char text[] = "123456789";
  for (std::size_t first = 0; first <= 9; ++first) {
    CHECK_EQ(crc32_portable(crc32_portable(0, text, first), text + first, 9 - first), 0xCBF43926U);
  }
}

TEST("checksums at every address and of every length are those of the definition") {
  std::byte data[96];
  for (std::size_t i = 0; i < sizeof data; ++i)
    data[i] = static_cast<std::byte>(written::mix(static_cast<std::uint32_t>(i)));
  for (std::size_t at = 0; at < 8; ++at) {
    for (std::size_t bytes = 0; bytes <= 80; ++bytes) {
      if (crc32_portable(0, data + at, bytes) == view::plain_crc32(data + at, bytes)) continue;
      CHECK_EQ(at, bytes);  // names the place
    }
  }
  CHECK_EQ(crc32_portable(0, data + 3, 80), view::plain_crc32(data + 3, 80));
}

TEST("the small checksum is the same checksum") {
  std::byte data[96];
  for (std::size_t i = 0; i < sizeof data; ++i)
    data[i] = static_cast<std::byte>(written::mix(static_cast<std::uint32_t>(i)));
  CHECK_EQ(microparquet::crc32_small(0, "123456789", 9), 0xCBF43926U);
  for (std::size_t at = 0; at < 8; ++at) {
    for (std::size_t bytes = 0; bytes <= 80; ++bytes) {
      CHECK_EQ(microparquet::crc32_small(7, data + at, bytes), crc32_portable(7, data + at, bytes));
    }
  }
}
