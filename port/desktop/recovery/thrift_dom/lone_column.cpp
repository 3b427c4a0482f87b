#include "thrift_dom/lone_column.h"

#include <utility>

#include "microparquet/detail/format/fields.h"
#include "microparquet/detail/format/magic.h"
#include "thrift_dom/compact_bytes.h"
#include "thrift_dom/thrift_value.h"

namespace microparquet::recovery {

namespace {

using format::ColumnChunkField;
using format::ColumnMetaDataField;
using format::FileMetaDataField;
using format::kMagicBytes;
using format::RowGroupField;
using format::SchemaElementField;
using thrift::CompactType;

ThriftValue node(Repetition repetition, std::uint32_t children) {
  ThriftValue element;
  element.set(SchemaElementField::kRepetitionType, ThriftValue::of_i32(static_cast<int>(repetition)));
  element.set(SchemaElementField::kName, ThriftValue::of_bytes({std::byte{'c'}}));
  if (children != 0) {
    element.set(SchemaElementField::kNumChildren, ThriftValue::of_i32(children));
  }
  return element;
}

// The leaf in as many repeated groups, and in those as many optional ones, as give it its levels. In the file they may
// stand in another order; then what is read here says less of how levels go together.
Bytes schema_of(const SchemaElement& element) {
  std::vector<ThriftValue> elements = {node(Repetition::kRequired, 1)};
  const auto repetition_of = [&](unsigned level) {
    return level <= element.max_repetition_level ? Repetition::kRepeated : Repetition::kOptional;
  };
  for (unsigned level = 1; level < element.max_definition_level; ++level) {
    elements.push_back(node(repetition_of(level), 1));
  }
  const unsigned last = element.max_definition_level;
  ThriftValue leaf = node(last != 0 ? repetition_of(last) : Repetition::kRequired, 0);
  leaf.set(SchemaElementField::kType, ThriftValue::of_i32(static_cast<int>(element.type)));
  if (element.type == Type::kFixedLenByteArray) {
    leaf.set(SchemaElementField::kTypeLength, ThriftValue::of_i32(element.type_length));
  }
  elements.push_back(std::move(leaf));
  return ThriftValue::of_list(CompactType::kStruct, std::move(elements)).serialise();
}

Bytes number_of(std::int64_t number) { return ThriftValue::of_i32(number).serialise(); }

}  // namespace

std::vector<FooterField> fields_of_column(const SchemaElement& element) {
  return {{FileMetaDataField::kVersion, CompactType::kI32, number_of(2)},
          {FileMetaDataField::kSchema, CompactType::kList, schema_of(element)}};
}

Bytes row_group_of(ByteView chunk, std::uint64_t rows) {
  // The chunk's bytes stand in a list of one.
  Bytes entry;
  entry.push_back(std::byte{thrift::field_byte(RowGroupField::kColumns, CompactType::kList, 0)});
  entry.push_back(std::byte{thrift::list_byte(CompactType::kStruct, 1)});
  append(entry, chunk);
  BytesSink sink(entry);
  BytesWriter out(sink, RowGroupField::kColumns);
  out.field_i64(RowGroupField::kTotalByteSize, 0);
  out.field_i64(RowGroupField::kNumRows, rows);
  out.byte(0);
  return entry;
}

Bytes chunk_of_pages(const SchemaElement& element, const ColumnChunkInfo& info, std::uint64_t values,
                     std::uint64_t data_bytes, std::uint64_t dictionary_bytes) {
  const std::uint64_t bytes = dictionary_bytes + data_bytes;
  ThriftValue meta_data;
  using Meta = ColumnMetaDataField;
  meta_data.set(Meta::kType, ThriftValue::of_i32(static_cast<int>(element.type)));
  meta_data.set(Meta::kEncodings, ThriftValue::of_bits(info.encodings));
  meta_data.set(Meta::kPathInSchema, ThriftValue::of_list(CompactType::kBinary, {}));
  meta_data.set(Meta::kCodec, ThriftValue::of_i32(static_cast<int>(info.codec)));
  meta_data.set(Meta::kNumValues, ThriftValue::of_i64(values));
  meta_data.set(Meta::kTotalUncompressedSize, ThriftValue::of_i64(bytes));
  meta_data.set(Meta::kTotalCompressedSize, ThriftValue::of_i64(bytes));
  meta_data.set(Meta::kDataPageOffset, ThriftValue::of_i64(kMagicBytes + dictionary_bytes));
  if (dictionary_bytes != 0) {
    meta_data.set(Meta::kDictionaryPageOffset, ThriftValue::of_i64(kMagicBytes));
  }
  ThriftValue chunk;
  chunk.set(ColumnChunkField::kFileOffset, ThriftValue::of_i64(0));
  chunk.set(ColumnChunkField::kMetaData, std::move(meta_data));
  return chunk.serialise();
}

}  // namespace microparquet::recovery
