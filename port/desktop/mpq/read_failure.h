// Why a file or a column of it cannot be read, and what to do about it, for people.
#pragma once

#include <cstdint>
#include <string>

#include "microparquet/failure.h"
#include "microparquet/file.h"
#include "microparquet/reader.h"

namespace mpq_tool {

// The first two are ends of a sentence that begins with the name of the file.

// What Reader::open() did not take for Parquet.
std::string why_not_parquet(microparquet::File& file);

// What the reader has just answered kUnsupported to, in the column called `name`.
std::string why_unsupported(microparquet::File& file, microparquet::Reader& reader, const std::string& name);

// The page that the reader has just answered kCorrupt to.
std::string what_is_damaged(const microparquet::Failure& failure);

}  // namespace mpq_tool
