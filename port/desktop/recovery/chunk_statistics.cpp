#include "chunk_statistics.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "column_file.h"
#include "microparquet/detail/format/fields.h"
#include "thrift_dom/row_group_parts.h"

namespace microparquet::recovery {

namespace {

// The statistics of the chunk of a flat column; none when its values cannot be decoded.
std::optional<ThriftValue> read_statistics(File& pages, const SchemaElement& element, const Bytes& chunk,
                                           std::uint64_t rows) {
  constexpr std::uint32_t kBufferBytes = 1 << 20;
  constexpr std::size_t kBatchRows = 1024;
  ColumnFile column(pages);
  ValueSummary summary(element);
  std::vector<std::uint64_t> values(
      kBatchRows * std::max<std::size_t>(summary.stride(), 1) / sizeof(std::uint64_t) + 1);
  std::vector<std::uint8_t> levels(2 * kBatchRows);
  std::uint64_t nulls = 0;
  Status status = column.open(element, chunk, rows);
  if (status == Status::kOk) {
    status = column.begin(kBufferBytes);
  }
  while (status == Status::kOk) {
    AnyBatch batch;
    batch.values = values.data();
    batch.places = kBatchRows;
    batch.definition_levels = levels.data();
    batch.repetition_levels = levels.data() + kBatchRows;
    status = column.reader().next_items(0, batch);
    if (status == Status::kOk) {
      summary.add(reinterpret_cast<const std::byte*>(values.data()), batch.value_count);
      nulls += batch.level_count - batch.value_count;
    }
  }
  if (status != Status::kEnd) {
    return std::nullopt;
  }
  ThriftValue statistics = chunk_statistics(nulls, summary.bounds());
  if (const auto nans = summary.nans()) {
    statistics.set(format::StatisticsField::kNanCount, ThriftValue::of_i64(*nans));
  }
  return statistics;
}

}  // namespace

ThriftValue chunk_statistics(std::uint64_t nulls, const ValueSummary::Bounds& bounds) {
  using Field = format::StatisticsField;
  constexpr std::size_t kLongest = 64;
  ThriftValue statistics;
  statistics.set(Field::kNullCount, ThriftValue::of_i64(nulls));
  if (bounds.any && bounds.min.size() <= kLongest && bounds.max.size() <= kLongest) {
    statistics.set(Field::kMaxValue, ThriftValue::of_bytes(bounds.max));
    statistics.set(Field::kMinValue, ThriftValue::of_bytes(bounds.min));
    for (const int exact : {Field::kIsMaxValueExact, Field::kIsMinValueExact}) {
      statistics.set(exact, ThriftValue::of_number(ThriftValue::Type::kTrue, 1));
    }
  }
  return statistics;
}

Bytes with_statistics(File& pages, const std::vector<Leaf>& leaves, const Bytes& entry, std::uint64_t rows) {
  std::optional<ThriftValue> row_group = parse_row_group(entry);
  if (!row_group) {
    return entry;
  }
  std::vector<ThriftValue>& chunks = row_group->find(format::RowGroupField::kColumns)->items();
  for (std::size_t i = 0; i < chunks.size() && i < leaves.size(); ++i) {
    if (auto statistics = read_statistics(pages, leaves[i].element, chunks[i].serialise(), rows)) {
      ThriftValue& meta_data = *chunks[i].find(format::ColumnChunkField::kMetaData);
      meta_data.set(format::ColumnMetaDataField::kStatistics, *std::move(statistics));
    }
  }
  return row_group->serialise();
}

}  // namespace microparquet::recovery
