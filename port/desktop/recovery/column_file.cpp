#include "column_file.h"

#include "microparquet/detail/format/magic.h"
#include "thrift_dom/footer_parts.h"

namespace microparquet::recovery {

using format::kMagicBytes;

Status ColumnFile::open(const std::vector<Piece>& pieces, const SchemaElement& element, ByteView chunk,
                        std::uint64_t rows) {
  constexpr std::uint32_t kFooterBytes = 1 << 10;
  view_.emplace(pages_, pieces);
  view_->set_end(build_footer(fields_of_column(element), {row_group_of(chunk, rows)}, std::nullopt));
  const Status status = open_.open(*view_, kFooterBytes);
  return status == Status::kOk ? open_.reader().next_row_group() : status;
}

Status ColumnFile::open(const SchemaElement& element, ByteView chunk, std::uint64_t rows) {
  return open({{0, bytes_of(pages_)}}, element, chunk, rows);
}

Status ColumnFile::open(const SchemaElement& element, const ColumnChunkInfo& chunk, const PageRun& run,
                        std::uint64_t rows, const std::optional<Piece>& dictionary) {
  const Piece before = dictionary.value_or(Piece());
  const std::uint64_t data_bytes = run.end - run.begin;
  return open({{0, kMagicBytes}, before, {run.begin, data_bytes}}, element,
              chunk_of_pages(element, chunk, run.values, data_bytes, before.bytes), rows);
}

Status ColumnFile::begin(std::uint32_t buffer_bytes) {
  const ColumnChoice column = {0, buffer_bytes};
  const Status status = open_.choose_items({&column, 1}, buffer_bytes);
  return status == Status::kOk ? open_.reader().next_row_group() : status;
}

}  // namespace microparquet::recovery
