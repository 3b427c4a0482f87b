#include "thrift_dom/page_headers.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "byte_views.h"
#include "chunk_pages.h"
#include "format/page_header.h"
#include "format/page_header_reader.h"
#include "microparquet/detail/format/fields.h"
#include "microparquet/encoding_id.h"
#include "thrift_dom/chunk_places.h"
#include "thrift_dom/footer_parts.h"
#include "thrift_dom/thrift_value.h"

namespace microparquet::recovery {

namespace {

using format::DataPageHeaderField;
using format::PageHeaderField;
using thrift::CompactType;

// Fields 1 to `required` are integers of 32 bits, and have to be there.
bool has_integers(const ThriftValue& value, int required) {
  for (int id = 1; id <= required; ++id) {
    const ThriftValue* const field = value.find(id);
    if (field == nullptr || field->type() != CompactType::kI32) {
      return false;
    }
  }
  return true;
}

bool is_optional(const ThriftValue& value, int id, std::initializer_list<CompactType> types) {
  const ThriftValue* const field = value.find(id);
  return field == nullptr || std::find(types.begin(), types.end(), field->type()) != types.end();
}

bool is_level_encoding(std::uint64_t encoding) {
  return encoding == static_cast<std::uint64_t>(EncodingId::kRle) ||
         encoding == static_cast<std::uint64_t>(EncodingId::kBitPacked);
}

bool data_header_is_exact(const ThriftValue& value) {
  return has_integers(value, DataPageHeaderField::kRepetitionLevelEncoding) &&
         is_level_encoding(value.number_of(DataPageHeaderField::kDefinitionLevelEncoding)) &&
         is_level_encoding(value.number_of(DataPageHeaderField::kRepetitionLevelEncoding)) &&
         is_optional(value, DataPageHeaderField::kStatistics, {CompactType::kStruct});
}

bool dictionary_header_is_exact(const ThriftValue& value) {
  using Field = format::DictionaryPageHeaderField;
  return has_integers(value, Field::kEncoding) &&
         is_optional(value, Field::kIsSorted, {CompactType::kTrue, CompactType::kFalse});
}

bool data_header_v2_is_exact(const ThriftValue& value) {
  using Field = format::DataPageHeaderV2Field;
  return has_integers(value, Field::kRepetitionLevelsByteLength) &&
         is_optional(value, Field::kIsCompressed, {CompactType::kTrue, CompactType::kFalse}) &&
         is_optional(value, Field::kStatistics, {CompactType::kStruct});
}

}  // namespace

bool header_is_exact(ByteView header) {
  std::size_t used = 0;
  const auto value = ThriftValue::parse_struct(header, used);
  if (!value || used != header.size() || !has_integers(*value, PageHeaderField::kCompressedPageSize) ||
      !is_optional(*value, PageHeaderField::kCrc, {CompactType::kI32})) {
    return false;
  }
  constexpr int kOfType[] = {PageHeaderField::kDataPageHeader, PageHeaderField::kIndexPageHeader,
                             PageHeaderField::kDictionaryPageHeader, PageHeaderField::kDataPageHeaderV2};
  const std::uint64_t type = value->number_of(PageHeaderField::kType);
  if (type >= std::size(kOfType)) {
    return true;  // a page to be passed over
  }
  const ThriftValue* const specific = value->find(kOfType[type]);
  if (specific == nullptr || specific->type() != CompactType::kStruct) {
    return false;
  }
  switch (type) {
    case 0: return data_header_is_exact(*specific);
    case 2: return dictionary_header_is_exact(*specific);
    case 3: return data_header_v2_is_exact(*specific);
    default: return true;
  }
}

std::size_t header_padding(ByteView header) {
  std::size_t used = 0;
  auto value = ThriftValue::parse_struct(header, used);
  if (!value || used != header.size()) {
    return 0;
  }
  value->remove(format::kExtensionField);
  const std::size_t least = value->serialise().size();
  return header.size() - std::min(header.size(), least);
}

namespace {

constexpr std::size_t kMostDictionaryHeader = 256;

// The header at the beginning of `bytes` with PLAIN as its encoding; none when it is no such header.
std::optional<Bytes> mended_header(ByteView bytes) {
  using format::PageHeaderField;
  std::size_t used = 0;
  auto header = ThriftValue::parse_struct(bytes, used);
  if (!header) {
    return std::nullopt;
  }
  ThriftValue* const dictionary = header->find(PageHeaderField::kDictionaryPageHeader);
  if (dictionary == nullptr || dictionary->type() != ThriftValue::Type::kStruct) {
    return std::nullopt;
  }
  dictionary->set(format::DictionaryPageHeaderField::kEncoding,
                  ThriftValue::of_i32(static_cast<int>(EncodingId::kPlain)));
  Bytes mended = header->serialise();
  detail::Window window = window_on(mended);
  format::PageHeader seen;
  const bool holds = mended.size() == used && format::read_page_header(window, seen) == Status::kOk &&
                     header_is_exact(mended);
  return holds ? std::optional(std::move(mended)) : std::nullopt;
}

bool has_proper_header(ByteView bytes) {
  detail::Window window = window_on(bytes);
  format::PageHeader header;
  return format::read_page_header(window, header) == Status::kOk;
}

bool mend_header(View& view, ByteView chunk) {
  const auto places = places_of(chunk);
  if (!places || places->elsewhere || begin_of(places->info) >= view.bytes()) {
    return false;
  }
  const std::uint64_t at = begin_of(places->info);
  const Bytes bytes = read_bytes(
      view, at, static_cast<std::size_t>(std::min<std::uint64_t>(kMostDictionaryHeader, view.bytes() - at)));
  auto mended = bytes.empty() || has_proper_header(bytes) ? std::nullopt : mended_header(bytes);
  if (!mended) {
    return false;
  }
  view.replace(at, std::move(*mended));
  return true;
}

}  // namespace

std::vector<bool> mend_dictionary_headers(View& view, const std::vector<Bytes>& entries) {
  std::vector<bool> mended;
  for (const Bytes& entry : entries) {
    bool any = false;
    if (const auto parts = take_apart(entry)) {
      for (const ByteView chunk : parts->columns) {
        any = mend_header(view, chunk) || any;
      }
    }
    mended.push_back(any);
  }
  return mended;
}

namespace {

using format::DataPageHeaderV2Field;

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

// The stored form of a page's values.
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
  const std::size_t levels = header.repetition_bytes + header.definition_bytes;  // bytes of levels, which
                                                                                 // carry nothing
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
