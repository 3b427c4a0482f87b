// The bytes of row-group records, as they lie in the file; FORMAT.md says them in words. All integers are
// little-endian.
#pragma once

#include <cstdint>

namespace microparquet::write {

inline constexpr std::uint32_t kRecordTag = 0x5271706D;  // "mpqR"
inline constexpr std::uint32_t kFooterTag = 0x4671706D;  // "mpqF"
inline constexpr std::uint32_t kFormatVersion = 1;

// Sequences tell histories of a file apart. One that continues another leaves a gap of more than
// kHistoryGap after all numbers the other may have used; none leaves one by itself.
inline constexpr std::uint32_t kHistoryGap = 8192;
constexpr std::uint32_t next_history(std::uint32_t sequence) {
  constexpr std::uint32_t kStep = 2 * kHistoryGap;
  return (sequence | (kStep - 1)) + 1 + kStep;
}

// What a record says of the entry at the head of its slot.
struct EntrySummary {
  std::uint32_t bytes;  // 0: the slot is empty
  std::uint32_t crc;    // of all entries of the file up to this one, one after another
  std::uint64_t next;   // where the next row group begins; 0: this one is not finished
};

// Stands right after the entry in records of writers with dictionaries, and tells the dictionary pages that the entry names from
// what the medium held before. An entry is at least so much shorter than its slot: see most_row_group_bytes().
struct DictionaryProof {
  std::uint32_t crc;   // of the CRCs that their headers state, in the order of the columns
  std::uint32_t seal;  // see seal_of()
};

// Stands at the end of a record's slot, before its CRC.
struct RecordTrailer {
  std::uint32_t tag;
  std::uint32_t version;
  std::uint32_t file_id;
  std::uint32_t sequence;
  EntrySummary entry;
};
static_assert(sizeof(RecordTrailer) == 32);

// Binds DictionaryProof::crc to one record: what an earlier one has left does not pass for it.
constexpr std::uint32_t seal_of(std::uint32_t crc, std::uint32_t entries_crc, std::uint32_t file_id,
                                std::uint32_t sequence) {
  return crc ^ entries_crc ^ file_id ^ (sequence - 1);
}

}  // namespace microparquet::write
