#include "thrift_dom/moved_row_group.h"

#include <optional>
#include <utility>

#include "microparquet/desktop/failure.h"
#include "microparquet/detail/format/fields.h"
#include "thrift_dom/thrift_value.h"

namespace microparquet::recovery {

namespace {

using format::ColumnChunkField;
using format::ColumnMetaDataField;
using format::RowGroupField;

// What else points into the file, and is not copied.
constexpr int kIndexPlaces[] = {ColumnChunkField::kOffsetIndexOffset, ColumnChunkField::kOffsetIndexLength,
                                ColumnChunkField::kColumnIndexOffset, ColumnChunkField::kColumnIndexLength};

Piece place_of(const ThriftValue& meta_data) {
  const std::uint64_t data = meta_data.number_of(ColumnMetaDataField::kDataPageOffset);
  const std::uint64_t dictionary = meta_data.number_of(ColumnMetaDataField::kDictionaryPageOffset);
  return {dictionary != 0 && dictionary < data ? dictionary : data,
          meta_data.number_of(ColumnMetaDataField::kTotalCompressedSize)};
}

std::vector<ThriftValue>& columns_of(ThriftValue& row_group) {
  ThriftValue* const columns = row_group.find(RowGroupField::kColumns);
  if (columns == nullptr || columns->items().empty()) {
    throw desktop::Failure("a row group has no columns");
  }
  return columns->items();
}

ThriftValue& meta_data_of(ThriftValue& chunk) {
  ThriftValue* const meta_data = chunk.find(ColumnChunkField::kMetaData);
  if (meta_data == nullptr) {
    throw desktop::Failure("a column chunk has no description");
  }
  return *meta_data;
}

ThriftValue parse(const Bytes& entry) {
  std::size_t used = 0;
  auto row_group = ThriftValue::parse_struct(entry, used);
  if (!row_group) {
    throw desktop::Failure("the description of a row group is malformed");
  }
  return std::move(*row_group);
}

// Whether there was any.
bool remove_indexes(ThriftValue& chunk, ThriftValue& meta_data) {
  bool any = false;
  const auto remove = [&any](ThriftValue& from, int field) {
    any = any || from.find(field) != nullptr;
    from.remove(field);
  };
  remove(meta_data, ColumnMetaDataField::kBloomFilterOffset);
  remove(meta_data, ColumnMetaDataField::kBloomFilterLength);
  for (const int place : kIndexPlaces) {
    remove(chunk, place);
  }
  return any;
}

// Moves what the entry says of a column chunk from `begin` to `to`.
void move_chunk(ThriftValue& chunk, ThriftValue& meta_data, std::uint64_t begin, std::uint64_t to) {
  for (const int offset :
       {ColumnMetaDataField::kDataPageOffset, ColumnMetaDataField::kDictionaryPageOffset}) {
    if (const std::uint64_t at = meta_data.number_of(offset); at >= begin && at != 0) {
      meta_data.set(offset, ThriftValue::of_i64(at - begin + to));
    }
  }
  meta_data.remove(ColumnMetaDataField::kIndexPageOffset);
  chunk.set(ColumnChunkField::kFileOffset, ThriftValue::of_i64(0));
  remove_indexes(chunk, meta_data);
}

}  // namespace

std::vector<Piece> chunks_of(const Bytes& entry) {
  ThriftValue row_group = parse(entry);
  std::vector<Piece> chunks;
  for (ThriftValue& chunk : columns_of(row_group)) {
    chunks.push_back(place_of(meta_data_of(chunk)));
  }
  return chunks;
}

Bytes without_indexes(const Bytes& entry) {
  ThriftValue row_group = parse(entry);
  bool any = false;
  for (ThriftValue& chunk : columns_of(row_group)) {
    any = remove_indexes(chunk, meta_data_of(chunk)) || any;
  }
  return any ? row_group.serialise() : entry;
}

MovedRowGroup move_row_group(const Bytes& entry, std::uint64_t to) {
  MovedRowGroup moved;
  ThriftValue row_group = parse(entry);
  std::uint64_t at = to;
  for (ThriftValue& chunk : columns_of(row_group)) {
    ThriftValue& meta_data = meta_data_of(chunk);
    const Piece piece = place_of(meta_data);
    move_chunk(chunk, meta_data, piece.begin, at);
    moved.pieces.push_back(piece);
    at += piece.bytes;
  }
  if (row_group.find(RowGroupField::kFileOffset) != nullptr) {
    row_group.set(RowGroupField::kFileOffset, ThriftValue::of_i64(to));
  }
  row_group.remove(RowGroupField::kOrdinal);
  moved.entry = row_group.serialise();
  return moved;
}

}  // namespace microparquet::recovery
