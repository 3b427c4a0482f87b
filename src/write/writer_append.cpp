#include "base/try.h"
#include "microparquet/column_values.h"
#include "microparquet/detail/column_writer.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/detail/grant_rows.h"
#include "microparquet/sorting.h"
#include "microparquet/writer.h"
#include "write/desktop/borrowed_values.h"
#include "write/desktop/valid_rows.h"

namespace microparquet::detail {

void ColumnWriter::open_page() {
  values = page + plan->header_bytes;
  cursor = values;
  page_state = PageState::kOpen;
  if (plan->encoder->begin_page != nullptr) plan->encoder->begin_page(*this);
}

std::uint32_t ColumnWriter::prepare_rows(std::uint32_t most) {
  if (page_state != PageState::kOpen) return 0;
  if (levels != nullptr) return plan->levels->prepare_rows(*this, most);
  const std::uint32_t rows = plan->encoder->values_that_fit(*this, free_bytes(), 0);
  return rows < most ? rows : most;
}

}  // namespace microparquet::detail

namespace microparquet {

// Rows and column batches for schemas built at run time.

namespace {

using detail::ColumnWriter;
using detail::WriterState;

constexpr std::uint8_t kPresent = 1;  // definition level of a value in a flat optional column

bool is_byte_array(const ColumnWriter& column) { return column.plan->shape.type == Type::kByteArray; }

// Returns whether the encoder must be asked about each value.
bool is_asked(const ColumnWriter& column) {
  return column.plan->encoder->accepts != nullptr && (column.levels != nullptr || is_byte_array(column));
}

Status check_value(const Field& field, const Value& value) {
  if (value.null) return detail::is_optional(field) ? Status::kOk : Status::kNullValue;
  if (value.type != field.type) return Status::kInvalidArgument;
  const bool int96 = detail::kDesktop && field.type == Type::kInt96;
  if (int96 && value.bytes.size() != sizeof(Int96)) return Status::kInvalidArgument;
  const bool fixed = field.type == Type::kFixedLenByteArray;
  return fixed && value.bytes.size() != field.type_length ? Status::kInvalidArgument : Status::kOk;
}

// Returns the address where the encoder finds the value; null for a null.
const void* address_of(const Value& value) {
  if (value.null) return nullptr;
  switch (value.type) {
    case Type::kByteArray: return &value.bytes;
    case Type::kInt96:
    case Type::kFixedLenByteArray: return value.bytes.data();
    default: return &value.int64;  // all members of the union begin at one place
  }
}

// Shows a row to the sort checker; `value_of(column)` returns the address of its value in a column.
template <typename ValueOf>
void observe_order(WriterState& state, ValueOf value_of) {
  const SortOrder& order = state.options->sorting;
  for (std::size_t key = 0; key < order.columns.size(); ++key) {
    const SortingColumn& column = order.columns[key];
    order.checker->observe(sort_state_of(state), key, column, state.fields[column.column],
                           value_of(column.column));
  }
}

// Returns the bytes of an element in the caller's array; byte arrays are views.
std::size_t element_bytes(const ColumnWriter& column) {
  return is_byte_array(column) ? sizeof(std::string_view) : column.plan->shape.value_bytes;
}

bool valid_at(const ColumnData& data, std::size_t row) {
  return data.valid == nullptr || data.valid[row] != 0;
}

constexpr std::size_t kNotAccepted = ~std::size_t{0};

// Returns how many of `rows` rows from `first` on fit in the open page of `column`. `bytes` becomes the size
// of the first value that does not fit.
[[gnu::noinline]] std::uint32_t fitting_rows(ColumnWriter& column, const ColumnData& data, std::size_t first,
                                             std::uint32_t rows, std::size_t& bytes) {
  const std::size_t width = element_bytes(column);
  const auto* value = static_cast<const std::byte*>(data.values) + first * width;
  std::size_t free = column.free_bytes();
  for (std::uint32_t i = 0; i < rows; ++i, value += width) {
    if (!valid_at(data, first + i)) continue;
    if (is_byte_array(column)) {
      bytes = reinterpret_cast<const std::string_view*>(value)->size();
      if (!column.fits(bytes, free)) return i;
      free -= column.plan->encoder->most_bytes(column, bytes);
    }
    if (column.accepts(value)) continue;
    bytes = kNotAccepted;
    return i;
  }
  return rows;
}

// noinline, as observe_rows below: their variables are off the stack while pages are closed.
[[gnu::noinline]] void put_rows(ColumnWriter& column, const ColumnData& data, std::size_t first,
                                std::uint32_t rows) {
  const std::size_t width = element_bytes(column);
  const auto* values = static_cast<const std::byte*>(data.values) + first * width;
  if (column.levels == nullptr) {
    column.plan->encoder->put(column, values, rows);
    return;
  }
  if constexpr (detail::kDesktop) {
    if (data.valid != nullptr && write::put_valid_rows(column, values, data.valid + first, rows)) return;
  }
  for (std::uint32_t i = 0; i < rows;) {
    const bool valid = valid_at(data, first + i);
    std::uint32_t run = data.valid == nullptr ? rows : 1;
    while (i + run < rows && valid_at(data, first + i + run) == valid) ++run;
    column.plan->levels->put(column, valid ? kPresent : 0, run);
    if (valid) column.plan->encoder->put(column, values + i * width, run);
    i += run;
  }
}

// Part of a batch that fits in the open pages.
struct Fit {
  std::uint32_t rows;
  ColumnWriter* full;  // the column that takes none; null: there is none
  std::size_t bytes;   // size of its next value
};

// Finds how many of `rows` rows from `first` on fit. noinline for the same reason as put_rows.
[[gnu::noinline]] Status fit_rows(const WriterState& state, const ColumnData* columns, std::size_t first,
                                  std::size_t rows, Fit& fit) {
  fit.rows = static_cast<std::uint32_t>(rows < state.budget ? rows : state.budget);
  fit.full = nullptr;
  for (std::uint32_t i = 0; i < state.plan->columns_count; ++i) {
    ColumnWriter& column = state.columns[i];
    const ColumnData& data = columns[i];
    if (data.valid != nullptr && column.levels == nullptr) {
      std::uint32_t filled = 0;
      while (filled < fit.rows && valid_at(data, first + filled)) ++filled;
      if (filled == 0) return Status::kNullValue;
      fit.rows = filled;
    }
    if (!is_byte_array(column) && !is_asked(column)) continue;
    fit.rows = fitting_rows(column, data, first, fit.rows, fit.bytes);
    if (fit.rows != 0) continue;
    fit.full = &column;
    break;
  }
  return Status::kOk;
}

[[gnu::noinline]] void observe_rows(WriterState& state, const ColumnData* columns, std::size_t first,
                                    std::uint32_t rows) {
  for (std::size_t row = first; row < first + rows; ++row) {
    observe_order(state, [&](std::uint32_t column) -> const void* {
      if (!valid_at(columns[column], row)) return nullptr;
      return static_cast<const std::byte*>(columns[column].values) +
             row * element_bytes(state.columns[column]);
    });
  }
}

// Returns whether the value is a number of the column's type, in a required column of PLAIN.
bool is_plain_number(const ColumnWriter& column, const Value& value) {
  const detail::ColumnPlan& plan = *column.plan;
  return !value.null && value.type == plan.shape.type && plan.encoder == &kPlainFixed &&
         column.levels == nullptr && value.type != Type::kFixedLenByteArray;
}

// Puts a row of such numbers: most rows go this way, in two short loops. Requires: it fits.
[[maybe_unused]] bool put_numbers(WriterState& state, const Value* row) {
  const std::uint32_t count = state.plan->columns_count;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!is_plain_number(state.columns[i], row[i])) return false;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    ColumnWriter& column = state.columns[i];
    if (column.plan->shape.value_bytes == sizeof(std::int64_t)) {
      column.put_plain(row[i].int64);
    } else {
      column.put_plain(row[i].int32);
    }
  }
  --state.budget;
  return true;
}

}  // namespace

Status Writer::append(Span<const Value> row) {
  WriterState& state = state_;
  if (state.budget == 0) MICROPARQUET_TRY(detail::grant_rows(state));
  if (row.size() != state.plan->columns_count) return Status::kInvalidArgument;
  if constexpr (detail::kDesktop) {
    if (!is_sorted(state) && put_numbers(state, row.data())) return Status::kOk;
  }
  for (std::uint32_t i = 0; i < state.plan->columns_count; ++i)
    MICROPARQUET_TRY(check_value(state.fields[i], row[i]));
  for (bool again = true; again;) {
    again = false;
    for (std::uint32_t i = 0; i < state.plan->columns_count; ++i) {
      ColumnWriter& column = state.columns[i];
      if (row[i].null) continue;
      if (is_byte_array(column) && !column.fits(row[i].bytes.size())) {
        MICROPARQUET_TRY(detail::grant_rows_for(state, column, row[i].bytes.size()));
        again = true;
      } else if (is_asked(column) && !column.accepts(address_of(row[i]))) {
        MICROPARQUET_TRY(detail::grant_rows_after(state, column));
        again = true;
      }
    }
  }
  if (is_sorted(state)) observe_order(state, [&](std::uint32_t column) { return address_of(row[column]); });
  for (std::uint32_t i = 0; i < state.plan->columns_count; ++i) {
    ColumnWriter& column = state.columns[i];
    if (column.levels != nullptr) {
      column.put(address_of(row[i]), row[i].null ? 0 : kPresent, 0);
    } else {
      column.plan->encoder->put(column, address_of(row[i]), 1);
    }
  }
  --state.budget;
  return Status::kOk;
}

namespace {

Status take_columns(WriterState& state, Span<const ColumnData> columns, std::size_t rows) {
  for (std::size_t done = 0; done < rows;) {
    if (state.budget == 0) MICROPARQUET_TRY(detail::grant_rows(state));
    Fit fit{};
    MICROPARQUET_TRY(fit_rows(state, columns.data(), done, rows - done, fit));
    if (fit.full != nullptr) {
      MICROPARQUET_TRY(fit.bytes == kNotAccepted ? detail::grant_rows_after(state, *fit.full)
                                                 : detail::grant_rows_for(state, *fit.full, fit.bytes));
      continue;
    }
    if (is_sorted(state)) observe_rows(state, columns.data(), done, fit.rows);
    for (std::uint32_t i = 0; i < state.plan->columns_count; ++i) {
      if constexpr (detail::kDesktop) {
        if (write::borrow_rows(state, state.columns[i], columns[i], done, fit.rows, rows - done)) continue;
      }
      put_rows(state.columns[i], columns[i], done, fit.rows);
    }
    state.budget -= fit.rows;
    done += fit.rows;
  }
  return Status::kOk;
}

}  // namespace

Status Writer::append_columns(Span<const ColumnData> columns, std::size_t rows) {
  WriterState& state = state_;
  if (state.plan == nullptr) return Status::kWrongState;
  if (columns.size() != state.plan->columns_count) return Status::kInvalidArgument;
  if constexpr (detail::kDesktop) write::foresee_nulls(state, columns.data(), rows);
  const Status status = take_columns(state, columns, rows);
  if constexpr (detail::kDesktop) write::give_back(state);
  return status;
}

}  // namespace microparquet
