#include "item_pages.h"

#include <utility>

#include "byte_views.h"
#include "format/page_header.h"
#include "microparquet/detail/format/fields.h"
#include "read_failure.h"
#include "thrift_dom/row_group_parts.h"

namespace mpq_tool {

namespace {

namespace mpq = microparquet;
namespace format = mpq::format;
namespace rec = mpq::recovery;
using mpq::EncodingId;
using rec::ThriftValue;

ThriftValue number_of(EncodingId id) { return ThriftValue::of_i32(static_cast<int>(id)); }

ThriftValue count_of(std::size_t count) { return ThriftValue::of_i32(static_cast<std::int64_t>(count)); }

}  // namespace

ThriftValue data_page_header(std::size_t items, EncodingId encoding) {
  using Field = format::DataPageHeaderField;
  ThriftValue data;
  data.set(Field::kNumValues, count_of(items));
  data.set(Field::kEncoding, number_of(encoding));
  data.set(Field::kDefinitionLevelEncoding, number_of(EncodingId::kRle));
  data.set(Field::kRepetitionLevelEncoding, number_of(EncodingId::kRle));
  ThriftValue header;
  header.set(format::PageHeaderField::kType, ThriftValue::of_i32(static_cast<int>(format::PageType::kData)));
  header.set(format::PageHeaderField::kDataPageHeader, std::move(data));
  return header;
}

ThriftValue dictionary_page_header(std::size_t entries) {
  using Field = format::DictionaryPageHeaderField;
  ThriftValue dictionary;
  dictionary.set(Field::kNumValues, count_of(entries));
  dictionary.set(Field::kEncoding, number_of(EncodingId::kPlain));
  ThriftValue header;
  header.set(format::PageHeaderField::kType,
             ThriftValue::of_i32(static_cast<int>(format::PageType::kDictionary)));
  header.set(format::PageHeaderField::kDictionaryPageHeader, std::move(dictionary));
  return header;
}

void set_page_sizes(ThriftValue& header, std::size_t uncompressed_bytes, const rec::Bytes& stored) {
  using Field = format::PageHeaderField;
  header.set(Field::kUncompressedPageSize, count_of(uncompressed_bytes));
  header.set(Field::kCompressedPageSize, count_of(stored.size()));
  header.set(Field::kCrc, ThriftValue::of_i32(static_cast<std::int32_t>(rec::crc_of(0, stored))));
}

ThriftValue parse_row_group(const rec::Bytes& bytes) {
  auto value = rec::parse_row_group(bytes);
  if (!value) {
    throw Failure("the description of a row group is malformed");
  }
  return *std::move(value);
}

std::vector<ThriftValue>& column_chunks(ThriftValue& row_group) {
  return row_group.find(format::RowGroupField::kColumns)->items();
}

void set_chunk_facts(ThriftValue& column_chunk, mpq::CodecId codec, ThriftValue statistics) {
  ThriftValue& meta = *column_chunk.find(format::ColumnChunkField::kMetaData);
  meta.set(format::ColumnMetaDataField::kCodec, ThriftValue::of_i32(static_cast<int>(codec)));
  meta.set(format::ColumnMetaDataField::kStatistics, std::move(statistics));
}

}  // namespace mpq_tool
