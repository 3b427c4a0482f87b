// Rows: the next value of each chosen column, and of one column alone.
#include "read/rows.h"

#include <cstring>

#include "base/try.h"
#include "microparquet/decoder.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/reader.h"
#include "read/page.h"

namespace microparquet::read {

namespace {

using detail::ColumnCursor;

// Goes to the next row and returns in `has_value` whether it has a value.
Status enter_row(ColumnCursor& column, bool& has_value) {
  if (column.page_rows == 0) MICROPARQUET_TRY(next_page(column));
  has_value = true;
  if (column.levels == nullptr) return Status::kOk;
  std::uint8_t level = 0;
  std::uint32_t count = 0;
  MICROPARQUET_TRY(column.levels->peek(level, count));
  has_value = level == column.levels->maximum;
  return Status::kOk;
}

void leave_row(ColumnCursor& column) {
  if (column.levels != nullptr) column.levels->take(1);
  --column.page_rows;
}

}  // namespace

Status next_value(ColumnCursor& column) {
  bool has_value = false;
  MICROPARQUET_TRY(enter_row(column, has_value));
  if (has_value) {
    MICROPARQUET_TRY(column.decoder->next(PageInput(column)));
  } else {
    column.value = nullptr;
    column.value_bytes = 0;
  }
  leave_row(column);
  return Status::kOk;
}

Status skip_value(ColumnCursor& column) {
  bool has_value = false;
  MICROPARQUET_TRY(enter_row(column, has_value));
  if (has_value) MICROPARQUET_TRY(column.decoder->skip(PageInput(column)));
  leave_row(column);
  return Status::kOk;
}

Status report(detail::ReaderState& state, std::uint32_t i, Status status) {
  ColumnCursor& column = state.columns[i];
  if (status != Status::kOk) {
    state.failed = i;
    state.failed_status = status;
  }
  if (status == Status::kCorrupt) column.chunk_status = status;
  return status;
}

Status peek_run(detail::ColumnCursor& column, std::uint32_t most, RowRun& run) {
  if (column.page_rows == 0) {
    // The next page would overwrite views already given to the caller.
    if (column.pinned) return Status::kEnd;
    MICROPARQUET_TRY(next_page(column));
  }
  run.rows = column.page_rows < most ? column.page_rows : most;
  run.level = 0;
  run.null = false;
  if (column.levels == nullptr) return Status::kOk;
  std::uint32_t alike = 0;
  MICROPARQUET_TRY(column.levels->peek(run.level, alike));
  if (alike < run.rows) run.rows = alike;
  run.null = run.level != column.levels->maximum;
  return Status::kOk;
}

void pass_run(detail::ColumnCursor& column, std::uint32_t rows) {
  if (column.levels != nullptr) column.levels->take(rows);
  column.page_rows -= rows;
}

Status pass_rows(detail::ColumnCursor& column, std::uint64_t rows) {
  constexpr std::uint32_t kMaxRows = 0x40000000;
  while (rows != 0) {
    RowRun run;
    MICROPARQUET_TRY(peek_run(column, rows < kMaxRows ? static_cast<std::uint32_t>(rows) : kMaxRows, run));
    if (!run.null) {
      MICROPARQUET_TRY(column.decoder->skip(PageInput(column)));
      run.rows = 1;
    }
    pass_run(column, run.rows);
    rows -= run.rows;
  }
  return Status::kOk;
}

namespace {

// Passes the next page if it is a data page with at most `rows` values.
Status pass_whole_page(ColumnCursor& column, std::uint64_t rows, bool& passed) {
  format::PageHeader header;
  return pass_page(column, header, passed, [rows](const format::PageHeader& page) {
    const bool data = page.type == format::PageType::kData || page.type == format::PageType::kDataV2;
    return data && page.values <= rows;
  });
}

}  // namespace

Status pass_to(ColumnCursor& column, std::uint64_t left) {
  while (rows_left(column) > left) {
    const std::uint64_t rows = rows_left(column) - left;
    if (column.page_rows > rows) return pass_rows(column, rows);
    if (column.page_rows != 0) {  // the rest of the page
      column.page_rows = 0;
      column.drop_body();
      continue;
    }
    bool passed = false;
    MICROPARQUET_TRY(pass_whole_page(column, rows, passed));
    // Opens the page with the wanted row, or a dictionary before it, or a page that pass_page() left for
    // next_page() to report.
    if (!passed) MICROPARQUET_TRY(next_page(column));
  }
  return Status::kOk;
}

}  // namespace microparquet::read

namespace microparquet {

// Reading rows: the next value of each chosen column.

namespace {

using detail::ColumnCursor;
using detail::ReaderState;
using detail::ReadingMode;
using Step = Status (*)(ColumnCursor& column);

// Takes `step` in column `i`, unless its chunk is corrupt.
Status take_step(ReaderState& state, std::uint32_t i, Step step) {
  ColumnCursor& column = state.columns[i];
  Status status = column.chunk_status;
  if (status != Status::kCorrupt) status = step(column);
  return read::report(state, i, status);
}

// Checks that all columns end with the row group.
Status end_of_columns(ReaderState& state) {
  for (std::uint32_t i = 0; i < state.chosen; ++i) {
    const Status status = take_step(state, i, &read::next_page);
    if (status != Status::kEnd) return status == Status::kOk ? Status::kCorrupt : status;
  }
  return Status::kOk;
}

// Goes to the row group of the next row.
Status enter_row_group(Reader& reader, ReaderState& state) {
  if (state.chosen == 0 || state.mode >= ReadingMode::kPassing) return Status::kWrongState;
  while (state.rows_left == 0) {
    if (state.mode == ReadingMode::kRows) MICROPARQUET_TRY(end_of_columns(state));
    MICROPARQUET_TRY(reader.next_row_group());
  }
  state.mode = ReadingMode::kRows;
  return Status::kOk;
}

// Takes `step` in each column. If a column fails, the row is kept: repeating the call continues with that
// column.
Status take_row(Reader& reader, ReaderState& state, Step step) {
  forget_ready_rows(state);
  MICROPARQUET_TRY(enter_row_group(reader, state));
  for (std::uint32_t i = 0; i < state.chosen; ++i) {
    ColumnCursor& column = state.columns[i];
    if (column.fetched) continue;
    const Status status = take_step(state, i, step);
    if (status != Status::kOk) return status == Status::kEnd ? Status::kCorrupt : status;
    column.fetched = true;
  }
  for (std::uint32_t i = 0; i < state.chosen; ++i) state.columns[i].fetched = false;
  --state.rows_left;
  return Status::kOk;
}

// Counts the rows whose values are loaded, one after the other, in every column: a budget as the writer's.
[[gnu::noinline, maybe_unused]] std::uint32_t count_ready(const ReaderState& state) {
  std::uint64_t rows = state.rows_left;
  for (std::uint32_t i = 0; i < state.chosen; ++i) {
    const ColumnCursor& column = state.columns[i];
    if (column.levels != nullptr || column.decoder != &kPlainFixedDecoder || column.width == 0) return 0;
    if (column.page_rows < rows) rows = column.page_rows;
    const std::size_t there = column.available() / column.width;
    if (there < rows) rows = there;
  }
  return static_cast<std::uint32_t>(rows);
}

// Shows the next row. The values are as long as those of the row before, so only their addresses change.
[[maybe_unused]] void take_ready_row(ReaderState& state) {
  --state.ready_rows;
  --state.rows_left;
  for (ColumnCursor *column = state.columns, *const end = column + state.chosen; column != end; ++column) {
    std::byte* const at = column->cursor;
    column->value = at;
    column->cursor = at + column->width;
    --column->page_rows;
  }
}

}  // namespace

Status Reader::next_row() {
  if constexpr (!detail::kDesktop) return take_row(*this, state_, &read::next_value);
  if (state_.ready_rows != 0) {
    take_ready_row(state_);
    return Status::kOk;
  }
  MICROPARQUET_TRY(take_row(*this, state_, &read::next_value));
  state_.ready_rows = count_ready(state_);
  return Status::kOk;
}

// Skips a row. A column that has passed the row has no value of it to show: until all have passed it, only
// skip_row() may continue.
Status Reader::skip_row() {
  if (state_.mode == ReadingMode::kPassing) state_.mode = ReadingMode::kRows;
  const Status status = take_row(*this, state_, &read::skip_value);
  const bool waits = status != Status::kOk && status != Status::kCorrupt && state_.mode == ReadingMode::kRows;
  if (waits && state_.columns[0].fetched) state_.mode = ReadingMode::kPassing;
  return status;
}

// Reading rows as tagged values.

namespace {

void take(const Cell& cell, Type type, Value& value) {
  value.type = type;
  value.null = cell.null();
  if (value.null) return;
  switch (type) {
    case Type::kBoolean: value.boolean = cell.as<bool>(); break;
    case Type::kInt32: value.int32 = cell.as<std::int32_t>(); break;
    case Type::kInt64: value.int64 = cell.as<std::int64_t>(); break;
    case Type::kFloat: value.float32 = cell.as<float>(); break;
    case Type::kDouble: value.float64 = cell.as<double>(); break;
    case Type::kInt96:
    case Type::kByteArray:
    case Type::kFixedLenByteArray: value.bytes = cell.text(); break;
  }
}

}  // namespace

Status Reader::next_row(Span<Value> row) {
  if (row.size() != state_.chosen) return Status::kInvalidArgument;
  MICROPARQUET_TRY(next_row());
  for (std::size_t i = 0; i < row.size(); ++i) take(cell(i), state_.columns[i].type, row[i]);
  return Status::kOk;
}

// Reading many rows of one column at once.

namespace {

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

// Continuing after a corrupt page.

namespace {

using read::rows_left;

// Continues with the page after the corrupt one.
Status skip_corrupt(ColumnCursor& column) {
  const Status status = read::walk_headers(column);
  if (!read::is_damage(status) && status != Status::kOk) return status;
  read::leave_corrupt(column, status == Status::kOk);
  return Status::kOk;
}

// Skips the corrupt page of each column that has one; sets `any` if there is one.
Status skip_all_corrupt(ReaderState& state, bool& any) {
  for (std::uint32_t i = 0; i < state.chosen; ++i) {
    if (state.columns[i].chunk_status != Status::kCorrupt) continue;
    any = true;
    MICROPARQUET_TRY(read::report(state, i, skip_corrupt(state.columns[i])));
  }
  return Status::kOk;
}

// Returns the smallest number of rows left in a column that has not read the current row.
std::uint64_t fewest_left(const ReaderState& state) {
  std::uint64_t fewest = state.rows_left;
  for (std::uint32_t i = 0; i < state.chosen; ++i) {
    const ColumnCursor& column = state.columns[i];
    if (!column.fetched && rows_left(column) < fewest) fewest = rows_left(column);
  }
  return fewest;
}

// Passes rows until each column has `left` left.
// - kCorrupt: one of their pages is corrupt
Status align(ReaderState& state, std::uint64_t left) {
  forget_ready_rows(state);
  for (std::uint32_t i = 0; i < state.chosen; ++i) state.columns[i].fetched = false;
  for (std::uint32_t i = 0; i < state.chosen; ++i) {
    ColumnCursor& column = state.columns[i];
    MICROPARQUET_TRY(read::report(state, i, read::pass_rows(column, rows_left(column) - left)));
  }
  return Status::kOk;
}

}  // namespace

Status Reader::skip_page(std::uint64_t& rows) {
  ReaderState& state = state_;
  if (state.row_group == detail::kNoRowGroup || state.mode != ReadingMode::kRows) return Status::kWrongState;
  bool any = false;
  std::uint64_t left = 0;
  for (Status status = Status::kCorrupt; status != Status::kOk;) {
    MICROPARQUET_TRY(skip_all_corrupt(state, any));
    left = fewest_left(state);
    if (left == 0 || left == state.rows_left) break;
    status = align(state, left);
    if (status != Status::kOk && status != Status::kCorrupt) return status;
  }
  if (!any && left == state.rows_left) return Status::kWrongState;
  rows = state.rows_left - left;
  state.rows_left = left;
  // Some columns may not have reached their end.
  if (left == 0 && rows != 0) state.mode = ReadingMode::kUndecided;
  return Status::kOk;
}

Status Reader::skip_page(std::size_t i, std::uint64_t& rows) {
  if (state_.row_group == detail::kNoRowGroup || state_.mode != ReadingMode::kColumns || i >= state_.chosen)
    return Status::kWrongState;
  ColumnCursor& column = state_.columns[i];
  // The number of items in a missing row is unknown, so repeated columns cannot continue here.
  if (column.chunk_status != Status::kCorrupt || state_.leaves[column.column].max_repetition != 0)
    return Status::kWrongState;
  const std::uint64_t before = rows_left(column);
  MICROPARQUET_TRY(read::report(state_, static_cast<std::uint32_t>(i), skip_corrupt(column)));
  rows = before - rows_left(column);
  return Status::kOk;
}

}  // namespace microparquet
