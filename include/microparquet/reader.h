// Reader: a Parquet file in, rows or columns out, in memory of the caller.
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
// static_reader.h reads structs known at compile time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/column_values.h"
#include "microparquet/crc32.h"
#include "microparquet/decoder.h"
#include "microparquet/decoders.h"
#include "microparquet/decompressor.h"
#include "microparquet/detail/desktop.h"
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

// Settings with defaults.
struct ReaderOptions {
  // Smallest share of each chosen column in the arena, in bytes; 64 to 2^30. The rest of the arena is divided
  // among the columns. Pages that fit in it cost at most one read each; larger ones are read in pieces, and
  // twice if they have a checksum, which the reader compares before it gives out the first value. On desktops
  // 256 KiB a column is a good size.
  std::uint32_t buffer_bytes = 512;

  // Part of the arena for reading the footer, in bytes; 64 or more. open() reads the whole footer in pieces
  // of this size.
  std::uint32_t footer_bytes = 256;

  // Decoders of values. Only those named here are linked.
  Span<const Decoder* const> decoders = kPlainDecoders;

  // Decompressors for the compressions that files use.
  Span<const Decompressor* const> decompressors = {};

  // Checksum of pages; null: they are not checked.
  Crc32 checksum = &crc32_portable;

  // Reader of levels in the deprecated BIT_PACKED encoding: &read_bit_packed_levels. Null: such pages are
  // kUnsupported.
  LevelReader* bit_packed_levels = nullptr;
};

// Options of a reader that is given none.
inline constexpr ReaderOptions kDefaultReaderOptions = {};

namespace detail {
struct ReaderAccess;

// Returns the memory of each column for the decoder that needs most; aligned to 8.
constexpr std::uint32_t decoder_state_bytes(const ReaderOptions& options) {
  std::uint32_t most = 0;
  for (const Decoder* decoder : options.decoders)
    if (decoder->state_bytes() > most) most = decoder->state_bytes();
  return (most + 7) & ~std::uint32_t{7};
}
// Returns the memory of the reader for the decompressor that needs most; aligned to 8.
constexpr std::size_t scratch_bytes(const ReaderOptions& options) {
  std::size_t most = 0;
  for (const Decompressor* decompressor : options.decompressors)
    if (decompressor->scratch_bytes() > most) most = decompressor->scratch_bytes();
  return align8(most);
}
}  // namespace detail

// Column to read, and the bytes of its buffer; 0: ReaderOptions::buffer_bytes. A fixed-width value that needs
// more gets it.
struct ColumnChoice {
  std::uint32_t column = 0;        // number in the file
  std::uint32_t buffer_bytes = 0;  // see ReaderOptions::buffer_bytes
};

inline namespace MICROPARQUET_BUILT_FOR {
class Reader;
}

// Chooses the row groups worth reading; filter.h has one that compares statistics.
class RowGroupFilter {
 public:
  // Looks at the reader's current row group. `match` becomes false if no row of it is wanted.
  virtual Status may_match(Reader& reader, bool& match) const = 0;

 protected:
  ~RowGroupFilter() = default;
};

inline namespace MICROPARQUET_BUILT_FOR {

// Reads one file at a time, and may be opened again at any time. All memory is the caller's arena; the size
// of the footer and the number of row groups make no difference to it, the number of columns does. Not
// thread-safe; never from an interrupt.
//
// The reader trusts no byte of a file. Any call that reads the file may return
// - kIoError, or another status of the file: the call may be repeated and continues where it stopped; open()
//   starts again.
// - kCorrupt: the file contradicts itself or a checksum. Repeating gives the same status, for a page until
//   skip_page() or another row group. The reader gives out no value of a page whose checksum is wrong. A page
//   without a checksum may yield values before the first contradiction.
// - kUnsupported: the file needs a decoder, a decompressor or a reader of BIT_PACKED levels that the options
//   do not name; failure() says which.
// - kWrongState: no file is open, or a call that must come before has not been made.
class Reader {
 public:
  // Returns the bytes of arena, aligned to 8, that suffice for a file of `file_columns` columns if `chosen`
  // of them are read.
  static constexpr std::size_t required_bytes(std::size_t file_columns, std::size_t chosen,
                                              const ReaderOptions& options) {
    return detail::reader_head_bytes(file_columns, options.footer_bytes) +
           chosen * (detail::kReaderColumnBytes + detail::decoder_state_bytes(options) +
                     detail::align8(options.buffer_bytes)) +
           detail::scratch_bytes(options);
  }

  // Returns the bytes for choose_items(), if all columns are repeated.
  static constexpr std::size_t required_bytes_of_items(std::size_t file_columns, std::size_t chosen,
                                                       const ReaderOptions& options) {
    return required_bytes(file_columns, chosen, options) + chosen * detail::kRepeatedColumnBytes;
  }

  Reader() = default;
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // Opens `file` and checks its footer from end to end. Afterwards no column is chosen. `file`, `options` and
  // `arena` are the caller's and must stay until the last call.
  // - kNotParquet: it does not begin and end as a Parquet file does
  // - kEncrypted: the footer or any column is encrypted
  // - kOutOfMemory: see needed_bytes()
  // - kInvalidArgument: an option is out of its range, or the arena not aligned to 8
  // - kUnsupported: the schema is nested deeper than 15 groups, or has more than kMaxColumns columns
  //
  // It only reads: repeat it after a failure, and it starts again.
  Status open(File& file, const ReaderOptions& options, Span<std::byte> arena);

  // Opens a file that lies in memory. The reader reads pages where they are, without copying, and runs point
  // into the file. The arena is for headers and decompressed pages. A file that gives no view is read as any
  // other.
  Status open(MappedFile& file, const ReaderOptions& options, Span<std::byte> arena) {
    const Status status = open(static_cast<File&>(file), options, arena);
    if (status == Status::kOk) read_in_place(file);
    return status;
  }

  // Closes the file and forgets all about it.
  void reset();

  // Returns the bytes that would have sufficed. After choose(), and after kOutOfMemory of open(): bytes of
  // arena; after kOutOfMemory of calls with a buffer: bytes of buffer. After kValueTooLarge: the length of
  // the value or, if the buffer is no shorter but holds a dictionary or levels beside it, a longer buffer.
  std::uint64_t needed_bytes() const { return state_.needed_bytes; }

  // Returns the rows of all row groups.
  std::uint64_t rows() const { return state_.file_rows; }
  // Returns the rows that the footer states; some files state another number than rows().
  std::uint64_t stated_rows() const { return state_.stated_rows; }
  // Returns the number of row groups in the file.
  std::uint32_t row_groups() const { return state_.row_groups; }
  // Returns the number of columns in the file: all leaves of its schema.
  std::uint32_t columns() const { return state_.leaf_count; }
  // Returns the number of nodes in the schema, with the root and the leaves.
  std::uint32_t schema_elements() const { return state_.schema_elements; }
  // Returns the number of key-values in the footer.
  std::uint32_t key_values() const { return state_.key_values; }
  // Returns FileMetaData.version, as stored.
  std::int32_t version() const { return state_.version; }
  // Returns the size of the file when it was opened, in bytes.
  std::uint64_t file_bytes() const { return state_.file_bytes; }
  // Returns the size of the footer in the file, in bytes, without its length and the magic.
  std::uint32_t footer_bytes() const { return state_.footer_bytes; }

  // Reads node `index` of the schema, below schema_elements(). Its name lies in `buffer`; an empty buffer
  // leaves it out. The call walks the schema up to the node; SchemaCursor (cursors.h) reads all nodes in
  // turn.
  // - kInvalidArgument: no such node
  // - kOutOfMemory: the buffer is shorter than the name, see needed_bytes()
  Status schema_element(std::uint32_t index, Span<char> buffer, SchemaElement& element);

  // Reads leaf `column` of the schema, below columns(); otherwise as schema_element().
  Status column_element(std::uint32_t column, Span<char> buffer, SchemaElement& element);

  // Finds a column by its name; in nested schemas by the names from below the root on, joined by dots.
  // - kInvalidArgument: no such column
  Status find_column(std::string_view name, std::uint32_t& column);

  // Returns the physical type. Requires: column < columns().
  Type column_type(std::uint32_t column) const { return static_cast<Type>(state_.leaves[column].type); }
  // Returns the length of a value of kFixedLenByteArray. Requires: column < columns().
  std::uint32_t type_length(std::uint32_t column) const { return state_.leaves[column].type_length; }
  // Returns the definition level of a value; 0: the column has no nulls. Requires: column < columns().
  std::uint8_t max_definition_level(std::uint32_t column) const {
    return state_.leaves[column].max_definition;
  }
  // Returns the repetition level of the innermost list; 0: the column is not repeated. Requires: column <
  // columns().
  std::uint8_t max_repetition_level(std::uint32_t column) const {
    return state_.leaves[column].max_repetition;
  }

  // Reads key-value `index`, below key_values(); a missing value is empty. Both texts lie in `buffer`. The
  // call walks the key-values up to it; KeyValueCursor (cursors.h) reads all of them in turn.
  // - kInvalidArgument: no such key-value
  // - kOutOfMemory: the buffer is shorter than both together, see needed_bytes()
  Status key_value(std::uint32_t index, Span<char> buffer, KeyValue& result);

  // Finds the value of the first key-value named `key`; it lies in `buffer`. Statuses as key_value().
  Status find_key_value(std::string_view key, Span<char> buffer, std::string_view& value);

  // Reads FileMetaData.created_by into `buffer`; empty if there is none. Statuses as key_value().
  Status created_by(Span<char> buffer, std::string_view& text);

  // Chooses the columns to read, in this order, and divides the arena among them. Choosing again starts over
  // at the first row group.
  // - kInvalidArgument: a column the file does not have, or one twice
  // - kUnsupported: a column has repeated values
  // - kOutOfMemory: see needed_bytes()
  Status choose(Span<const std::uint32_t> columns);
  // Chooses all columns of the file, as choose().
  Status choose_all();

  // Chooses columns with a buffer size for each: one with long values or a dictionary then costs no long
  // buffer for the others. The rest of the arena is divided among all.
  Status choose(Span<const ColumnChoice> columns);

  // Chooses columns to read their items, by next_item() or next_items(). They may be repeated, which no call
  // for rows supports (kUnsupported); columns that are not repeated can be read by any call. Otherwise as
  // choose().
  // - kInvalidArgument: a column the file does not have, or one twice, or a buffer out of its range
  // - kOutOfMemory: see needed_bytes()
  Status choose_items(Span<const ColumnChoice> columns);

  // Returns the number of chosen columns; `i` below is a place in their order.
  std::size_t chosen() const { return state_.chosen; }
  // Returns the number in the file of chosen column `i`. Requires: i < chosen().
  std::uint32_t chosen_column(std::size_t i) const { return state_.columns[i].column; }

  // Sets a filter, and skips the row groups that it rules out from now on. Null: reads all. open() forgets
  // it. The filter is the caller's and must stay.
  void set_filter(const RowGroupFilter* filter) { state_.filter = filter; }

  // Goes to the next row group, the first one after open() or choose().
  // - kEnd: there is none
  Status next_row_group();

  // Goes to row group `index` without asking the filter. The next one is index + 1.
  // - kInvalidArgument: no such row group
  Status seek_row_group(std::uint32_t index);

  // Returns the current row group; row_groups() or more if there is none.
  std::uint32_t row_group() const { return state_.row_group; }
  // Returns the rows of the current row group. Requires: there is one.
  std::uint64_t row_group_rows() const { return state_.group_rows; }
  // Returns the bytes of the current row group before compression. Requires: there is one.
  std::uint64_t row_group_bytes() const { return state_.group_bytes; }

  // Reads the columns by which the row group's rows are sorted into `sorting`; `count` becomes their number,
  // perhaps more than fit.
  Status sorting_columns(Span<SortingColumn> sorting, std::size_t& count);

  // Reads the metadata of any column in the current row group. It walks on from the column of the last call,
  // of column_statistics() too, or from the first one to an earlier column.
  // - kInvalidArgument: no such column
  Status column_chunk(std::uint32_t column, ColumnChunkInfo& info);

  // Reads the statistics of any column in the current row group. The bounds lie in `buffer`; a bound without
  // space there is left out, and needed_bytes() has the size that would do.
  // - kInvalidArgument: no such column
  Status column_statistics(std::uint32_t column, Span<std::byte> buffer, ColumnStatistics& statistics);

  // Goes to the next row of the chosen columns, through all row groups; cell() shows it until the next call.
  // On failure the row is not passed.
  // - kEnd: there is none
  // - kValueTooLarge: a byte array is longer than its column's buffer, see needed_bytes(); continue with
  //   skip_row() or move_buffer(), or give a larger arena
  // - kOutOfMemory: a page or a dictionary does not fit in its column's buffer, see needed_bytes(); continue
  //   with move_buffer(), or give a larger arena
  // - kWrongState: no column is chosen, the current row group is being read by batches or runs, or a
  //   skip_row() that failed has passed the row in some columns: repeat that
  Status next_row();

  // Goes to row `row` of the file, counted from 0: next_row() returns it. The reader skips earlier row groups
  // by the footer and earlier pages by their headers; RowGroupIndex (row_group_index.h) saves reading the
  // footer again. No filter is asked.
  // - kInvalidArgument: the file has no such row
  // - kWrongState: no column is chosen
  // - as next_row(); the reader's place is undefined then: repeat the call
  Status seek_row(std::uint64_t row);

  // Goes to row `row` of row group `row_group`, both counted from 0: next_row() returns it. The reader
  // continues from the current row if that is an earlier one in the same row group. It skips earlier pages by
  // their headers, and does not read their bodies beyond the buffer. No filter is asked.
  // - kInvalidArgument: no such row group, or it has no such row
  // - kWrongState: no column is chosen
  // - as next_row(); the row group is left then: repeat the call
  Status seek_row(std::uint32_t row_group, std::uint64_t row);

  // Passes the next row without looking at it, with values of any size. Statuses as next_row(). After a
  // failure repeat the call, or seek: next_row() would lack the values of the columns that have passed.
  Status skip_row();

  // Returns column `i` of the current row, or its last item. Requires: the last call was next_row(), or
  // next_item() of the column, and returned kOk.
  Cell cell(std::size_t i) const { return {state_.columns[i].value, state_.columns[i].value_bytes}; }

  // Works as next_row() and returns the values: row[i] becomes column i, tagged with its type. Bytes lie in
  // the arena until the next call.
  // - kInvalidArgument: row.size() is not chosen()
  Status next_row(Span<Value> row);

  // Reads the next rows of column `i` in the current row group, as many as there are places, or fewer, but at
  // least one; see Batch. The columns of a row group advance independently of each other.
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

  // Works as the call above without checking the type; for a fixed_len_byte_array type_length() bytes each.
  Status next_batch(std::size_t i, AnyBatch& batch);

  // Shows the next rows of column `i` without copying: a piece of the arena with values back to back, or a
  // number of nulls. It stays until the next call for this column. The call serves fixed-width types in
  // PLAIN, and nulls of any type. Statuses as next_batch(), and
  // - kUnsupported: the next rows are booleans, byte arrays, or of a page that needs decoding; next_batch()
  //   reads them
  Status next_run(std::size_t i, ColumnRun& run);

  // Reads the next item of column `i` in the current row group: of a row or, in a repeated column, of a list
  // in it. Rows may be of any length. The value stays until the next call for this column. Statuses as
  // next_batch(), and skip_item() passes a value that is too large; and
  // - kCorrupt: also if the levels contradict each other, or the number of rows
  Status next_item(std::size_t i, Item& item);

  // Passes one item of column `i`, with a value of any size. Statuses as next_item().
  Status skip_item(std::size_t i);

  // Reads many items of column `i` at once, as next_batch() reads rows: the levels of all items, and the
  // values of those that have one. A batch may end within a row. Statuses as next_item(), and
  // - kInvalidArgument: it is of another type, there are no places, or levels are needed
  template <typename T>
  Status next_items(std::size_t i, Batch<T>& batch) {
    if (i >= chosen() || !detail::stored_as<T>(column_type(chosen_column(i))))
      return Status::kInvalidArgument;
    return next_items(i, static_cast<AnyBatch&>(batch));
  }

  // Works as the call above without checking the type; for a fixed_len_byte_array type_length() bytes each.
  Status next_items(std::size_t i, AnyBatch& batch);

  // Goes to row `row` of column `i` in the current row group, counted from 0, or to its end: the next item is
  // its first one. In a repeated column the reader skips earlier pages of version 2 by their headers and
  // reads the levels of others; in other columns it works as seek_value(). Statuses as next_item(), and
  // - kInvalidArgument: the column has passed that row's beginning, or the row group ends before it
  Status seek_items(std::size_t i, std::uint64_t row);

  // Passes one row of column `i`. Statuses as next_batch().
  Status skip_value(std::size_t i);

  // Goes to row `row` of column `i` in the current row group, counted from 0, or to its end: the next batch
  // or run begins there. It skips earlier pages as seek_row() does. Statuses as next_batch(), and
  // - kInvalidArgument: the column has passed that row, or the row group ends before it
  Status seek_value(std::size_t i, std::uint64_t row);

  // Continues after a corrupt page, for which a call above returned kCorrupt. The rows of that page which
  // have not been given out are missing. All further rows of its column chunk are missing as well if the
  // header of the page is damaged, or the headers after it do not account for the chunk's rows: headers have
  // no checksum, and one wrong number would shift later rows. The call reads all headers up to the chunk's
  // end for that, but no values.
  //
  // It is for reading by rows: it passes the rows in all chosen columns, so that the next row is complete
  // again; `rows` becomes their number.
  // - kWrongState: nothing was corrupt, or the row group is not being read by rows
  Status skip_page(std::uint64_t& rows);

  // Continues after a corrupt page of column `i` alone, for reading by batches or runs; the column then
  // stands `rows` rows further. The other columns have these rows: leave a gap in this one, or drop them
  // there.
  // - kWrongState: the last call for this column was not kCorrupt
  Status skip_page(std::size_t i, std::uint64_t& rows);

  // Continues after a corrupt page of column `i`, for reading by items. Pages of version 1 do not state the
  // rows of a repeated column, so the reader reads later ones to count them; another corrupt page among these
  // makes all rows missing. `rows` becomes the number of missing rows. It does not include the row that had
  // begun, which ends with its last item given out.
  // - kWrongState: the last call for this column was not kCorrupt
  Status skip_page_of_items(std::size_t i, std::uint64_t& rows);

  // Returns details of a failure: of open(), of a row group, or of the last call for rows, batches, runs or
  // values that did not return kOk. It has only the status, and no column, for other calls.
  Failure failure() const;

  // Returns the place among the chosen columns at which a call for rows, batches, runs or values failed last.
  std::size_t failed_column() const { return state_.failed; }

  // Moves the buffer of column `i` to `memory`, aligned to 8 and longer than it was, between two calls: then
  // a value, page or dictionary that did not fit can be read. needed_bytes() is always longer than the
  // buffer; if it does not suffice at once, it is larger the next time. The memory is the caller's, and must
  // stay until the next choose() or open(); the memory before it, until the next row group.
  // - kInvalidArgument: no such column, not aligned, or not longer
  Status move_buffer(std::size_t i, Span<std::byte> memory);

  // Returns the number of pages entered since open().
  std::uint64_t pages_read() const { return state_.pages_read; }
  // Returns how many of pages_read() had a checksum, which was right.
  std::uint64_t pages_checked() const { return state_.pages_checked; }

 private:
  friend struct detail::ReaderAccess;

  void read_in_place(MappedFile& file);

  detail::ReaderState state_ = {};
};

}  // namespace MICROPARQUET_BUILT_FOR

}  // namespace microparquet
