// Values of a column as the merged file has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "channel.h"
#include "merge_input.h"
#include "microparquet/file_metadata.h"
#include "microparquet/writer.h"

namespace mpq_tool {

// Converts rows of a column, which lie in the result until the next call. Throws WrongRequest: a value is none of the other type.
using Conversion =
    std::function<microparquet::ColumnData(const microparquet::ColumnData& data, std::size_t rows)>;

// Empty: they stay as they are. Requires: `to` is a joined_type() of `from`. `where`, "log.parquet: column x", is for messages.
Conversion converted_type(const microparquet::SchemaElement& from, const microparquet::SchemaElement& to,
                          const std::string& where);

// Numbers in their unit, as doubles.
Conversion converted_unit(const Channel& channel);

// Counts as timestamps of `unit`, in the order of their rows. Requires: `time` makes dates.
Conversion converted_time(const MergeTime& time, microparquet::TimeUnit unit, const std::string& where);

}  // namespace mpq_tool
