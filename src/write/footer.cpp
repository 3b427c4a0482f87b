// A footer (parquet.thrift, FileMetaData), in the order it is written:
//
//   head      version, schema, number of rows, header of the row-group list
//   entries   of the row groups: copied from the last footer, then from the records written since
//   tail      key-values, created_by, column orders, our extension, with a CRC of head and tail
//   length    of all that, four bytes, and PAR1
//
// The counts in the head are varints of fixed length, so that the head's length does not hang on them. The
// entries' CRC is known beforehand: it is checked before the length and PAR1 are written.
#include "write/footer.h"

#include <cstring>

#include "format/fields.h"
#include "format/schema.h"
#include "microparquet/version.h"
#include "thrift/compact_writer.h"
#include "util/endian.h"
#include "util/try.h"
#include "write/record.h"
#include "write/record_format.h"

namespace microparquet::write {
namespace {

using detail::WriterState;
using format::FileMetaDataField;
using thrift::CompactType;
using thrift::CompactWriter;
using thrift::WindowSink;

constexpr char kMagic[4] = {'P', 'A', 'R', '1'};

void write_head(CompactWriter& out, const WriterState& state) {
  constexpr unsigned kInt64Bytes = 10;
  constexpr unsigned kInt32Bytes = 5;
  out.field_i32(FileMetaDataField::kVersion, 1);
  format::write_schema(out, Schema(state.fields, state.columns_count));
  out.field_header(FileMetaDataField::kNumRows, CompactType::kI64);
  out.varint_fixed(state.rows_before << 1, kInt64Bytes);
  out.field_header(FileMetaDataField::kRowGroups, CompactType::kList);
  out.sink().put(static_cast<std::byte>(0xF0 | static_cast<unsigned>(CompactType::kStruct)));
  out.varint_fixed(state.footer.row_groups, kInt32Bytes);
}

void write_key_values(CompactWriter& out, const WriterState& state) {
  if (state.key_values_count == 0) return;
  out.field_list(FileMetaDataField::kKeyValueMetadata, CompactType::kStruct, state.key_values_count);
  for (std::uint8_t i = 0; i < state.key_values_count; ++i) {
    out.element_struct();
    out.field_string(format::KeyValueField::kKey, state.key_values[i].key);
    out.field_string(format::KeyValueField::kValue, state.key_values[i].value);
    out.end_struct();
  }
}

// One TYPE_ORDER for each leaf: without them readers do not believe the bounds.
void write_column_orders(CompactWriter& out, std::uint32_t columns) {
  constexpr int kTypeOrder = 1;
  out.field_list(FileMetaDataField::kColumnOrders, CompactType::kStruct, columns);
  for (std::uint32_t i = 0; i < columns; ++i) {
    out.element_struct();
    out.field_empty_struct(kTypeOrder);
    out.end_struct();
  }
}

void write_extension(CompactWriter& out, const WriterState& state, const FooterPlace& place,
                     std::uint64_t entries_begin) {
  using Extension = FooterExtension;
  const detail::FooterState& footer = state.footer;
  std::byte bytes[Extension::kCrc];
  std::memcpy(bytes + Extension::kTag, kFooterTag, sizeof kFooterTag);
  util::store(bytes + Extension::kVersion, kFooterVersion);
  util::store(bytes + Extension::kFileId, state.options->file_id);
  util::store(bytes + Extension::kSequence, footer.sequence + 1);
  util::store(bytes + Extension::kRowGroups, footer.row_groups);
  util::store(bytes + Extension::kEntriesCrc, footer.chain);
  util::store(bytes + Extension::kEntriesBegin, entries_begin);
  util::store(bytes + Extension::kEntriesBytes, footer.all_entries_bytes);
  util::store(bytes + Extension::kPreviousFooter, footer.last_footer);
  util::store(bytes + Extension::kNextRowGroup, place.next_row_group);
  util::store(bytes + Extension::kRoomEnd, place.room_end);
  out.field_header(format::kExtensionField, CompactType::kBinary);
  out.varint(Extension::kBytes);
  out.sink().put(bytes, sizeof bytes);
  const std::uint32_t crc = out.sink().crc();
  out.sink().put(&crc, sizeof crc);
}

void write_tail(CompactWriter& out, const WriterState& state, const FooterPlace& place,
                std::uint64_t entries_begin) {
  write_key_values(out, state);
  out.field_string(FileMetaDataField::kCreatedBy, std::string_view(kCreatedBy, sizeof kCreatedBy - 1));
  write_column_orders(out, state.columns_count);
  write_extension(out, state, place, entries_begin);
  out.end_struct();
}

Status copy_entries(WindowSink& sink, WriterState& state) {
  const detail::FooterState& footer = state.footer;
  if (state.kept != nullptr) {
    sink.put(state.kept, static_cast<std::size_t>(footer.all_entries_bytes));
    return Status::kOk;
  }
  sink.copy(*state.file, footer.entries_begin, footer.entries_bytes);
  std::uint64_t record = footer.first_record;
  for (std::uint32_t i = footer.row_groups_in_footer; i < footer.row_groups; ++i) {
    std::uint32_t entry_bytes = 0;
    std::uint64_t next = 0;
    MICROPARQUET_TRY(read_record(state, record, entry_bytes, next));
    sink.copy(*state.file, record + detail::kRecordHeaderBytes, entry_bytes);
    record = next;
  }
  return Status::kOk;
}

std::uint32_t head_bytes(const WriterState& state) {
  WindowSink sink(nullptr, 0, Span<std::byte>(state.window, state.window_bytes), state.options->crc32);
  CompactWriter out(sink);
  write_head(out, state);
  return static_cast<std::uint32_t>(sink.written());
}

}  // namespace

std::uint32_t footer_bytes(WriterState& state) {
  WindowSink sink(nullptr, 0, Span<std::byte>(state.window, state.window_bytes), state.options->crc32);
  CompactWriter out(sink);
  write_head(out, state);
  write_tail(out, state, {}, 0);
  constexpr std::uint32_t kLengthAndMagic = 8;
  return static_cast<std::uint32_t>(sink.written() + state.footer.all_entries_bytes) + kLengthAndMagic;
}

Status write_footer(WriterState& state, const FooterPlace& place, std::uint64_t& end) {
  WindowSink sink(state.file, place.at - (place.magic_first ? sizeof kMagic : 0),
                  Span<std::byte>(state.window, state.window_bytes), state.options->crc32);
  sink.resume(place.written_to);
  if (place.magic_first) sink.put(kMagic, sizeof kMagic);

  sink.begin_crc(0);
  CompactWriter out(sink);
  write_head(out, state);
  const std::uint32_t head_crc = sink.crc();
  const std::uint64_t entries_begin = sink.position();

  sink.begin_crc(0);
  MICROPARQUET_TRY(copy_entries(sink, state));
  if (sink.crc() != state.footer.chain) {
    MICROPARQUET_TRY(sink.flush());  // an I/O error explains it
    return Status::kCorrupt;
  }

  sink.begin_crc(head_crc);
  write_tail(out, state, place, entries_begin);
  const auto length = static_cast<std::uint32_t>(sink.position() - place.at);
  sink.put(&length, sizeof length);
  sink.put(kMagic, sizeof kMagic);
  end = sink.position();
  return sink.flush();
}

void publish_footer(WriterState& state, const FooterPlace& place) {
  detail::FooterState& footer = state.footer;
  footer.entries_begin = place.at + head_bytes(state);
  footer.entries_bytes = footer.all_entries_bytes;
  footer.row_groups_in_footer = footer.row_groups;
  footer.last_footer = place.at;
  ++footer.sequence;
}

}  // namespace microparquet::write
