#include "write/last_footer.h"

#include "base/try.h"
#include "format/file_metadata_writer.h"
#include "format/record_format.h"
#include "write/footer.h"
#include "write/found_bytes.h"
#include "write/found_row_groups.h"
#include "write/inherited_key_values.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::FooterExtension;
using detail::kNowhere;
using detail::SectorIndex;
using detail::WriterState;
using format::kMagic;
using format::kMagicBytes;
using format::kMagicCrc;

constexpr std::uint32_t kCrcBytes = sizeof(std::uint32_t);
constexpr std::uint32_t kExtent = 2 * sizeof(std::uint32_t);

// Bytes after the extension, without its checksum.
constexpr std::uint32_t kEndBytes = format::FileEnd::kBytes;

// Returns whether the places in a footer are possible: segments lie before the footer, which begins in sector
// `end`, and the rests of extents lie in the segment, apart from each other.
bool places_are_sound(const WriterState& state, const FooterExtension& contents, SectorIndex end) {
  if (contents.next == kNowhere)
    return (contents.segment_end.number() | contents.free_end.number() | contents.open_bytes) == 0;
  if (contents.free_begin > contents.free_end || contents.free_end > end) return false;
  if (contents.open_bytes == 0) return true;
  if (contents.segment_end > end) return false;
  for (const ColumnWriter& column : columns_of(state)) {
    if (column.free_begin > column.free_end || column.free_end > contents.segment_end) return false;
    if (column.free_begin < contents.next) return false;
    for (const ColumnWriter* other = state.columns; other != &column; ++other) {
      if (other->free_begin < column.free_end && column.free_begin < other->free_end) return false;
    }
  }
  return true;
}

}  // namespace

// Sums up exactly the bytes that it has parsed, since a medium may return other bytes when asked again.
Status read_footer(WriterState& state, FooterExtension& contents, std::uint64_t size) {
  const Crc32 checksum = state.options->checksum;
  const detail::ArenaPlan& arena = state.plan->arena;
  detail::FooterDraft& draft = state.footer.draft;
  // The beginning of the file is never written again: PAR1, and the head that all its footers share.
  FoundBytes in(state, 0);
  const auto head = static_cast<std::uint32_t>(state.plan->footer_head.size());
  if (size < kMagicBytes + head + arena.extension_bytes) return Status::kNotParquet;
  in.pass(kMagicBytes);
  in.expect_crc(kMagicCrc, Status::kNotParquet);
  in.pass(head);
  in.expect_crc(checksum(kMagicCrc, state.plan->footer_head.data(), head), Status::kSchemaMismatch);

  const std::uint64_t extension = size - kEndBytes - arena.extension_bytes;
  in.go_to(extension);
  in.crc = 0;
  in.begin(arena.extension_bytes - kCrcBytes);
  in.get(&contents, detail::kFooterExtensionBytes);
  for (ColumnWriter* column = state.columns; !in.at_end(); ++column) in.get(&column->free_begin, kExtent);
  const std::uint32_t extension_crc = in.crc;
  in.begin(kCrcBytes + kEndBytes);
  in.get(&draft.footer_crc, kCrcBytes);
  format::FileEnd end;
  end.take(in);
  MICROPARQUET_TRY(in.status());
  const std::uint32_t bytes = end.footer_bytes();
  if (end.tail.magic != kMagic || bytes > size - kMagicBytes) return Status::kCorrupt;
  if (contents.tag != kFooterTag) return Status::kCorrupt;
  const std::uint32_t other =
      (contents.slot_bytes ^ arena.record_bytes) | (contents.entries_offset ^ (head + kCountsBytes));
  if (other != 0) return Status::kSchemaMismatch;
  const std::uint32_t own_bytes = footer_bytes(state, contents) - state.key_values_bytes;
  draft.inherited_bytes = bytes - own_bytes;
  if ((contents.entries_bytes | contents.open_bytes) > bytes || own_bytes > bytes || end.stop != 0)
    return Status::kCorrupt;

  draft.offset = size - bytes;
  draft.written = bytes;
  in.go_to(draft.offset);
  in.crc = 0;
  in.pass(head);
  in.begin(kCountsBytes);
  format::expect_counts(in, contents.rows, contents.row_groups + (contents.open_bytes != 0 ? 1 : 0));
  const std::uint32_t crc = in.crc;

  in.crc = 0;
  const bool used = any_chunk_begins(in, contents.entries_bytes, contents.next, contents.segment_end);
  in.expect_crc(contents.finished_crc, Status::kCorrupt);
  in.pass(contents.open_bytes);
  in.expect_crc(contents.entries_crc, Status::kCorrupt);

  in.crc = crc;
  in.pass(draft.inherited_bytes);
  draft.inherited_crc = join_crc(checksum, crc, in.crc, draft.inherited_bytes);
  in.pass(static_cast<std::uint32_t>(extension - in.at()));
  in.crc = join_crc(checksum, in.crc, extension_crc, arena.extension_bytes - kCrcBytes);
  in.expect_crc(draft.footer_crc, Status::kCorrupt);
  MICROPARQUET_TRY(in.status());
  if (contents.version != kFormatVersion) return Status::kUnsupported;
  const auto end_sector = SectorIndex::of(draft.offset);
  if (contents.row_groups > detail::kMaxRowGroups || !places_are_sound(state, contents, end_sector))
    return Status::kCorrupt;
  // An earlier version of this library, closing a resumed file before a row came, stored the last row group's
  // offset as the next one's. Such a segment is given up.
  if (used && contents.open_bytes == 0) contents.segment_end = kNowhere;
  return Status::kOk;
}

// Counts the open row group as finished, as the footer describes it. New sequence numbers begin far enough
// above the footer's to differ from all those of an interrupted history.
void start_from_footer(WriterState& state) {
  detail::FooterState& footer = state.footer;
  FooterExtension& now = footer.now;
  if (now.open_bytes != 0) ++now.row_groups;
  now.entries_bytes += now.open_bytes;
  now.finished_crc = now.entries_crc;
  now.sequence = next_history(now.sequence) - 1;
  footer.entries_begin = footer.draft.offset + now.entries_offset;
  footer.entries_bytes = now.entries_bytes;
  footer.row_groups = now.row_groups;
  state.footer_crc = footer.draft.footer_crc;
  state.durable_rows = now.rows;
  state.resumed = true;
  state.phase = detail::WriterPhase::kOpen;
}

}  // namespace microparquet::write
