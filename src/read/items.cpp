#include "read/items.h"

#include "base/endian.h"
#include "base/try.h"
#include "format/page_header_reader.h"
#include "microparquet/decoder.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/detail/encoding/length_prefix.h"
#include "microparquet/detail/repeated_levels.h"
#include "microparquet/reader.h"
#include "read/page.h"
#include "read/rows.h"

namespace microparquet::read {

namespace {

using detail::ColumnCursor;
using detail::LevelDecoder;
using detail::RepeatedLevels;
using format::PageHeader;
using format::PageType;

// Begins the page as if `levels` were the column's only levels; null: it has none.
Status begin_body_with(ColumnCursor& column, LevelDecoder* levels, const PageHeader& header) {
  RepeatedLevels& own = repeated_levels(column);
  column.levels = levels;
  const Status status = begin_body(column, header);
  column.levels = &own;
  return status;
}

// Opens the next bytes of the page as levels.
Status open_stream_of(ColumnCursor& column, std::uint32_t bytes, LevelDecoder& levels) {
  return column.open_stream(bytes, detail::level_share(column.window.capacity), levels.bytes);
}

// Opens levels of a V1 page: in RLE their length comes first.
Status open_levels_of_v1(ColumnCursor& column, LevelDecoder& levels, std::uint32_t encoding,
                         std::uint32_t count) {
  if (encoding != static_cast<std::uint32_t>(EncodingId::kRle))
    return open_other_levels(column, levels, encoding, count);
  MICROPARQUET_TRY(column.load(encoding::kLengthBytes));
  const auto bytes = util::load<std::uint32_t>(column.cursor);
  column.cursor += encoding::kLengthBytes;
  return open_stream_of(column, bytes, levels);
}

Status begin_v1(ColumnCursor& column, const PageHeader& header) {
  RepeatedLevels& levels = repeated_levels(column);
  MICROPARQUET_TRY(begin_body_with(column, nullptr, header));
  column.reason = FailureReason::kLevels;
  // The levels of the page before may lie in memory that is free again.
  levels.bytes.view_memory(nullptr, 0);
  MICROPARQUET_TRY(open_levels_of_v1(column, levels.repetition, header.repetition_encoding, header.values));
  return open_levels_of_v1(column, levels, header.level_encoding, header.values);
}

// Begins a V2 page that lies in memory. Both levels are opened as one stream, which tells a decompressor
// where the values begin; then the stream is divided.
Status begin_v2_in_memory(ColumnCursor& column, const PageHeader& header) {
  RepeatedLevels& levels = repeated_levels(column);
  PageHeader both = header;
  both.definition_bytes += header.repetition_bytes;
  both.repetition_bytes = 0;
  MICROPARQUET_TRY(begin_body_with(column, &levels.repetition, both));
  std::byte* const begin = levels.repetition.bytes.cursor;
  levels.repetition.bytes.view_memory(begin, header.repetition_bytes);
  levels.bytes.view_memory(begin + header.repetition_bytes, header.definition_bytes);
  return Status::kOk;
}

Status begin_v2(ColumnCursor& column, const PageHeader& header) {
  if (header.repetition_bytes > header.uncompressed_bytes ||
      header.definition_bytes > header.uncompressed_bytes - header.repetition_bytes)
    return Status::kCorrupt;
  if (column.decompressor != nullptr) return begin_v2_in_memory(column, header);
  RepeatedLevels& levels = repeated_levels(column);
  PageHeader without_levels = header;
  without_levels.repetition_bytes = 0;
  MICROPARQUET_TRY(begin_body_with(column, nullptr, without_levels));
  column.reason = FailureReason::kLevels;
  MICROPARQUET_TRY(open_stream_of(column, header.repetition_bytes, levels.repetition));
  return open_stream_of(column, header.definition_bytes, levels);
}

// Stores the number of rows after the page, if the header has the page's own number, until the page has
// begun.
Status count_rows(RepeatedLevels& levels, const PageHeader& header) {
  levels.rows_after_next = detail::kUnknownRows;
  if (header.type != PageType::kDataV2) return Status::kOk;
  if (header.rows > levels.rows_left) return Status::kCorrupt;
  levels.rows_after_next = levels.rows_left - header.rows;
  return Status::kOk;
}

struct RepeatedPages {
  static constexpr bool kFlat = false;
  static Status begin_body(ColumnCursor& column, const PageHeader& header) {
    column.reason = FailureReason::kLevels;
    // No known writer ends a chunk of lists within a page, and the rows of such a chunk would be undefined.
    if (column.chunk_rows < header.values) return Status::kCorrupt;
    MICROPARQUET_TRY(count_rows(repeated_levels(column), header));
    return header.type == PageType::kDataV2 ? begin_v2(column, header) : begin_v1(column, header);
  }
  static void begin_levels(ColumnCursor& column, std::uint32_t count) {
    repeated_levels(column).begin(count);
    repeated_levels(column).repetition.begin(count);
  }
};

}  // namespace

Status next_repeated_page(ColumnCursor& column) {
  RepeatedLevels& levels = repeated_levels(column);
  const bool rows_right =
      levels.rows_after_page == detail::kUnknownRows || levels.rows_after_page == levels.rows_left;
  if (!rows_right) return Status::kCorrupt;
  const Status status = next_page_of<RepeatedPages>(column);
  if (status == Status::kOk) levels.rows_after_page = levels.rows_after_next;
  return status == Status::kEnd && levels.rows_left != 0 ? Status::kCorrupt : status;
}

ItemsOf::ItemsOf(ColumnCursor& column) : column_(column) {
  const detail::Leaf& leaf = column.reader->leaves[column.column];
  repeated_ = leaf.max_repetition != 0;
  column.type = static_cast<Type>(leaf.type);
}

ItemsOf::~ItemsOf() {
  if (repeated_) column_.type = detail::kTypeOfItems;
}

// Compares the cursor with the counts of items: a difference means that the reader went to the beginning of a
// chunk.
void ItemsOf::begin() {
  if (!repeated_) return;
  RepeatedLevels& levels = repeated_levels(column_);
  const std::uint64_t items = column_.chunk_rows + column_.page_rows;
  if (levels.row_group == column_.reader->row_group && levels.items_left == items) return;
  levels.row_group = column_.reader->row_group;
  levels.items_left = items;
  levels.rows_left = column_.reader->group_rows;
  levels.rows_after_page = detail::kUnknownRows;
  levels.last_definition = 0;
}

// Checks that an item which continues a list, and the item before it, are both elements of that list. At the
// beginning of a chunk no list can continue, since no item came before.
Status ItemsOf::check(ItemRun& run) const {
  const RepeatedLevels& levels = repeated_levels(column_);
  if (run.repetition == 0) {
    if (levels.rows_left == 0) return Status::kCorrupt;
    if (run.items > levels.rows_left) run.items = static_cast<std::uint32_t>(levels.rows_left);
    return Status::kOk;
  }
  const std::uint8_t element = levels.element_levels[run.repetition - 1];
  return run.definition >= element && levels.last_definition >= element ? Status::kOk : Status::kCorrupt;
}

Status ItemsOf::peek(std::uint32_t most, ItemRun& run) {
  begin();
  if (column_.page_rows == 0) {
    // The next page would overwrite views already given to the caller.
    if (column_.pinned) return Status::kEnd;
    MICROPARQUET_TRY(repeated_ ? next_repeated_page(column_) : next_page(column_));
  }
  run = {};
  run.items = column_.page_rows < most ? column_.page_rows : most;
  if (column_.levels == nullptr) return Status::kOk;
  std::uint32_t alike = 0;
  MICROPARQUET_TRY(column_.levels->peek(run.definition, alike));
  if (alike < run.items) run.items = alike;
  run.null = run.definition != column_.levels->maximum;
  if (!repeated_) return Status::kOk;
  MICROPARQUET_TRY(repeated_levels(column_).repetition.peek(run.repetition, alike));
  if (alike < run.items) run.items = alike;
  return check(run);
}

void ItemsOf::pass(const ItemRun& run, std::uint32_t items) {
  if (column_.levels != nullptr) column_.levels->take(items);
  column_.page_rows -= items;
  if (!repeated_) return;
  RepeatedLevels& levels = repeated_levels(column_);
  levels.repetition.take(items);
  levels.items_left -= items;
  levels.last_definition = run.definition;
  if (run.repetition == 0) levels.rows_left -= items;
}

namespace {

constexpr std::uint32_t kMostItems = 0x40000000;

// Passes the next page if its header says that it has at most `rows` rows, the number to pass.
Status pass_counted_page(ColumnCursor& column, std::uint64_t rows, bool& passed) {
  format::PageHeader header;
  MICROPARQUET_TRY(pass_page(column, header, passed, [rows](const format::PageHeader& page) {
    return page.type == format::PageType::kDataV2 && page.rows <= rows;
  }));
  if (!passed) return Status::kOk;
  RepeatedLevels& levels = repeated_levels(column);
  levels.items_left -= header.values;
  levels.rows_left -= header.rows;
  levels.rows_after_page = levels.rows_left;
  levels.last_definition = levels.maximum;  // unknown, so the largest
  return Status::kOk;
}

// Finds the next run of equal items before the wanted row; `run.items` is 0 if that row is next.
Status peek_before(ItemsOf& items, const RepeatedLevels& levels, std::uint64_t left, ItemRun& run) {
  MICROPARQUET_TRY(items.peek(kMostItems, run));
  if (run.repetition != 0) return Status::kOk;
  const std::uint64_t rows = levels.rows_left - left;
  if (run.items > rows) run.items = static_cast<std::uint32_t>(rows);
  return Status::kOk;
}

// Passes items of the page: first all levels, then the values, unless the whole page is passed. Requires:
// levels and values lie in memory; no read can fail in between.
Status pass_in_memory(ColumnCursor& column, ItemsOf& items, const RepeatedLevels& levels,
                      std::uint64_t left) {
  std::uint32_t values = 0;
  while (column.page_rows != 0) {
    ItemRun run;
    MICROPARQUET_TRY(peek_before(items, levels, left, run));
    if (run.items == 0) break;
    if (!run.null) values += run.items;
    items.pass(run, run.items);
  }
  if (column.page_rows == 0) {
    column.drop_body();
    return Status::kOk;
  }
  for (; values != 0; --values) MICROPARQUET_TRY(column.decoder->skip(PageInput(column)));
  return Status::kOk;
}

bool is_in_memory(const ColumnCursor& column, const RepeatedLevels& levels) {
  return column.body_beyond == 0 && levels.bytes.file == nullptr && levels.repetition.bytes.file == nullptr;
}

}  // namespace

Status pass_items_to(ColumnCursor& column, std::uint64_t left) {
  ItemsOf items(column);
  items.begin();
  const RepeatedLevels& levels = repeated_levels(column);
  for (;;) {
    if (column.page_rows == 0 && column.chunk_rows != 0 && levels.rows_left != left) {
      bool passed = false;
      MICROPARQUET_TRY(pass_counted_page(column, levels.rows_left - left, passed));
      if (passed) continue;
    }
    ItemRun run;
    const Status status = peek_before(items, levels, left, run);
    if (status == Status::kEnd) return left == 0 ? Status::kOk : Status::kCorrupt;
    MICROPARQUET_TRY(status);
    if (run.items == 0) return Status::kOk;
    if (is_in_memory(column, levels)) {
      MICROPARQUET_TRY(pass_in_memory(column, items, levels, left));
      continue;
    }
    if (!run.null) {
      MICROPARQUET_TRY(column.decoder->skip(PageInput(column)));
      run.items = 1;
    }
    items.pass(run, run.items);
  }
}

}  // namespace microparquet::read

namespace microparquet {

// Reading items one by one: the next place for a value in a column, in lists too.

namespace {

// Takes the next item. Its levels are passed only once the value has been read.
Status take_item(detail::ColumnCursor& column, Item& item) {
  read::ItemsOf items(column);
  read::ItemRun run;
  MICROPARQUET_TRY(items.peek(1, run));
  if (run.null) {
    column.value = nullptr;
    column.value_bytes = 0;
  } else {
    MICROPARQUET_TRY(column.decoder->next(PageInput(column)));
  }
  item.cell = {column.value, column.value_bytes};
  item.definition = run.definition;
  item.repetition = run.repetition;
  items.pass(run, 1);
  return Status::kOk;
}

// Passes the next item: its levels together with its value.
Status pass_item(detail::ColumnCursor& column) {
  read::ItemsOf items(column);
  read::ItemRun run;
  MICROPARQUET_TRY(items.peek(1, run));
  if (!run.null) MICROPARQUET_TRY(column.decoder->skip(PageInput(column)));
  items.pass(run, 1);
  return Status::kOk;
}

}  // namespace

Status Reader::skip_item(std::size_t i) {
  MICROPARQUET_TRY(read::enter_column(state_, i));
  return read::report(state_, static_cast<std::uint32_t>(i), pass_item(state_.columns[i]));
}

Status Reader::next_item(std::size_t i, Item& item) {
  item = {};
  MICROPARQUET_TRY(read::enter_column(state_, i));
  return read::report(state_, static_cast<std::uint32_t>(i), take_item(state_.columns[i], item));
}

// Reading many items of one column at once.

namespace {

using detail::ColumnCursor;

// Adds some items to the batch, at least one.
Status read_items(ColumnCursor& column, std::uint32_t most, AnyBatch& batch) {
  read::ItemsOf items(column);
  read::ItemRun run;
  MICROPARQUET_TRY(items.peek(most, run));
  if constexpr (detail::kDesktop) {
    constexpr std::uint32_t kShort = 64;
    if (run.items < kShort && items.read_many(most, batch)) return Status::kOk;
  }
  MICROPARQUET_TRY(read::add_alike(column, run.null, run.definition, run.repetition, batch, run.items));
  items.pass(run, run.items);
  return Status::kOk;
}

}  // namespace

Status Reader::next_items(std::size_t i, AnyBatch& batch) {
  batch.level_count = 0;
  batch.value_count = 0;
  MICROPARQUET_TRY(read::enter_column(state_, i));
  const ColumnCursor& column = state_.columns[i];
  const bool levels = column.levels == nullptr || batch.definition_levels != nullptr;
  const bool repetition = max_repetition_level(column.column) == 0 || batch.repetition_levels != nullptr;
  if (batch.places == 0 || !levels || !repetition) return Status::kInvalidArgument;
  return read::fill_batch(state_, i, batch, [&batch](ColumnCursor& items, std::uint32_t most) {
    return read_items(items, most, batch);
  });
}

// Continuing after a corrupt page of items.

namespace {

using detail::RepeatedLevels;

// Saved place of a column in its chunk, between two pages; go_to() returns there.
class PlaceInChunk {
 public:
  explicit PlaceInChunk(const ColumnCursor& column)
      : next_page_(column.next_page), chunk_rows_(column.chunk_rows), page_rows_(column.page_rows) {}

  void go_to(ColumnCursor& column) const {
    column.next_page = next_page_;
    column.chunk_rows = chunk_rows_;
    column.page_rows = page_rows_;
    column.crc = 0;
    column.summed = 0;
    column.drop_body();
  }

 private:
  std::uint64_t next_page_;
  std::uint64_t chunk_rows_;
  std::uint32_t page_rows_;
};

// Counts the rows that begin in the next page, of version 1, by reading its levels.
Status count_in_page(ColumnCursor& column, std::uint64_t& rows) {
  RepeatedLevels& levels = read::repeated_levels(column);
  levels.rows_after_page = detail::kUnknownRows;
  MICROPARQUET_TRY(read::next_repeated_page(column));
  while (column.page_rows != 0) {
    std::uint8_t level = 0;
    std::uint32_t alike = 0;
    MICROPARQUET_TRY(levels.repetition.peek(level, alike));
    if (alike > column.page_rows) alike = column.page_rows;
    levels.repetition.take(alike);
    column.page_rows -= alike;
    if (level == 0) rows += alike;
  }
  column.drop_body();
  return Status::kOk;
}

// Counts the rows that begin in the pages up to the chunk's end. Headers of version 2 have the number; in
// other pages the levels are read. Requires: their headers have been walked.
Status count_rows_ahead(ColumnCursor& column, std::uint64_t& rows) {
  rows = 0;
  column.page_rows = 0;
  while (column.chunk_rows != 0) {
    column.window.capacity = column.window_bytes();
    column.window.seek(column.next_page, column.window.limit);
    format::PageHeader header;
    MICROPARQUET_TRY(format::read_page_header(column.window, header));
    if (header.type == format::PageType::kDataV2) {
      rows += header.rows;
      column.chunk_rows -= header.values;
      column.next_page = column.window.position() + header.compressed_bytes;
    } else {
      MICROPARQUET_TRY(count_in_page(column, rows));
    }
  }
  return Status::kOk;
}

// Skips the corrupt page. Its own header may not have the number of rows, which is then what the row group
// has beyond all other pages. Items after the page that continue one of its rows are passed.
Status skip_corrupt_items(ColumnCursor& column) {
  MICROPARQUET_TRY(read::walk_headers(column));
  const PlaceInChunk after(column);
  RepeatedLevels& levels = read::repeated_levels(column);
  after.go_to(column);
  std::uint64_t rows = 0;
  column.chunk_status = Status::kOk;
  Status status = count_rows_ahead(column, rows);
  after.go_to(column);
  if (status == Status::kOk && rows > levels.rows_left) status = Status::kCorrupt;
  if (status == Status::kOk) {
    const std::uint64_t before = levels.rows_left;
    column.page_rows = 0;
    levels.items_left = column.chunk_rows;
    levels.rows_left = rows;
    levels.rows_after_page = detail::kUnknownRows;
    levels.last_definition = levels.maximum;  // unknown, so the largest
    status = read::pass_items_to(column, rows);
    if (status != Status::kOk) {
      after.go_to(column);
      levels.rows_left = before;
    }
  }
  if (status != Status::kOk) column.chunk_status = Status::kCorrupt;
  return status;
}

}  // namespace

Status Reader::skip_page_of_items(std::size_t i, std::uint64_t& rows) {
  detail::ReaderState& state = state_;
  if (state.row_group == detail::kNoRowGroup || state.mode != detail::ReadingMode::kColumns ||
      i >= state.chosen)
    return Status::kWrongState;
  ColumnCursor& column = state.columns[i];
  if (state.leaves[column.column].max_repetition == 0) return skip_page(i, rows);
  if (column.chunk_status != Status::kCorrupt) return Status::kWrongState;
  RepeatedLevels& levels = read::repeated_levels(column);
  const std::uint64_t before = levels.rows_left;
  const read::ItemsOf items(column);
  const Status status = skip_corrupt_items(column);
  if (status != Status::kOk && !read::is_damage(status)) {
    return read::report(state, static_cast<std::uint32_t>(i), status);
  }
  if (status == Status::kOk) {
    column.skipping = false;
  } else {
    read::leave_corrupt(column, false);
    levels.items_left = 0;
    levels.rows_left = 0;
    levels.rows_after_page = detail::kUnknownRows;
  }
  rows = before - levels.rows_left;
  return Status::kOk;
}

}  // namespace microparquet
