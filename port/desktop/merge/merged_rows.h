// Rows of files in blocks of columns, and as those of the merged file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "flat_rows.h"
#include "merge_input.h"
#include "merged_columns.h"
#include "microparquet/writer.h"
#include "parquet_file.h"

namespace mpq_tool {

// The number of a file's rows that may be in memory at once; `columns` as well as its own, unless they are null.
std::size_t rows_at_once(const MergeInput& input, const MergedColumns* columns);

// The rows of a file of flat columns. All calls throw Failure.
class InputRows {
 public:
  explicit InputRows(const MergeInput& input);

  // Goes to the next rows, `most` or fewer, and returns their number. 0: there are none.
  std::size_t next(std::size_t most);
  // The columns of these rows, until the next call.
  const std::vector<microparquet::ColumnData>& data() const { return data_; }

 private:
  microparquet::Status read(std::size_t rows);
  void note_bytes(std::size_t rows);

  ParquetFile file_;
  std::vector<ColumnBlock> blocks_;
  std::vector<microparquet::ColumnData> data_;
  std::uint64_t left_ = 0;      // rows left in the row group
  std::uint64_t fitting_ = 64;  // rows that the next block may have, as its texts show by and by
};

// Rows of one file as those of the merged file.
class MergedRows {
 public:
  // For at most `most` rows at once. `columns` must stay.
  MergedRows(const MergedColumns& columns, const MergeInput& input, std::size_t most);

  // The columns of the merged file for rows of these columns of the file, until the next call. Throws WrongRequest as a
  // Conversion does.
  const std::vector<microparquet::ColumnData>& convert(const std::vector<microparquet::ColumnData>& from,
                                                       std::size_t rows);

 private:
  std::vector<std::optional<ColumnSource>> sources_;
  std::vector<microparquet::ColumnData> data_;
  // Values and validity of all columns that the file has not.
  std::vector<std::uint64_t> zeros_;
  std::vector<std::uint8_t> invalid_;
};

}  // namespace mpq_tool
