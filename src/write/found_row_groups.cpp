#include "write/found_row_groups.h"

#include "format/written_row_group.h"

namespace microparquet::write {

// Reads all bytes as varints, one after another. The offset of a column chunk is among them: the byte before
// it, its field header, is a varint of one byte. Other varints may look the same.
bool any_chunk_begins(FoundBytes& in, std::uint32_t bytes, detail::SectorIndex begin,
                      detail::SectorIndex end) {
  // Zigzag doubles numbers, and the first byte has the lowest 7 bits.
  constexpr std::uint32_t kInSector = detail::Sectors(1).bytes() * 2 >> 7;
  bool any = false;
  unsigned byte = 0;
  std::uint32_t number = 0;
  for (in.begin(bytes); !in.at_end();) {
    const unsigned before = byte;
    number = 0;
    byte = in.byte();
    for (unsigned shift = 0; byte >= 0x80; shift += 7) {
      byte = in.byte();
      if (shift < 32) number |= (byte & 0x7F) << shift;
    }
    if (before == format::kDataPageOffsetHeader &&
        number - begin.number() * kInSector < (end - begin).count() * kInSector)
      any = true;
  }
  return any;
}

}  // namespace microparquet::write
