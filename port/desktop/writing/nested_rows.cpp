// Batches of slots into the open pages: as many rows at once as fit in all columns.
#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>
#include <vector>

#include "microparquet/desktop/nested_file.h"
#include "microparquet/detail/encoding/length_prefix.h"
#include "microparquet/detail/grant_rows.h"
#include "microparquet/detail/writer_access.h"

namespace microparquet::desktop {

namespace {

using microparquet::detail::ColumnWriter;
using microparquet::detail::RowNeed;
using microparquet::detail::WriterState;

// Rows that are asked about at once: what does not fit is asked again.
constexpr std::uint32_t kMostAsked = 8192;

bool has_texts(const ColumnWriter& column) { return column.plan->shape.type == Type::kByteArray; }

// Whether all of `count` levels are the same. Requires: there is one.
bool are_alike(const std::uint8_t* levels, std::uint32_t count) {
  return std::memcmp(levels, levels + 1, count - 1) == 0;
}

// A column of a batch, with sums of its slots before each row, and after the last one.
class BatchColumn {
 public:
  BatchColumn(const ColumnWriter& column, const ColumnSlots& slots, std::uint32_t rows,
              std::uint8_t max_definition)
      : slots_(slots), width_(has_texts(column) ? sizeof(std::string_view) : column.plan->shape.value_bytes) {
    before_.reserve(rows + std::size_t{1});
    before_.emplace_back();
    for (std::uint32_t row = 0; row < rows; ++row) {
      add_row(max_definition, has_texts(column));
    }
  }

  const std::uint8_t* repetition(std::size_t row) const {
    return slots_.repetition.data() + before_[row].slots;
  }
  const std::uint8_t* definition(std::size_t row) const {
    return slots_.definition.data() + before_[row].slots;
  }
  std::uint32_t values_before(std::size_t row) const { return before_[row].values; }
  const std::byte* value(std::size_t number) const {
    return static_cast<const std::byte*>(slots_.values) + number * width_;
  }
  // What `rows` rows from `first` on need, as one.
  RowNeed need(std::size_t first, std::uint32_t rows) const {
    const RowNeed& before = before_[first];
    const RowNeed& after = before_[first + rows];
    return {after.slots - before.slots,   after.values - before.values, after.text_bytes - before.text_bytes,
            after.single - before.single, after.runs - before.runs,     after.run_bytes - before.run_bytes};
  }

 private:
  // Where the row ends that begins with slot `first`.
  std::uint32_t row_end(std::uint32_t first) const {
    const auto slots = static_cast<std::uint32_t>(slots_.repetition.size());
    if (first + 1 >= slots) {
      return first + 1;
    }
    const std::uint8_t* const begin = slots_.repetition.data();
    const void* const next = std::memchr(begin + first + 1, 0, slots - first - 1);
    return next == nullptr ? slots
                           : static_cast<std::uint32_t>(static_cast<const std::uint8_t*>(next) - begin);
  }

  void add_row(std::uint8_t max_definition, bool texts) {
    RowNeed sum = before_.back();
    const std::uint32_t first = sum.slots;
    const std::uint32_t end = row_end(first);
    const std::uint32_t count = end - first;
    const std::uint8_t* const definition = slots_.definition.empty() ? nullptr : definition_at(first);
    const bool same = definition == nullptr || are_alike(definition, count);
    std::uint32_t values = count;
    if (definition != nullptr && (!same || *definition != max_definition)) {
      values = static_cast<std::uint32_t>(std::count(definition, definition + count, max_definition));
    }
    for (std::uint32_t i = 0; texts && i < values; ++i) {
      sum.text_bytes +=
          encoding::kLengthBytes + static_cast<const std::string_view*>(slots_.values)[sum.values + i].size();
    }
    sum.values += values;
    sum.slots = end;
    if (same && count > 1 && are_alike(slots_.repetition.data() + first + 1, count - 1)) {
      ++sum.runs;
      sum.run_bytes += microparquet::detail::run_bytes(count);
    } else {
      sum.single += count;
    }
    before_.push_back(sum);
  }

  const std::uint8_t* definition_at(std::uint32_t slot) const { return slots_.definition.data() + slot; }

  const ColumnSlots& slots_;
  std::size_t width_;
  std::vector<RowNeed> before_;
};

// Returns the largest number of rows from 0 to `most` that `fits(rows)`. Requires: none fit where fewer do not.
template <typename Fits>
std::uint32_t most_rows(std::uint32_t most, Fits fits) {
  if (fits(most)) {
    return most;
  }
  std::uint32_t fitting = 0;
  while (most - fitting > 1) {
    const std::uint32_t middle = fitting + (most - fitting) / 2;
    (fits(middle) ? fitting : most) = middle;
  }
  return fitting;
}

// Columns in lists.

// Divides what the page has left between levels and values as rows from `first` on need it.
bool make_space(ColumnWriter& column, const BatchColumn& batch, std::size_t first, std::uint32_t rows) {
  constexpr std::uint32_t kShare = 4;  // so few that they fit, however badly they pack
  std::uint32_t sample = 1;
  while (sample <= rows / 2) {
    const RowNeed need = batch.need(first, 2 * sample);
    const std::uint64_t bytes =
        std::uint64_t{need.values} * column.plan->shape.value_bytes + need.text_bytes + need.slots;
    if (bytes > column.plan->page_bytes / kShare) {
      break;
    }
    sample *= 2;
  }
  return microparquet::detail::make_space_for_row(column, batch.need(first, sample)) ||
         (sample != 1 && microparquet::detail::make_space_for_row(column, batch.need(first, 1)));
}

std::uint32_t list_rows_that_fit(ColumnWriter& column, const BatchColumn& batch, std::size_t first,
                                 std::uint32_t rows) {
  const auto fits = [&](std::uint32_t count) {
    return microparquet::detail::fits_row(column, batch.need(first, count));
  };
  std::uint32_t fitting = most_rows(rows, fits);
  if (fitting == 0 && make_space(column, batch, first, rows)) {
    fitting = most_rows(rows, fits);
  }
  return fitting;
}

// Returns of how many rows the page takes all values. One that no page takes leaves nothing in the dictionary.
std::uint32_t accepted_rows(ColumnWriter& column, const BatchColumn& batch, std::size_t first,
                            std::uint32_t rows, Status& status) {
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (!microparquet::detail::fits_empty_list_page(column, batch.need(first + row, 1))) {
      status = row == 0 ? Status::kValueTooLarge : Status::kOk;
      return row;
    }
    const std::uint32_t end = batch.values_before(first + row + 1);
    for (std::uint32_t value = batch.values_before(first + row); value != end; ++value) {
      if (!column.accepts(batch.value(value))) {
        return row;
      }
    }
  }
  return rows;
}

Status fit_lists(WriterState& state, ColumnWriter& column, const BatchColumn& batch, std::size_t first,
                 std::uint32_t& rows) {
  if (column.plan->encoder->accepts != nullptr) {
    Status status = Status::kOk;
    rows = accepted_rows(column, batch, first, rows, status);
    if (status != Status::kOk) {
      return status;
    }
    if (rows == 0) {
      return microparquet::detail::grant_rows_after(state, column);
    }
  }
  rows = list_rows_that_fit(column, batch, first, rows);
  bool again = false;
  return rows != 0 ? Status::kOk
                   : microparquet::detail::fit_list_row(state, column, batch.need(first, 1), again);
}

// How many of `count` levels are the same as the first one, before there is another.
std::uint32_t run_at(const std::uint8_t* levels, std::uint32_t count) {
  constexpr std::uint32_t kTogether = sizeof(std::uint64_t);
  std::uint32_t run = 1;
  while (run + kTogether <= count && std::memcmp(levels + run - 1, levels + run, kTogether) == 0) {
    run += kTogether;
  }
  while (run < count && levels[run] == levels[0]) {
    ++run;
  }
  return run;
}

// `count` levels from `levels` on.
template <typename Put>
void put_in_runs(const std::uint8_t* levels, std::uint32_t count, Put put) {
  for (std::uint32_t i = 0; i < count;) {
    const std::uint32_t run = run_at(levels + i, count - i);
    put(levels[i], run);
    i += run;
  }
}

void put_lists(ColumnWriter& column, const BatchColumn& batch, std::size_t first, std::uint32_t rows) {
  const RowNeed need = batch.need(first, rows);
  microparquet::detail::LevelEncoder& repetition = microparquet::detail::list_state(column).repetition;
  const microparquet::detail::ListLevels& levels = microparquet::detail::list_levels(column);
  if (levels.repetition_bits() == 1) {
    repetition.put_valid(batch.repetition(first), need.slots);
  } else {
    put_in_runs(batch.repetition(first), need.slots,
                [&](std::uint8_t level, std::uint32_t run) { repetition.put(level, run); });
  }
  const std::uint8_t highest = levels.max_definition();
  put_in_runs(batch.definition(first), need.slots, [&](std::uint8_t level, std::uint32_t run) {
    column.levels->put(level, run);
    column.levels->nulls += level != 0 && level != highest ? run : 0;
  });
  if (need.values != 0) {
    column.plan->encoder->put(column, batch.value(batch.values_before(first)), need.values);
  }
  microparquet::detail::end_slots(column, need.slots - rows + 1);
}

// Columns with a slot a row.

constexpr std::size_t kNotTaken = ~std::size_t{0};

// Returns how many rows the page takes. `bytes` becomes the length of the first value that it has no space for, or kNotTaken.
std::uint32_t value_rows_that_fit(ColumnWriter& column, const BatchColumn& batch, std::size_t first,
                                  std::uint32_t rows, std::size_t& bytes) {
  std::size_t free = column.free_bytes();
  for (std::uint32_t row = 0; row < rows; ++row) {
    const std::uint32_t number = batch.values_before(first + row);
    if (batch.values_before(first + row + 1) == number) {
      continue;
    }
    const std::byte* const value = batch.value(number);
    if (has_texts(column)) {
      bytes = reinterpret_cast<const std::string_view*>(value)->size();
      if (!column.fits(bytes, free)) {
        return row;
      }
      free -= column.plan->encoder->most_bytes(column, bytes);
    }
    if (!column.accepts(value)) {
      bytes = kNotTaken;
      return row;
    }
  }
  return rows;
}

Status fit_values(WriterState& state, ColumnWriter& column, const BatchColumn& batch, std::size_t first,
                  std::uint32_t& rows) {
  const bool asked = column.plan->encoder->accepts != nullptr && column.levels != nullptr;
  if (!has_texts(column) && !asked) {
    return Status::kOk;
  }
  std::size_t bytes = 0;
  rows = value_rows_that_fit(column, batch, first, rows, bytes);
  if (rows != 0) {
    return Status::kOk;
  }
  return bytes == kNotTaken ? microparquet::detail::grant_rows_after(state, column)
                            : microparquet::detail::grant_rows_for(state, column, bytes);
}

void put_values(ColumnWriter& column, const BatchColumn& batch, std::size_t first, std::uint32_t rows) {
  std::uint32_t value = batch.values_before(first);
  if (column.levels == nullptr) {
    column.plan->encoder->put(column, batch.value(value), rows);
    return;
  }
  std::size_t row = first;
  put_in_runs(batch.definition(first), rows, [&](std::uint8_t level, std::uint32_t run) {
    column.plan->levels->put(column, level, run);
    const std::uint32_t values = batch.values_before(row + run) - value;
    if (values != 0) {
      column.plan->encoder->put(column, batch.value(value), values);
    }
    value += values;
    row += run;
  });
}

// What rows take in the file, before a row group has told.

// Bytes that integers of `width` bytes take as packed differences, about: in blocks as wide as theirs.
std::uint64_t delta_bytes(const std::byte* values, std::uint32_t count, std::uint32_t width) {
  constexpr std::uint32_t kBlock = 32;
  constexpr std::uint32_t kBlockHead = 2;
  const auto at = [&](std::uint32_t i) {
    std::int64_t value = 0;
    std::int32_t narrow = 0;
    const bool wide = width == sizeof value;
    std::memcpy(wide ? static_cast<void*>(&value) : &narrow, values + std::size_t{i} * width, width);
    return static_cast<std::uint64_t>(wide ? value : narrow);
  };
  std::uint64_t bytes = 0;
  for (std::uint32_t first = 1; first < count; first += kBlock) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t most = std::numeric_limits<std::int64_t>::min();
    const std::uint32_t end = std::min(count, first + kBlock);
    for (std::uint32_t i = first; i < end; ++i) {
      const auto step = static_cast<std::int64_t>(at(i) - at(i - 1));
      least = std::min(least, step);
      most = std::max(most, step);
    }
    std::uint64_t range = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(least);
    std::uint32_t bits = 0;
    for (; range != 0; range >>= 1) {
      ++bits;
    }
    bytes += kBlockHead + std::min(bits, 8 * width) * kBlock / 8;
  }
  return bytes;
}

// Bytes of all rows of the batch: values in PLAIN, or as differences, and levels.
std::uint64_t batch_bytes(const ColumnWriter& column, const BatchColumn& batch, std::uint32_t rows) {
  const RowNeed need = batch.need(0, rows);
  const microparquet::ValueShape& shape = column.plan->shape;
  std::uint64_t bytes = need.text_bytes;
  if (column.plan->encoder->id == EncodingId::kDeltaBinaryPacked) {
    bytes = delta_bytes(batch.value(0), need.values, shape.value_bytes);
  } else if (shape.type == Type::kBoolean) {
    bytes = need.values / 8;
  } else if (!has_texts(column)) {
    bytes = std::uint64_t{need.values} * shape.value_bytes;
  }
  std::uint32_t bits = column.levels != nullptr ? 1 : 0;
  if (microparquet::detail::is_list(column)) {
    const microparquet::detail::ListLevels& levels = microparquet::detail::list_levels(column);
    const bool alike = std::uint64_t{need.values} == need.slots;
    bits = levels.repetition_bits() + (alike ? 0U : levels.definition_bits());
  }
  return bytes + std::uint64_t{need.slots} * bits / 8;
}

// Expects rows like those of the batch, as row groups of a fixed number of rows are planned by them.
void foresee_rows(WriterState& state, const std::vector<BatchColumn>& batch, std::uint32_t rows) {
  constexpr std::uint32_t kEnough = 1024;
  constexpr std::uint32_t kEnoughLong = 64;  // rows of lists that are long
  constexpr std::uint32_t kEnoughSlots = 1 << 14;
  constexpr std::uint32_t kParts = 1024;  // of a byte, of ColumnWriter::stored_bytes_per_row
  constexpr std::uint32_t kBeside = 16;   // a 16th, and a quarter of a byte: headers, and padding
  constexpr std::uint32_t kDeviation = 32;
  const bool first = microparquet::detail::rows_in_file(state) == 0 && !state.row_group_open;
  const bool enough =
      rows >= kEnough ||
      (rows >= kEnoughLong && std::any_of(batch.begin(), batch.end(), [&](const BatchColumn& column) {
         return column.need(0, rows).slots >= kEnoughSlots;
       }));
  if (!first || !enough || state.options->row_group_rows == 0) {
    return;
  }
  for (std::size_t i = 0; i < batch.size(); ++i) {
    ColumnWriter& column = state.columns[i];
    if (column.plan->rows_per_page != 0) {
      continue;
    }
    const std::uint64_t bytes = batch_bytes(column, batch[i], rows);
    const auto expected = static_cast<std::uint32_t>((bytes + bytes / kBeside) * kParts / rows + kParts / 4);
    constexpr std::uint32_t kPerRow = kParts / microparquet::detail::kRowFraction;
    state.bytes_per_row += expected / kPerRow - column.stored_bytes_per_row / kPerRow;
    column.stored_bytes_per_row = expected;
    column.deviation = expected / kDeviation;
  }
}

}  // namespace

Status NestedFile::append(Writer& writer, Span<const ColumnSlots* const> columns, std::uint32_t rows,
                          std::size_t& column) const {
  WriterState& state = microparquet::detail::WriterAccess::state(writer);
  column = 0;
  if (state.plan != &plan_) {
    return Status::kWrongState;
  }
  if (columns.size() != leaves_.size()) {
    return Status::kInvalidArgument;
  }
  std::vector<BatchColumn> batch;
  batch.reserve(leaves_.size());
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    batch.emplace_back(state.columns[i], *columns[i], rows, leaves_[i].max_definition);
  }
  foresee_rows(state, batch, rows);
  for (std::uint32_t done = 0; done < rows;) {
    if (state.budget == 0) {
      if (const Status status = microparquet::detail::grant_rows(state); status != Status::kOk) {
        return status;
      }
    }
    std::uint32_t fitting = std::min({rows - done, state.budget, kMostAsked});
    for (column = 0; column < leaves_.size() && fitting != 0; ++column) {
      ColumnWriter& into = state.columns[column];
      const Status status = is_in_list(column) ? fit_lists(state, into, batch[column], done, fitting)
                                               : fit_values(state, into, batch[column], done, fitting);
      if (status != Status::kOk) {
        return status;
      }
    }
    for (std::size_t i = 0; i < leaves_.size() && fitting != 0; ++i) {
      is_in_list(i) ? put_lists(state.columns[i], batch[i], done, fitting)
                    : put_values(state.columns[i], batch[i], done, fitting);
    }
    state.budget -= fitting;
    done += fitting;
  }
  return Status::kOk;
}

}  // namespace microparquet::desktop
