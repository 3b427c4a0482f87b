#include "format/page_index_writer.h"

#include "format/page_index_field.h"
#include "microparquet/detail/format/fields.h"
#include "thrift/compact_writer.h"

namespace microparquet::format {

void put_index_part(thrift::WindowSink& sink, const detail::ColumnWriter& column, detail::ColumnNotes& notes,
                    unsigned part) {
  int id = part != 0 ? kPlacesField : ColumnIndexField::kNullPages;
  do {
    put_index_field(sink, column, notes, id);
  } while (++id < kPlacesField);
}

void put_place(thrift::WindowSink& sink, const std::uint64_t& base, std::uint32_t begin,
               std::uint32_t bytes) {
  if (bytes == 0 || base == 0) return;
  thrift::CompactWriter::put_i64(sink, kNextI64, base + begin);
  thrift::CompactWriter::put_i64(sink, kNextI32, bytes);
}

}  // namespace microparquet::format
