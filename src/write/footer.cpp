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

#include "format/fields.h"
#include "format/schema.h"
#include "microparquet/version.h"
#include "thrift/compact_writer.h"
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

constexpr std::uint32_t kMagic = 0x31524150;  // "PAR1"

void write_head(CompactWriter& out, const WriterState& state) {
  constexpr unsigned kInt64Bytes = 10;
  constexpr unsigned kInt32Bytes = 5;
  out.field_i32(FileMetaDataField::kVersion, 1);
  state.write_schema(out, state);
  out.field_header(FileMetaDataField::kNumRows, CompactType::kI64);
  out.varint_fixed(state.rows_before << 1, kInt64Bytes);
  out.field_header(FileMetaDataField::kRowGroups, CompactType::kList);
  out.sink().put(static_cast<std::byte>(0xF0 | static_cast<unsigned>(CompactType::kStruct)));
  out.varint_fixed(state.footer.row_groups, kInt32Bytes);
}

// One TYPE_ORDER for each leaf: without them readers do not believe the bounds.
void write_column_orders(CompactWriter& out, std::uint32_t columns) {
  constexpr int kTypeOrder = 1;
  out.field_list(FileMetaDataField::kColumnOrders, CompactType::kStruct, columns);
  for (; columns != 0; --columns) {
    out.element_struct();
    out.field_empty_struct(kTypeOrder);
    out.end_struct();
  }
}

void write_extension(CompactWriter& out, const WriterState& state, const FooterPlace& place,
                     std::uint64_t entries_begin) {
  const detail::FooterState& footer = state.footer;
  const FooterExtension extension{kFooterTag,
                                  kFormatVersion,
                                  state.options->file_id,
                                  footer.sequence + 1,
                                  footer.row_groups,
                                  footer.chain,
                                  entries_begin,
                                  footer.all_entries_bytes,
                                  footer.last_footer,
                                  place.next_row_group,
                                  place.room_end};
  out.field_header(format::kExtensionField, CompactType::kBinary);
  out.varint(sizeof extension + sizeof(std::uint32_t));
  out.sink().put(&extension, sizeof extension);
  const std::uint32_t crc = out.sink().crc();
  out.sink().put(&crc, sizeof crc);
}

Status copy_entries(WindowSink& sink, WriterState& state) {
  const detail::FooterState& footer = state.footer;
  if (state.kept != nullptr) {
    sink.put(state.kept, footer.all_entries_bytes);
    return Status::kOk;
  }
  sink.copy(*state.file, footer.entries_begin, footer.entries_bytes);
  std::uint64_t record = footer.first_record;
  for (std::uint32_t i = footer.row_groups_in_footer; i < footer.row_groups; ++i) {
    std::uint32_t entry_bytes = 0;
    const std::uint64_t at = record;
    MICROPARQUET_TRY(read_record(state, at, entry_bytes, record));
    sink.copy(*state.file, at, entry_bytes);
  }
  return Status::kOk;
}

// Without a file the entries are left out, and all else is counted.
Status write_to(File* file, WriterState& state, const FooterPlace& place, FooterEnds& ends) {
  const std::uint32_t before = place.magic_first ? sizeof kMagic : 0;
  WindowSink sink(file, place.at - before, Span<std::byte>(state.window, state.window_bytes), state.options->crc32);
  sink.resume(place.written_to);
  if (before != 0) sink.put(&kMagic, sizeof kMagic);

  sink.begin_crc(0);
  CompactWriter out(sink);
  write_head(out, state);
  const std::uint32_t head_crc = sink.crc();
  ends.entries_begin = sink.position();
  if (file != nullptr) {
    sink.begin_crc(0);
    MICROPARQUET_TRY(copy_entries(sink, state));
    if (sink.crc() != state.footer.chain) {
      MICROPARQUET_TRY(sink.flush());  // an I/O error explains it
      return Status::kCorrupt;
    }
  }

  sink.begin_crc(head_crc);
  if (state.key_values_count != 0) state.write_key_values(out, state);
  out.field_string(FileMetaDataField::kCreatedBy, std::string_view(kCreatedBy, sizeof kCreatedBy - 1));
  write_column_orders(out, state.columns_count);
  write_extension(out, state, place, ends.entries_begin);
  out.end_struct();
  const std::uint32_t end[] = {static_cast<std::uint32_t>(sink.position() - place.at), kMagic};
  sink.put(end, sizeof end);
  ends.end = sink.position();
  return sink.flush();
}

}  // namespace

std::uint32_t footer_bytes(WriterState& state) {
  static constexpr FooterPlace kAnywhere;
  FooterEnds ends;
  static_cast<void>(write_to(nullptr, state, kAnywhere, ends));
  return static_cast<std::uint32_t>(ends.end) + state.footer.all_entries_bytes;
}

Status write_footer(WriterState& state, const FooterPlace& place, FooterEnds& ends) {
  return write_to(state.file, state, place, ends);
}

void publish_footer(WriterState& state, const FooterPlace& place, const FooterEnds& ends) {
  detail::FooterState& footer = state.footer;
  footer.entries_begin = ends.entries_begin;
  footer.entries_bytes = footer.all_entries_bytes;
  footer.row_groups_in_footer = footer.row_groups;
  footer.last_footer = place.at;
  ++footer.sequence;
}

}  // namespace microparquet::write
