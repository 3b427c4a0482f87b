// All that a writer knows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/column_writer.h"
#include "microparquet/detail/page_store.h"
#include "microparquet/detail/sort_state.h"
#include "microparquet/detail/writer_plan.h"
#include "microparquet/file.h"
#include "microparquet/options.h"

namespace microparquet::thrift {
class WindowSink;
}

namespace microparquet::detail {

// What is needed to write a footer of any number of row groups: the entries of finished row groups are
// copied from the last footer, and behind them from the records written since.
struct FooterState {
  std::uint64_t entries_begin;      // in the last footer
  std::uint64_t first_record;       // the first record since, if there is one
  std::uint64_t last_footer;        // offset; 0: none yet
  std::uint32_t entries_bytes;      // in the last footer
  std::uint32_t all_entries_bytes;  // with those of the records since
  std::uint32_t row_groups;         // finished
  std::uint32_t row_groups_in_footer;
  std::uint32_t chain;     // CRC of all entries, one behind another
  std::uint32_t sequence;  // of records and footers
};

enum class WriterPhase : std::uint8_t { kIdle, kOpening, kOpen, kClosing };

struct WriterState {
  File* file;
  const WriterPlan* plan;
  const Options* options;  // as in the plan
  const Field* fields;     // null: the schema is known at compile time
  ColumnWriter* columns;
  PageStore* store;
  KeyValue* key_values;
  SortState* sort;        // null: no order was named
  std::byte* statistics;  // states of all columns
  std::byte* window;      // through which footers and records pass
  std::byte* pages;       // page buffers, or the pool of them
  std::byte* kept;        // entries of finished row groups, where the sink cannot be read back
  // Writes the key-values; null: there are none.
  void (*write_key_values)(thrift::WindowSink& sink, const WriterState& state);
  std::uint32_t key_values_bytes;  // that it writes
  std::uint32_t columns_count;
  std::uint32_t bytes_per_row;  // that all columns are expected to need on the file, in 16ths

  std::uint32_t rows;      // of the open row group when the budget was granted
  std::uint32_t granted;   // rows that surely fit in every page, when it was granted
  std::uint32_t budget;    // and those that are left of them
  std::uint32_t began_ms;  // when the open row group began, by tick
  std::uint32_t now_ms;
  std::uint8_t key_values_count;
  WriterPhase phase;
  FileAbilities abilities;
  bool row_group_open;
  bool row_group_ending;  // its pages are on their way; no row enters any more

  std::uint64_t rows_before;  // in finished row groups
  std::uint64_t file_bytes;   // of the closed file
  FooterState footer;
};

inline Span<ColumnWriter> columns_of(const WriterState& state) {
  return Span<ColumnWriter>(state.columns, state.columns_count);
}

inline std::uint32_t rows_in_group(const WriterState& state) {
  return state.rows + (state.granted - state.budget);
}

}  // namespace microparquet::detail
