// A footer (parquet.thrift, FileMetaData), in the order it is written:
//
//   head      version, schema, header of the next field: constant for the file
//   counts    number of rows, header of the row-group list: varints of fixed length
//   entries   of the row groups: copied from the last footer, then from the records written since; of the
//             open one, from its record
//             key-values
//   tail      created_by, column orders, header of our extension: constant for the file
//             our extension, with a CRC of all but the entries
//   length    of all that, four bytes, and PAR1
//
// So its length is known before it is written. The entries' CRC is known too: it is checked before the length
// and PAR1 are written. A step makes all of it anew, but passes over what is in the file and stops when the
// window is full.
#include "write/footer.h"

#include "microparquet/detail/compact_writer.h"
#include "microparquet/detail/fields.h"
#include "util/bytes.h"
#include "util/try.h"
#include "write/record.h"

namespace microparquet::write {
namespace {

using detail::FooterDraft;
using detail::FooterExtension;
using detail::WriterState;
using format::FileMetaDataField;
using thrift::CompactType;
using thrift::field_byte;
using thrift::WindowSink;

constexpr std::uint32_t kMagic = 0x31524150;  // "PAR1"

// A varint with continuation bytes that carry nothing where it could be shorter.
[[gnu::noinline]] void put_fixed_varint(WindowSink& sink, unsigned bytes, std::uint64_t value) {
  for (; bytes > 1; --bytes) {
    sink.put(static_cast<std::byte>((value & 0x7F) | 0x80));
    value >>= 7;
  }
  sink.put(static_cast<std::byte>(value));
}

void put_counts(WindowSink& sink, const FooterExtension& said) {
  constexpr auto kRowGroups =
      field_byte(FileMetaDataField::kRowGroups, CompactType::kList, FileMetaDataField::kNumRows);
  constexpr auto kLongListOfStructs = 0xF0 | static_cast<unsigned>(CompactType::kStruct);
  put_fixed_varint(sink, detail::kRowsBytes, said.rows << 1);
  sink.put(std::byte{kRowGroups});
  sink.put(std::byte{kLongListOfStructs});
  put_fixed_varint(sink, detail::kRowGroupsBytes, said.row_groups + (said.open_bytes != 0 ? 1 : 0));
}

[[gnu::noinline]] void copy_entries(WindowSink& sink, const WriterState& state) {
  const detail::FooterState& footer = state.footer;
  const FooterExtension& said = footer.draft.said;
  if (state.kept != nullptr) {
    sink.put(state.kept, said.entries_bytes);
    return;
  }
  sink.copy(footer.entries_begin, footer.entries_bytes);
  RecordEntry record;
  record.next = footer.first_record;
  for (std::uint32_t left = said.row_groups - footer.row_groups; left != 0; --left) {
    const std::uint64_t at = record.next;
    const Status status = read_record(state, at, record);
    if (status != Status::kOk) return sink.fail(status);
    sink.copy(at, record.bytes);
  }
  sink.copy((static_cast<std::uint64_t>(said.next) << 9) + said.slot_bytes, said.open_bytes);
}

void put_tail(WindowSink& sink, WriterState& state) {
  constexpr auto kHeaderBehind = [](int id) {
    return std::byte{field_byte(FileMetaDataField::kCreatedBy, CompactType::kBinary, id)};
  };
  std::byte header = kHeaderBehind(FileMetaDataField::kRowGroups);
  if (state.key_values_bytes != 0) {
    state.write_key_values(sink, state);
    header = kHeaderBehind(FileMetaDataField::kKeyValueMetadata);
  }
  sink.put(header);
  sink.put(state.plan->footer_tail);
}

[[gnu::noinline]] void put_extension(WindowSink& sink, const WriterState& state) {
  const FooterExtension& said = state.footer.draft.said;
  sink.put(&said, detail::kFooterExtensionBytes);
  if (!state.options->layout->in_place) return;
  constexpr std::uint32_t kExtent = 2 * sizeof(std::uint32_t);
  for (const detail::ColumnWriter& column : columns_of(state)) {
    if (said.open_bytes != 0) {
      sink.put(&column.cut_begin, kExtent);
    } else {
      sink.put_zeros(kExtent);
    }
  }
}

}  // namespace

std::uint32_t footer_bytes(const WriterState& state, const FooterExtension& said) {
  const detail::WriterPlan& plan = *state.plan;
  return said.entries_offset + said.entries_bytes + said.open_bytes + state.key_values_bytes +
         static_cast<std::uint32_t>(plan.footer_tail.size()) + plan.arena.extension_bytes +
         detail::kFooterRestBytes;
}

void begin_footer(WriterState& state, std::uint64_t at) {
  detail::FooterState& footer = state.footer;
  util::move_bytes(reinterpret_cast<std::byte*>(&footer.draft.said),
                   reinterpret_cast<const std::byte*>(&footer.now),
                   sizeof footer.now);  // no memcpy of the C library
  ++footer.draft.said.sequence;
  footer.draft.said.entries_crc = footer.now.finished_crc;
  footer.draft.at = at;
  footer.draft.written = 0;
}

Status write_footer(WriterState& state, bool whole) {
  FooterDraft& draft = state.footer.draft;
  if (const detail::Blocks* const blocks = state.plan->blocks; blocks != nullptr) blocks->place_draft(state);
  const std::uint32_t before = draft.at == kMagicBytes ? kMagicBytes : 0;
  std::uint32_t footer_crc = 0;
  std::uint32_t entries_crc = 0;
  WindowSink sink = sink_at(state, draft.at - before);
  if (draft.written != 0) {
    sink.pass_over(draft.written);
    footer_crc = draft.footer_crc;
    entries_crc = draft.entries_crc;
  }
  if (!whole) sink.stop_when_full();

  sink.put(&kMagic, before);
  sink.sum_into(&footer_crc);
  sink.put(state.plan->footer_head);
  put_counts(sink, draft.said);
  sink.sum_into(&entries_crc);
  copy_entries(sink, state);
  sink.sum_into(&footer_crc);
  if (sink.reaches() && entries_crc != draft.said.entries_crc) sink.fail(Status::kCorrupt);
  put_tail(sink, state);
  put_extension(sink, state);
  sink.sum_into(nullptr);
  sink.put(&footer_crc, sizeof footer_crc);
  sink.put(std::byte{0});
  const std::uint32_t end[] = {footer_bytes(state, draft.said) - 2 * kMagicBytes, kMagic};
  sink.put(end, sizeof end);
  MICROPARQUET_TRY(sink.flush());
  draft.footer_crc = footer_crc;
  draft.entries_crc = entries_crc;
  draft.written = static_cast<std::uint32_t>(sink.position() - draft.at);
  return Status::kOk;
}

bool footer_is_written(const WriterState& state) {
  const FooterDraft& draft = state.footer.draft;
  return draft.written >= footer_bytes(state, draft.said);
}

}  // namespace microparquet::write
