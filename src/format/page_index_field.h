// A field of a written column chunk's ColumnIndex or OffsetIndex (parquet.thrift).
#pragma once

#include <cstdint>

#include "format/page_index_writer.h"
#include "microparquet/bounds_tracker.h"
#include "microparquet/detail/format/fields.h"
#include "thrift/compact_writer.h"

namespace microparquet::format {

// Returns the header of a field whose number is one above the last field's.
constexpr std::uint8_t next_field(thrift::CompactType type) { return thrift::field_byte(1, type, 0); }
inline constexpr std::uint8_t kNextI32 = next_field(thrift::CompactType::kI32);
inline constexpr std::uint8_t kNextI64 = next_field(thrift::CompactType::kI64);
inline constexpr std::uint8_t kNextList = next_field(thrift::CompactType::kList);

// Returns a list header in the long form, for any number of pages.
constexpr std::uint8_t list_of(thrift::CompactType element) { return thrift::list_byte(element, 15); }

// The fields of a ColumnIndex up to its null counts are followed here by the first one of an OffsetIndex.
inline constexpr int kPlacesField = ColumnIndexField::kNullCounts + 1;

// First bytes of these fields. For BoundaryOrder they are the whole field, which says that there is no order.
inline constexpr std::uint8_t kIndexFields[kPlacesField][2] = {
    {kNextList, list_of(thrift::CompactType::kTrue)},   {kNextList, list_of(thrift::CompactType::kBinary)},
    {kNextList, list_of(thrift::CompactType::kBinary)}, {kNextI32, 0},
    {kNextList, list_of(thrift::CompactType::kI64)},    {kNextList, list_of(thrift::CompactType::kStruct)}};

// Puts field `id`. An element of its list ends with a number, which may be the length of a text, and the
// text; the stop byte of a page location is such a number too. It is inlined into the only caller in a
// program.
[[gnu::always_inline]] inline void put_index_field(thrift::WindowSink& sink,
                                                   const detail::ColumnWriter& column,
                                                   detail::ColumnNotes& notes, int id) {
  using Index = ColumnIndexField;
  using thrift::CompactWriter;
  sink.put(kIndexFields[id - 1], sizeof kIndexFields[0]);
  if (id == Index::kBoundaryOrder) return;
  CompactWriter(sink).varint(notes.pages);
  std::uint32_t begin = 0;
  std::uint32_t row = 0;
  for (std::uint32_t at = notes.next; at != 0;) {
    detail::PageNote& page = page_note(notes, at);
    std::uint32_t number = 0;
    Span<const std::byte> text;
    if (id == kPlacesField) {
      put_place(sink, column.chunk_begin, begin, page.bytes);
      begin += page.bytes;
      CompactWriter::put_i64(sink, kNextI64, row);
      row = page.end;
    } else {
      const Bounds bounds = column.plan->bounds->bounds(&page + 1, column.plan->shape);
      if (id == Index::kNullPages) {
        number = 1U + bounds.known;  // kTrue, kFalse
      } else if (id == Index::kNullCounts) {
        number = page.nulls << 1;
      } else {
        // Bounds of a page without values are empty.
        if (bounds.known) text = id == Index::kMinValues ? bounds.min : bounds.max;
        number = static_cast<std::uint32_t>(text.size());
      }
    }
    CompactWriter(sink).varint(number);
    sink.put(text);
    at = page.next;
  }
}

}  // namespace microparquet::format
