#include "salvage.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "failure.h"
#include "history.h"
#include "microparquet/detail/fields.h"
#include "microparquet/encoding_id.h"
#include "microparquet/port/posix_file.h"
#include "open_file.h"
#include "page_list.h"
#include "thrift_value.h"

namespace microparquet::recovery {

namespace {

using format::ColumnChunkField;
using format::ColumnMetaDataField;
using format::FileMetaDataField;
using format::PageHeader;
using format::PageType;
using format::RowGroupField;

// A column as the file with the same columns has it.
struct ColumnModel {
  SchemaElement element;
  CodecId codec;
  bool has_dictionary;
};

struct Model {
  std::vector<FooterField> fields;
  std::vector<ColumnModel> columns;
  ThriftValue row_group;  // to be filled in
};

// Of the key-values only what belongs to the schema; the others tell of that file.
std::optional<FooterField> schema_key_values(const FooterField& field) {
  constexpr std::string_view kArrowSchema = "ARROW:schema";
  Bytes list = {std::byte{0x59}};  // field 5, a list
  append(list, field.value);
  list.push_back(std::byte{0});
  std::size_t used = 0;
  const auto parsed = ThriftValue::parse_struct(list, used);
  const ThriftValue* const pairs = parsed ? parsed->find(FileMetaDataField::kKeyValueMetadata) : nullptr;
  if (pairs == nullptr) {
    return std::nullopt;
  }
  std::vector<ThriftValue> kept;
  for (const ThriftValue& pair : pairs->items()) {
    const ThriftValue* const key = pair.find(format::KeyValueField::kKey);
    if (key != nullptr && key->bytes().size() == kArrowSchema.size() &&
        std::memcmp(key->bytes().data(), kArrowSchema.data(), kArrowSchema.size()) == 0) {
      kept.push_back(pair);
    }
  }
  if (kept.empty()) {
    return std::nullopt;
  }
  return FooterField{field.id, field.type,
                     ThriftValue::of_list(thrift::CompactType::kStruct, std::move(kept)).serialise()};
}

Model read_model(const std::string& path) {
  PosixFile file;
  if (file.open_for_reading(path.c_str()) != Status::kOk) {
    throw Failure(path + ": " + std::strerror(file.native_error()));
  }
  View view(file, {{0, bytes_of(file)}});
  OpenFile open;
  std::vector<Leaf> leaves;
  if (open.open(view) != Status::kOk || open.read_leaves(leaves) != Status::kOk ||
      open.reader().next_row_group() != Status::kOk) {
    throw Failure(path + ": --schema wants a whole Parquet file with rows in it");
  }
  Model model;
  for (std::uint32_t i = 0; i < leaves.size(); ++i) {
    ColumnChunkInfo info;
    if (open.reader().column_chunk(i, info) != Status::kOk) {
      throw Failure(path + " is damaged");
    }
    model.columns.push_back({leaves[i].element, info.codec, info.dictionary_page_offset != 0});
  }
  const std::uint32_t bytes = open.reader().footer_bytes();
  const auto footer = parse_footer(read_bytes(view, view.bytes() - 8 - bytes, bytes));
  std::size_t used = 0;
  auto row_group = footer ? ThriftValue::parse_struct(footer->entries.front(), used) : std::nullopt;
  if (!row_group || row_group->find(RowGroupField::kColumns) == nullptr) {
    throw Failure(path + " is damaged");
  }
  model.row_group = std::move(*row_group);
  for (const FooterField& field : footer->fields) {
    if (field.id != FileMetaDataField::kKeyValueMetadata) {
      model.fields.push_back(field);
    } else if (auto kept = schema_key_values(field)) {
      model.fields.push_back(std::move(*kept));
    }
  }
  return model;
}

// Whether a column of this type can have pages of this encoding.
bool encodes(EncodingId encoding, Type type) {
  const bool integer = type == Type::kInt32 || type == Type::kInt64;
  const bool bytes = type == Type::kByteArray || type == Type::kFixedLenByteArray;
  switch (encoding) {
    case EncodingId::kPlain: return true;
    case EncodingId::kPlainDictionary:
    case EncodingId::kRleDictionary: return type != Type::kBoolean;
    case EncodingId::kRle: return type == Type::kBoolean;
    case EncodingId::kDeltaBinaryPacked: return integer;
    case EncodingId::kDeltaLengthByteArray: return type == Type::kByteArray;
    case EncodingId::kDeltaByteArray: return bytes;
    case EncodingId::kByteStreamSplit: return type != Type::kBoolean && type != Type::kByteArray;
    default: return false;
  }
}

bool uses_dictionary(const PageHeader& header) {
  return header.encoding == static_cast<std::uint32_t>(EncodingId::kPlainDictionary) ||
         header.encoding == static_cast<std::uint32_t>(EncodingId::kRleDictionary);
}

// What this many values are in PLAIN, or in BYTE_STREAM_SPLIT; 0: it depends on them.
std::uint64_t plain_bytes(const SchemaElement& element, std::uint64_t values) {
  if (element.type == Type::kBoolean) {
    return (values + 7) / 8;
  }
  return value_bytes(element.type, element.type_length) * values;
}

bool sizes_fit(const ColumnModel& column, const PageHeader& header, bool has_levels) {
  if (column.codec == CodecId::kUncompressed && header.compressed_bytes != header.uncompressed_bytes) {
    return false;
  }
  const bool fixed_encoding = header.encoding == static_cast<std::uint32_t>(EncodingId::kPlain) ||
                              header.encoding == static_cast<std::uint32_t>(EncodingId::kByteStreamSplit);
  if (!fixed_encoding) {
    return true;
  }
  const std::uint64_t bytes = plain_bytes(column.element, header.values);
  if (column.element.type == Type::kByteArray) {
    return has_levels || header.uncompressed_bytes >= std::uint64_t{4} * header.values;
  }
  // With levels some values may be nulls; the levels themselves take at most a byte a value.
  return has_levels ? header.uncompressed_bytes <= bytes + header.values + 64
                    : header.uncompressed_bytes == bytes;
}

// A column chunk among the pages.
struct ChunkPages {
  std::size_t begin;
  std::size_t end;
};

struct RowGroupPages {
  std::uint64_t rows = 0;
  std::vector<ChunkPages> chunks;
  std::size_t end() const { return chunks.back().end; }
};

// Shares out pages among columns.
class Sharing {
 public:
  Sharing(const std::vector<ListedPage>& pages, const std::vector<ColumnModel>& columns)
      : pages_(pages), columns_(columns) {}

  // All readings of the pages from `begin` on as a row group.
  std::vector<RowGroupPages> readings(std::size_t begin) const {
    std::vector<RowGroupPages> result;
    std::size_t at = begin;
    if (!pass_dictionary(columns_[0], at)) {
      return result;
    }
    std::uint64_t rows = 0;
    while (at < pages_.size() && fits(columns_[0], pages_[at])) {
      rows += rows_in(pages_[at++]);
      RowGroupPages group{rows, {{begin, at}}};
      if (rows != 0 && share(group)) {
        result.push_back(std::move(group));
      }
    }
    return result;
  }

 private:
  static std::uint64_t rows_in(const ListedPage& page) {
    return page.header.type == PageType::kDataV2 ? page.header.rows : page.header.values;
  }

  bool fits(const ColumnModel& column, const ListedPage& page) const {
    const PageHeader& header = page.header;
    const bool v2 = header.type == PageType::kDataV2;
    if (page.dictionary() || !encodes(static_cast<EncodingId>(header.encoding), column.element.type) ||
        (uses_dictionary(header) && !column.has_dictionary)) {
      return false;
    }
    if (column.element.max_repetition_level != 0) {
      return v2;  // else nobody knows how many rows the page has
    }
    if (v2 && (header.rows != header.values || header.repetition_bytes != 0)) {
      return false;
    }
    return sizes_fit(column, header, column.element.max_definition_level != 0);
  }

  // A chunk has a dictionary page or not, as in the other file.
  bool pass_dictionary(const ColumnModel& column, std::size_t& at) const {
    if (at >= pages_.size() || pages_[at].dictionary() != column.has_dictionary) {
      return false;
    }
    if (column.has_dictionary) {
      const PageHeader& header = pages_[at].header;
      const std::uint64_t bytes = plain_bytes(column.element, header.values);
      if (column.element.type != Type::kByteArray && header.uncompressed_bytes != bytes) {
        return false;
      }
      ++at;
    }
    return true;
  }

  // Gives each column after the first its pages.
  bool share(RowGroupPages& group) const {
    for (std::size_t column = 1; column < columns_.size(); ++column) {
      const std::size_t begin = group.end();
      std::size_t at = begin;
      if (!pass_dictionary(columns_[column], at)) {
        return false;
      }
      std::uint64_t rows = 0;
      while (rows < group.rows && at < pages_.size() && fits(columns_[column], pages_[at])) {
        rows += rows_in(pages_[at++]);
      }
      if (rows != group.rows) {
        return false;
      }
      group.chunks.push_back({begin, at});
    }
    return true;
  }

  const std::vector<ListedPage>& pages_;
  const std::vector<ColumnModel>& columns_;
};

class Salvage {
 public:
  Salvage(View& view, Model model, std::uint64_t group_rows, const Progress& progress)
      : view_(view), model_(std::move(model)), group_rows_(group_rows), pages_(list_pages(view, progress)) {}

  Found run() {
    const Sharing sharing(pages_, model_.columns);
    Found found;
    found.fields = model_.fields;
    std::size_t at = 0;
    std::size_t number = 0;
    while (at < pages_.size()) {
      const auto group = choose(sharing.readings(at), found);
      if (!group) {
        break;
      }
      settle(*group, number++, found.proof);
      at = group->end();
    }
    const std::uint64_t reached = at == 0 ? 4 : pages_[at - 1].end;
    found.basis = "no footer; pages up to " + std::to_string(pages_.empty() ? 4 : pages_.back().end) +
                  " of " + std::to_string(view_.bytes()) + " bytes, and whole row groups up to " +
                  std::to_string(reached);
    if (found.missing.empty() && reached != view_.bytes()) {
      found.missing = "what comes after " + std::to_string(reached) + ", which is no whole row group";
    }
    return found;
  }

 private:
  std::optional<RowGroupPages> choose(std::vector<RowGroupPages> readings, Found& found) {
    const auto drop = [&](auto condition) {
      readings.erase(std::remove_if(readings.begin(), readings.end(), condition), readings.end());
    };
    // Should the checksum of a page not hold, its values cannot speak against a reading.
    drop([&](const RowGroupPages& group) { return intact(group) && !decodes(group); });
    if (group_rows_ != 0) {
      const bool full = std::any_of(readings.begin(), readings.end(),
                                    [&](const RowGroupPages& group) { return group.rows == group_rows_; });
      drop([&](const RowGroupPages& group) {
        return full ? group.rows != group_rows_ : group.rows > group_rows_;
      });
    }
    if (readings.size() > 1) {
      std::string rows;
      for (const RowGroupPages& group : readings) {
        rows += (rows.empty()       ? ""
                 : rows.size() > 40 ? ""
                                    : ", ") +
                (rows.size() > 40 ? "" : std::to_string(group.rows));
      }
      found.missing = "all from byte " + std::to_string(pages_[readings.front().chunks.front().begin].begin) +
                      " on: the row group there may have " + rows + " rows; say which by --rows-per-group";
      return std::nullopt;
    }
    return readings.empty() ? std::nullopt : std::optional(std::move(readings.front()));
  }

  bool intact(const RowGroupPages& group) const {
    return std::all_of(pages_.begin() + static_cast<std::ptrdiff_t>(group.chunks.front().begin),
                       pages_.begin() + static_cast<std::ptrdiff_t>(group.end()),
                       [](const ListedPage& page) { return page.checksum_holds; });
  }

  bool decodes(const RowGroupPages& group) {
    const RowGroupHistory history{{entry_of(group), Source::kFooter, group.rows, 0}, std::nullopt};
    return prove(view_, model_.fields, {history}, false, {}).lost.empty();
  }

  void settle(const RowGroupPages& group, std::size_t number, Proof& proof) {
    if (intact(group)) {
      proof.kept.push_back({entry_of(group), {{0, group.rows}}, true, {}});
      return;
    }
    const std::uint64_t bytes = pages_[group.end() - 1].end - pages_[group.chunks.front().begin].begin;
    proof.lost.push_back({number, {{0, group.rows}}, bytes, "a page does not have its checksum"});
  }

  Bytes entry_of(const RowGroupPages& group) const {
    ThriftValue row_group = model_.row_group;
    std::vector<ThriftValue>& chunks = row_group.find(RowGroupField::kColumns)->items();
    std::uint64_t compressed = 0;
    std::uint64_t uncompressed = 0;
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      describe(chunks[i], group.chunks[i]);
      const ThriftValue& meta_data = *chunks[i].find(ColumnChunkField::kMetaData);
      compressed += meta_data.number_of(ColumnMetaDataField::kTotalCompressedSize);
      uncompressed += meta_data.number_of(ColumnMetaDataField::kTotalUncompressedSize);
    }
    row_group.set(RowGroupField::kTotalByteSize, ThriftValue::of_i64(uncompressed));
    row_group.set(RowGroupField::kNumRows, ThriftValue::of_i64(group.rows));
    row_group.set(RowGroupField::kTotalCompressedSize, ThriftValue::of_i64(compressed));
    row_group.remove(RowGroupField::kSortingColumns);
    row_group.remove(RowGroupField::kFileOffset);
    row_group.remove(RowGroupField::kOrdinal);
    return row_group.serialise();
  }

  void describe(ThriftValue& chunk, const ChunkPages& range) const {
    // Statistics, sizes and places of the other file.
    constexpr int kOfTheOther[] = {ColumnMetaDataField::kKeyValueMetadata,
                                   ColumnMetaDataField::kIndexPageOffset,
                                   ColumnMetaDataField::kDictionaryPageOffset,
                                   ColumnMetaDataField::kStatistics,
                                   13,
                                   14,
                                   15,
                                   16,
                                   17};
    ThriftValue& meta_data = *chunk.find(ColumnChunkField::kMetaData);
    for (const int field : kOfTheOther) {
      meta_data.remove(field);
    }
    std::uint64_t values = 0;
    std::uint64_t uncompressed = 0;
    std::uint32_t encodings = 1U << static_cast<unsigned>(EncodingId::kRle);
    std::size_t first_data = range.begin;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const ListedPage& page = pages_[i];
      uncompressed += std::uint64_t{page.header.header_bytes} + page.header.uncompressed_bytes;
      encodings |= 1U << page.header.encoding;
      values += page.dictionary() ? 0 : page.header.values;
      first_data += page.dictionary() ? 1U : 0U;
    }
    std::vector<ThriftValue> list;
    for (unsigned encoding = 0; encoding < 32; ++encoding) {
      if ((encodings >> encoding & 1) != 0) {
        list.push_back(ThriftValue::of_i32(encoding));
      }
    }
    const std::uint64_t begin = pages_[range.begin].begin;
    using Meta = ColumnMetaDataField;
    meta_data.set(Meta::kEncodings, ThriftValue::of_list(thrift::CompactType::kI32, std::move(list)));
    meta_data.set(Meta::kNumValues, ThriftValue::of_i64(values));
    meta_data.set(Meta::kTotalUncompressedSize, ThriftValue::of_i64(uncompressed));
    meta_data.set(Meta::kTotalCompressedSize, ThriftValue::of_i64(pages_[range.end - 1].end - begin));
    meta_data.set(Meta::kDataPageOffset, ThriftValue::of_i64(pages_[first_data].begin));
    if (first_data != range.begin) {
      meta_data.set(Meta::kDictionaryPageOffset, ThriftValue::of_i64(begin));
    }
    chunk.set(ColumnChunkField::kFileOffset, ThriftValue::of_i64(0));
    for (const int field : {4, 5, 6, 7}) {  // places of indexes
      chunk.remove(field);
    }
  }

  View& view_;
  Model model_;
  std::uint64_t group_rows_;
  std::vector<ListedPage> pages_;
};

}  // namespace

Found salvage(View& view, const Traces& traces, const std::string& schema_path, std::uint64_t group_rows,
              const Progress& progress) {
  Model model = read_model(schema_path);
  const std::vector<RowGroupHistory> records = records_from_beginning(view, traces);
  if (records.empty()) {
    return Salvage(view, std::move(model), group_rows, progress).run();
  }
  Found found;
  found.fields = std::move(model.fields);
  found.proof = prove(view, found.fields, records, true, progress);
  found.records = static_cast<std::uint32_t>(records.size());
  found.basis = std::to_string(records.size()) + " records of row groups, from the beginning on";
  return found;
}

}  // namespace microparquet::recovery
