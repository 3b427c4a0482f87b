#include "column_file.h"

#include <utility>

#include "compact_bytes.h"
#include "footer.h"
#include "microparquet/detail/fields.h"
#include "microparquet/detail/magic.h"
#include "thrift_value.h"

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

// The leaf in as many optional groups as give it its levels.
Bytes schema_of(const SchemaElement& element) {
  std::vector<ThriftValue> elements = {node(Repetition::kRequired, 1)};
  Repetition repetition = element.max_definition_level != 0 ? Repetition::kOptional : Repetition::kRequired;
  if (element.max_repetition_level != 0) {
    repetition = Repetition::kRepeated;  // is not read
  } else {
    for (unsigned level = 1; level < element.max_definition_level; ++level) {
      elements.push_back(node(Repetition::kOptional, 1));
    }
  }
  ThriftValue leaf = node(repetition, 0);
  leaf.set(SchemaElementField::kType, ThriftValue::of_i32(static_cast<int>(element.type)));
  if (element.type == Type::kFixedLenByteArray) {
    leaf.set(SchemaElementField::kTypeLength, ThriftValue::of_i32(element.type_length));
  }
  elements.push_back(std::move(leaf));
  return ThriftValue::of_list(CompactType::kStruct, std::move(elements)).serialise();
}

Bytes entry_of(ByteView chunk, std::uint64_t rows) {
  // The chunk's bytes stand in a list of one.
  Bytes entry = {std::byte{thrift::field_byte(RowGroupField::kColumns, CompactType::kList, 0)},
                 std::byte{thrift::list_byte(CompactType::kStruct, 1)}};
  append(entry, chunk);
  BytesSink sink(entry);
  BytesWriter out(sink, RowGroupField::kColumns);
  out.field_i64(RowGroupField::kTotalByteSize, 0);
  out.field_i64(RowGroupField::kNumRows, rows);
  out.byte(0);
  return entry;
}

// Of pages that follow PAR1, the dictionary's first.
Bytes chunk_of(const SchemaElement& element, const ColumnChunkInfo& info, const PageRun& run,
               std::uint64_t dictionary_bytes) {
  const std::uint64_t bytes = dictionary_bytes + (run.end - run.begin);
  ThriftValue meta_data;
  std::vector<ThriftValue> encodings;
  for (unsigned encoding = 0; encoding < 32; ++encoding) {
    if ((info.encodings >> encoding & 1) != 0) {
      encodings.push_back(ThriftValue::of_i32(encoding));
    }
  }
  using Meta = ColumnMetaDataField;
  meta_data.set(Meta::kType, ThriftValue::of_i32(static_cast<int>(element.type)));
  meta_data.set(Meta::kEncodings, ThriftValue::of_list(CompactType::kI32, std::move(encodings)));
  meta_data.set(Meta::kPathInSchema, ThriftValue::of_list(CompactType::kBinary, {}));
  meta_data.set(Meta::kCodec, ThriftValue::of_i32(static_cast<int>(info.codec)));
  meta_data.set(Meta::kNumValues, ThriftValue::of_i64(run.values));
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

Bytes number_of(std::int64_t number) { return ThriftValue::of_i32(number).serialise(); }

}  // namespace

Status ColumnFile::open(const std::vector<Piece>& pieces, const SchemaElement& element, ByteView chunk,
                        std::uint64_t rows) {
  constexpr std::uint32_t kFooterBytes = 1 << 10;
  const std::vector<FooterField> fields = {
      {FileMetaDataField::kVersion, CompactType::kI32, number_of(2)},
      {FileMetaDataField::kSchema, CompactType::kList, schema_of(element)}};
  view_.emplace(pages_, pieces);
  view_->set_end(build_footer(fields, {entry_of(chunk, rows)}, std::nullopt));
  const Status status = open_.open(*view_, kFooterBytes);
  return status == Status::kOk ? open_.reader().next_row_group() : status;
}

Status ColumnFile::open(const SchemaElement& element, ByteView chunk, std::uint64_t rows) {
  return open({{0, bytes_of(pages_)}}, element, chunk, rows);
}

Status ColumnFile::open(const SchemaElement& element, const ColumnChunkInfo& chunk, const PageRun& run,
                        const std::optional<Piece>& dictionary) {
  const Piece before = dictionary.value_or(Piece());
  return open({{0, kMagicBytes}, before, {run.begin, run.end - run.begin}}, element,
              chunk_of(element, chunk, run, before.bytes), run.values);
}

Status ColumnFile::begin(std::uint32_t buffer_bytes) {
  constexpr std::uint32_t kColumn = 0;
  const Status status = open_.choose({&kColumn, 1}, buffer_bytes);
  return status == Status::kOk ? open_.reader().next_row_group() : status;
}

}  // namespace microparquet::recovery
