// Reading many rows of one column at once.
#include <cstring>

#include "base/try.h"
#include "microparquet/decoder.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/reader.h"
#include "read/batch.h"
#include "read/column.h"
#include "read/row_run.h"

namespace microparquet {

namespace {

using detail::ColumnCursor;

// Adds some rows to the batch, at least one.
Status read_rows(ColumnCursor& column, std::uint32_t most, AnyBatch& batch) {
  read::RowRun run;
  MICROPARQUET_TRY(read::peek_run(column, most, run));
  MICROPARQUET_TRY(read::add_alike(column, run.null, run.level, 0, batch, run.rows));
  read::pass_run(column, run.rows);
  return Status::kOk;
}

// Returns how many rows come before value number `values`, or all rows if there is no such value.
std::uint32_t rows_of_values(const std::uint8_t* levels, std::uint32_t rows, std::uint32_t values) {
  for (std::uint32_t i = 0; i < rows; ++i) {
    if (levels[i] == 0) continue;
    if (values == 0) return i;
    --values;
  }
  return rows;
}

// Returns whether the column is optional and its levels lie in memory: then the levels of many rows are read
// first, and their values in one go.
bool reads_levels_first(const ColumnCursor& column) {
  return detail::kDesktop && column.page_rows != 0 && column.levels != nullptr &&
         column.levels->bit_width == 1 && column.levels->bytes.file == nullptr;
}

Status read_optional_rows(ColumnCursor& column, std::uint32_t most, AnyBatch& batch) {
  detail::LevelDecoder& levels = *column.levels;
  const detail::LevelDecoder before = levels;
  std::uint8_t* const out = batch.definition_levels + batch.level_count;
  std::uint32_t rows = column.page_rows < most ? column.page_rows : most;
  std::uint32_t wanted = 0;
  MICROPARQUET_TRY(levels.read(out, rows, wanted));
  std::uint32_t read = 0;
  Status status = Status::kOk;
  while (read < wanted && status == Status::kOk) {
    std::uint32_t more = 0;
    std::byte* const to =
        static_cast<std::byte*>(batch.values) + (batch.value_count + read) * read::batch_stride(column);
    status = column.decoder->read(PageInput(column), to, wanted - read, more);
    if (status == Status::kOk) read += more;
  }
  if (read < wanted) {  // keep the rows before the first missing value
    rows = rows_of_values(out, rows, read);
    levels = before;
    if (rows == 0) return status;
    MICROPARQUET_TRY(levels.read(out, rows, wanted));
  }
  batch.value_count += read;
  if (batch.repetition_levels != nullptr) std::memset(batch.repetition_levels + batch.level_count, 0, rows);
  batch.level_count += rows;
  column.page_rows -= rows;
  return Status::kOk;
}

Status view_rows(ColumnCursor& column, std::uint32_t most, ColumnRun& result) {
  read::RowRun run;
  MICROPARQUET_TRY(read::peek_run(column, most, run));
  result.rows = run.rows;
  result.data = nullptr;
  result.value_bytes = column.width;
  if (!run.null) {
    MICROPARQUET_TRY(column.decoder->view_run(PageInput(column), run.rows, result.rows));
    result.data = column.value;
  }
  read::pass_run(column, result.rows);
  return Status::kOk;
}

}  // namespace

Status Reader::next_batch(std::size_t i, AnyBatch& batch) {
  batch.level_count = 0;
  batch.value_count = 0;
  MICROPARQUET_TRY(read::enter_column(state_, i));
  const ColumnCursor& column = state_.columns[i];
  if (batch.places == 0 || (column.levels != nullptr && batch.definition_levels == nullptr))
    return Status::kInvalidArgument;
  return read::fill_batch(state_, i, batch, [&batch](ColumnCursor& rows, std::uint32_t most) {
    return reads_levels_first(rows) ? read_optional_rows(rows, most, batch) : read_rows(rows, most, batch);
  });
}

Status Reader::next_run(std::size_t i, ColumnRun& run) {
  constexpr std::uint32_t kMaxRows = 0x40000000;
  MICROPARQUET_TRY(read::enter_column(state_, i));
  return read::report(state_, static_cast<std::uint32_t>(i), view_rows(state_.columns[i], kMaxRows, run));
}

Status Reader::skip_value(std::size_t i) {
  MICROPARQUET_TRY(read::enter_column(state_, i));
  return read::report(state_, static_cast<std::uint32_t>(i), read::skip_value(state_.columns[i]));
}

}  // namespace microparquet
