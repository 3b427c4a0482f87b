// The complete state of a writer.
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

// Key-values of the resumed file: their place in its footer, from which they are copied. Those whose keys
// have been set since are left out.
struct InheritedKeyValues {
  std::uint64_t begin;
  std::uint32_t bytes;  // length of all of them
  std::uint32_t crc;    // checksum of the copied key-values
  std::uint32_t count;  // number of them; 0: they begin with the header of their list
  bool changed;         // whether later footers differ in key-values
};

// Members that outlast a file: the plan, and addresses in the arena.
struct WriterSetup {
  const WriterPlan* plan;  // null: nothing has been opened
  const Options* options;  // options of the plan
  ColumnWriter* columns;   // columns, at the head of the arena
  ColumnWriter* columns_end;
  const LayoutOps* layout;
  void* layout_state;  // state of the layout
};

// Members for one file, all zeros when it is begun.
struct FileProgress {
  // The most used members come first, bytes before words, within reach of the shorter instructions.
  WriterPhase phase;
  bool row_group_open;
  bool row_group_ending;  // whether its pages are being stored; no more rows enter it
  bool reads_back;        // whether the file can be read back
  bool shrinks;           // whether the file can shrink
  bool resumed;           // set until a row group ends after resume()
  // True if all of the draft is in the file, and a failed call may have made it the file's end. Until that is
  // known, the writer writes no byte of it again, begins no other footer, and publishes no smaller size. In
  // the forward layout it is set from the draft's first byte on.
  bool may_be_live;
  bool closes;  // close() has been called

  File* file;
  std::uint32_t rows;              // rows of the open row group when the budget was granted
  std::uint32_t granted;           // rows guaranteed to fit in every page when the budget was granted
  std::uint32_t budget;            // rows of these that are left
  std::uint32_t key_values_bytes;  // length of the output of write_key_values
  std::uint32_t footer_crc;        // checksum of the last footer on the medium, to recognise it
  FooterState footer;              // footer.now is within reach of the shorter instructions

  std::uint32_t bytes_per_row;  // expected bytes a row of all columns in the file, in 16ths
  std::uint32_t began_ms;       // begin of the open row group, by tick()
  InheritedKeyValues inherited;

  std::uint64_t durable_rows;
  std::uint32_t blocking_footers;
  std::uint32_t lost_rows;  // rows lost at a reconnect()
};

// Input of callers, which also outlasts a file.
struct CallerInput {
  const Field* fields;  // null: the schema is known at compile time
  std::uint32_t now_ms;
  // Number of key-values set so far, without those of a resumed file.
  std::uint8_t key_values_count;
  std::uint32_t own_key_values_bytes;
  // Writes these, and those of a resumed file. It is called only if there are any.
  void (*write_key_values)(thrift::WindowSink& sink, WriterState& state);
};

struct WriterState : WriterSetup, FileProgress, CallerInput {
  // CRC over the CRCs of the open row group's dictionary pages. It takes no memory here on cores of 32 bits,
  // where it fills padding.
  std::uint32_t dictionaries_crc;
};

inline std::byte* arena_of(const WriterState& state) { return reinterpret_cast<std::byte*>(state.columns); }

// Returns the window for footers and records.
inline Span<std::byte> window_of(const WriterState& state) {
  const ArenaPlan& arena = state.plan->arena;
  return {arena_of(state) + arena.window, arena.window_bytes};
}

// Returns the page buffers, or their pool.
inline std::byte* pages_of(const WriterState& state) { return arena_of(state) + state.plan->arena.pages; }

inline BlockSize block_of(const WriterState& state) { return BlockSize(state.options->block_bytes); }

// Returns whether the options name an order.
inline bool is_sorted(const WriterState& state) { return state.options->sorting.checker != nullptr; }
// Returns the state of the sort checker. Requires: is_sorted().
inline SortState& sort_state_of(const WriterState& state) {
  return *reinterpret_cast<SortState*>(state.columns_end);
}

// Columns as a range for loops.
struct ColumnIterators {
  ColumnWriter* first;
  ColumnWriter* last;
  ColumnWriter* begin() const { return first; }
  ColumnWriter* end() const { return last; }
};
inline ColumnIterators columns_of(const WriterState& state) { return {state.columns, state.columns_end}; }

// Returns the rows of the open row group.
[[gnu::always_inline]] inline std::uint32_t rows_in_group(const WriterState& state) {
  return state.rows + (state.granted - state.budget);
}

// Returns the rows of the file.
[[gnu::always_inline]] inline std::uint64_t rows_in_file(const WriterState& state) {
  return state.footer.now.rows + rows_in_group(state);
}

}  // namespace microparquet::detail
