#include "format/page_index_writer.h"

#include "microparquet/detail/format/fields.h"
#include "thrift/compact_writer.h"

namespace microparquet::format {
namespace {

using thrift::CompactType;
using thrift::CompactWriter;
using thrift::field_byte;
using thrift::WindowSink;

constexpr unsigned kNextI64 = field_byte(1, CompactType::kI64, 0);
constexpr unsigned kNextI32 = field_byte(1, CompactType::kI32, 0);

}  // namespace

// The fields of both structures that are lists of something of each page, and the one between them.
void put_index_part(WindowSink& sink, const detail::ColumnWriter& column, detail::ColumnNotes& notes,
                    unsigned part, unsigned order) {
  using Index = ColumnIndexField;
  constexpr int kPlaces = Index::kNullCounts + 1;
  static constexpr CompactType kElements[] = {CompactType::kTrue, CompactType::kBinary, CompactType::kBinary,
                                              CompactType::kI32,  CompactType::kI64,    CompactType::kStruct};
  std::uint64_t begin = column.chunk_begin;
  std::uint32_t row = 0;
  int id = part != 0 ? kPlaces : Index::kNullPages;
  do {
    if (id == Index::kBoundaryOrder) {
      CompactWriter::put_i64(sink, kNextI32, order);
      continue;
    }
    sink.put_byte(field_byte(1, CompactType::kList, 0));      // a field more than the one before it
    sink.put_byte(thrift::list_byte(kElements[id - 1], 15));  // in the long form, for any number
    CompactWriter(sink).varint(notes.pages);
    for_each_page(notes, [&](PageNote& page) {
      if (id == kPlaces) {
        put_index_place(sink, begin, page.bytes);
        CompactWriter::put_i64(sink, kNextI64, row);
        begin += page.bytes;
        row += page.rows;
        return sink.put_byte(0);
      }
      if (id == Index::kNullPages) {
        return sink.put_byte(
            static_cast<unsigned>(page.nulls == page.rows ? CompactType::kTrue : CompactType::kFalse));
      }
      if (id == Index::kNullCounts) return CompactWriter(sink).varint(std::uint64_t{page.nulls} << 1);
      // Those of a page without values are empty.
      const Bounds bounds = column.plan->bounds->bounds(&page + 1, column.plan->shape);
      Span<const std::byte> bound = id == Index::kMinValues ? bounds.min : bounds.max;
      if (!bounds.known) bound = {};
      sink.put_byte(static_cast<unsigned>(bound.size()));  // less than 128
      sink.put(bound);
    });
  } while (++id < kPlaces);
}

void put_index_place(WindowSink& sink, std::uint64_t offset, std::uint32_t bytes) {
  CompactWriter::put_i64(sink, kNextI64, offset);
  CompactWriter::put_i64(sink, kNextI32, bytes);
}

}  // namespace microparquet::format
