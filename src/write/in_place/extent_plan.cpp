#include "write/in_place/extent_plan.h"

#include "base/bytes.h"
#include "base/try.h"
#include "format/page_header_writer.h"
#include "format/written_row_group.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/detail/encoding/plain.h"
#include "microparquet/detail/writer_state.h"
#include "write/footer.h"
#include "write/in_place/in_place_layout.h"
#include "write/in_place/page_lengthening.h"
#include "write/in_place/tail.h"
#include "write/layout_ops.h"
#include "write/page_transform.h"

namespace microparquet::write {

using detail::ColumnWriter;
using detail::WriterState;

namespace {

// Returns the extent for `rows` rows of a fixed width: whole pages. On desktops, whose pages are large, the
// last page of a full row group is only as long as its rows need, with space for some pages that checkpoints
// cut.
std::uint32_t fixed_extent(const WriterState& state, const ColumnWriter& column, std::uint32_t rows) {
  const std::uint32_t in_page = column.plan->rows_per_page;
  const std::uint32_t page_bytes = column.plan->page_bytes;
  const std::uint32_t whole = (rows + in_page - 1) / in_page * page_bytes;
  if (detail::kDesktop && rows == state.options->row_group_rows && rows % in_page != 0) {
    constexpr std::uint32_t kCutPages = 2;
    const std::uint32_t cut = has_checkpoints(state) ? kCutPages * block_of(state).bytes() : 0;
    // The body takes its rows' share of a full page, rounded up to a value.
    const std::uint32_t header = column.plan->header_bytes;
    const std::uint64_t body = std::uint64_t{page_bytes - header} * (rows % in_page) / in_page;
    const std::uint32_t bytes = header + static_cast<std::uint32_t>(body) + detail::kSectorBytes + cut;
    if (bytes < page_bytes) return whole - page_bytes + bytes;
  }
  return whole;
}

}  // namespace

std::uint32_t plan_extents(WriterState& state, std::uint32_t target_bytes) {
  std::uint32_t rows = target_bytes / (state.bytes_per_row / detail::kRowFraction + 1) + 1;
  const std::uint32_t limit = state.options->row_group_rows;
  if (limit != 0 && rows >= limit) {
    rows = limit;
  } else {
    // Whole pages of the narrowest columns that still have several pages in the row group: this leaves the
    // least space empty.
    std::uint32_t in_page = 1;
    for (const ColumnWriter& column : columns_of(state)) {
      const std::uint32_t candidate = column.plan->rows_per_page;
      if (candidate > in_page && candidate <= rows / 4) in_page = candidate;
    }
    rows = rows / in_page * in_page;
  }
  std::uint32_t bytes = 0;
  for (ColumnWriter& column : columns_of(state)) {
    const std::uint32_t extent = column.plan->rows_per_page != 0
                                     ? fixed_extent(state, column, rows)
                                     : state.plan->forecast->extent_bytes(state, column, rows);
    column.extent_bytes = block_of(state).round_up(extent);
    bytes += column.extent_bytes;
  }
  return bytes;
}

}  // namespace microparquet::write

namespace microparquet::detail {

// Forecast for columns whose pages hold no fixed number of rows: the mean bytes a row and their mean
// deviation, as if no page had been cut.

namespace {

using write::kFraction;
using write::kNotLearned;

// Margin: three mean deviations, which is more than two sigma, but at least a 64th of the mean.
constexpr std::uint32_t kMargin = 3;
constexpr std::uint32_t kLeastMargin = 64;
// Bytes left empty in a page that takes only rows guaranteed to fit, or that is cut.
constexpr std::uint32_t kUnfilled = 128;
// Bytes that an encoder puts at the beginning of a page, about.
constexpr std::uint32_t kPageHead = 32;
// Largest number of cut pages for which space is kept.
constexpr std::uint32_t kMostCut = 8;

// Divides in two steps of 32 bits. Requires: less than 2^22 bytes a row.
std::uint32_t bytes_per_row(std::uint32_t bytes, std::uint32_t rows) {
  const std::uint32_t whole = bytes / rows;
  const std::uint32_t rest = bytes % rows;
  const std::uint32_t fraction = rows < 1U << 22 ? rest * kFraction / rows : rest / (rows / kFraction);
  return whole * kFraction + fraction;
}

bool is_forecast(const ColumnWriter& column) { return column.plan->rows_per_page == 0; }

// Sets the bytes a row by which row groups are planned, in coarser units. It includes the share of cut pages
// in the last row group, of `rows` rows. Otherwise checkpoints would end row groups long before the planned
// rows, and the extents of other columns would stay empty.
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

// Returns the least space in which a page is begun; 0: the column is not compressed, and a page may be begun
// in any space.
std::uint32_t least_page(const WriterState& state, const ColumnWriter& column) {
  const ColumnTransforms* const transforms = state.plan->transforms;
  if (transforms == nullptr || transforms->functions->least_page == nullptr) return 0;
  return transforms->functions->least_page(state, column);
}

// Returns whether the column may need whole pages: for a byte array, or with a dictionary.
bool takes_whole_pages(const ColumnWriter& column) {
  return column.plan->shape.type == Type::kByteArray || column.plan->encoder->dictionary != nullptr;
}

// Returns the space for pages that are not full. The last page takes only rows guaranteed to fit, and a
// checkpoint may cut a page. If checkpoints cut many pages of the last row group, it is as much as these left
// empty: otherwise each checkpoint would end a row group of few rows, in columns that need a block.
std::uint32_t unfilled_bytes(const WriterState& state, const ColumnWriter& column) {
  const std::uint32_t most = kMostCut * block_of(state).round_up(column.plan->page_bytes);
  const std::uint32_t cut = column.padding * kPaddingUnit;
  const std::uint32_t least = (write::has_checkpoints(state) ? 2 : 1) * kUnfilled;
  return cut <= least ? least : cut < most ? cut : most;
}

// Returns how far above the mean a row may be expected: some deviations. Mean and margin together exceed the
// size in PLAIN, or the mean if that is more, by at most an eighth; text has no such bound.
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

// Plans the first row group a quarter as large as others, since little is known of its columns. If the
// minimum extents of some columns fill most of a usual row group, a quarter of it still has more rows; it is
// then made smaller until it fits the space planned in the segment.
void plan_quarter(WriterState& state, Sectors planned) {
  std::uint32_t target = write::in_place_of(state).row_group_sectors.bytes() / 4;
  while (write::plan_extents(state, target) > planned.bytes()) target /= 4;
}

// Moves the last extent. It is called again if the checkpoint before a row group fails: the extents are empty
// then, and are planned as if no pages had been cut.
SectorIndex extend_last(WriterState& state, SectorIndex end, SectorIndex limit) {
  std::uint64_t at = state.columns->chunk_begin;
  ColumnWriter* last = state.columns;  // an unobserved column, if there is one; observed ones deviate less
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

// Counts the space beside the values in the page sealed last, once for each page. The page was cut, and more
// rows would have shared this space.
[[gnu::noinline]] void count_cut_page(const WriterState& state, ColumnWriter& column) {
  const std::byte* const header = column.sealed;
  column.sealed = nullptr;
  if (header == nullptr) return;
  // A compressed page is not padded, and may have been moved.
  const std::uint32_t padding = least_page(state, column) != 0 ? 0 : format::padding_in(header);
  column.count_padding((padding + column.plan->header_bytes + kPageHead) / kPaddingUnit);
}

void count_cut_pages(WriterState& state) {
  for (ColumnWriter& column : columns_of(state)) {
    if (is_forecast(column)) count_cut_page(state, column);
  }
}

// Learns from the space that `rows` rows took in the file. The heads of cut pages may or may not belong to
// it, so few rows teach little. Anything above the margin comes from other data than before, and is learned
// as if it were the first: it ended the row group and left the other extents empty.
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
    if (!cut) column.padding = before;  // each row group has a last page, which counts once
  }
  expect_rows(state, rows);
  return Status::kOk;
}

// Stores the last sectors of compressed chunks before these may be moved.
Status observe_after_tails(WriterState& state, std::uint32_t rows) {
  MICROPARQUET_TRY(write::store_tails(state));
  return observe(state, rows);
}

// Returns whether a checkpoint will be due after another row group like the last one, or after as much time
// and data as since the last checkpoint if that is less.
bool checkpoint_comes(const WriterState& state) {
  const write::InPlaceState& in_place = write::in_place_of(state);
  const std::uint32_t since = state.now_ms - in_place.last_checkpoint_ms;
  const std::uint32_t took = state.now_ms - state.began_ms;
  const Sectors stored = Sectors::holding(in_place.bytes_since_checkpoint);
  const Sectors more = stored < in_place.row_group_sectors ? stored : in_place.row_group_sectors;
  return write::is_due_after(state, since + (took < since ? took : since), stored + more);
}

// Learns the bytes a row of a resumed file from the first row group of its last footer, which saves storing
// them in the file. Few rows teach little. It is a better guess than the widths of values, no more: foreign
// entries fall back to the widths.
Status recall(WriterState& state) {
  constexpr std::uint32_t kLeastRows = 256;
  const FooterState& footer = state.footer;
  if (footer.row_groups == 0) return Status::kOk;
  Window window;
  window.begin(*state.file, window_of(state).data(), kLeastWindowBytes);
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
const ExtentForecast kSectorTailForecast{
    &predict, &extent_bytes, &extend_last, &observe_after_tails, &count_cut_pages, &checkpoint_comes};

// The same with places for tails.

namespace {

void predict_tailed(WriterState& state) {
  write::tail_of(state).levels = &write::kTailLevels;
  predict(state);
}

std::uint32_t tailed_extent_bytes(const WriterState& state, const ColumnWriter& column, std::uint32_t rows) {
  return extent_bytes(state, column, rows) + write::plan_places(state, column);
}

SectorIndex extend_last_tailed(WriterState& state, SectorIndex /*end*/, SectorIndex limit) {
  const SectorIndex end = write::lay_places(state);
  write::TailState& tail = write::tail_of(state);
  tail.lays_extents = true;
  const SectorIndex extended = extend_last(state, end, limit);
  tail.lays_extents = false;
  return extended;
}

}  // namespace

const ExtentForecast kTailForecast{&predict_tailed, &tailed_extent_bytes, &extend_last_tailed,
                                   &observe,        &count_cut_pages,     &checkpoint_comes};

}  // namespace microparquet::detail

namespace microparquet::write {

namespace {

// Returns whether a footer in the file, or on its way there, describes rows of the open row group. After a
// failed checkpoint the draft may lack them although the footer in the file has them, so both are asked.
bool is_described(const WriterState& state) {
  const std::uint64_t finished = state.footer.now.rows;
  return state.footer.draft.contents.rows > finished || state.durable_rows > finished;
}

// Returns the whole blocks that hold the column's dictionary page, which ends where the data pages begin.
std::uint32_t head_bytes(const WriterState& state, const ColumnWriter& column) {
  const detail::DictionaryPages* const dictionaries = state.plan->dictionaries;
  if (dictionaries == nullptr || column.plan->encoder->dictionary == nullptr) return 0;
  return block_of(state).round_up(dictionaries->stored_bytes(state, column));
}

// Compares lower words, which suffice: row groups have less than 2 GiB.
bool is_before(const ColumnWriter& column, const ColumnWriter& other) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(column.chunk_begin) -
                                   static_cast<std::uint32_t>(other.chunk_begin)) < 0;
}

ColumnWriter& last_of(const WriterState& state) {
  ColumnWriter* last = state.columns;
  for (ColumnWriter& column : columns_of(state)) {
    if (is_before(*last, column)) last = &column;
  }
  return *last;
}

std::uint32_t used_bytes(const WriterState& state, const ColumnWriter& column) {
  return block_of(state).round_up(column.chunk_bytes);
}

// Returns the first column before `last` whose extent has `bytes` bytes left; `last`: there is none.
ColumnWriter& host_of(const WriterState& state, ColumnWriter& last, std::uint32_t bytes) {
  ColumnWriter* host = &last;
  for (ColumnWriter& column : columns_of(state)) {
    if (is_before(column, *host) && used_bytes(state, column) + bytes <= column.extent_bytes) host = &column;
  }
  return *host;
}

// Copies bytes from `from` to an earlier place in the file.
Status copy_back(const WriterState& state, std::uint64_t from, std::uint64_t to, std::uint32_t bytes) {
  thrift::WindowSink sink = sink_at(state, to);
  sink.copy(from, bytes);
  return sink.flush();
}

}  // namespace

Status gather_chunks(WriterState& state) {
  if (is_described(state) || in_place_of(state).extents_inherited) return Status::kOk;
  for (;;) {
    ColumnWriter& last = last_of(state);
    const std::uint32_t head = head_bytes(state, last);
    const std::uint32_t bytes = head + last.chunk_bytes;
    ColumnWriter& host = host_of(state, last, bytes);
    if (&host == &last) return Status::kOk;
    const std::uint32_t used = used_bytes(state, host);
    const std::uint64_t to = host.chunk_begin + used;
    MICROPARQUET_TRY(copy_back(state, last.chunk_begin - head, to, bytes));
    last.chunk_begin = to + head;
    last.extent_bytes = host.extent_bytes - used - head;
    host.extent_bytes = used;
  }
}

}  // namespace microparquet::write
