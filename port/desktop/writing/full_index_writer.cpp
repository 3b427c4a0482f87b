#include "full_index_writer.h"

#include "format/page_index_field.h"
#include "microparquet/detail/format/fields.h"
#include "thrift/compact_writer.h"

namespace microparquet::desktop {

namespace {

using format::BloomFilterHeaderField;
using format::ColumnIndexField;
using format::SizeStatisticsField;
using microparquet::detail::ColumnNotes;
using microparquet::detail::ColumnWriter;
using microparquet::detail::PageNote;
using thrift::CompactType;
using thrift::CompactWriter;
using Meta = format::ColumnMetaDataField;

void put_element(CompactWriter& out, std::uint64_t number) { out.varint(number << 1); }

// There are as many levels of 0 as nulls, and of 1 as values.
void put_level_counts(CompactWriter& out, std::uint64_t nulls, std::uint64_t rows) {
  put_element(out, nulls);
  put_element(out, rows - nulls);
}

// A union whose first member is meant, an empty struct.
void put_first_member(CompactWriter& out, int field) {
  out.field_struct(field);
  out.field_struct(1);
  out.end_struct(1);
  out.end_struct(field);
}

}  // namespace

void put_bounds(thrift::WindowSink& sink, const ColumnWriter& column, ColumnNotes& notes, unsigned order) {
  for (const int id :
       {ColumnIndexField::kNullPages, ColumnIndexField::kMinValues, ColumnIndexField::kMaxValues}) {
    format::put_index_field(sink, column, notes, id);
  }
  CompactWriter(sink, ColumnIndexField::kMaxValues)
      .field_i32(ColumnIndexField::kBoundaryOrder, static_cast<std::int32_t>(order));
  format::put_index_field(sink, column, notes, ColumnIndexField::kNullCounts);
  CompactWriter out(sink, ColumnIndexField::kNullCounts);
  if (column.levels != nullptr) {
    out.field_list(ColumnIndexField::kDefinitionLevelHistograms, CompactType::kI64, 2 * notes.pages);
    std::uint32_t row = 0;
    format::for_each_page(notes, [&](const PageNote& page) {
      put_level_counts(out, page.nulls, page.end - row);
      row = page.end;
    });
  }
  if (column.plan->bounds->counts_nan()) {
    out.field_list(ColumnIndexField::kNanCounts, CompactType::kI64, notes.pages);
    format::for_each_page(notes, [&](PageNote& page) {
      put_element(out, column.plan->bounds->bounds(&page + 1, column.plan->shape).nan_count);
    });
  }
  out.byte(0);
}

void put_places(thrift::WindowSink& sink, const ColumnWriter& column, ColumnNotes& notes,
                const std::vector<std::uint64_t>* text_bytes) {
  format::put_index_field(sink, column, notes, format::kPlacesField);
  CompactWriter out(sink, format::OffsetIndexField::kPageLocations);
  if (text_bytes != nullptr) {
    out.field_list(format::OffsetIndexField::kUnencodedByteArrayDataBytes, CompactType::kI64,
                   static_cast<std::uint32_t>(text_bytes->size()));
    for (const std::uint64_t bytes : *text_bytes) {
      put_element(out, bytes);
    }
  }
  out.byte(0);
}

void put_filter(thrift::WindowSink& sink, Span<const std::byte> filter) {
  CompactWriter out(sink);
  out.field_i32(BloomFilterHeaderField::kNumBytes, static_cast<std::int32_t>(filter.size()));
  for (const int field : {BloomFilterHeaderField::kAlgorithm, BloomFilterHeaderField::kHash,
                          BloomFilterHeaderField::kCompression}) {
    put_first_member(out, field);
  }
  out.byte(0);
  sink.put(filter);
}

void put_more_of_chunk(thrift::WindowSink& sink, const MoreOfChunk& more) {
  sink.put_byte(0);  // ends statistics
  CompactWriter out(sink, Meta::kStatistics);
  if (more.filter_bytes != 0) {
    out.field_i64(Meta::kBloomFilterOffset, more.filter_offset);
    out.field_i32(Meta::kBloomFilterLength, static_cast<std::int32_t>(more.filter_bytes));
  }
  if (more.has_text_bytes || more.has_levels) {
    out.field_struct(Meta::kSizeStatistics);
    if (more.has_text_bytes) {
      out.field_i64(SizeStatisticsField::kUnencodedByteArrayDataBytes, more.text_bytes);
    }
    if (more.has_levels) {
      out.field_list(SizeStatisticsField::kDefinitionLevelHistogram, CompactType::kI64, 2);
      put_level_counts(out, more.nulls, more.rows);
    }
    out.end_struct(Meta::kSizeStatistics);
  }
  out.byte(0);
}

}  // namespace microparquet::desktop
