// Footers in a writer's state. With it a footer of any number of row groups can be written in constant
// memory, in steps, while rows keep arriving.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/sectors.h"

namespace microparquet::detail {

// Our extension of a footer, one member after another as in the file; FORMAT.md explains them. The columns'
// free extents and a CRC follow in the file.
struct FooterExtension {
  std::uint32_t tag;
  std::uint32_t version;
  std::uint32_t file_id;
  std::uint32_t sequence;
  std::uint64_t rows;
  std::uint32_t slot_bytes;
  std::uint32_t entries_offset;
  std::uint32_t row_groups;
  std::uint32_t entries_bytes;
  std::uint32_t finished_crc;
  std::uint32_t open_bytes;
  std::uint32_t entries_crc;
  SectorIndex next;
  SectorIndex segment_end;
  SectorIndex free_begin;
  SectorIndex free_end;
  // Sum of the pages that this footer describes and the last one does not; not in the file. See page_sum().
  // reconnect() checks by it what the medium has kept.
  std::uint32_t pages_sum;
};
inline constexpr std::uint32_t kFooterExtensionBytes = 68;
static_assert(offsetof(FooterExtension, free_end) + sizeof(SectorIndex) == kFooterExtensionBytes);

// Progress of writing a footer.
struct FooterProgress {
  std::uint64_t record;   // first record since the last footer whose entry is not completely written
  std::uint32_t before;   // bytes of the entries from the records before that one
  std::uint32_t written;  // bytes of the footer
  // Checksums of the bytes written.
  std::uint32_t footer_crc;  // checksum without the entries
  std::uint32_t entries_crc;
};

// A footer on its way to the file. Its contents are fixed when it is begun.
struct FooterDraft : FooterProgress {
  FooterExtension contents;
  // Place of its first byte. 0: the begin of the file, whose PAR1 counts as the footer's first bytes.
  std::uint64_t offset;
  std::uint32_t inherited_bytes;  // length of the key-values of a footer that was read
  std::uint32_t inherited_crc;    // footer_crc before the inherited key-values
};

struct FooterState {
  FooterExtension now;  // contents for the row groups finished by now
  // The last footer on the medium: the writer copies entries of finished row groups from it, later ones from
  // their records.
  std::uint64_t entries_begin;
  std::uint32_t row_groups;
  std::uint32_t entries_bytes;
  std::uint64_t first_record;  // place of the first record since, if there is one
  FooterDraft draft;
};

}  // namespace microparquet::detail
