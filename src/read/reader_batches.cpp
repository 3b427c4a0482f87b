// Many rows of one column at once.
#include <cstring>

#include "base/try.h"
#include "microparquet/decoding.h"
#include "microparquet/reader.h"
#include "read/column.h"
#include "read/row_run.h"

namespace microparquet {

namespace {

using detail::ColumnCursor;
using detail::ReaderState;
using detail::ReadingMode;

// Bytes from one value to the next in the caller's array.
std::size_t stride(const ColumnCursor& column) {
  switch (column.type) {
    case Type::kBoolean: return sizeof(bool);
    case Type::kByteArray: return sizeof(std::string_view);
    default: return column.width;
  }
}

Status enter(ReaderState& state, std::size_t i) {
  if (state.row_group == detail::kNoRowGroup || state.mode == ReadingMode::kRows) return Status::kWrongState;
  if (i >= state.chosen) return Status::kInvalidArgument;
  state.mode = ReadingMode::kColumns;
  ColumnCursor& column = state.columns[i];
  column.pinned = false;
  return column.chunk_status == Status::kCorrupt ? Status::kCorrupt : Status::kOk;
}

// Some more rows, at least one.
Status read_rows(ColumnCursor& column, std::byte* values, std::uint8_t* levels, std::uint32_t most,
                 std::uint32_t& read) {
  read::RowRun run;
  MICROPARQUET_TRY(read::peek_run(column, most, run));
  read = run.rows;
  if (!run.null) MICROPARQUET_TRY(column.decoder->read(column, values, run.rows, read));
  if (levels != nullptr) std::memset(levels, run.level, read);
  read::pass_run(column, read);
  return Status::kOk;
}

Status lend_rows(ColumnCursor& column, std::uint32_t most, ColumnRun& result) {
  read::RowRun run;
  MICROPARQUET_TRY(read::peek_run(column, most, run));
  result.rows = run.rows;
  result.data = nullptr;
  result.value_bytes = column.width;
  if (!run.null) {
    MICROPARQUET_TRY(column.decoder->lend(column, run.rows, result.rows));
    result.data = column.value;
  }
  read::pass_run(column, result.rows);
  return Status::kOk;
}

constexpr std::size_t kMaxRows = 0x40000000;

}  // namespace

Status Reader::next_batch(std::size_t i, void* values, std::uint8_t* levels, std::size_t& rows) {
  MICROPARQUET_TRY(enter(state_, i));
  ColumnCursor& column = state_.columns[i];
  if (rows == 0 || (column.levels != nullptr && levels == nullptr)) return Status::kInvalidArgument;
  const auto wanted = static_cast<std::uint32_t>(rows < kMaxRows ? rows : kMaxRows);
  auto* const out = static_cast<std::byte*>(values);
  const std::size_t step = stride(column);
  std::uint32_t done = 0;
  Status status = Status::kOk;
  while (done < wanted && status == Status::kOk) {
    std::uint32_t read = 0;
    status = read_rows(column, out + done * step, levels != nullptr ? levels + done : nullptr, wanted - done,
                       read);
    if (status == Status::kOk) done += read;
  }
  // What stopped the batch is told by the next one, which has no rows to give.
  if (done == 0) return read::told(state_, static_cast<std::uint32_t>(i), status);
  rows = done;
  return Status::kOk;
}

Status Reader::next_run(std::size_t i, ColumnRun& run) {
  MICROPARQUET_TRY(enter(state_, i));
  return read::told(state_, static_cast<std::uint32_t>(i), lend_rows(state_.columns[i], kMaxRows, run));
}

Status Reader::skip_value(std::size_t i) {
  MICROPARQUET_TRY(enter(state_, i));
  return read::told(state_, static_cast<std::uint32_t>(i), read::skip_value(state_.columns[i]));
}

}  // namespace microparquet
