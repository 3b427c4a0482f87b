// Layout of row-group records in the file; FORMAT.md describes it in words. All integers are little-endian.
#pragma once

#include <cstdint>

namespace microparquet::write {

inline constexpr std::uint32_t kRecordTag = 0x5271706D;  // "mpqR"
inline constexpr std::uint32_t kFooterTag = 0x4671706D;  // "mpqF"
inline constexpr std::uint32_t kFormatVersion = 1;

// Sequence numbers distinguish the histories of a file. A history that continues another one leaves a gap of
// more than kHistoryGap above all numbers that the other may have used; a single history has no such gap.
inline constexpr std::uint32_t kHistoryGap = 8192;
constexpr std::uint32_t next_history(std::uint32_t sequence) {
  constexpr std::uint32_t kStep = 2 * kHistoryGap;
  return (sequence | (kStep - 1)) + 1 + kStep;
}

// Summary of the entry at the head of a record's slot.
struct EntrySummary {
  std::uint32_t bytes;  // length of the entry; 0: the slot is empty
  std::uint32_t crc;    // checksum over all entries of the file up to this one
  std::uint64_t next;   // offset of the next row group; 0: this one is not finished
};

// Proof that the dictionary pages named in the entry are not older contents of the medium. It follows the
// entry in records of writers with dictionaries. An entry leaves space for it in its slot: see
// most_row_group_bytes().
struct DictionaryProof {
  std::uint32_t crc;   // checksum over the CRCs in their headers, in the order of the columns
  std::uint32_t seal;  // see seal_of()
};

// Trailer at the end of a record's slot, before its CRC.
struct RecordTrailer {
  std::uint32_t tag;
  std::uint32_t version;
  std::uint32_t file_id;
  std::uint32_t sequence;
  EntrySummary entry;
};
static_assert(sizeof(RecordTrailer) == 32);

// Binds DictionaryProof::crc to one record, so that remains of an earlier one do not pass for it.
constexpr std::uint32_t seal_of(std::uint32_t crc, std::uint32_t entries_crc, std::uint32_t file_id,
                                std::uint32_t sequence) {
  return crc ^ entries_crc ^ file_id ^ (sequence - 1);
}

}  // namespace microparquet::write
