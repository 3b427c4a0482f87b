// The parts of a file: every byte belongs to exactly one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "microparquet/file.h"
#include "thrift_dom/chunk_places.h"
#include "traces.h"

namespace microparquet::recovery {

enum class PartKind : std::uint8_t {
  kMagic,          // PAR1 at the beginning of the file
  kFooter,         // the last one, with its length and PAR1
  kOldFooter,      // footer of microparquet, by an earlier checkpoint
  kChunk,          // pages that the footer describes
  kRecordedChunk,  // pages that only a record describes, which came after the footer
  kSavedChunk,     // pages that only a save describes, or the head of a tail: in their extents or in a place
  kTailPage,   // an open page in a place for tails that neither the footer nor the save that counts describes
  kStrayPage,  // a page with a right checksum that nothing describes
  kRecord,     // slot A: the record of a finished row group
  kCheckpointRecord,  // slot B: that of a row group as a checkpoint found it
  kEmptiedSlot,       // a slot that says it holds no record
  kUnusedSlot,        // a slot in which nothing was written
  kTailHead,          // head of a tail that the footer describes, or that does not count
  kSaveHead,          // head of the save that counts
  kSavedBytes,        // what a stream's save holds beside pages: what the stream would have written next
  kOldSave,  // a whole save of a stream that does not count: it continues an earlier footer, or a newer one is whole
  kSavePlace,       // the rest of a place for saves
  kColumnMetadata,  // a copy of what the footer says of a column chunk
  kColumnIndex,
  kOffsetIndex,
  kBloomFilter,
  kOverlap,  // column chunk whose bytes begin in another part
  kFree,     // reserved for rows to come
  kZeros,    // dead: nothing refers to them, and all are zero
  kDead,
};

struct FilePart {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  PartKind kind = PartKind::kDead;
  std::uint32_t row_group = kNone;    // row group that the part belongs to
  std::uint32_t column = kNone;       // column of that row group
  std::uint32_t chunk = kNone;        // number in FileMap::chunks
  std::optional<std::uint64_t> rows;  // rows that a footer, a record or a head tells of, or a row group has
};

struct FileMap {
  std::vector<FilePart> parts;  // without gaps or overlaps, from 0 to the end of the file
  std::vector<ColumnChunkInfo> chunks;
};

// The map of a file whose last footer can be read: the FileMetaData in [footer_begin, end of the file - 8).
// None when that is malformed.
std::optional<FileMap> map_file(File& file, std::uint64_t footer_begin, const Progress& progress);

}  // namespace microparquet::recovery
