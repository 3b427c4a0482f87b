// Finds the column of a log that has the times of the rows, or the columns that make them together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "file_facts.h"
#include "parquet_file.h"
#include "time_column.h"
#include "time_request.h"

namespace mpq_tool {

// The times that were asked for; for none those that a file most probably has, in this order: a timestamp whose values differ; text
// that is one; a date and a time of day, or the digits of both, or the year, month and day, or the year and its day, and what follows, or
// seconds and a fraction of them, in columns of their own; a number that is called as times are and lies near now when taken as s, ms, us or ns since 1970; a number whose unit the
// key-value `unit.NAME` or its name says; floating point, taken as seconds; a time of day; a date. tests/programs/data/times.json
// has the rules. None: there is no such column. Throws Failure: there is no column of that name, or it can be no time.
std::optional<TimeColumn> find_time_column(ParquetFile& file, const TimeRequest& request);

// The same of a file that has not got its key-values yet.
std::optional<TimeColumn> find_time_column(ParquetFile& file, const TimeRequest& request, const Facts& facts);

// What may be a time in a file in which none was found.
struct TimeProposals {
  std::string why;                   // a sentence; empty: there are none
  std::vector<std::string> options;  // each an answer, as words of the shell: "--time timestamp:us"

  // What to type: "try: mpq info --time timestamp:us log.parquet".
  std::vector<std::string> tries(const std::string& verb, const std::string& path) const;
};

TimeProposals propose_times(ParquetFile& file);

// Other units that a time may count that was taken for seconds.
TimeProposals other_units(const TimeColumn& time);

// The column that numbers the rows when they are taken, so that missing ones show: number, seq, sequence, counter or
// sample. None: there is none.
std::optional<Column> find_number_column(ParquetFile& file);

}  // namespace mpq_tool
