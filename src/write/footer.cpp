// A footer (parquet.thrift, FileMetaData), in the order it is written:
//
//   head      version, schema, header of the next field: constant for the file
//   counts    number of rows, header of the row-group list: varints of fixed length
//   entries   of the row groups: copied from the last footer, then from the records written since
//             key-values
//   tail      created_by, column orders, header of our extension: constant for the file
//             our extension, with a CRC of all but the entries
//   length    of all that, four bytes, and PAR1
//
// So its length is known before it is written. The entries' CRC is known too: it is checked before the length
// and PAR1 are written.
#include "write/footer.h"

#include "microparquet/detail/compact_writer.h"
#include "microparquet/detail/fields.h"
#include "util/try.h"
#include "write/record.h"
#include "write/record_format.h"

namespace microparquet::write {
namespace {

using detail::WriterState;
using format::FileMetaDataField;
using thrift::CompactType;
using thrift::field_byte;
using thrift::WindowSink;

constexpr std::uint32_t kMagic = 0x31524150;  // "PAR1"
constexpr unsigned kRowsBytes = 10;
constexpr unsigned kRowGroupsBytes = 5;
constexpr std::uint32_t kCountsBytes = kRowsBytes + 2 + kRowGroupsBytes;

// A varint with continuation bytes that carry nothing where it could be shorter.
[[gnu::noinline]] void put_fixed_varint(WindowSink& sink, std::uint64_t value, unsigned bytes) {
  for (; bytes > 1; --bytes) {
    sink.put(static_cast<std::byte>((value & 0x7F) | 0x80));
    value >>= 7;
  }
  sink.put(static_cast<std::byte>(value));
}

void put_counts(WindowSink& sink, const WriterState& state) {
  constexpr auto kRowGroups =
      field_byte(FileMetaDataField::kRowGroups, CompactType::kList, FileMetaDataField::kNumRows);
  constexpr auto kLongListOfStructs = 0xF0 | static_cast<unsigned>(CompactType::kStruct);
  put_fixed_varint(sink, state.rows_before << 1, kRowsBytes);
  sink.put(std::byte{kRowGroups});
  sink.put(std::byte{kLongListOfStructs});
  put_fixed_varint(sink, state.footer.row_groups, kRowGroupsBytes);
}

[[gnu::noinline]] Status copy_entries(WindowSink& sink, WriterState& state) {
  const detail::FooterState& footer = state.footer;
  if (state.kept != nullptr) {
    sink.put(state.kept, footer.all_entries_bytes);
    return Status::kOk;
  }
  sink.copy(footer.entries_begin, footer.entries_bytes);
  RecordHead record{footer.first_record, 0};
  for (std::uint32_t left = footer.row_groups - footer.row_groups_in_footer; left != 0; --left) {
    const std::uint64_t at = record.next;
    MICROPARQUET_TRY(read_record(state, at, record));
    sink.copy(at, record.entry_bytes);
  }
  return Status::kOk;
}

std::uint64_t entries_begin(const WriterState& state, std::uint64_t at) {
  return at + state.plan->footer_head.size() + kCountsBytes;
}

void put_tail(WindowSink& sink, const WriterState& state) {
  int before = FileMetaDataField::kRowGroups;
  if (state.key_values_bytes != 0) {
    state.write_key_values(sink, state);
    before = FileMetaDataField::kKeyValueMetadata;
  }
  sink.put(static_cast<std::byte>(field_byte(FileMetaDataField::kCreatedBy, CompactType::kBinary, before)));
  sink.put(state.plan->footer_tail);
}

template <typename Part>
void put_part(WindowSink& sink, const Part& part) {
  sink.put(&part, sizeof part);
}

// In parts, each of which is gone from the stack before the next.
[[gnu::noinline]] void put_extension(WindowSink& sink, const WriterState& state, const FooterPlace& place) {
  const detail::FooterState& footer = state.footer;
  put_part(sink, FooterIdentity{kFooterTag, kFormatVersion, state.options->file_id, footer.sequence + 1});
  put_part(sink, FooterEntries{footer.row_groups, footer.chain, entries_begin(state, place.at),
                               footer.all_entries_bytes});
  put_part(sink, FooterSpace{footer.last_footer, place.next_row_group, place.room_end});
}

}  // namespace

std::uint32_t footer_bytes(const WriterState& state) {
  constexpr std::uint32_t kCreatedByHeader = 1;
  constexpr std::uint32_t kStop = 1;
  constexpr std::uint32_t kLength = sizeof(std::uint32_t);
  constexpr std::uint32_t kFixed =
      kCountsBytes + kCreatedByHeader + detail::kFooterExtensionBytes + kStop + kLength + kMagicBytes;
  const detail::WriterPlan& plan = *state.plan;
  return static_cast<std::uint32_t>(plan.footer_head.size() + plan.footer_tail.size()) + kFixed +
         state.key_values_bytes + state.footer.all_entries_bytes;
}

Status write_footer(WriterState& state, const FooterPlace& place) {
  const std::uint32_t before = place.at == kMagicBytes ? kMagicBytes : 0;
  WindowSink sink = sink_at(state, place.at - before);
  sink.put(&kMagic, before);

  sink.begin_crc(0);
  sink.put(state.plan->footer_head);
  put_counts(sink, state);
  const std::uint32_t head_crc = sink.crc();

  sink.begin_crc(0);
  MICROPARQUET_TRY(copy_entries(sink, state));
  if (sink.crc() != state.footer.chain) {
    MICROPARQUET_TRY(sink.flush());  // an I/O error explains it
    return Status::kCorrupt;
  }

  sink.begin_crc(head_crc);
  put_tail(sink, state);
  put_extension(sink, state, place);
  const std::uint32_t crc = sink.crc();
  sink.put(&crc, sizeof crc);
  sink.put(std::byte{0});
  const std::uint32_t end[] = {footer_bytes(state) - 2 * kMagicBytes, kMagic};
  sink.put(end, sizeof end);
  return sink.flush();
}

void publish_footer(WriterState& state, std::uint64_t at) {
  detail::FooterState& footer = state.footer;
  footer.entries_begin = entries_begin(state, at);
  footer.entries_bytes = footer.all_entries_bytes;
  footer.row_groups_in_footer = footer.row_groups;
  footer.last_footer = at;
  ++footer.sequence;
}

}  // namespace microparquet::write
