// Reading items one by one: the next place for a value in a column, in lists too.
#include "base/try.h"
#include "microparquet/decoder.h"
#include "microparquet/reader.h"
#include "read/column.h"
#include "read/items.h"

namespace microparquet {

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

}  // namespace microparquet
