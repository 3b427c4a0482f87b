// Row groups with arrays: the chunk of one has as many values for each row as the array.
#include "format/row_group.h"
#include "microparquet/detail/array_encoder.h"
#include "write/encoded_chunks.h"
#include "write/indexed_chunks.h"

namespace microparquet::detail {
namespace {

// write_row_group_of() knows the class, and calls what shadows.
// NOLINTBEGIN(bugprone-derived-method-shadowing-base-method)
struct ArrayChunks : format::PlainChunks {
  std::uint32_t values(const ColumnWriter& column, std::uint32_t rows) const {
    return rows * slots_of_row(column);
  }
};

struct EncodedArrayChunks : write::EncodedChunks {
  std::uint32_t values(const ColumnWriter& column, std::uint32_t rows) const {
    return rows * slots_of_row(column);
  }
};

// NOLINTEND(bugprone-derived-method-shadowing-base-method)

}  // namespace

std::uint32_t write_array_row_group(thrift::WindowSink& sink, const WriterState& state) {
  return format::write_row_group_of(sink, state, ArrayChunks{});
}

std::uint32_t write_indexed_array_row_group(thrift::WindowSink& sink, const WriterState& state) {
  return format::write_row_group_of(sink, state, write::IndexedChunks<ArrayChunks>(state));
}

std::uint32_t write_encoded_array_row_group(thrift::WindowSink& sink, const WriterState& state) {
  return format::write_row_group_of(sink, state, EncodedArrayChunks{{state}});
}

}  // namespace microparquet::detail
