// What columns need whose pages hold no fixed number of rows, in bytes of pages as they are when they are not
// cut: the mean a row and its mean deviation.
#include "base/bytes.h"
#include "base/try.h"
#include "format/page_header_writer.h"
#include "format/written_row_group.h"
#include "microparquet/detail/encoding/plain.h"
#include "microparquet/detail/writer_state.h"
#include "write/in_place/extent_plan.h"
#include "write/in_place/gather_chunks.h"
#include "write/in_place/in_place_layout.h"
#include "write/in_place/page_lengthening.h"
#include "write/layout_ops.h"
#include "write/page_transform.h"

namespace microparquet::detail {
namespace {

using write::kFraction;
using write::kNotLearned;

// Of the margin: this many mean deviations, which is more than two sigma, but no less than that part of the mean.
constexpr std::uint32_t kMargin = 3;
constexpr std::uint32_t kLeastMargin = 64;
// What a page leaves empty that takes only what is sure to fit, or that is cut.
constexpr std::uint32_t kUnfilled = 128;
// What an encoder begins a page with, about.
constexpr std::uint32_t kPageHead = 32;
// Space is kept for no more pages that are cut.
constexpr std::uint32_t kMostCut = 8;

// In two divisions of 32 bits. Requires: less than 2^22 bytes a row.
std::uint32_t bytes_per_row(std::uint32_t bytes, std::uint32_t rows) {
  const std::uint32_t whole = bytes / rows;
  const std::uint32_t rest = bytes % rows;
  const std::uint32_t fraction = rows < 1U << 22 ? rest * kFraction / rows : rest / (rows / kFraction);
  return whole * kFraction + fraction;
}

bool is_forecast(const ColumnWriter& column) { return column.plan->rows_per_page == 0; }

// What rows take by which row groups are planned, in coarser parts: with what cut pages took beside them in the last
// row group, of `rows` rows. Else checkpoints would end row groups long before they have as many rows as planned,
// and what is reserved for the others would be left empty.
void expect_rows(WriterState& state, std::uint32_t rows) {
  std::uint32_t bytes = state.plan->bytes_per_row;
  for (const ColumnWriter& column : columns_of(state)) {
    if (!is_forecast(column)) continue;
    const std::uint32_t beside = column.padding * kPaddingUnit * kRowFraction / rows;
    bytes += column.stored_bytes_per_row / (kFraction / kRowFraction) + beside + 1;
  }
  state.bytes_per_row = bytes;
}

void predict(WriterState& state) {
  for (ColumnWriter& column : columns_of(state)) {
    if (!is_forecast(column)) continue;
    const std::uint32_t width = column.plan->shape.value_bytes;
    column.stored_bytes_per_row = (encoding::usual_plain_bytes(width) + 1) * kFraction;
    column.deviation = kNotLearned;
  }
  expect_rows(state, 1);
}

// A page is begun where it has space if it becomes no smaller; 0: it is not compressed.
std::uint32_t least_page(const WriterState& state, const ColumnWriter& column) {
  const ColumnTransforms* const transforms = state.plan->transforms;
  if (transforms == nullptr || transforms->functions->least_page == nullptr) return 0;
  return transforms->functions->least_page(state, column);
}

// A byte array may need a whole page, and a dictionary comes with one.
bool takes_whole_pages(const ColumnWriter& column) {
  return column.plan->shape.type == Type::kByteArray || column.plan->encoder->dictionary != nullptr;
}

// What is kept for pages that are not full. The last one takes only what is sure to fit, and a checkpoint may cut
// one. Where checkpoints did cut many, as much as that took in the row group before: or each checkpoint would end
// a row group of few rows, in columns that need a block.
std::uint32_t unfilled_bytes(const WriterState& state, const ColumnWriter& column) {
  const std::uint32_t most = kMostCut * block_of(state).round_up(column.plan->page_bytes);
  const std::uint32_t cut = column.padding * kPaddingUnit;
  const std::uint32_t least = (state.options->layout->checkpoints ? 2 : 1) * kUnfilled;
  return cut <= least ? least : cut < most ? cut : most;
}

// What a row may take beyond the mean: some deviations. With it no more than an eighth beyond what it takes in PLAIN or,
// where that is more, beyond the mean; text has no such bound.
std::uint32_t margin_of(const ColumnWriter& column) {
  constexpr std::uint32_t kMostBeside = 8;
  const std::uint32_t mean = column.stored_bytes_per_row;
  if (column.deviation == kNotLearned) return mean / 4;
  const std::uint32_t least = mean / kLeastMargin;
  const std::uint32_t margin = kMargin * column.deviation;
  if (margin < least) return least;
  if (column.plan->shape.type == Type::kByteArray) return margin;
  const std::uint32_t plain = encoding::usual_plain_bytes(column.plan->shape.value_bytes) * kFraction;
  const std::uint32_t most = plain + plain / kMostBeside;
  const std::uint32_t beside = mean / kMostBeside;
  const std::uint32_t limit = most > mean + beside ? most - mean : beside;
  return margin < limit ? margin : limit;
}

std::uint32_t extent_bytes(const WriterState& state, const ColumnWriter& column, std::uint32_t rows) {
  const DictionaryPages* const dictionaries = state.plan->dictionaries;
  const std::uint32_t head = dictionaries != nullptr ? dictionaries->head_bytes(state, column) : 0;
  const std::uint64_t bytes =
      static_cast<std::uint64_t>(rows) * (column.stored_bytes_per_row + margin_of(column)) / kFraction;
  std::uint32_t extent =
      static_cast<std::uint32_t>(bytes) + column.plan->header_bytes + unfilled_bytes(state, column);
  const std::uint32_t page_bytes = column.plan->page_bytes;
  const std::uint32_t least = least_page(state, column);
  extent += least;
  if (extent < page_bytes && (least != 0 || takes_whole_pages(column))) extent = page_bytes;
  return head + extent;
}

// The first row group, of which little is known, is a quarter as large as others. Where most of these is the least
// that some columns need, a quarter of it would still have more rows: none is larger than was planned, which has its
// place in the segment.
void plan_quarter(WriterState& state, Sectors planned) {
  std::uint32_t target = write::in_place_of(state).row_group_sectors.bytes() / 4;
  while (write::plan_extents(state, target) > planned.bytes()) target /= 4;
}

// Called again where the checkpoint fails that comes before a row group: nothing is in its extents then, and they
// are planned as if none had cut pages.
SectorIndex extend_last(WriterState& state, SectorIndex end, SectorIndex limit) {
  std::uint64_t at = state.columns->chunk_begin;
  ColumnWriter* last = state.columns;  // it has not been observed, if any has not; others deviate by 0
  for (ColumnWriter& column : columns_of(state)) {
    column.padding = 0;
    if (is_forecast(column) && column.deviation >= last->deviation) last = &column;
  }
  if (state.options->row_group_rows == 0 && last->deviation == kNotLearned)
    plan_quarter(state, end - SectorIndex::of(at));
  for (ColumnWriter& column : columns_of(state)) {
    if (&column == last) continue;
    column.chunk_begin = at;
    at += column.extent_bytes;
  }
  last->chunk_begin = at;
  const SectorIndex begin = SectorIndex::of(at);
  const Sectors usual = Sectors::whole_in(last->extent_bytes);
  if (limit < begin + usual) limit = begin + usual;
  if (limit > begin + 2 * usual) limit = begin + 2 * usual;
  last->extent_bytes = (limit - begin).bytes();
  return limit;
}

// Counts what the page that was sealed last has beside its values; once for each page. It was cut, and more rows would
// have shared it.
[[gnu::noinline]] void count_cut_page(const WriterState& state, ColumnWriter& column) {
  const std::byte* const header = column.sealed;
  column.sealed = nullptr;
  if (header == nullptr) return;
  // A compressed page is not padded, and may have left its place.
  const std::uint32_t padding = least_page(state, column) != 0 ? 0 : format::padding_in(header);
  column.count_padding((padding + column.plan->header_bytes + kPageHead) / kPaddingUnit);
}

void count_cut_pages(WriterState& state) {
  for (ColumnWriter& column : columns_of(state)) {
    if (is_forecast(column)) count_cut_page(state, column);
  }
}

// By what `rows` rows took of the file. The heads of pages that were cut may count once, or not: so few rows tell
// little. What is beyond the margin comes of other data than before, and is learned as if it were the first: it has ended
// the row group, and the extents of all others were left empty.
void learn(ColumnWriter& column, std::uint32_t rows) {
  constexpr std::uint32_t kSmoothing = 4;
  constexpr std::uint32_t kFirstDeviation = 8;  // an eighth
  const std::uint32_t beside = column.padding * kPaddingUnit;
  const std::uint32_t values = column.chunk_bytes > beside ? column.chunk_bytes - beside : 0;
  const std::uint32_t least = bytes_per_row(values, rows);
  const std::uint32_t most = bytes_per_row(values + column.plan->header_bytes + kPageHead, rows);
  const std::uint32_t mean = column.stored_bytes_per_row;
  const std::uint32_t now = mean < least ? least : mean < most ? mean : most;
  if (column.deviation == kNotLearned || now > mean + margin_of(column)) {
    column.stored_bytes_per_row = now;
    column.deviation = now / kFirstDeviation;
    return;
  }
  const std::uint32_t part = (now < mean ? mean - now : now - mean) / kSmoothing;
  column.stored_bytes_per_row = now < mean ? mean - part : mean + part;
  column.deviation += part - column.deviation / kSmoothing;
}

Status observe(WriterState& state, std::uint32_t rows) {
  if (state.closes) MICROPARQUET_TRY(write::gather_chunks(state));
  const bool cut = write::in_place_of(state).checkpointing;
  for (ColumnWriter& column : columns_of(state)) {
    if (!is_forecast(column)) continue;
    const std::uint16_t before = column.padding;
    count_cut_page(state, column);
    learn(column, rows);
    if (!cut) column.padding = before;  // each row group has a last page
  }
  expect_rows(state, rows);
  return Status::kOk;
}

// The last sectors of compressed chunks are stored before these may be moved.
Status observe_after_tails(WriterState& state, std::uint32_t rows) {
  MICROPARQUET_TRY(write::store_tails(state));
  return observe(state, rows);
}

// When another row group has been logged like the one before, or as much again as since the last checkpoint where that
// is less.
bool checkpoint_comes(const WriterState& state) {
  const write::InPlaceState& in_place = write::in_place_of(state);
  const std::uint32_t since = state.now_ms - in_place.last_checkpoint_ms;
  const std::uint32_t took = state.now_ms - state.began_ms;
  const Sectors stored = Sectors::holding(in_place.bytes_since_checkpoint);
  const Sectors more = stored < in_place.row_group_sectors ? stored : in_place.row_group_sectors;
  return write::is_due_after(state, since + (took < since ? took : since), stored + more);
}

// What a row of a resumed file takes, by the first row group of its last footer: so nothing is kept in the file for
// it. Few rows tell little. It is a better guess than the widths of values, and not more: where entries are not as
// this library writes them, it is by those.
Status recall(WriterState& state) {
  constexpr std::uint32_t kLeastRows = 256;
  const FooterState& footer = state.footer;
  if (footer.row_groups == 0) return Status::kOk;
  const Span<std::byte> memory = window_of(state);
  Window window;
  window.begin(*state.file, memory.data(), static_cast<std::uint32_t>(memory.size()));
  window.restart_at(footer.entries_begin, footer.entries_begin + footer.entries_bytes);
  thrift::CompactReader in(window);
  format::enter_written_chunks(in);
  for (ColumnWriter& column : columns_of(state)) {
    format::WrittenChunk chunk{};
    format::read_written_chunk(in, chunk);
    if (!in.ok()) return in.status() == Status::kCorrupt ? Status::kOk : in.status();
    if (chunk.values < kLeastRows) break;
    const bool is_usual = chunk.bytes / chunk.values < column.plan->page_bytes;
    if (is_forecast(column) && is_usual)
      column.stored_bytes_per_row = bytes_per_row(chunk.bytes, chunk.values);
  }
  expect_rows(state, 1);
  return Status::kOk;
}

}  // namespace

Status resume_forecast_layout(WriterState& state) {
  MICROPARQUET_TRY(resume_in_place_layout(state));
  const Status status = recall(state);
  if (status != Status::kOk) util::clear_bytes(static_cast<FileProgress*>(&state), sizeof(FileProgress));
  return status;
}

const ExtentForecast kSmoothedForecast{&predict, &extent_bytes,    &extend_last,
                                       &observe, &count_cut_pages, &checkpoint_comes};
const ExtentForecast kTailedForecast{&predict,         &extent_bytes,    &extend_last, &observe_after_tails,
                                     &count_cut_pages, &checkpoint_comes};

}  // namespace microparquet::detail
