#include "read/pass_items.h"

#include "base/try.h"
#include "microparquet/decoder.h"
#include "microparquet/reader.h"
#include "read/items.h"
#include "read/pass_page.h"
#include "read/repeated_page.h"

namespace microparquet::read {

namespace {

using detail::ColumnCursor;
using detail::RepeatedLevels;

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
