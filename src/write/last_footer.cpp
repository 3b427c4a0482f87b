#include "write/last_footer.h"

#include "base/try.h"
#include "format/record_format.h"
#include "write/footer.h"
#include "write/inherited_key_values.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::FooterExtension;
using detail::WriterState;

constexpr std::uint32_t kMagic = 0x31524150;  // "PAR1"

// The last words of a file. A footer's CRC ends, and its stop byte lies, in the second one.
struct FileEnd {
  std::uint32_t words[2];
  std::uint32_t footer_bytes;
  std::uint32_t magic;
  std::uint32_t footer_crc() const { return words[0] >> 24 | words[1] << 8; }
  bool stops() const { return words[1] >> 24 == 0; }
};
constexpr std::uint32_t kEndBytes = 8;  // without the first two

template <typename T>
Status read(const WriterState& state, std::uint64_t at, T& value, std::size_t bytes = sizeof(T)) {
  return state.file->read_at(at, Span<std::byte>(reinterpret_cast<std::byte*>(&value), bytes));
}

// Whether what a footer says of places lies inside the file; a closed file's segment may end behind it.
bool places_are_sound(const WriterState& state, const FooterExtension& contents, std::uint32_t sectors) {
  if (contents.next > sectors || contents.free_begin > contents.free_end || contents.free_end > sectors)
    return false;
  if (contents.row_groups > detail::kMaxRowGroups) return false;
  if (contents.open_bytes == 0) return true;
  for (const ColumnWriter& column : columns_of(state)) {
    if (column.free_begin > column.free_end || column.free_end > contents.segment_end ||
        contents.segment_end > sectors)
      return false;
    if (column.free_begin < contents.next) return false;
  }
  return true;
}

// Continues `crc` over the columns' free extents, which it reads from `at` on.
Status read_leftover_extents(WriterState& state, std::uint64_t at, std::uint32_t& crc) {
  if (!state.options->layout->in_place) return Status::kOk;
  constexpr std::uint32_t kExtent = 2 * sizeof(std::uint32_t);
  for (ColumnWriter& column : columns_of(state)) {
    MICROPARQUET_TRY(read(state, at, column.free_begin, kExtent));
    crc = state.options->checksum(crc, &column.free_begin, kExtent);
    at += kExtent;
  }
  return Status::kOk;
}

}  // namespace

Status sum(const WriterState& state, std::uint64_t& at, std::uint32_t bytes, std::uint32_t& crc) {
  while (bytes != 0) {
    const std::uint32_t window = state.plan->arena.window_bytes;
    const std::uint32_t part = bytes < window ? bytes : window;
    MICROPARQUET_TRY(state.file->read_at(at, Span<std::byte>(state.window, part)));
    crc = state.options->checksum(crc, state.window, part);
    at += part;
    bytes -= part;
  }
  return Status::kOk;
}

// What is summed up is what has been read, not what a medium may give when it is asked again.
Status read_footer(WriterState& state, FooterExtension& contents, std::uint64_t size) {
  const FooterExtension& now = state.footer.now;
  detail::FooterDraft& draft = state.footer.draft;
  const std::uint32_t least =
      footer_bytes(state, now) - now.entries_bytes - now.open_bytes - state.key_values_bytes;
  if (size < sizeof(FileEnd)) return Status::kNotParquet;
  // The beginning of the file is never written again: PAR1, and the head that all its footers have.
  std::uint32_t magic = 0;
  MICROPARQUET_TRY(read(state, 0, magic));
  if (magic != kMagic) return Status::kNotParquet;
  const auto head = static_cast<std::uint32_t>(state.plan->footer_head.size());
  const std::uint32_t head_crc = state.options->checksum(0, state.plan->footer_head.data(), head);
  std::uint64_t at = kMagicBytes;
  std::uint32_t crc = 0;
  if (size < kMagicBytes + head) return Status::kSchemaMismatch;
  MICROPARQUET_TRY(sum(state, at, head, crc));
  if (crc != head_crc) return Status::kSchemaMismatch;

  FileEnd end;
  MICROPARQUET_TRY(read(state, size - sizeof end, end));
  const std::uint32_t bytes = end.footer_bytes + kEndBytes;
  if (end.magic != kMagic || bytes < least || bytes > size - kMagicBytes) return Status::kCorrupt;
  const std::uint64_t extension = size - kEndBytes - 1 - state.plan->arena.extension_bytes;
  MICROPARQUET_TRY(read(state, extension, contents, detail::kFooterExtensionBytes));
  if (contents.tag != kFooterTag) return Status::kCorrupt;
  if (contents.slot_bytes != state.plan->arena.record_bytes || contents.entries_offset != head + kCountsBytes)
    return Status::kSchemaMismatch;

  draft.offset = at = size - bytes;
  draft.written = bytes;
  crc = 0;
  MICROPARQUET_TRY(sum(state, at, contents.entries_offset, crc));
  if (contents.entries_bytes > bytes - least || contents.open_bytes > bytes - least - contents.entries_bytes)
    return Status::kCorrupt;
  std::uint32_t entries_crc = 0;
  MICROPARQUET_TRY(sum(state, at, contents.entries_bytes, entries_crc));
  bool sound = entries_crc == contents.finished_crc;
  MICROPARQUET_TRY(sum(state, at, contents.open_bytes, entries_crc));
  sound = sound && entries_crc == contents.entries_crc;

  const std::uint32_t inherited_bytes = bytes - least - contents.entries_bytes - contents.open_bytes;
  draft.inherited_crc = 0;
  MICROPARQUET_TRY(sum(state, at, inherited_bytes, draft.inherited_crc));
  crc = join_crc(state.options->checksum, crc, draft.inherited_crc, inherited_bytes);
  MICROPARQUET_TRY(sum(state, at, static_cast<std::uint32_t>(extension - at), crc));
  crc = state.options->checksum(crc, &contents, detail::kFooterExtensionBytes);
  MICROPARQUET_TRY(read_leftover_extents(state, extension + detail::kFooterExtensionBytes, crc));
  if (!sound || crc != end.footer_crc() || !end.stops()) return Status::kCorrupt;
  if (contents.version != kFormatVersion) return Status::kUnsupported;
  draft.footer_crc = crc;
  return places_are_sound(state, contents, static_cast<std::uint32_t>(size >> 9)) ? Status::kOk
                                                                                  : Status::kCorrupt;
}

// An open row group is finished as the footer describes it. Sequences begin anew, far enough above the
// footer's that none of an interrupted history can be among them.
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
