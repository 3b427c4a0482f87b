// First and last bytes of a Parquet file.
#pragma once

#include <cstdint>
#include <string_view>

namespace microparquet::format {

inline constexpr std::uint32_t kMagicBytes = 4;
// Magic bytes as a little-endian number.
inline constexpr std::uint32_t kMagic = 0x31524150;           // "PAR1"
inline constexpr std::uint32_t kEncryptedMagic = 0x45524150;  // "PARE"
inline constexpr std::uint32_t kMagicCrc = 0x424208A5;        // the CRC-32 of kMagic

inline constexpr std::string_view kMagicText = "PAR1";
static_assert(kMagicText.size() == kMagicBytes);

// Bytes after FileMetaData: its length, and the magic.
inline constexpr std::uint32_t kFooterLengthBytes = 4;
inline constexpr std::uint32_t kFileEndBytes = kFooterLengthBytes + kMagicBytes;

}  // namespace microparquet::format
