// The reader: a Parquet file in, rows or columns out, in memory the caller gives.
//
//   mpq::Reader reader;
//   reader.open(file, options, arena);           // checks the whole footer
//   const std::uint32_t columns[] = {0, 3};
//   reader.choose(columns);                      // or choose_all()
//   mpq::Value row[2];
//   while (reader.next_row(row) == mpq::Status::kOk) { ... }        // all row groups, row by row
//
// or, column by column and much faster:
//
//   float values[1024];
//   std::uint8_t levels[1024];
//   mpq::Batch<float> batch(values, levels);
//   while (reader.next_row_group() == mpq::Status::kOk) {
//     for (std::size_t i = 0; i < reader.chosen(); ++i) {
//       while (reader.next_batch(i, batch) == mpq::Status::kOk) {
//         for (const float value : batch.read()) { ... }
//       }
//     }
//   }
//
// Structs known at compile time are read by static_reader.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/bit_packed_levels.h"
#include "microparquet/column_values.h"
#include "microparquet/crc32.h"
#include "microparquet/decoder.h"
#include "microparquet/decompressor.h"
#include "microparquet/detail/reader_state.h"
#include "microparquet/detail/repeated_levels.h"
#include "microparquet/failure.h"
#include "microparquet/file.h"
#include "microparquet/file_metadata.h"
#include "microparquet/mapped_file.h"
#include "microparquet/options.h"
#include "microparquet/schema.h"
#include "microparquet/span.h"
#include "microparquet/status.h"
#include "microparquet/value.h"

namespace microparquet {

// All members have defaults.
struct ReaderOptions {
  // Every chosen column's share of the arena, in bytes, at least; 64 to 2^30. What the arena has beyond that
  // is divided among them. Pages that fit in it cost at most one read each; larger ones are read in
  // pieces, and twice if they have a checksum: before their first value is given out it is compared. On
  // desktops 256 KiB a column is a good size.
  std::uint32_t buffer_bytes = 512;

  // The part of the arena through which the footer passes, in bytes; 64 or more. A footer is read whole at
  // open(), in pieces of this size.
  std::uint32_t footer_bytes = 256;

  // How values are decoded. Only what is named here is linked.
  Span<const Decoder* const> decoders = kPlainDecoders;

  // How pages are decompressed, by the compressions the file uses.
  Span<const Decompressor* const> decompressors = {};

  // The checksum of pages; null: they are not checked.
  Crc32 checksum = &crc32_portable;

  // How levels in the deprecated BIT_PACKED encoding are read: &read_bit_packed_levels. Null: such pages are
  // kUnsupported.
  LevelReader* bit_packed_levels = nullptr;
};

// Those of a reader that is given none.
inline constexpr ReaderOptions kDefaultReaderOptions = {};

namespace detail {
struct ReaderAccess;

// Of each column, for the decoder that wants most; aligned to 8.
constexpr std::uint32_t decoder_state_bytes(const ReaderOptions& options) {
  std::uint32_t most = 0;
  for (const Decoder* decoder : options.decoders)
    if (decoder->state_bytes() > most) most = decoder->state_bytes();
  return (most + 7) & ~std::uint32_t{7};
}
// Of the reader, for the decompressor that wants most; aligned to 8.
constexpr std::size_t scratch_bytes(const ReaderOptions& options) {
  std::size_t most = 0;
  for (const Decompressor* decompressor : options.decompressors)
    if (decompressor->scratch_bytes() > most) most = decompressor->scratch_bytes();
  return align8(most);
}
}  // namespace detail

// A column to read, and the bytes of its buffer; 0: ReaderOptions::buffer_bytes. A fixed-width value that
// needs more gets it.
struct ColumnChoice {
  std::uint32_t column = 0;        // number in the file
  std::uint32_t buffer_bytes = 0;  // see ReaderOptions::buffer_bytes
};

class Reader;

// Says which row groups are worth reading; see filter.h for one that compares statistics.
class RowGroupFilter {
 public:
  // The reader stands at a row group. `match` false: none of its rows is wanted.
  virtual Status may_match(Reader& reader, bool& match) const = 0;

 protected:
  ~RowGroupFilter() = default;
};

// Reads one file at a time, and may be opened again at any time. All memory is the caller's arena; the size
// of the footer and the number of row groups make no difference to it, the number of columns does. Not
// thread-safe; never from an interrupt.
//
// Every byte of a file is taken as hostile. Any call that reads the file may return
// - kIoError, or what else the file answered: the call may be repeated and continues where it stopped;
//   open() starts again.
// - kCorrupt: the file contradicts itself or a checksum. Repeating gives the same answer, of a page until
//   skip_page() or another row group. No value of a page whose checksum is wrong is given out;
//   of one without a checksum, values may be that stand before what contradicts the rest.
// - kUnsupported: it needs a decoder or decompressor that the options do not name, or how to read levels in the
//   deprecated BIT_PACKED encoding; failure() says which.
// - kWrongState: no file is open, or what the call needs before it has not happened.
class Reader {
 public:
  // Bytes of arena, aligned to 8, that suffice for a file of `file_columns` columns of which `chosen` are
  // read.
  static constexpr std::size_t required_bytes(std::size_t file_columns, std::size_t chosen,
                                              const ReaderOptions& options) {
    return detail::reader_head_bytes(file_columns, options.footer_bytes) +
           chosen * (detail::kReaderColumnBytes + detail::decoder_state_bytes(options) +
                     detail::align8(options.buffer_bytes)) +
           detail::scratch_bytes(options);
  }

  // The same for choose_items(), of columns that are all repeated.
  static constexpr std::size_t required_bytes_of_items(std::size_t file_columns, std::size_t chosen,
                                                       const ReaderOptions& options) {
    return required_bytes(file_columns, chosen, options) + chosen * detail::kRepeatedColumnBytes;
  }

  Reader() = default;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // Opens `file` and checks its footer from end to end. No column is chosen then. `file`, `options` and
  // `arena` are the caller's and must stay until the last call.
  // - kNotParquet: it does not begin and end as a Parquet file does
  // - kEncrypted: the footer or any column is encrypted
  // - kOutOfMemory: see needed_bytes()
  // - kInvalidArgument: an option is out of its range, or the arena not aligned to 8
  // - kUnsupported: the schema is nested deeper than 15 groups, or has more than kMaxColumns columns
  //
  // Reads only: after a failure it may be repeated, and starts again.
  Status open(File& file, const ReaderOptions& options, Span<std::byte> arena);

  // The same of a file that lies in memory: its pages are read where they are, without copying,
  // and runs point into the file. The arena passes headers and what is decompressed. Of a file that gives no
  // view, as of any other.
  Status open(MappedFile& file, const ReaderOptions& options, Span<std::byte> arena) {
    const Status status = open(static_cast<File&>(file), options, arena);
    if (status == Status::kOk) read_in_place(file);
    return status;
  }

  // Forgets the file.
  void reset();

  // After choose(), and after kOutOfMemory of open(): the bytes of arena that suffice for that; after
  // kOutOfMemory of calls with a buffer: the bytes of buffer. After kValueTooLarge: the bytes of the value or, where
  // a buffer that is no shorter than it has a dictionary or levels beside it, those of a longer buffer.
  std::uint64_t needed_bytes() const { return state_.needed_bytes; }

  // The rows of all row groups.
  std::uint64_t rows() const { return state_.file_rows; }
  // The rows that the footer says the file has: there are files where rows() differs.
  std::uint64_t stated_rows() const { return state_.stated_rows; }
  // How many row groups the file has.
  std::uint32_t row_groups() const { return state_.row_groups; }
  // How many columns the file has: all leaves of its schema.
  std::uint32_t columns() const { return state_.leaf_count; }
  // How many nodes the schema has, the root and the leaves among them.
  std::uint32_t schema_elements() const { return state_.schema_elements; }
  // How many key-values the footer has.
  std::uint32_t key_values() const { return state_.key_values; }
  // FileMetaData.version, as stored.
  std::int32_t version() const { return state_.version; }
  // The size of the file when it was opened, in bytes.
  std::uint64_t file_bytes() const { return state_.file_bytes; }
  // The size of the footer in the file, in bytes, without its length and the magic.
  std::uint32_t footer_bytes() const { return state_.footer_bytes; }

  // Node `index` of the schema, below schema_elements(). Its name lies in `buffer`; an empty buffer leaves it
  // out. Walks the schema up to it: for all nodes in turn there is SchemaCursor (cursors.h).
  // - kInvalidArgument: no such node
  // - kOutOfMemory: the buffer is shorter than the name, see needed_bytes()
  Status schema_element(std::uint32_t index, Span<char> buffer, SchemaElement& element);

  // Leaf `column` of the schema, below columns(); else as schema_element().
  Status column_element(std::uint32_t column, Span<char> buffer, SchemaElement& element);

  // The column of a name; in nested schemas the names from below the root on, joined by dots.
  // - kInvalidArgument: no such column
  Status find_column(std::string_view name, std::uint32_t& column);

  // The physical type. Requires: column < columns().
  Type column_type(std::uint32_t column) const { return static_cast<Type>(state_.leaves[column].type); }
  // Bytes of a value of kFixedLenByteArray. Requires: column < columns().
  std::uint32_t type_length(std::uint32_t column) const { return state_.leaves[column].type_length; }
  // The definition level of a value; 0: the column has no nulls. Requires: column < columns().
  std::uint8_t max_definition_level(std::uint32_t column) const {
    return state_.leaves[column].max_definition;
  }
  // 0: the column is not repeated. Requires: column < columns().
  std::uint8_t max_repetition_level(std::uint32_t column) const {
    return state_.leaves[column].max_repetition;
  }

  // Key-value `index`, below key_values(); a missing value is empty. Both lie in `buffer`. Walks the
  // key-values up to it: for all of them in turn there is KeyValueCursor (cursors.h).
  // - kInvalidArgument: no such key-value
  // - kOutOfMemory: the buffer is shorter than both together, see needed_bytes()
  Status key_value(std::uint32_t index, Span<char> buffer, KeyValue& result);

  // The value of the first key-value named `key`, in `buffer`. Statuses as key_value().
  Status find_key_value(std::string_view key, Span<char> buffer, std::string_view& value);

  // FileMetaData.created_by, in `buffer`; empty when there is none. Statuses as key_value().
  Status created_by(Span<char> buffer, std::string_view& text);

  // Chooses the columns to read, in this order, and divides the arena among them. Choosing again starts over
  // at the first row group.
  // - kInvalidArgument: a column the file does not have, or one twice
  // - kUnsupported: a column has repeated values
  // - kOutOfMemory: see needed_bytes()
  Status choose(Span<const std::uint32_t> columns);
  // The same for all columns of the file.
  Status choose_all();

  // The same, with a buffer for each column: so that one with long values or a dictionary costs no long
  // buffer for the others. What the arena has beyond that is divided among all.
  Status choose(Span<const ColumnChoice> columns);

  // Chooses columns whose items are read, by next_item() or next_items(): repeated ones too, which no call for rows
  // takes (kUnsupported). The others are read by any call. Else as choose().
  // - kInvalidArgument: a column the file does not have, or one twice, or a buffer out of its range
  // - kOutOfMemory: see needed_bytes()
  Status choose_items(Span<const ColumnChoice> columns);

  // How many columns are chosen; `i` below is a place in their order.
  std::size_t chosen() const { return state_.chosen; }
  // The number in the file of chosen column `i`. Requires: i < chosen().
  std::uint32_t chosen_column(std::size_t i) const { return state_.columns[i].column; }

  // Skips row groups that `filter` rules out, from now on. Null: reads all. open() forgets it. The filter is
  // the caller's and must stay.
  void set_filter(const RowGroupFilter* filter) { state_.filter = filter; }

  // Goes to the next row group, the first one after open() or choose().
  // - kEnd: there is none
  Status next_row_group();

  // Goes to row group `index`, whatever the filter says. The next one is index + 1.
  // - kInvalidArgument: no such row group
  Status seek_row_group(std::uint32_t index);

  // The current row group; its number is row_groups() or more when there is none.
  std::uint32_t row_group() const { return state_.row_group; }
  // The rows of the current row group. Requires: there is one.
  std::uint64_t row_group_rows() const { return state_.group_rows; }
  // The bytes of the current row group before compression. Requires: there is one.
  std::uint64_t row_group_bytes() const { return state_.group_bytes; }

  // By which columns its rows are sorted: fills `sorting` and says in `count` how many there are, more
  // perhaps than fit.
  Status sorting_columns(Span<SortingColumn> sorting, std::size_t& count);

  // What the file says of any column in the current row group. Walks from the column that this call or
  // column_statistics() was last asked for, or from the first one for one before it.
  // - kInvalidArgument: no such column
  Status column_chunk(std::uint32_t column, ColumnChunkInfo& info);

  // The statistics of any column in the current row group. The bounds lie in `buffer`; one that finds no
  // space is left out, and needed_bytes() says what would do.
  // - kInvalidArgument: no such column
  Status column_statistics(std::uint32_t column, Span<std::byte> buffer, ColumnStatistics& statistics);

  // Rows: goes to the next row of the chosen columns, through all row groups; cell() shows it until the next
  // call. On failure the row is not passed.
  // - kEnd: there is none
  // - kValueTooLarge: a byte array is longer than its column's buffer, see needed_bytes(); continue with
  //   skip_row() or move_buffer(), or give a larger arena
  // - kOutOfMemory: a page or a dictionary does not fit in its column's buffer, see needed_bytes();
  //   continue with move_buffer(), or give a larger arena
  // - kWrongState: no column is chosen, the current row group is being read by batches or runs, or a skip_row()
  //   that failed has passed the row in some columns: repeat that
  Status next_row();

  // Goes to row `row` of the file, counted from 0: next_row() gives it. Row groups and pages before it are
  // passed over by what they say of their rows; RowGroupIndex (row_group_index.h) spares that. A filter is not
  // asked.
  // - kInvalidArgument: the file has no such row
  // - kWrongState: no column is chosen
  // - as next_row(); where it stands then is not said: repeat the call
  Status seek_row(std::uint64_t row);

  // Goes to row `row` of row group `row_group`, both counted from 0: next_row() gives it. From the current row
  // on if that is before it in the same row group. Pages before it are passed over by their headers, and not
  // read where they lie beyond the buffer. A filter is not asked.
  // - kInvalidArgument: no such row group, or it has no such row
  // - kWrongState: no column is chosen
  // - as next_row(); the row group is left then: repeat the call
  Status seek_row(std::uint32_t row_group, std::uint64_t row);

  // Passes the next row without looking at it, values of any size too. Statuses as next_row(). One that failed is
  // repeated, or left by a seek: next_row() would have no values of the columns that are passed.
  Status skip_row();

  // Column `i` of the current row, or its last item. Requires: next_row() has returned kOk last, or next_item() of
  // the column.
  Cell cell(std::size_t i) const { return {state_.columns[i].value, state_.columns[i].value_bytes}; }

  // As next_row(), with the values: row[i] becomes column i, tagged with its type. Bytes lie in the arena
  // until the next call.
  // - kInvalidArgument: row.size() is not chosen()
  Status next_row(Span<Value> row);

  // Columns: the next rows of column `i` in the current row group, as many as there are places, or fewer, but
  // at least one; see Batch. The columns of a row group advance independently of each other.
  // - kEnd: the column has no more rows in this row group
  // - kInvalidArgument: no such column, it is of another type, there are no places, or levels are needed
  // - kValueTooLarge: the next value is longer than the column's buffer, see needed_bytes(); skip_value()
  //   passes it
  // - kOutOfMemory: a page or a dictionary does not fit in the column's buffer, see needed_bytes()
  // - kWrongState: there is no current row group, or it is being read by rows
  template <typename T>
  Status next_batch(std::size_t i, Batch<T>& batch) {
    if (i >= chosen() || !detail::stored_as<T>(state_.columns[i].type)) return Status::kInvalidArgument;
    return next_batch(i, static_cast<AnyBatch&>(batch));
  }

  // The same without the type checked, and of a fixed_len_byte_array: type_length() bytes each.
  Status next_batch(std::size_t i, AnyBatch& batch);

  // The next rows of column `i`, without copying: a piece of the arena that holds values back to back, or a
  // number of nulls. It stays until the next call for this column. For fixed-width types in PLAIN, and for
  // the nulls of any; statuses as next_batch(), and
  // - kUnsupported: the next rows are booleans, byte arrays, or of a page that needs decoding; next_batch()
  //   gives them
  Status next_run(std::size_t i, ColumnRun& run);

  // The next item of column `i` in the current row group: one of a row or, of a repeated column, of a list in
  // it. Rows may be of any length. The value stays until the next call for this column. Statuses as next_batch(),
  // and skip_item() passes a value that is too large; and
  // - kCorrupt: also where the levels contradict each other, or the number of rows
  Status next_item(std::size_t i, Item& item);

  // Passes one item of column `i`, with a value of any size. Statuses as next_item().
  Status skip_item(std::size_t i);

  // Many items of column `i` at once, as next_batch() gives rows: levels of all, values of those that have one. A
  // batch may end within a row. Statuses as next_item(), and
  // - kInvalidArgument: it is of another type, there are no places, or levels are needed
  template <typename T>
  Status next_items(std::size_t i, Batch<T>& batch) {
    if (i >= chosen() || !detail::stored_as<T>(column_type(chosen_column(i))))
      return Status::kInvalidArgument;
    return next_items(i, static_cast<AnyBatch&>(batch));
  }

  // The same without the type checked, and of a fixed_len_byte_array: type_length() bytes each.
  Status next_items(std::size_t i, AnyBatch& batch);

  // Goes to row `row` of column `i` in the current row group, counted from 0, or to its end: the next item is its
  // first one. Of repeated columns pages of version 2 before it are passed by their headers, of others the levels are
  // read; of those that are not repeated, as seek_value(). Statuses as next_item(), and
  // - kInvalidArgument: the column has passed that row's beginning, or the row group ends before it
  Status seek_items(std::size_t i, std::uint64_t row);

  // Passes one row of column `i`. Statuses as next_batch().
  Status skip_value(std::size_t i);

  // Goes to row `row` of column `i` in the current row group, counted from 0, or to its end: the next batch or
  // run begins there. Pages before it are passed over as by seek_row(). Statuses as next_batch(), and
  // - kInvalidArgument: the column has passed that row, or the row group ends before it
  Status seek_value(std::size_t i, std::uint64_t row);

  // After kCorrupt of a call above: continues after the page it came from. Rows of that page which have not
  // been given out are missing; so are all that are left in its column chunk if the header of the page is
  // damaged, or the headers after it do not have the chunk's rows: they have no checksum, and one wrong
  // number would shift the rows after it. The headers up to the chunk's end are read for that, no values.
  //
  // By rows: the rows are passed in all chosen columns, so that the next row is whole again; `rows` says how
  // many.
  // - kWrongState: nothing was corrupt, or the row group is not being read by rows
  Status skip_page(std::uint64_t& rows);

  // By batches or runs: the same of column `i` alone, which then stands `rows` rows further on. The other
  // columns have these rows: leave a gap in this one, or drop them there.
  // - kWrongState: the last call for this column was not kCorrupt
  Status skip_page(std::size_t i, std::uint64_t& rows);

  // By items: the same of column `i`. Of a repeated column no page of version 1 says how many rows it has, so those
  // after it are read for that: another corrupt one among them, and all rows are missing. `rows` is how many do not come: the
  // row that had begun is not among them, and ends with what has come of it.
  // - kWrongState: the last call for this column was not kCorrupt
  Status skip_page_of_items(std::size_t i, std::uint64_t& rows);

  // What failed: of open(), of a row group, or of the last call for rows, batches, runs or values that did
  // not come to kOk. The status alone, and no column, if it was none of them.
  Failure failure() const;

  // The place among the chosen columns of the one at which a call for rows, batches, runs or values failed
  // last.
  std::size_t failed_column() const { return state_.failed; }

  // Moves the buffer of column `i` to `memory`, aligned to 8 and longer than it was, between two calls: so
  // that a value, page or dictionary that did not fit can be read on: needed_bytes() is always longer, and where
  // it does not suffice at once, it says more the next time. It is the caller's, and must stay until the next
  // choose() or open(); the memory before it, until the next row group.
  // - kInvalidArgument: no such column, not aligned, or not longer
  Status move_buffer(std::size_t i, Span<std::byte> memory);

  // Pages entered since open().
  std::uint64_t pages_read() const { return state_.pages_read; }
  // Those of pages_read() whose checksum was there and right.
  std::uint64_t pages_checked() const { return state_.pages_checked; }

 private:
  friend struct detail::ReaderAccess;

  void read_in_place(MappedFile& file);

  detail::ReaderState state_ = {};
};

}  // namespace microparquet
