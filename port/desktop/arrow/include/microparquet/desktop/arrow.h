// Parquet files as Arrow arrays, and Arrow arrays as Parquet files, by the Arrow C stream interface: pyarrow, DuckDB, Polars
// and others take and give such streams within a process, without a copy through text.
//
//   ArrowArrayStream stream;
//   mpq::desktop::read_arrow("log.parquet", {}, stream);   // the consumer releases it
//   mpq::desktop::write_arrow(stream, "copy.parquet", {});
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "microparquet/desktop/arrow_abi.h"

namespace microparquet::desktop {

struct ArrowReadSettings {
  std::vector<std::string>
      columns;  // leaves by their names with those of their groups, joined by dots, in any order; none: all
  std::uint32_t batch_rows = 65536;  // most rows of an array: a row group ends one, too
  bool physical = false;  // numbers in the units that the key-values say, as doubles, where a column has the
                          // key-value scale.NAME or offset.NAME
};

// Makes `stream` give the rows of the file `path`, each array a batch of them. Lists, structs and maps come as such; texts
// and bytes with offsets of 64 bits; INT96 as timestamps in nanoseconds; what has no type in Arrow as its physical type.
// The key-values of the file are the schema's metadata, but for the Arrow schema that some writers keep among them.
// The stream holds the file open, and errors of its calls are EIO with a text. Used by one thread at a time.
//
// Throws Failure: the file cannot be opened, or has no such column; `stream` is as it was then.
void read_arrow(const std::string& path, const ArrowReadSettings& settings, ArrowArrayStream& stream);

// A page of each column is in memory: of thousands of columns pages are smaller than `page_bytes`. A text has to fit in one, and so
// have the values of a row in lists.
struct ArrowWriteSettings {
  std::string codec = "none";              // name that find_codec() knows, or "none"
  bool encode = true;                      // encoders of kAuto; otherwise PLAIN
  std::uint32_t page_bytes = 256 * 1024;   // most bytes of a page
  std::uint32_t row_group_rows = 1 << 20;  // a row group has as many, but for the last
};

// Writes the rows of `stream` to a new file `path`, replacing one of this name, and releases the stream. Columns are
// numbers, booleans, decimals, dates, times, timestamps, texts and bytes of any layout, also with dictionaries; seconds become
// milliseconds; and lists, maps and structs of all these, up to three lists in one another and 14 names deep. What the Parquet
// format has no type for is refused by the column's name. Metadata of the schema become key-values.
//
// Throws Failure: the stream or the disk answered an error, an array contradicts itself or the schema, a column is of a type
// that is not written, or a text, or a row of a column in lists, is longer than a page. The file is then removed.
void write_arrow(ArrowArrayStream& stream, const std::string& path, const ArrowWriteSettings& settings);

}  // namespace microparquet::desktop
