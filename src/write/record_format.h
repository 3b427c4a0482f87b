// The bytes of row-group records and of the footer's extension, as they lie in the file; RECORD.md says them
// in words. All integers are little-endian.
#pragma once

#include <cstdint>

#include "microparquet/detail/footer_constants.h"

namespace microparquet::write {

inline constexpr std::uint32_t kRecordTag = 0x5271706D;  // "mpqR"
inline constexpr std::uint32_t kFooterTag = 0x4671706D;  // "mpqF"
inline constexpr std::uint32_t kFormatVersion = 1;

// Stands at the end of a record's slot. The entry itself begins the slot.
struct RecordTrailer {
  std::uint32_t tag;
  std::uint32_t version;
  std::uint32_t file_id;
  std::uint32_t sequence;
  std::uint32_t entry_bytes;
  std::uint32_t entries_crc;  // of all entries of the file up to this one, one behind another
  std::uint64_t next;         // where the next row group begins
};
static_assert(sizeof(RecordTrailer) == 32);

// What FileMetaData's field 32767 holds, one part behind another, but for the CRC of four bytes behind it.
struct FooterIdentity {
  std::uint32_t tag;
  std::uint32_t version;
  std::uint32_t file_id;
  std::uint32_t sequence;
};
struct FooterEntries {
  std::uint32_t row_groups;
  std::uint32_t entries_crc;
  std::uint64_t entries_begin;
  std::uint64_t entries_bytes;
};
struct FooterSpace {
  std::uint64_t previous_footer;
  std::uint64_t next_row_group;
  std::uint64_t room_end;
};
static_assert(sizeof(FooterIdentity) + sizeof(FooterEntries) + sizeof(FooterSpace) + sizeof(std::uint32_t) ==
              detail::kFooterExtensionBytes);

}  // namespace microparquet::write
