// Values of a column as the merged file has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "channel.h"
#include "microparquet/file_metadata.h"
#include "microparquet/writer.h"
#include "time_column.h"

namespace mpq_tool {

// Converts rows of a column, which lie in the result until the next call. Throws WrongRequest: a value is none of the other type.
using Conversion =
    std::function<microparquet::ColumnData(const microparquet::ColumnData& data, std::size_t rows)>;

// Empty: they stay as they are. Requires: `to` is a joined_type() of `from`. `where`, "log.parquet: column x", is for messages.
Conversion converted_type(const microparquet::SchemaElement& from, const microparquet::SchemaElement& to,
                          const std::string& where);

// Numbers in their unit, as doubles.
Conversion converted_unit(const Channel& channel);

// Counts as timestamps of `unit`. The times are those of one number, and their date is known.
Conversion converted_time(const TimeColumn& time, microparquet::TimeUnit unit, const std::string& where);

}  // namespace mpq_tool
