// The bytes of row-group records and of the footer's extension; RECORD.md says them in words. All integers
// are little-endian.
#pragma once

#include <cstddef>
#include <cstdint>

namespace microparquet::write {

inline constexpr char kRecordTag[4] = {'m', 'p', 'q', 'R'};
inline constexpr std::uint32_t kRecordVersion = 1;

// Offsets in a record's header.
struct RecordHeader {
  static constexpr std::size_t kTag = 0;
  static constexpr std::size_t kVersion = 4;
  static constexpr std::size_t kFileId = 8;
  static constexpr std::size_t kSequence = 12;
  static constexpr std::size_t kEntryBytes = 16;
  static constexpr std::size_t kChain = 20;
  static constexpr std::size_t kNext = 24;
};

inline constexpr char kFooterTag[4] = {'m', 'p', 'q', 'F'};
inline constexpr std::uint32_t kFooterVersion = 1;

// Offsets in the footer's extension.
struct FooterExtension {
  static constexpr std::size_t kTag = 0;
  static constexpr std::size_t kVersion = 4;
  static constexpr std::size_t kFileId = 8;
  static constexpr std::size_t kSequence = 12;
  static constexpr std::size_t kRowGroups = 16;
  static constexpr std::size_t kEntriesCrc = 20;
  static constexpr std::size_t kEntriesBegin = 24;
  static constexpr std::size_t kEntriesBytes = 32;
  static constexpr std::size_t kPreviousFooter = 40;
  static constexpr std::size_t kNextRowGroup = 48;
  static constexpr std::size_t kRoomEnd = 56;
  static constexpr std::size_t kCrc = 64;
  static constexpr std::size_t kBytes = 68;
};

}  // namespace microparquet::write
