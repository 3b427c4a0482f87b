// What the footer says of the columns of a row group.
#include "base/try.h"
#include "microparquet/detail/fields.h"
#include "microparquet/reader.h"
#include "read/chunk.h"
#include "thrift/compact_reader.h"

namespace microparquet {

namespace {

// Takes bounds into the caller's buffer, one after another.
class BoundBuffer {
 public:
  explicit BoundBuffer(Span<std::byte> buffer) : buffer_(buffer) {}

  bool read(thrift::CompactReader& in, const thrift::FieldHeader& field, Span<const std::byte>& bound) {
    const std::uint32_t bytes = in.binary(field);
    needed_ += bytes;
    if (bytes > buffer_.size() - used_) {
      in.pass(bytes);
      return false;
    }
    std::byte* const out = buffer_.data() + used_;
    in.copy(out, bytes);
    used_ += bytes;
    bound = Span<const std::byte>(out, bytes);
    return in.ok();
  }

  std::uint64_t needed() const { return needed_; }

 private:
  Span<std::byte> buffer_;
  std::size_t used_ = 0;
  std::uint64_t needed_ = 0;
};

// Without a field that says otherwise a bound of a fixed-width value is one of them.
struct Exactness {
  bool told = false;
  bool exact = false;

  void read(thrift::CompactReader& in, const thrift::FieldHeader& field) {
    exact = in.boolean(field);
    told = true;
  }
  bool resolve(bool fixed_width) const { return told ? exact : fixed_width; }
};

struct OldBounds {
  bool has_min = false;
  bool has_max = false;
  Span<const std::byte> min;
  Span<const std::byte> max;
};

void use_deprecated_bounds(const OldBounds& old, ColumnStatistics& statistics) {
  if (statistics.has_min || statistics.has_max || (!old.has_min && !old.has_max)) return;
  statistics.deprecated = true;
  statistics.has_min = old.has_min;
  statistics.has_max = old.has_max;
  statistics.min = old.min;
  statistics.max = old.max;
}

void read_count(thrift::CompactReader& in, const thrift::FieldHeader& field, bool& has,
                std::uint64_t& count) {
  count = in.count(field);
  has = in.ok();
}

Status read_statistics(thrift::CompactReader& in, bool fixed_width, BoundBuffer& buffer,
                       ColumnStatistics& out) {
  OldBounds old;
  Exactness min_exact;
  Exactness max_exact;
  for (thrift::FieldHeader field; in.next(field);) {
    switch (field.id) {
      case format::StatisticsField::kMax: old.has_max = buffer.read(in, field, old.max); break;
      case format::StatisticsField::kMin: old.has_min = buffer.read(in, field, old.min); break;
      case format::StatisticsField::kMaxValue: out.has_max = buffer.read(in, field, out.max); break;
      case format::StatisticsField::kMinValue: out.has_min = buffer.read(in, field, out.min); break;
      case format::StatisticsField::kNullCount:
        read_count(in, field, out.has_null_count, out.null_count);
        break;
      case format::StatisticsField::kNanCount: read_count(in, field, out.has_nan_count, out.nan_count); break;
      case format::StatisticsField::kDistinctCount:
        read_count(in, field, out.has_distinct_count, out.distinct_count);
        break;
      case format::StatisticsField::kIsMaxValueExact: max_exact.read(in, field); break;
      case format::StatisticsField::kIsMinValueExact: min_exact.read(in, field); break;
      default: in.skip(field); break;
    }
  }
  use_deprecated_bounds(old, out);
  out.min_exact = out.has_min && min_exact.resolve(fixed_width);
  out.max_exact = out.has_max && max_exact.resolve(fixed_width);
  return in.status();
}

}  // namespace

Status Reader::column_chunk(std::uint32_t column, ColumnChunkInfo& info) {
  MICROPARQUET_TRY(read::find_chunk(state_, column));
  const detail::ColumnChunk& chunk = state_.chunk;
  info.codec = static_cast<CodecId>(chunk.codec < 255 ? chunk.codec : 255);
  info.encodings = chunk.encodings;
  info.values = chunk.values;
  info.compressed_bytes = chunk.compressed_bytes;
  info.uncompressed_bytes = chunk.uncompressed_bytes;
  info.data_page_offset = chunk.data_page_offset;
  info.dictionary_page_offset = chunk.dictionary_page_offset;
  return Status::kOk;
}

Status Reader::column_statistics(std::uint32_t column, Span<std::byte> buffer, ColumnStatistics& statistics) {
  statistics = {};
  MICROPARQUET_TRY(read::find_chunk(state_, column));
  const detail::ColumnChunk& chunk = state_.chunk;
  if (chunk.statistics_begin == 0) return Status::kOk;
  state_.footer.seek(chunk.statistics_begin, state_.footer_begin + state_.footer_bytes);
  thrift::CompactReader in(state_.footer);
  BoundBuffer bounds(buffer);
  const Status status = read_statistics(in, column_type(column) != Type::kByteArray, bounds, statistics);
  state_.needed_bytes = bounds.needed();
  return status;
}

Status Reader::sorting_columns(Span<SortingColumn> sorting, std::size_t& count) {
  if (state_.row_group == detail::kNoRowGroup) return Status::kWrongState;
  count = 0;
  state_.footer.seek(state_.entry_begin, state_.footer_begin + state_.footer_bytes);
  thrift::CompactReader in(state_.footer);
  for (thrift::FieldHeader field; in.next(field);) {
    if (field.id != format::RowGroupField::kSortingColumns) {
      in.skip(field);
      continue;
    }
    count = in.list(field, thrift::CompactType::kStruct);
    for (std::size_t i = 0; i < count && in.ok(); ++i) {
      SortingColumn column;
      for (thrift::FieldHeader item; in.next(item);) {
        switch (item.id) {
          case format::SortingColumnField::kColumnIdx: column.column = in.count32(item); break;
          case format::SortingColumnField::kDescending: column.descending = in.boolean(item); break;
          case format::SortingColumnField::kNullsFirst: column.nulls_first = in.boolean(item); break;
          default: in.skip(item); break;
        }
      }
      if (i < sorting.size()) sorting[i] = column;
    }
  }
  return in.status();
}

}  // namespace microparquet
