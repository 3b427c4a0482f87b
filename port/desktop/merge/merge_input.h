// A file that is to be merged, as its footer and its times describe it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collected.h"
#include "file_facts.h"
#include "input_file.h"
#include "parquet_file.h"
#include "read_failure.h"
#include "time_column.h"
#include "time_request.h"

namespace mpq_tool {

// The columns of files that have the same.
struct MergeSchema {
  std::vector<Column> columns;
  // Whether a Writer takes rows of such columns: they lie in no list or group, each has a name of its own and a type that is written.
  bool is_flat = true;
  std::string text;  // all of it, the same for the same schemas
};

// The times of a file's rows.
struct MergeTime {
  bool is_known = false;  // a row has a time
  TimeColumn column;
  std::int64_t first = 0;  // of the first row or the last, whichever is earlier, in the column's units
  // Whether its column, a number, counts since 1970, or from a start that is known; and whether every row has a date so.
  bool is_dated = false;
  bool makes_dates = false;
  // Of a clock that makes dates: from row to row, times of its first row and its last, as if it had not begun again at 0, and what
  // it has counted before it did so in earlier files of its session.
  std::int64_t interval = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t offset = 0;
};

struct MergeInput {
  std::shared_ptr<InputFile> file;
  std::shared_ptr<const MergeSchema> schema;
  std::uint64_t rows = 0;
  std::uint64_t row_bytes = 0;  // about the bytes of a row in memory
  std::vector<microparquet::recovery::TextPair> key_values;
  Facts facts;
  Collected about;  // device, session and split
  MergeTime time;
  std::string after_footer;  // message about rows that no footer describes; empty: there are none
};

// Reads what it takes to plan a merge. Files with the same columns share a MergeSchema.
class MergeInputs {
 public:
  enum class Times : std::uint8_t {
    kNone,
    kEnds,  // those of the first row and the last
    kDates  // looked at closely enough to make dates of them
  };

  MergeInputs(TimeRequest time, Times times) : request_(std::move(time)), times_(times) {}

  // Throws Failure: the file cannot be read.
  MergeInput read(const std::string& path);
  // Throws WrongRequest where no file has had the times that were asked for, and one had others.
  void check_time() const;

 private:
  std::shared_ptr<const MergeSchema> schema_of(ParquetFile& file);
  MergeTime time_of(ParquetFile& file, const Facts& facts);

  TimeRequest request_;
  Times times_;
  std::map<std::string, std::shared_ptr<const MergeSchema>> schemas_;
  std::optional<WrongRequest> wrong_;
  bool right_ = false;
};

// Puts the files of a folder in the order of their names, numbers in these by their values: log, log-2, log-10.
void sort_by_name(std::vector<std::string>& paths);

// Puts files in the order in which their rows follow each other: of device, session and split, if each has a session; else of the
// time of the first row, if each has one that can be compared; else as they were given. Returns a word for it.
std::string put_in_order(std::vector<MergeInput>& inputs);

// Puts files in order of device, session and split, whether they have these or not.
void sort_by_session(std::vector<MergeInput>& inputs);

// Has a counter of 32 bits continue from file to file of a session. One that goes back otherwise makes no dates: nobody knows when it
// began again. Requires: files are in order.
void continue_clocks(std::vector<MergeInput>& inputs);

}  // namespace mpq_tool
