#include "microparquet/detail/writer_state.h"
#include "write/layout_ops.h"

namespace microparquet::detail {
namespace {

// In 16ths, in two divisions of 32 bits: the remainder is below `rows`.
std::int32_t bytes_per_row(std::uint32_t bytes, std::uint32_t rows) {
  const std::uint32_t whole = bytes / rows;
  const std::uint32_t fraction = (bytes % rows) / ((rows + kRowFraction - 1) / kRowFraction);
  return static_cast<std::int32_t>(whole * kRowFraction + fraction);
}

bool is_forecast(const ColumnWriter& column) { return column.plan->rows_per_page == 0; }

void predict(WriterState& state) {
  constexpr std::uint32_t kUsualString = 24;  // with its length
  for (ColumnWriter& column : columns_of(state)) {
    if (!is_forecast(column)) continue;
    const std::uint32_t width = column.plan->shape.value_bytes;
    column.stored_bytes_per_row = ((width != 0 ? width : kUsualString) + 1) * kRowFraction;
    column.deviation = width != 0 ? 1 : kUsualString * kRowFraction / 4;
    state.bytes_per_row += column.stored_bytes_per_row;
  }
}

std::uint32_t extent_bytes(const WriterState& state, const ColumnWriter& column, std::uint32_t rows) {
  const DictionaryPages* const dictionaries = state.plan->dictionaries;
  const std::uint32_t head = dictionaries != nullptr ? dictionaries->head_bytes(state, column) : 0;
  // Three mean deviations are well over two sigma; rounded up, for the last page is cut.
  const std::uint32_t per_row = column.stored_bytes_per_row + 3 * column.deviation;
  const std::uint64_t bytes = static_cast<std::uint64_t>(rows) * per_row / kRowFraction;
  const std::uint32_t page_bytes = column.plan->page_bytes;
  return head + (static_cast<std::uint32_t>(bytes >> 7) / (page_bytes >> 7) + 1) * page_bytes;
}

std::uint64_t extend_last(WriterState& state, std::uint64_t end, std::uint64_t limit) {
  ColumnWriter* last = state.columns;
  for (ColumnWriter& column : columns_of(state)) {
    if (!is_forecast(column)) continue;
    if (!is_forecast(*last) || column.deviation >= last->deviation) last = &column;
  }
  for (ColumnWriter* column = last + 1; column != state.columns_end; ++column) {
    column->chunk_begin -= last->extent_bytes;
  }
  last->chunk_begin = end - last->extent_bytes;
  if (limit < end) limit = end;
  const std::uint32_t twice = 2 * last->extent_bytes;
  const std::uint64_t left = limit - last->chunk_begin;
  last->extent_bytes = twice < left ? twice : static_cast<std::uint32_t>(left);
  return last->chunk_begin + last->extent_bytes;
}

void observe(WriterState& state, std::uint32_t rows) {
  constexpr std::int32_t kSmoothing = 4;
  constexpr std::int32_t kFirstDeviation = 8;  // an eighth
  for (ColumnWriter& column : columns_of(state)) {
    if (!is_forecast(column)) continue;
    auto mean = static_cast<std::int32_t>(column.stored_bytes_per_row);
    auto deviation = static_cast<std::int32_t>(column.deviation);
    // The last page was cut, and may have been lengthened to a block: what it would have held is not known,
    // and a row group of few rows tells little.
    const std::uint32_t block_bytes = state.options->block_bytes;
    const std::uint32_t page_bytes = column.plan->page_bytes;
    const std::uint32_t last_page = page_bytes > block_bytes ? page_bytes : block_bytes;
    const std::uint32_t full_pages = column.chunk_bytes > last_page ? column.chunk_bytes - last_page : 0;
    const std::int32_t least = bytes_per_row(full_pages, rows);
    const std::int32_t most = bytes_per_row(column.chunk_bytes, rows);
    const std::int32_t now = mean < least ? least : mean < most ? mean : most;
    const std::int32_t off = now - mean;
    const bool first = state.footer.now.row_groups == 0;  // counts as much as all that was expected before it
    mean = first ? now : mean + off / kSmoothing;
    deviation = first ? now / kFirstDeviation : deviation + ((off < 0 ? -off : off) - deviation) / kSmoothing;
    state.bytes_per_row -= column.stored_bytes_per_row;
    column.stored_bytes_per_row = static_cast<std::uint32_t>(mean > 0 ? mean : 1);
    column.deviation = static_cast<std::uint32_t>(deviation > 0 ? deviation : 1);
    state.bytes_per_row += column.stored_bytes_per_row;
  }
}

}  // namespace

const ExtentForecast kSmoothedForecast{&predict, &extent_bytes, &extend_last, &observe};

}  // namespace microparquet::detail
