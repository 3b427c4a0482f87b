#include "thrift_dom/made_page.h"

#include <algorithm>

#include "crc.h"
#include "format/page_header.h"
#include "microparquet/encoding_id.h"
#include "thrift_dom/thrift_value.h"

namespace microparquet::recovery {

namespace {

using format::DataPageHeaderV2Field;
using format::PageHeaderField;

void append_run(std::uint64_t count, std::uint8_t level, Bytes& out) {
  for (count <<= 1; count >= 0x80; count >>= 7) {
    out.push_back(static_cast<std::byte>((count & 0x7F) | 0x80));
  }
  out.push_back(static_cast<std::byte>(count));
  out.push_back(static_cast<std::byte>(level));
}

// Levels as runs, each with its level in one byte.
Bytes runs_of(const std::vector<std::uint8_t>& levels, std::uint8_t maximum) {
  Bytes out;
  if (maximum == 0) {
    return out;
  }
  for (auto begin = levels.begin(); begin != levels.end();) {
    const auto end =
        std::find_if(begin, levels.end(), [begin](std::uint8_t level) { return level != *begin; });
    append_run(static_cast<std::uint64_t>(end - begin), *begin, out);
    begin = end;
  }
  return out;
}

struct Counts {
  std::uint64_t values;
  std::uint64_t nulls;
  std::uint64_t rows;
};

// How the values of a page are stored.
struct StoredValues {
  ByteView bytes;
  std::uint64_t uncompressed_bytes;
  EncodingId encoding;
  bool compressed;
};

Bytes page_of(const Counts& counts, const Bytes& repetition, const Bytes& definition,
              const StoredValues& values) {
  Bytes body = repetition;
  append(body, definition);
  const std::uint64_t uncompressed_bytes = body.size() + values.uncompressed_bytes;
  append(body, values.bytes);
  ThriftValue data;
  data.set(DataPageHeaderV2Field::kNumValues, ThriftValue::of_i32(static_cast<std::int64_t>(counts.values)));
  data.set(DataPageHeaderV2Field::kNumNulls, ThriftValue::of_i32(static_cast<std::int64_t>(counts.nulls)));
  data.set(DataPageHeaderV2Field::kNumRows, ThriftValue::of_i32(static_cast<std::int64_t>(counts.rows)));
  data.set(DataPageHeaderV2Field::kEncoding, ThriftValue::of_i32(static_cast<int>(values.encoding)));
  data.set(DataPageHeaderV2Field::kDefinitionLevelsByteLength,
           ThriftValue::of_i32(static_cast<std::int64_t>(definition.size())));
  data.set(DataPageHeaderV2Field::kRepetitionLevelsByteLength,
           ThriftValue::of_i32(static_cast<std::int64_t>(repetition.size())));
  data.set(DataPageHeaderV2Field::kIsCompressed, values.compressed
                                                     ? ThriftValue::of_number(ThriftValue::Type::kTrue, 1)
                                                     : ThriftValue::of_number(ThriftValue::Type::kFalse, 0));
  ThriftValue header;
  const auto bytes = static_cast<std::int64_t>(body.size());
  header.set(PageHeaderField::kType, ThriftValue::of_i32(static_cast<int>(format::PageType::kDataV2)));
  header.set(PageHeaderField::kUncompressedPageSize,
             ThriftValue::of_i32(static_cast<std::int64_t>(uncompressed_bytes)));
  header.set(PageHeaderField::kCompressedPageSize, ThriftValue::of_i32(bytes));
  header.set(PageHeaderField::kCrc, ThriftValue::of_i32(static_cast<std::int32_t>(crc_of(0, body))));
  header.set(PageHeaderField::kDataPageHeaderV2, std::move(data));
  Bytes page = header.serialise();
  append(page, body);
  return page;
}

Bytes plain_page(const Counts& counts, const Bytes& repetition, const Bytes& definition,
                 const Bytes& values) {
  return page_of(counts, repetition, definition, {values, values.size(), EncodingId::kPlain, false});
}

Bytes packed(const Bytes& booleans) {
  Bytes bits((booleans.size() + 7) / 8);
  for (std::size_t i = 0; i < booleans.size(); ++i) {
    bits[i / 8] |= (booleans[i] & std::byte{1}) << (i % 8);
  }
  return bits;
}

}  // namespace

void Items::add_null(std::uint8_t definition_level, std::uint8_t repetition_level) {
  definition.push_back(definition_level);
  repetition.push_back(repetition_level);
}

Bytes made_page(const SchemaElement& element, const Items& items) {
  const auto rows = static_cast<std::uint64_t>(
      std::count(items.repetition.begin(), items.repetition.end(), std::uint8_t{0}));
  return plain_page({items.count(), items.count() - items.value_count, rows},
                    runs_of(items.repetition, element.max_repetition_level),
                    runs_of(items.definition, element.max_definition_level),
                    element.type == Type::kBoolean ? packed(items.values) : items.values);
}

Bytes with_definition_levels(const format::PageHeader& header, ByteView body, bool compressed) {
  Bytes definition;
  append_run(header.values, 1, definition);
  const std::size_t levels = header.repetition_bytes + header.definition_bytes;  // which say nothing
  const bool old_name = header.encoding == static_cast<std::uint32_t>(EncodingId::kPlainDictionary);
  const EncodingId encoding =
      old_name ? EncodingId::kRleDictionary : static_cast<EncodingId>(header.encoding);
  return page_of(
      {header.values, 0, header.values}, {}, definition,
      {body.subspan(levels, body.size() - levels), header.uncompressed_bytes - levels, encoding, compressed});
}

Bytes page_of_one_item(const SchemaElement& element) {
  constexpr std::size_t kLength = 4;
  const std::size_t width = value_bytes(element.type, element.type_length);
  return plain_page({1, 0, 1}, runs_of({0}, element.max_repetition_level),
                    runs_of({element.max_definition_level}, element.max_definition_level),
                    Bytes(element.type == Type::kByteArray ? kLength : width));
}

Bytes page_of_nulls(const SchemaElement& element, std::uint32_t rows, std::uint8_t definition) {
  Bytes repetition_runs;
  Bytes definition_runs;
  if (element.max_repetition_level != 0) {
    append_run(rows, 0, repetition_runs);
  }
  append_run(rows, definition, definition_runs);
  return plain_page({rows, rows, rows}, repetition_runs, definition_runs, {});
}

}  // namespace microparquet::recovery
