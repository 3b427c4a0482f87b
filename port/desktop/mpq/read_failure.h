// Why a file or a column of it cannot be read, and what to do about it, for people.
#pragma once

#include <cstdint>
#include <string>

#include "microparquet/file.h"
#include "microparquet/reader.h"

namespace mpq_tool {

// Both are ends of a sentence that begins with the name of the file.

// What Reader::open() did not take for Parquet.
std::string why_not_parquet(microparquet::File& file);

// Column `number`, called `name`, in the current row group: kUnsupported.
std::string why_unsupported(microparquet::File& file, microparquet::Reader& reader, std::uint32_t number,
                            const std::string& name);

}  // namespace mpq_tool
