// The commands of mpq, a function each. All throw Failure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "input_file.h"
#include "output.h"
#include "time_request.h"

namespace mpq_tool {

enum class RowFormat : std::uint8_t { kCsv, kJson, kTable, kLive };

// The form of printed rows.
struct RowStyle {
  RowFormat format = RowFormat::kCsv;
  bool lists_as_json = false;  // CSV has no form for lists: they become JSON
  bool physical = false;       // values in the units that the key-values say
};

struct InfoRequest {
  std::vector<std::string> paths;  // files, and folders of them
  TimeRequest time;                // when a row was taken
  bool json = false;               // an object a line for each file
};

// The file in numbers, when its rows were taken and which are missing, its key-values, and what the row groups say of each
// column; of several files a line each, and sums. Returns the exit code: 0, or 1 when a file could not be read, of which it
// has told.
int print_info(const InfoRequest& request, Output& output);

struct PlotRequest {
  std::vector<std::string> paths;    // files, and folders of them
  std::vector<std::string> columns;  // none: all that can be drawn
  TimeRequest time;
  std::string from;    // only rows of this time and later ones; empty: all
  std::string to;      // only rows of this time and earlier ones; empty: all
  bool ascii = false;  // also where the locale has more
};

// The columns over time, a strip of two lines each, and where rows are missing; as wide as the terminal. Returns the exit
// code: as above.
int print_plots(const PlotRequest& request, Output& output);

// The schema in Parquet's own notation, with units as comments.
void print_schema(const InputFile& input, Output& output);

struct RowsRequest {
  std::vector<std::string> paths;
  std::vector<std::string> columns;    // none: all
  std::uint64_t skip = 0;              // rows of each file that are passed first
  std::optional<std::uint64_t> limit;  // rows of each file after these; none: all rows
  bool from_end = false;               // `limit` are the last rows of the file
  std::optional<std::string> where;    // a condition: only rows of which it is true count
  RowStyle style;
};

// Rows of files: a table for each, or as if they were one file, which their columns must allow.
// Returns the exit code: 0, or 1 when a file could not be read, of which it has told.
int print_rows(const RowsRequest& request, Output& output);

struct PagesRequest {
  std::vector<std::string> paths;
  std::string column;  // only what belongs to it; empty: every byte of the files
  bool json = false;   // an object a line
};

// Prints the parts of files: pages and everything between them, in the order of the bytes. Returns the exit
// code: 0, or 1 when a file could not be read, which it has reported.
int print_pages(const PagesRequest& request, Output& output);

// Prints each row group and its column chunks as the files' footers describe them, as text or in a JSON
// object a file. Returns the exit code: as above.
int print_meta(const std::vector<std::string>& paths, bool json, Output& output);

struct RecoverRequest {
  std::string path;
  std::string output;                    // a file or a folder; empty: in place
  std::string schema;                    // a file with the same columns; empty: none is needed
  std::optional<std::uint32_t> file_id;  // id of the file wanted
  std::uint64_t group_rows = 0;          // rows of a row group, for `schema`; 0: not given
  bool same_settings = false;            // that file was written with the same settings, for `schema`
  bool partial = false;                  // keep rows of which columns are lost, too, for `schema`
  bool unchecked = false;                // also what may be damaged without being seen
  bool dry_run = false;
  bool overwrite = false;
};

// Finds the rows of a damaged file, or of files on an image of a medium. Returns the exit code: 0 all there,
// 1 some lost, 2 nothing found, 3 some may be wrong.
int recover(const RecoverRequest& request, Output& output);

struct VerifyOptions {
  bool strict = false;  // errors that cannot be checked, or that mislead no reader, count like others
};

struct Verdict {
  int code = 0;          // the exit code: 0 all right, 1 not
  std::string sentence;  // such as "all of it holds"
};

// Checks all that a file says of itself.
Verdict verify(const InputFile& input, const VerifyOptions& options, Output& output);

// The same of one file or of several: these in a line each, where nothing was found, and a sum. Returns the
// worst exit code; 2 is that of a file that cannot be read.
int verify_files(const std::vector<std::string>& paths, const VerifyOptions& options, Output& output);

struct FollowRequest {
  std::string path;
  std::vector<std::string> columns;
  RowStyle style;
  std::uint64_t last_rows = 10;        // rows of the file as it is at the start
  std::optional<std::uint64_t> rows;   // ends after this many
  std::optional<double> idle_seconds;  // ends when no row has come for this time
};

// Prints the rows of a file that is being written, as they become durable, until SIGINT or SIGTERM.
void follow(const FollowRequest& request, Output& output);

}  // namespace mpq_tool
