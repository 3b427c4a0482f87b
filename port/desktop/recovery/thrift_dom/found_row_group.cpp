#include "thrift_dom/found_row_group.h"

#include "microparquet/detail/format/fields.h"
#include "microparquet/encoding_id.h"

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

}  // namespace microparquet::recovery
