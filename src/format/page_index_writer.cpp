#include "format/page_index_writer.h"

#include "microparquet/detail/format/fields.h"
#include "thrift/compact_writer.h"

namespace microparquet::format {
namespace {

using thrift::CompactType;
using thrift::CompactWriter;
using thrift::field_byte;
using thrift::WindowSink;

// In the long form, for any number.
void begin_page_list(WindowSink& sink, CompactType element, std::uint32_t pages) {
  sink.put_byte(field_byte(1, CompactType::kList, 0));  // a field more than the one before it
  sink.put_byte(thrift::list_byte(element, 15));
  CompactWriter(sink).varint(pages);
}

constexpr unsigned kNextI64 = field_byte(1, CompactType::kI64, 0);
constexpr unsigned kNextI32 = field_byte(1, CompactType::kI32, 0);

}  // namespace

void put_offset_index(WindowSink& sink, const NotedPages& pages, std::uint64_t begin) {
  begin_page_list(sink, CompactType::kStruct, pages.count);
  std::uint32_t row = 0;
  for_each_page(pages, [&](const PageNote& page) {
    put_index_place(sink, begin, page.bytes);
    CompactWriter::put_i64(sink, kNextI64, row);
    sink.put_byte(0);
    begin += page.bytes;
    row += page.rows;
  });
}

void put_column_index(WindowSink& sink, const NotedPages& pages, unsigned order) {
  using Index = ColumnIndexField;
  constexpr CompactType kElements[] = {CompactType::kTrue, CompactType::kBinary, CompactType::kBinary,
                                       CompactType::kI32, CompactType::kI64};
  for (int id = Index::kNullPages; id <= Index::kNullCounts; ++id) {
    if (id == Index::kBoundaryOrder) {
      CompactWriter::put_i64(sink, kNextI32, order);
      continue;
    }
    begin_page_list(sink, kElements[id - 1], pages.count);
    for_each_page(pages, [&](PageNote& page) {
      if (id == Index::kNullPages) {
        return sink.put_byte(
            static_cast<unsigned>(page.nulls == page.rows ? CompactType::kTrue : CompactType::kFalse));
      }
      if (id == Index::kNullCounts) return CompactWriter(sink).varint(std::uint64_t{page.nulls} << 1);
      // Those of a page without values are empty.
      const Bounds bounds = pages.tracker.bounds(&page + 1, pages.shape);
      Span<const std::byte> bound = id == Index::kMinValues ? bounds.min : bounds.max;
      if (page.nulls == page.rows) bound = {};
      sink.put_byte(static_cast<unsigned>(bound.size()));  // less than 128
      sink.put(bound);
    });
  }
}

void put_index_place(WindowSink& sink, std::uint64_t offset, std::uint32_t bytes) {
  CompactWriter::put_i64(sink, kNextI64, offset);
  CompactWriter::put_i64(sink, kNextI32, bytes);
}

}  // namespace microparquet::format
