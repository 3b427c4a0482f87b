// Space for rows of lists, and row groups with them: a chunk has as many values as slots.
#include "base/try.h"
#include "format/row_group.h"
#include "microparquet/detail/array_encoder.h"
#include "microparquet/detail/grant_rows.h"
#include "microparquet/detail/list_levels.h"
#include "write/dictionary_proof.h"
#include "write/encoded_chunks.h"
#include "write/indexed_chunks.h"
#include "write/page.h"
#include "write/row_group.h"

namespace microparquet::detail {

namespace {

[[gnu::noinline]] Status grant_list_row(WriterState& state, ColumnWriter& column, const RowNeed& need) {
  if (!fits_empty_list_page(column, need)) return Status::kValueTooLarge;
  if (make_space_for_row(column, need)) return Status::kOk;
  const std::uint32_t left = state.budget;
  write::settle_rows(state);
  MICROPARQUET_TRY(write::close_page(state, column));
  if (make_space_for_row(column, need)) {
    state.granted = left;  // nothing has been put into the others
    state.budget = left;
    return Status::kOk;
  }
  state.row_group_ending = true;  // the next page is a short one, or there is none
  return grant_rows(state);
}

}  // namespace

Status fit_list_row(WriterState& state, ColumnWriter& column, const RowNeed& need, bool& again) {
  if (fits_row(column, need)) return Status::kOk;
  again = true;
  return grant_list_row(state, column, need);
}

namespace {

// NOLINTBEGIN(bugprone-derived-method-shadowing-base-method)
std::uint32_t slots_in_chunk(const ColumnWriter& column, std::uint32_t rows) {
  return is_list(column) ? rows + list_state(column).more_in_chunk : rows * slots_of_row(column);
}

struct ListChunks : format::PlainChunks {
  std::uint32_t values(const ColumnWriter& column, std::uint32_t rows) const {
    return slots_in_chunk(column, rows);
  }
};

struct EncodedListChunks : write::EncodedChunks {
  std::uint32_t values(const ColumnWriter& column, std::uint32_t rows) const {
    return slots_in_chunk(column, rows);
  }
};
// NOLINTEND(bugprone-derived-method-shadowing-base-method)

}  // namespace

std::uint32_t write_list_row_group(thrift::WindowSink& sink, const WriterState& state) {
  return format::write_row_group_of(sink, state, ListChunks{});
}

std::uint32_t write_indexed_list_row_group(thrift::WindowSink& sink, const WriterState& state) {
  return format::write_row_group_of(sink, state, write::IndexedChunks<ListChunks>(state));
}

std::uint32_t write_encoded_list_row_group(thrift::WindowSink& sink, const WriterState& state) {
  return format::write_row_group_of(sink, state, EncodedListChunks{{state}});
}

std::uint32_t write_list_row_group_with_dictionaries(thrift::WindowSink& sink, const WriterState& state) {
  return write::put_proof(sink, state, write_encoded_list_row_group(sink, state));
}

}  // namespace microparquet::detail
