// All that a writer knows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/column_writer.h"
#include "microparquet/detail/footer_state.h"
#include "microparquet/detail/layout_ops.h"
#include "microparquet/detail/sort_state.h"
#include "microparquet/detail/writer_plan.h"
#include "microparquet/file.h"
#include "microparquet/options.h"

namespace microparquet::thrift {
class WindowSink;
}

namespace microparquet::detail {

enum class WriterPhase : std::uint8_t { kIdle, kOpening, kOpen, kClosing };

// Key-values of the resumed file: where its footer has them, to be copied. Those whose keys have
// been set since are left out.
struct InheritedKeyValues {
  std::uint64_t begin;
  std::uint32_t bytes;  // all there are
  std::uint32_t crc;    // of what is copied
  std::uint32_t count;  // of those that are; 0: they begin with the header of their list
  bool changed;         // the file has not the key-values any more that it had
};

struct WriterState {
  // What is used most stands first, bytes before words: the shorter instructions reach no further.
  WriterPhase phase;
  bool row_group_open;
  bool row_group_ending;  // its pages are on their way; no row enters any more
  std::uint8_t key_values_count;
  bool reads_back;  // the file, and shrinks
  bool shrinks;
  bool resumed;  // and no row group has ended since
  // All of the footer's draft is in the file, and a call that failed may have made it the file's end: until
  // it is known to be, or not to be, nothing of it is written again, no other footer is begun, and no smaller
  // size is published. Forward, from its first byte on.
  bool may_be_live;

  File* file;
  const WriterPlan* plan;
  const Options* options;  // as in the plan
  ColumnWriter* columns;
  ColumnWriter* columns_end;
  std::uint32_t rows;     // of the open row group when the budget was granted
  std::uint32_t granted;  // rows that are guaranteed to fit in every page, when it was granted
  std::uint32_t budget;   // and those that are left of them
  const LayoutOps* layout;
  void* layout_state;              // what the layout keeps
  std::byte* window;               // through which footers and records pass
  std::uint32_t key_values_bytes;  // that write_key_values writes
  FooterState footer;              // all of footer.now is within that reach

  SortState* sort;           // null: no order was named
  std::uint32_t footer_crc;  // of the last footer on the medium, to know it again
  std::byte* pages;          // page buffers, or the pool of them
  std::uint32_t columns_count;
  std::uint32_t bytes_per_row;         // that all columns are expected to need on the file, in 16ths
  const Field* fields;                 // null: the schema is known at compile time
  std::uint32_t own_key_values_bytes;  // without those of the resumed file
  // Writes the key-values; null: there are none.
  void (*write_key_values)(thrift::WindowSink& sink, WriterState& state);
  std::uint32_t began_ms;  // when the open row group began, by tick
  std::uint32_t now_ms;

  InheritedKeyValues inherited;

  std::uint64_t durable_rows;
  std::uint32_t blocking_footers;
  std::uint32_t lost_rows;  // by reconnect()
};

// For loops over them.
struct ColumnIterators {
  ColumnWriter* first;
  ColumnWriter* last;
  ColumnWriter* begin() const { return first; }
  ColumnWriter* end() const { return last; }
};
inline ColumnIterators columns_of(const WriterState& state) { return {state.columns, state.columns_end}; }

// Of the open row group.
inline std::uint32_t rows_in_group(const WriterState& state) {
  return state.rows + (state.granted - state.budget);
}

// Of the file.
inline std::uint64_t rows_in_file(const WriterState& state) {
  return state.footer.now.rows + rows_in_group(state);
}

}  // namespace microparquet::detail
