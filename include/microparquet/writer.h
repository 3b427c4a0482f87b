// Writer: rows in, a Parquet file out, in memory of the caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/detail/desktop.h"
#include "microparquet/detail/writer_state.h"
#include "microparquet/file.h"
#include "microparquet/file_start.h"
#include "microparquet/options.h"
#include "microparquet/schema.h"
#include "microparquet/span.h"
#include "microparquet/status.h"
#include "microparquet/value.h"

namespace microparquet {

namespace detail {
struct WriterAccess;
}

// Values of one column for several rows.
struct ColumnData {
  // Values in the form of Encoder::put, see there. Those of a boolean are bool; of a byte array,
  // std::string_view.
  const void* values = nullptr;
  // One byte a row, 0 for a null; null pointer: every row has a value. A null has a place in `values` too,
  // whose content does not matter.
  const std::uint8_t* valid = nullptr;
};

// Number of row groups in which values did not fit in a column's dictionary (encoders.h).
struct DictionaryCounts {
  // Row groups whose dictionary was full, or ended by a checkpoint: some data pages have another encoding.
  // The last page of a row group may also have one for want of space.
  std::uint32_t fallbacks = 0;
  // Row groups without a dictionary: earlier ones had been full, or an interrupted row group left too little
  // space for one.
  std::uint32_t left_out = 0;
};

inline namespace MICROPARQUET_BUILT_FOR {

// Writes one file at a time, and may be opened again after close(). All memory is the caller's arena, whose
// size does not depend on the number of rows and row groups. Not thread-safe; never from an interrupt.
//
// Every call that writes may return the status of the file (kIoError, kNoSpace, ...). Repeat it then: the
// writer continues where it stopped, and loses no row that it has accepted. One status differs:
// - kCorrupt: the file returns other bytes than were written, in its last footer or in a record of a row
//   group: bits have rotted, or were misread. Call checkpoint(), or close(): kOk says that they were misread,
//   and all is well. The same status again is final. Durable rows stay readable as far as the medium gives
//   them; no other row of this file becomes durable, and the forward layout takes none. Continue in another
//   file: leave() and roll(), or reset() and open(). rows() - durable_rows() are lost then.
class Writer {
 public:
  // Returns the bytes of arena that open() needs, aligned to Options::transfer_align. Requires: each field names an encoder.
  static constexpr std::size_t required_bytes(Schema schema, const Options& options) {
    return detail::place_plan(schema, options).bytes + detail::plan_arena(schema, options).bytes;
  }

  Writer() = default;
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Begins a new file. `file`, `schema` with all it points to, `options` and `arena` are the caller's and
  // must stay until close() has returned kOk or the writer is reset(). In place, the file is a valid Parquet
  // file without rows when this returns.
  // - kInvalidArgument: the schema has no column, more than kMaxColumns, two columns of a name, an empty name
  //   or one of more than kMaxNameBytes, a type that is not to be written, or no encoder, or encoder or bounds of
  //   another type; an option is out of its range; the arena does not begin on Options::transfer_align; the
  //   file cannot do what the layout needs; or its blocks are larger than Options::block_bytes.
  // - kOutOfMemory: the arena is smaller than required_bytes(schema, options).
  // - kWrongState: a file is open, or `file` is not empty.
  Status open(File& file, Schema schema, const Options& options, Span<std::byte> arena);
  // Begins a new file, with key-values and an id that are in the file from its first footer on.
  // - kOutOfMemory: also if there are more key-values than Options::max_key_values.
  Status open(File& file, Schema schema, const Options& options, Span<std::byte> arena,
              const FileStart& start);

  // Continues a file written with the same schema and options, whether it was closed or cut off at any
  // moment. Rows that its last footer describes stay; new rows follow them. An empty file is started, as by
  // open(). Otherwise nothing is written before the first row, and only the last footer and the schema at the
  // file's beginning are read: their sectors, and one more for each window. If the medium fails, repeat the
  // call: it starts again from the beginning. Statuses of open(), and:
  // - kSchemaMismatch: the file has other columns, other sizes set in Options (with another
  //   Options::block_bytes as a rule), was written by another library, or holds a save() of a program with other
  //   pages, which `mpq recover` gives: continue in a new file.
  // - kCorrupt: the file does not end in a genuine footer, for example because copying it was interrupted, or
  //   the footer contradicts itself: `mpq recover` repairs it.
  // - kUnsupported: a later version of this library has written it in a way that this one cannot continue, or
  //   Options::max_row_groups_in_memory is set, which is for new files only: use a new file.
  // - kNotParquet: it is no Parquet file, or too short to be one with these columns.
  // - kLimitReached: with kInPlaceTailed, after some 131,000 starts: continue in a new file.
  // These statuses leave the file untouched.
  Status resume(File& file, Schema schema, const Options& options, Span<std::byte> arena);
  // Continues a file with key-values and an id: a new file has them from its first footer on, a resumed one
  // from its next footer on, as if set_key_value() were called for each. Nothing is written before the first
  // row if the file already has them.
  Status resume(File& file, Schema schema, const Options& options, Span<std::byte> arena,
                const FileStart& start);

  // Continues after calls have returned kMediumLost, once the port has opened the file again: `file` may be
  // the same object or another one, and is the caller's until close(). Rows were taken as long as the open
  // pages had space, and none is lost if the medium has kept what was written: all of it since the last
  // footer is read once and checked against a sum in memory, so that no remains of other boots or files are
  // taken for it. Otherwise, and if a part of it returns kIoError twice although the footer can be read, the
  // writer resumes after that footer. Then its key-values stay, and lost_rows() tells how many rows are
  // missing between the rows before and those after it; in the forward layout row groups since the last
  // footer may be lost, but not the open one, unless a part of it has been written. durable_rows() are never lost. The caller repeats or counts the
  // rows that append() did not take.
  // - kSchemaMismatch: it is another file, or does not end as this writer has left it. Nothing has changed:
  //   try the right one, or reset() and continue in a new file.
  // - kInvalidArgument: the file's blocks are larger than Options::block_bytes. Nothing has changed.
  // - kIoError, kMediumLost: repeat the call.
  // - kUnsupported: the file cannot be read back.
  // - kWrongState: no file is open; after an open() that failed, start again with reset().
  Status reconnect(File& file);

  // Values of a row, one for each column in the order of the schema.
  using Row = Span<const Value>;

  // Appends one row, a value for each column, completely or not at all.
  // - kInvalidArgument: `row` does not have a value for each column, or a value has another type, or a
  //   fixed_len_byte_array another length.
  // - kNullValue, kValueTooLarge: the row is at fault; see status.h.
  // - kLimitReached: 32,767 row groups (or Options::max_row_groups_in_memory) are full, or in place the next
  //   one, or a footer, would lie beyond 2 TiB. close() the file, which keeps all rows taken so far.
  // - kWrongState: no file is open.
  Status append(Row row);

  // Appends `rows` rows given as columns, a ColumnData for each column. On failure rows() tells how many were
  // taken: call it again with the rest. Statuses as append().
  Status append_columns(Span<const ColumnData> columns, std::size_t rows);

  // Ends the open row group: the next row begins another. It does nothing without rows.
  Status end_row_group();

  // Gives the writer the time, in milliseconds from any start; it may wrap. The writer ends the row group
  // when that is due. It begins a checkpoint when one is due, and writes a piece of its footer: page_bytes,
  // or eight times that if the footer is long (see loss_bound()). Each page that is stored writes another
  // piece of page_bytes. In the forward layout a piece is 2 KiB, or a 64th of the footer if that is more, and the
  // next row group waits for all of it. Call it at least every second.
  Status tick(std::uint32_t now_ms);

  // Makes all rows taken so far durable: after kOk no power cut can take them away. It does nothing if there
  // are no new rows.
  // - kUnsupported: the layout has no checkpoints.
  Status checkpoint();

  // Makes all rows taken so far safe: the next resume() finds them, though no reader does before the checkpoint
  // after that, and `mpq recover` gives them as well. With kInPlaceTailed it writes the columns' open pages and
  // one or two sectors, however long the file is, if the last footer describes the open row group. With
  // kForwardSaving it writes what is filled of the row group's memory and a sector, and first a footer if the
  // row group has no space in the last segment. Otherwise, and in other layouts, it is a checkpoint. It gives up
  // a footer on its way, and does nothing if there are no new rows. Call it where append() is called, never from
  // an interrupt.
  // - kUnsupported: the layout has no checkpoints.
  Status save();

  // Adds a key-value to the file, or replaces the value of the same key. In a resumed file it reads all of
  // its key-values once to find the key, without further memory. The strings are the caller's, are read
  // whenever a footer is written, and must stay until close(); roll() keeps them, reset() forgets them. Set
  // at most 512 bytes in all after the first row: a full medium still has space for these.
  // - kOutOfMemory: all Options::max_key_values are taken.
  // - kCorrupt: the file's key-values were misread; nothing has changed, repeat the call.
  // - kWrongState: no file is open; or a call that failed may have published a footer that counts as being on
  //   its way: first repeat that call, or checkpoint().
  Status set_key_value(std::string_view key, std::string_view value);

  // Counts the key-values that a resumed file had, whose keys begin with `prefix`. It reads
  // all of them.
  // - kIoError, kMediumLost: repeat the call. kCorrupt: the file's key-values were misread; repeat the call.
  // - kWrongState: no file is open.
  Status count_inherited(std::string_view prefix, std::uint32_t& count);

  // Ends the row group, writes the footer and leaves the file complete. Afterwards open(), resume() or roll()
  // may be called. A file that was resumed, or reconnected, and has got no row stays as it is where there is
  // no space: key-values that were set since are not in it. In place, where a column's bytes are forecast, it may
  // move pages of the last row group, which it reads once: one that is misread has a wrong checksum then.
  Status close();

  // Closes the open file, unless it is closed or was left, and begins `next`, an empty file, with the same
  // schema, options and key-values: no row is lost between the two. May be repeated with the same `next`, as
  // close() and open(), whose statuses it has. rolling.h does it by size, time and limits.
  Status roll(File& next);

  // Leaves the open file as it is, without touching it: rows after durable_rows() are in no file. roll() begins the next
  // one then, with the same schema, options and key-values. rows() and durable_rows() are still of the file that was left.
  void leave() { state_.phase = detail::WriterPhase::kIdle; }

  // Gives up the open file as it is, without touching it, and forgets the schema and all else.
  void reset() { state_ = {}; }

  // Returns the rows of the file, including those it had at resume(); also after close(). It is 0 until
  // resume() has read the last footer: after every status but kOk, unless only the key-values have failed.
  std::uint64_t rows() const { return detail::rows_in_file(state_); }
  // Returns how many of them no power cut can take away.
  std::uint64_t durable_rows() const { return state_.durable_rows; }
  // Returns how many of them the next resume() finds after a power cut: between durable_rows() and rows().
  std::uint64_t safe_rows() const;
  // Returns the id of the file: see Options::file_id. Also after close().
  std::uint32_t file_id() const { return state_.footer.now.file_id; }
  // Returns the finished row groups of the file.
  std::uint32_t row_groups() const { return state_.footer.now.row_groups; }
  // Returns whether the footer of a checkpoint is being written, piece by piece, by tick() or as pages are
  // stored. Setting a key-value starts that footer again: in place where it was, forward after what has been written.
  bool checkpoint_in_progress() const { return state_.footer.draft.contents.rows > state_.durable_rows; }
  // Returns the most 512-byte sectors that checkpoint() would write now.
  std::uint32_t checkpoint_sectors() const;
  // Returns the footers that rows had to wait for: in place, because a segment was used up before a checkpoint had
  // added the next one; forward, because a row group was full before the footer was written.
  std::uint32_t blocking_footers() const { return state_.blocking_footers; }
  // Returns where the open row group begins, or in the forward layout where the last footer does: the length
  // of a file closed now, without that row group and a footer.
  std::uint64_t bytes_so_far() const {
    const detail::FooterState& footer = state_.footer;
    const std::uint64_t next = footer.now.next.offset();
    return next != 0 ? next : footer.entries_begin + footer.entries_bytes;
  }
  // Returns the rows of this file that had been taken but were not on the medium, or could not be read there,
  // when reconnect() looked for them.
  std::uint32_t lost_rows() const { return state_.lost_rows; }
  // Returns how often the dictionary of a column has not sufficed since open(), resume() or roll(), in the
  // open row group up to the last page that was closed; also after close(). Zeros for a column without a
  // dictionary. Use a larger dictionary (kDictionaryOf) or another encoder if both together are not far below
  // the number of row groups. Requires: `column` is one of the schema.
  DictionaryCounts dictionary_counts(std::uint32_t column) const;
  // Size of the file after close().
  std::uint64_t file_bytes() const;

 private:
  friend struct detail::WriterAccess;  // gives this library's own layers access

  // Opens a file with checked arguments and a finished plan. `resume_layout` continues a file that has bytes;
  // null: that is kWrongState.
  Status open_planned(File& file, const detail::WriterPlan& plan, std::byte* arena,
                      detail::ResumeLayout resume_layout = nullptr);
  Status open_planned(File& file, const detail::WriterPlan& plan, std::byte* arena, const FileStart& start,
                      detail::ResumeLayout resume_layout = nullptr);
  Status reconnect_planned(File& file, detail::ReconnectLayout reconnect_layout);
  Status save_planned(detail::SaveRows save_rows);

  detail::WriterState state_ = {};
};

}  // namespace MICROPARQUET_BUILT_FOR

}  // namespace microparquet
