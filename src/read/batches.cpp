// Many rows of one column at once.
#include <cstring>

#include "microparquet/decoding.h"
#include "microparquet/reader.h"
#include "read/column.h"
#include "read/page.h"
#include "util/try.h"

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
  state.columns[i].pinned = false;
  return Status::kOk;
}

// The next rows that are alike: `count` values, `most` at the most, or as many nulls.
Status peek_rows(ColumnCursor& column, std::uint32_t most, std::uint8_t& level, std::uint32_t& count) {
  if (column.page_rows == 0) {
    // Views that have been given out would not survive the next page.
    if (column.pinned) return Status::kEnd;
    MICROPARQUET_TRY(read::next_page(column));
  }
  count = column.page_rows;
  if (column.levels != nullptr) {
    std::uint32_t alike = 0;
    MICROPARQUET_TRY(column.levels->peek(level, alike));
    if (alike < count) count = alike;
  }
  if (count > most) count = most;
  return Status::kOk;
}

bool is_null(const ColumnCursor& column, std::uint8_t level) {
  return column.levels != nullptr && level != column.levels->maximum;
}

void pass_rows(ColumnCursor& column, std::uint32_t count) {
  if (column.levels != nullptr) column.levels->take(count);
  column.page_rows -= count;
}

// Some more rows, at least one.
Status read_rows(ColumnCursor& column, std::byte* values, std::uint8_t* levels, std::uint32_t most,
                 std::uint32_t& read) {
  std::uint8_t level = 0;
  MICROPARQUET_TRY(peek_rows(column, most, level, read));
  if (!is_null(column, level)) {
    const std::uint32_t wanted = read;
    MICROPARQUET_TRY(column.decoder->read(column, values, wanted, read));
  }
  if (levels != nullptr) std::memset(levels, level, read);
  pass_rows(column, read);
  return Status::kOk;
}

Status told(ReaderState& state, const ColumnCursor& column, Status status) {
  if (status == Status::kValueTooLarge) state.needed_bytes = column.too_large;
  return status;
}

constexpr std::size_t kMostRows = 0x40000000;

}  // namespace

Status Reader::next_batch(std::size_t i, void* values, std::uint8_t* levels, std::size_t& rows) {
  MICROPARQUET_TRY(enter(state_, i));
  ColumnCursor& column = state_.columns[i];
  if (rows == 0 || (column.levels != nullptr && levels == nullptr)) return Status::kInvalidArgument;
  const auto wanted = static_cast<std::uint32_t>(rows < kMostRows ? rows : kMostRows);
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
  if (done == 0) return told(state_, column, status);
  rows = done;
  return Status::kOk;
}

Status Reader::next_run(std::size_t i, ColumnRun& run) {
  MICROPARQUET_TRY(enter(state_, i));
  ColumnCursor& column = state_.columns[i];
  std::uint8_t level = 0;
  std::uint32_t rows = 0;
  MICROPARQUET_TRY(peek_rows(column, kMostRows, level, rows));
  run.data = nullptr;
  if (!is_null(column, level)) {
    const std::uint32_t wanted = rows;
    MICROPARQUET_TRY(column.decoder->lend(column, wanted, rows));
    run.data = column.value;
  }
  run.rows = rows;
  run.value_bytes = column.width;
  pass_rows(column, rows);
  return Status::kOk;
}

Status Reader::skip_value(std::size_t i) {
  MICROPARQUET_TRY(enter(state_, i));
  return told(state_, state_.columns[i], read::skip_value(state_.columns[i]));
}

}  // namespace microparquet
