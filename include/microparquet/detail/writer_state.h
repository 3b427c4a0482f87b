// All that a writer knows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/column_writer.h"
#include "microparquet/detail/footer_state.h"
#include "microparquet/detail/layout_objects.h"
#include "microparquet/detail/sort_state.h"
#include "microparquet/detail/writer_plan.h"
#include "microparquet/file.h"
#include "microparquet/options.h"

namespace microparquet::thrift {
class WindowSink;
}

namespace microparquet::detail {

struct WriterState;

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

// What outlives a file: the plan, and where in the arena things lie.
struct WriterSetup {
  const WriterPlan* plan;  // null: nothing has been opened
  const Options* options;  // as in the plan
  ColumnWriter* columns;   // at the head of the arena
  ColumnWriter* columns_end;
  const LayoutOps* layout;
  void* layout_state;  // what the layout keeps
};

// What belongs to one file: all zeros when it is begun.
struct FileProgress {
  // What is used most stands first, bytes before words: the shorter instructions reach no further.
  WriterPhase phase;
  bool row_group_open;
  bool row_group_ending;  // its pages are on their way; no row enters any more
  bool reads_back;        // the file, and shrinks
  bool shrinks;
  bool resumed;  // and no row group has ended since
  // All of the footer's draft is in the file, and a call that failed may have made it the file's end: until
  // it is known to be, or not to be, nothing of it is written again, no other footer is begun, and no smaller
  // size is published. Forward, from its first byte on.
  bool may_be_live;
  bool closes;  // close() has been called

  File* file;
  std::uint32_t rows;              // of the open row group when the budget was granted
  std::uint32_t granted;           // rows that are guaranteed to fit in every page, when it was granted
  std::uint32_t budget;            // and those that are left of them
  std::uint32_t key_values_bytes;  // that write_key_values writes
  std::uint32_t footer_crc;        // of the last footer on the medium, to know it again
  FooterState footer;              // all of footer.now is within that reach

  std::uint32_t bytes_per_row;  // that all columns are expected to need on the file, in 16ths
  std::uint32_t began_ms;       // when the open row group began, by tick
  InheritedKeyValues inherited;

  std::uint64_t durable_rows;
  std::uint32_t blocking_footers;
  std::uint32_t lost_rows;  // by reconnect()
};

// What callers have said; it outlives a file, too.
struct CallerInput {
  const Field* fields;  // null: the schema is known at compile time
  std::uint32_t now_ms;
  // Key-values that have been set; those of a resumed file are not among them.
  std::uint8_t key_values_count;
  std::uint32_t own_key_values_bytes;
  // Writes them, and those of a resumed file. Called only when there are any.
  void (*write_key_values)(thrift::WindowSink& sink, WriterState& state);
};

struct WriterState : WriterSetup, FileProgress, CallerInput {
  // Of the CRCs of the open row group's dictionary pages. Here it takes no memory on cores of 32 bits: their state would be
  // padded so far.
  std::uint32_t dictionaries_crc;
};

inline std::byte* arena_of(const WriterState& state) { return reinterpret_cast<std::byte*>(state.columns); }

// Through which footers and records pass.
inline Span<std::byte> window_of(const WriterState& state) {
  const ArenaPlan& arena = state.plan->arena;
  return {arena_of(state) + arena.window, arena.window_bytes};
}

// The page buffers, or the pool of them.
inline std::byte* pages_of(const WriterState& state) { return arena_of(state) + state.plan->arena.pages; }

inline BlockSize block_of(const WriterState& state) { return BlockSize(state.options->block_bytes); }

// Whether the options name an order.
inline bool is_sorted(const WriterState& state) { return state.options->sorting.checker != nullptr; }
// Requires: is_sorted().
inline SortState& sort_state_of(const WriterState& state) {
  return *reinterpret_cast<SortState*>(state.columns_end);
}

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
