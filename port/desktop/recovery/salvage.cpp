#include "salvage.h"

#include <algorithm>

#include "history.h"
#include "microparquet/detail/fields.h"
#include "microparquet/encoding_id.h"
#include "page_list.h"
#include "page_sharing.h"
#include "schema_model.h"
#include "thrift_value.h"

namespace microparquet::recovery {

namespace {

using format::ColumnChunkField;
using format::ColumnMetaDataField;
using format::RowGroupField;

class Salvage {
 public:
  Salvage(View& view, SchemaModel model, std::uint64_t group_rows, const Progress& progress)
      : view_(view), model_(std::move(model)), group_rows_(group_rows), pages_(list_pages(view, progress)) {}

  Found run() {
    Found found;
    found.fields = model_.fields;
    std::size_t at = 0;
    std::size_t number = 0;
    while (at < pages_.size()) {
      const auto group = choose(row_group_readings(pages_, model_.columns, at), found);
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
    return prove(view_, model_.fields, {history}, Origin::kOtherWriter, {}).lost.empty();
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

  void describe(ThriftValue& chunk, const SharedPages& range) const {
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
  SchemaModel model_;
  std::uint64_t group_rows_;
  std::vector<ListedPage> pages_;
};

}  // namespace

Found salvage(View& view, const Traces& traces, const std::string& schema_path, std::uint64_t group_rows,
              const Progress& progress) {
  SchemaModel model = read_schema_model(schema_path);
  const std::vector<RowGroupHistory> records = records_from_beginning(view, traces);
  if (records.empty()) {
    return Salvage(view, std::move(model), group_rows, progress).run();
  }
  Found found;
  found.fields = std::move(model.fields);
  found.proof = prove(view, found.fields, records, Origin::kForward, progress);
  found.records = static_cast<std::uint32_t>(records.size());
  found.basis = std::to_string(records.size()) + " records of row groups, from the beginning on";
  return found;
}

}  // namespace microparquet::recovery
