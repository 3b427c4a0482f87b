// A Parquet file on disk, and what to say when it cannot be read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input_file.h"
#include "microparquet/port/posix_file.h"
#include "microparquet/reader.h"

namespace mpq_tool {

// A leaf of the schema.
struct Column {
  std::string name;  // with the groups it lies in, joined by dots
  std::uint32_t number = 0;
  microparquet::SchemaElement element;  // its own name is empty here
};

// All calls throw Failure.
class ParquetFile {
 public:
  explicit ParquetFile(const InputFile& input);
  ParquetFile(const ParquetFile&) = delete;
  ParquetFile& operator=(const ParquetFile&) = delete;

  // For people.
  const std::string& name() const { return path_; }
  microparquet::Reader& reader() { return reader_; }

  // All leaves, in the file's order.
  const std::vector<Column>& columns() const { return columns_; }
  // Those of `names`, in that order; all for no names. An entry is a name, or several with commas between
  // them, in quotes where a name holds commas or quotes, as in a line of CSV.
  std::vector<Column> columns_named(const std::vector<std::string>& names) const;

  // Has next_row() give these columns, from the first row on.
  void choose(const std::vector<Column>& columns);
  // Goes behind the first `rows` rows. Requires: no row has been read since choose(), and there are more.
  void pass_rows(std::uint64_t rows);
  // False after the last row. reader().cell(i) then shows the row.
  bool next_row();

  // Node `index` of the schema, with its name in `name`.
  microparquet::SchemaElement schema_element(std::uint32_t index, std::string& name);
  microparquet::ColumnChunkInfo column_chunk(std::uint32_t column);
  // The bounds lie in `buffer`.
  microparquet::ColumnStatistics column_statistics(std::uint32_t column, std::vector<std::byte>& buffer);
  std::string created_by();
  std::pair<std::string, std::string> key_value(std::uint32_t index);
  bool next_row_group();
  // What to say of rows that the footer does not tell of; empty when there are none.
  std::string rows_behind_footer();

 private:
  void open_reader();
  void read_columns();
  const Column* find_column(std::string_view name) const;
  const Column& column_named(std::string_view name) const;
  void choose_again();
  void enlarge_buffers();
  // Throws what `status` means; of reading rows also where.
  [[noreturn]] void fail(microparquet::Status status);
  [[noreturn]] void fail_reading(microparquet::Status status);
  // The column that the reader stopped at.
  std::uint32_t failed_number() const;
  std::string failed_name() const;
  // " after row 5"; empty before the first.
  std::string after_rows() const;

  std::string path_;
  microparquet::PosixFile file_;
  microparquet::ReaderOptions options_;
  std::vector<std::uint64_t> arena_;  // of words: the reader wants 8-byte alignment
  microparquet::Reader reader_;
  std::vector<Column> columns_;
  std::vector<std::uint32_t> chosen_;
  std::uint64_t rows_passed_ = 0;  // since choose()
  std::uint64_t rows_passed_in_group_ = 0;
  std::uint32_t group_ = 0;  // that they are counted in
};

}  // namespace mpq_tool
