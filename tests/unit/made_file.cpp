#include "made_file.h"

#include "microparquet/crc32.h"

namespace made {

namespace {

void statistics(Bytes& out, int id, const Column& column) {
  out.begin(id).binary(column.old_bounds ? 1 : 5, column.max).binary(column.old_bounds ? 2 : 6, column.min);
  out.i64(3, column.nulls).end();
}

void data_header(Bytes& out, const Page& page) {
  out.begin(5)
      .i32(1, page.values)
      .i32(2, page.encoding)
      .i32(3, page.level_encoding)
      .i32(4, page.repetition_encoding < 0 ? page.level_encoding : page.repetition_encoding);
  statistics(out, 5, {});
  out.end();
}

void data_header_v2(Bytes& out, const Page& page) {
  out.begin(8)
      .i32(1, page.values)
      .i32(2, 0)
      .i32(3, page.rows == -2 ? page.values : page.rows)
      .i32(4, page.encoding);
  out.i32(5, page.definition_bytes).i32(6, page.repetition_bytes).boolean(7, page.is_compressed).end();
}

void header(Bytes& out, const Page& page, std::string_view body) {
  const auto size = static_cast<std::int64_t>(body.size());
  out.i32(1, page.stated_type < 0 ? page.type : page.stated_type);
  out.i32(2, page.uncompressed == -2 ? size : page.uncompressed, page.varint_bytes);
  out.i32(3, page.compressed == -2 ? size : page.compressed, page.varint_bytes);
  if (page.crc) {
    const std::uint32_t crc = microparquet::crc32_portable(0, body.data(), body.size()) ^ page.crc_error;
    out.i32(4, static_cast<std::int32_t>(crc));
  }
  if (page.type == kDataPage) data_header(out, page);
  if (page.type == kIndexPage) out.begin(6).end();
  if (page.type == kDictionaryPage)
    out.begin(7).i32(1, page.values).i32(2, page.encoding).boolean(3, false).end();
  if (page.type == kDataPageV2) data_header_v2(out, page);
  if (page.extension_bytes != 0) {
    out.field(32767, 8).varint(page.extension_bytes);
    for (std::size_t i = 0; i < page.extension_bytes; ++i) out.byte(0xEE);
  }
  out.end();
}

void column_orders(Bytes& out, microparquet::Span<const Column> columns) {
  for (const Column& column : columns) {
    if (column.order == 0) return;
  }
  out.list(7, 12, static_cast<std::uint32_t>(columns.size()));
  for (const Column& column : columns) out.begin(column.order).end().end();
}

void column_chunk(Bytes& out, const Column& column) {
  out.i64(2, 0);
  if (!column.without_meta_data) {
    out.begin(3)
        .i32(1, column.chunk_type < 0 ? column.type : column.chunk_type)
        .list(2, 5, 2)
        .zigzag(kPlain)
        .zigzag(kRle);
    out.list(3, 8, 1).varint(column.name.size()).text(column.name).i32(4, column.codec).i64(5, column.values);
    out.i64(6, column.bytes).i64(7, column.bytes).i64(9, column.begin);
    if (column.dictionary >= 0) out.i64(11, column.dictionary);
    statistics(out, 12, column);
    if (column.bloom_filter != 0) out.i64(14, column.bloom_filter);
    if (column.sizes != nullptr) out.begin(16).append(*column.sizes);
    out.end();
  }
  if (column.offset_index != 0) out.i64(4, column.offset_index).i32(5, column.offset_index_bytes);
  if (column.column_index != 0) out.i64(6, column.column_index).i32(7, column.column_index_bytes);
  if (column.encrypted) out.begin(8).begin(1).end().end();
  out.end();
}

}  // namespace

void root(Bytes& out, std::int32_t children) { out.binary(4, "schema").i32(5, children).end(); }

void leaf(Bytes& out, const Column& column) {
  out.i32(1, column.type);
  if (column.type_length != 0) out.i32(2, column.type_length);
  out.i32(3, column.repetition).binary(4, column.name);
  if (column.converted_type >= 0) out.i32(6, column.converted_type);
  out.end();
}

namespace {
Bytes& shared_bytes() {
  static Bytes bytes;
  return bytes;
}
}  // namespace

File::File() : bytes_(shared_bytes()) {
  bytes_.clear();
  bytes_.text("PAR1");
}

void File::begin_column(Column& column) { column.begin = static_cast<std::int64_t>(bytes_.size()); }

void File::page(const Page& page, std::string_view body) {
  header(bytes_, page, body);
  bytes_.text(body);
}

void File::end_column(Column& column) {
  column.bytes = static_cast<std::int64_t>(bytes_.size()) - column.begin;
}

void row_group(Bytes& out, microparquet::Span<const Column> columns, std::int64_t rows) {
  out.list(1, 12, static_cast<std::uint32_t>(columns.size()));
  for (const Column& column : columns) column_chunk(out, column);
  out.i64(2, 0).i64(3, rows).end();
}

void File::footer(microparquet::Span<const Column> columns, std::int64_t rows, bool encryption_algorithm,
                  std::int64_t stated_rows) {
  const std::size_t begin = bytes_.size();
  const auto count = static_cast<std::int32_t>(columns.size());
  bytes_.i32(1, 1).list(2, 12, static_cast<std::uint32_t>(count + 1));
  root(bytes_, count);
  for (const Column& column : columns) leaf(bytes_, column);
  bytes_.i64(3, stated_rows < 0 ? rows : stated_rows).list(4, 12, 1);
  row_group(bytes_, columns, rows);
  bytes_.binary(6, "made by hand");
  column_orders(bytes_, columns);
  if (encryption_algorithm) bytes_.begin(8).begin(1).end().end();
  bytes_.end();
  bytes_.little(bytes_.size() - begin, 4).text("PAR1");
}

void File::end_with(const Bytes& footer, std::string_view magic) {
  bytes_.append(footer).little(footer.size(), 4).text(magic);
}

}  // namespace made
