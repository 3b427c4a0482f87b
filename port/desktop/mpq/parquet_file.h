// A Parquet file on disk, and what to say when it cannot be read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input_file.h"
#include "microparquet/desktop/column_buffers.h"
#include "microparquet/desktop/files.h"
#include "microparquet/desktop/growing_reader.h"
#include "microparquet/desktop/joined_file.h"
#include "microparquet/desktop/native_file.h"
#include "microparquet/reader.h"
#include "microparquet/records.h"
#include "microparquet/size_statistics.h"
#include "rows_after_footer.h"

namespace mpq_tool {

// The cells of a line of CSV: a quoted one may hold commas, and quotes twice.
std::vector<std::string> cells_of_line(std::string_view line);

// A leaf of the schema.
struct Column {
  std::string name;  // name with the groups it lies in, joined by dots
  std::uint32_t number = 0;
  microparquet::SchemaElement element;  // its own name is empty here
};

// All calls throw Failure.
class ParquetFile {
 public:
  explicit ParquetFile(const InputFile& input);
  ParquetFile(const ParquetFile&) = delete;
  ParquetFile& operator=(const ParquetFile&) = delete;

  // Name for people.
  const std::string& name() const { return path_; }
  microparquet::Reader& reader() { return reader_; }
  microparquet::File& file() { return file_; }

  // All leaves, in the file's order.
  const std::vector<Column>& columns() const { return columns_; }
  // Returns the columns with these `names`, in their order; all for no names. The name of a group stands for
  // all columns in it. An entry is a name, or several with commas between them, in quotes where a name holds
  // commas or quotes, as in a line of CSV.
  std::vector<Column> columns_named(const std::vector<std::string>& names) const;

  // The one of this name; null: there is none.
  const Column* find_column(std::string_view name) const;
  // The same; throws Failure if there is none.
  const Column& column_named(std::string_view name) const;

  // Has next_row() give these columns, from the first row on.
  void choose(const std::vector<Column>& columns);
  // The same for rows of nested columns, which begin() and next() give.
  void choose_items(const std::vector<Column>& columns);
  void begin(microparquet::Records& records);
  // False after the last row.
  bool next(microparquet::Records& records, microparquet::Event& event);
  // Goes to row `row`, which there is.
  void pass_rows(microparquet::Records& records, std::uint64_t row);

  // Passes the first `rows` rows, without reading the pages that have no others. Requires: there are
  // more, and no row has been read since choose().
  void pass_rows(std::uint64_t rows);
  // Has next_row() give row `row` of a row group, which is row `row_of_file`; all counted from 0. Requires: there is
  // such a row.
  void seek_row(std::uint32_t row_group, std::uint64_t row, std::uint64_t row_of_file);
  // False after the last row. reader().cell(i) then shows the row.
  bool next_row();

  // For those who read whole columns by reader(), with longer buffers out of buffers(): choose() gives the columns no more memory
  // than `bytes` from now on, where their values fit.
  void limit_memory(std::uint64_t bytes) { most_memory_ = bytes; }
  microparquet::desktop::ColumnBuffers& buffers() { return buffers_; }
  // Takes what such a reading of `rows` rows, the next ones of row group `row_group`, of which it is the first, has answered. False: their
  // values lie in other files, which are open now: read the row group again, from its begin.
  bool take_read(microparquet::Status status, std::uint32_t row_group, std::uint64_t rows);

  // Shows `visit` all nodes of the schema. Their names stay until it returns.
  void visit_schema(const std::function<void(const microparquet::SchemaElement&)>& visit);
  microparquet::ColumnChunkInfo column_chunk(std::uint32_t column);
  // The bounds lie in `buffer`. None: they cannot be read.
  std::optional<microparquet::ColumnStatistics> column_statistics(std::uint32_t column,
                                                                  std::vector<std::byte>& buffer);
  // The numbers of levels lie in `buffer`.
  microparquet::SizeStatistics size_statistics(std::uint32_t column, std::vector<std::uint64_t>& buffer);
  std::string created_by();
  // Shows `visit` the key-values. They stay until it returns.
  void visit_key_values(const std::function<void(const microparquet::KeyValue&)>& visit);
  bool next_row_group();
  // Throws what `status` means, unless it is kOk.
  void check(microparquet::Status status) {
    if (status != microparquet::Status::kOk) {
      fail(status);
    }
  }
  // Rows that the footer does not tell of, and records or a save do.
  microparquet::recovery::RowsAfterFooter rows_behind_footer();
  // The message about rows that no footer describes; empty when there are none.
  std::string rows_after_footer();

 private:
  void open_reader();
  void choose_again();
  // Whether `status` says that values lie in other files, which are open now: repeat what failed.
  bool join_parts(microparquet::Status status);
  // Repeats a call for rows with longer buffers until the data fits.
  microparquet::Status with_buffers(const std::function<microparquet::Status()>& call);
  void read_columns();
  std::vector<Column> columns_in(std::string_view group) const;
  void note_chosen(const std::vector<Column>& columns);
  // Throws what `status` means; of reading rows also where.
  [[noreturn]] void fail(microparquet::Status status);
  [[noreturn]] void fail_reading(microparquet::Status status);
  // The column that the reader stopped at.
  std::uint32_t failed_number() const;
  std::string failed_name() const;
  // " after row 5"; empty before the first.
  std::string after_rows() const;

  std::string path_;
  std::string folder_;                      // folder of the files that it names; empty: standard input
  microparquet::desktop::NativeFile file_;  // not mapped: whoever writes a log may cut it while it is read
  microparquet::desktop::Descriptor open_folder_;
  std::unique_ptr<microparquet::desktop::JoinedFile> joined_;  // null: its own bytes are all there is
  microparquet::ReaderOptions options_;
  microparquet::desktop::GrowingReader memory_;
  microparquet::Reader& reader_ = memory_.reader();
  std::vector<Column> columns_;
  std::vector<std::uint32_t> chosen_;
  microparquet::desktop::ColumnBuffers buffers_;
  bool by_items_ = false;
  std::uint64_t most_memory_ = UINT64_MAX;
  std::uint64_t rows_passed_ = 0;  // rows of the file before the next one
};

}  // namespace mpq_tool
