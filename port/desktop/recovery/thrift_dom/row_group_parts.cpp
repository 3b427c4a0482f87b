#include "thrift_dom/row_group_parts.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "microparquet/desktop/failure.h"
#include "microparquet/detail/format/fields.h"
#include "microparquet/encoding_id.h"
#include "microparquet/schema.h"
#include "open_file.h"
#include "thrift_dom/footer_parts.h"
#include "thrift_dom/thrift_value.h"

namespace microparquet::recovery {

namespace {

using format::ColumnChunkField;
using format::RowGroupField;
using Meta = format::ColumnMetaDataField;

// Statistics, sizes and places of the other file.
constexpr int kOfTheOther[] = {Meta::kKeyValueMetadata,  Meta::kIndexPageOffset, Meta::kDictionaryPageOffset,
                               Meta::kStatistics,        Meta::kEncodingStats,   Meta::kBloomFilterOffset,
                               Meta::kBloomFilterLength, Meta::kSizeStatistics,  Meta::kGeospatialStatistics};
constexpr int kIndexesOfTheOther[] = {
    ColumnChunkField::kOffsetIndexOffset, ColumnChunkField::kOffsetIndexLength,
    ColumnChunkField::kColumnIndexOffset, ColumnChunkField::kColumnIndexLength};

void describe(ThriftValue& chunk, const FoundChunk& found) {
  ThriftValue& meta_data = *chunk.find(ColumnChunkField::kMetaData);
  for (const int field : kOfTheOther) {
    meta_data.remove(field);
  }
  const std::uint32_t encodings = found.encodings | 1U << static_cast<unsigned>(EncodingId::kRle);
  meta_data.set(Meta::kEncodings, ThriftValue::of_bits(encodings));
  meta_data.set(Meta::kNumValues, ThriftValue::of_i64(found.values));
  meta_data.set(Meta::kTotalUncompressedSize, ThriftValue::of_i64(found.uncompressed_bytes));
  meta_data.set(Meta::kTotalCompressedSize, ThriftValue::of_i64(found.end - found.begin));
  meta_data.set(Meta::kDataPageOffset, ThriftValue::of_i64(found.data_begin));
  if (found.data_begin != found.begin) {
    meta_data.set(Meta::kDictionaryPageOffset, ThriftValue::of_i64(found.begin));
  }
  chunk.set(ColumnChunkField::kFileOffset, ThriftValue::of_i64(0));
  for (const int field : kIndexesOfTheOther) {
    chunk.remove(field);
  }
}

}  // namespace

Bytes describe_row_group(const ThriftValue& model, const std::vector<FoundChunk>& chunks,
                         std::uint64_t rows) {
  ThriftValue row_group = model;
  std::vector<ThriftValue>& described = row_group.find(RowGroupField::kColumns)->items();
  std::uint64_t compressed = 0;
  std::uint64_t uncompressed = 0;
  for (std::size_t i = 0; i < described.size(); ++i) {
    describe(described[i], chunks[i]);
    compressed += chunks[i].end - chunks[i].begin;
    uncompressed += chunks[i].uncompressed_bytes;
  }
  row_group.set(RowGroupField::kTotalByteSize, ThriftValue::of_i64(uncompressed));
  row_group.set(RowGroupField::kNumRows, ThriftValue::of_i64(rows));
  row_group.set(RowGroupField::kTotalCompressedSize, ThriftValue::of_i64(compressed));
  row_group.remove(RowGroupField::kSortingColumns);
  row_group.remove(RowGroupField::kFileOffset);
  row_group.remove(RowGroupField::kOrdinal);
  return row_group.serialise();
}

namespace {

using format::ColumnMetaDataField;

// Fields that point to other structures in the file, which are not copied.
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

namespace {

using format::FileMetaDataField;

constexpr char kArrowSchema[] = "ARROW:schema";

// A structure that has only the list `field`.
std::optional<ThriftValue> parse_list(const FooterField& field) {
  Bytes list = {std::byte{thrift::field_byte(field.id, thrift::CompactType::kList, 0)}};
  append(list, field.value);
  list.push_back(std::byte{0});
  std::size_t used = 0;
  return ThriftValue::parse_struct(list, used);
}

}  // namespace

std::vector<FooterField> schema_fields(const Footer& footer) {
  std::vector<FooterField> fields = footer.fields;
  std::vector<TextPair> pairs = key_values_of(fields);
  pairs.erase(std::remove_if(pairs.begin(), pairs.end(),
                             [](const TextPair& pair) { return pair.first != kArrowSchema; }),
              pairs.end());
  set_key_values(fields, pairs);
  return fields;
}

void make_optional(std::vector<FooterField>& fields, const std::vector<std::uint32_t>& nodes) {
  for (FooterField& field : fields) {
    if (field.id != FileMetaDataField::kSchema) {
      continue;
    }
    auto parsed = parse_list(field);
    ThriftValue* const schema = parsed ? parsed->find(FileMetaDataField::kSchema) : nullptr;
    if (schema == nullptr) {
      throw desktop::Failure("the schema is malformed");
    }
    for (const std::uint32_t node : nodes) {
      if (node >= schema->items().size()) {
        throw desktop::Failure("the schema is malformed");
      }
      schema->items()[node].set(format::SchemaElementField::kRepetitionType,
                                ThriftValue::of_i32(static_cast<int>(Repetition::kOptional)));
    }
    field.value = schema->serialise();
  }
  fields.erase(std::remove_if(
                   fields.begin(), fields.end(),
                   [](const FooterField& field) { return field.id == FileMetaDataField::kKeyValueMetadata; }),
               fields.end());
}

std::optional<ThriftValue> parse_row_group(ByteView entry) {
  std::size_t used = 0;
  auto row_group = ThriftValue::parse_struct(entry, used);
  const bool has_columns = row_group && row_group->find(format::RowGroupField::kColumns) != nullptr;
  return has_columns ? std::move(row_group) : std::nullopt;
}

namespace {

// The names of a leaf and of the groups that it lies in; none: a name has a dot.
std::optional<std::vector<ThriftValue>> path_of(const Leaf& leaf) {
  std::vector<ThriftValue> path;
  for (std::size_t begin = 0; begin <= leaf.name.size() && !leaf.groups.empty();) {
    const std::size_t end = std::min(leaf.name.find('.', begin), leaf.name.size());
    path.push_back(ThriftValue::of_text(leaf.name.substr(begin, end - begin)));
    begin = end + 1;
  }
  if (leaf.groups.empty()) {
    path.push_back(ThriftValue::of_text(leaf.name));
  }
  return path.size() == leaf.groups.size() + 1 ? std::optional(std::move(path)) : std::nullopt;
}

}  // namespace

std::optional<ThriftValue> model_of(const std::vector<Leaf>& leaves) {
  std::vector<ThriftValue> chunks;
  for (const Leaf& leaf : leaves) {
    auto path = path_of(leaf);
    if (!path) {
      return std::nullopt;
    }
    ThriftValue meta_data;
    meta_data.set(Meta::kType, ThriftValue::of_i32(static_cast<int>(leaf.element.type)));
    meta_data.set(Meta::kPathInSchema, ThriftValue::of_list(thrift::CompactType::kBinary, std::move(*path)));
    meta_data.set(Meta::kCodec, ThriftValue::of_i32(static_cast<int>(CodecId::kUncompressed)));
    ThriftValue chunk;
    chunk.set(format::ColumnChunkField::kMetaData, std::move(meta_data));
    chunks.push_back(std::move(chunk));
  }
  ThriftValue row_group;
  row_group.set(format::RowGroupField::kColumns,
                ThriftValue::of_list(thrift::CompactType::kStruct, std::move(chunks)));
  return row_group;
}

}  // namespace microparquet::recovery
