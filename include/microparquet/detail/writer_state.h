// All that a writer knows, and how its arena is divided.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/column_writer.h"
#include "microparquet/detail/config.h"
#include "microparquet/detail/math.h"
#include "microparquet/detail/page_store.h"
#include "microparquet/detail/sort_state.h"
#include "microparquet/file.h"
#include "microparquet/options.h"
#include "microparquet/schema.h"

namespace microparquet::thrift {
class CompactWriter;
}

namespace microparquet::detail {

// What is needed to write a footer of any number of row groups: the entries of finished row groups are
// copied from the last footer, and behind them from the records written since.
struct FooterState {
  std::uint64_t entries_begin;     // in the last footer
  std::uint64_t first_record;      // the first record since, if there is one
  std::uint64_t last_footer;       // offset; 0: none yet
  std::uint32_t entries_bytes;     // in the last footer
  std::uint32_t all_entries_bytes; // with those of the records since
  std::uint32_t row_groups;        // finished
  std::uint32_t row_groups_in_footer;
  std::uint32_t chain;             // CRC of all entries, one behind another
  std::uint32_t sequence;          // of records and footers
};

enum class WriterPhase : std::uint8_t { kIdle, kOpening, kOpen, kClosing };

struct WriterState {
  File* file;
  const Options* options;
  const Field* fields;
  ColumnWriter* columns;
  PageStore* store;
  KeyValue* key_values;
  SortState* sort;        // null: no order was named
  std::byte* window;      // through which footers and records pass
  std::byte* pages;       // page buffers, or the pool of them
  std::byte* kept;        // entries of finished row groups, where the sink cannot be read back
  // Writes FileMetaData.schema, and the key-values once there are some.
  void (*write_schema)(thrift::CompactWriter& out, const WriterState& state);
  void (*write_key_values)(thrift::CompactWriter& out, const WriterState& state);
  std::uint32_t window_bytes;
  std::uint32_t record_bytes;  // of a record's slot
  std::uint32_t pool_bytes;  // of `pages`
  std::uint32_t columns_count;

  std::uint32_t rows;        // of the open row group when the budget was granted
  std::uint32_t granted;     // rows that surely fit in every page, when it was granted
  std::uint32_t budget;      // and those that are left of them
  std::uint32_t began_ms;    // when the open row group began, by tick
  std::uint32_t now_ms;
  std::uint8_t key_values_count;
  WriterPhase phase;
  bool row_group_open;
  bool row_group_ending;     // its pages are on their way; no row enters any more

  std::uint64_t rows_before;  // in finished row groups
  std::uint64_t file_bytes;   // of the closed file
  FooterState footer;
};

inline std::uint32_t rows_in_group(const WriterState& state) {
  return state.rows + (state.granted - state.budget);
}

constexpr std::uint32_t window_bytes(const Options& options) {
  // A sector at the most on devices, for RAM; on desktops a footer should leave in few writes.
  return options.page_bytes < kSectorBytes ? 256 : options.page_bytes;
}

// What the pool of the forward layout puts before each page.
inline constexpr std::uint32_t kPageNodeBytes = 16;

// The longest a row group's entry in the footer can be (parquet.thrift, RowGroup). Counts and sizes are 32 bits,
// five bytes as a varint; offsets and sums 64 bits, ten bytes. What a ColumnChunk has beside its name and bounds is
// field headers and constants (32 bytes), five counts, an offset, and two lengths.
constexpr std::uint32_t entry_bytes(Schema schema, const Options& options) {
  constexpr std::uint32_t kRowGroup = 8 + 3 * 10 + 6;  // headers and constants, sums and rows, sorting list
  constexpr std::uint32_t kColumnChunk = 32 + 5 * 5 + 10 + 2 * 5;
  constexpr std::uint32_t kSortingColumn = 9;
  std::uint32_t bytes = kRowGroup + static_cast<std::uint32_t>(options.sorting.columns.size()) * kSortingColumn;
  for (const Field& field : schema) {
    const std::uint32_t width = value_bytes(field.type, field.type_length);
    const std::uint32_t bound = width != 0 && width < options.statistics_bytes ? width : options.statistics_bytes;
    bytes += kColumnChunk + 2 * bound + static_cast<std::uint32_t>(field.name.size());
  }
  return bytes;
}

// A record is an entry at the head of a slot, and a trailer with its CRC at the slot's end; see RECORD.md.
inline constexpr std::uint32_t kRecordTrailerBytes = 32 + 4;

constexpr std::uint32_t record_bytes(Schema schema, const Options& options) {
  const std::uint32_t bytes = entry_bytes(schema, options) + kRecordTrailerBytes;
  return options.layout->in_place ? round_up(bytes, kSectorBytes) : bytes;
}

// Row groups are planned up to this size.
inline constexpr std::uint32_t kMostRowGroupBytes = 1 << 30;

// What lies where in the arena. Each part begins on 8 bytes: columns, store, levels and statistics of each
// column, key-values, sort state, window, kept entries, pages.
struct ArenaPlan {
  std::size_t kept;
  std::size_t pages;
  std::size_t bytes;
  std::uint32_t record_bytes;
};

constexpr ArenaPlan plan_arena(Schema schema, const Options& options) {
  std::size_t before = align8(schema.size() * sizeof(ColumnWriter)) + align8(options.layout->store_bytes) +
                       align8(options.key_values * sizeof(KeyValue)) + align8(sort_state_bytes(options)) +
                       align8(window_bytes(options));
  std::size_t pages = 0;
  for (const Field& field : schema) {
    if (is_optional(field)) before += align8(sizeof(LevelEncoder));
    before += align8(statistics_state_bytes(field, options));
    pages += align8(page_bytes_of(field, options));
  }
  if (!options.layout->in_place) {
    const std::size_t least = 2 * (pages + schema.size() * kPageNodeBytes);
    pages = align8(options.row_group_bytes);
    if (pages < least) pages = least;
  }
  std::size_t kept = 0;
  if (options.row_groups_kept != 0) {
    kept = align8(options.row_groups_kept * std::size_t{entry_bytes(schema, options)} + kRecordTrailerBytes);
  }
  return {before, before + kept, before + kept + pages, record_bytes(schema, options)};
}

constexpr std::size_t arena_bytes(Schema schema, const Options& options) { return plan_arena(schema, options).bytes; }

}  // namespace microparquet::detail
