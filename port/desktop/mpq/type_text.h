// Names of types, encodings and codecs.
#pragma once

#include <cstdint>
#include <string>

#include "microparquet/codec_id.h"
#include "microparquet/reader.h"

namespace mpq_tool {

// The type of a column in a word or two: "timestamp[us, UTC]", "decimal(9,2)", "double".
std::string type_text(const microparquet::SchemaElement& element);

// The types as a line of a schema in Parquet's own notation has them: "int64", "fixed_len_byte_array(16)";
// and "TIMESTAMP(MICROS,true)", empty without a logical type.
std::string physical_text(const microparquet::SchemaElement& element);
std::string logical_text(const microparquet::SchemaElement& element);

// Names of the encodings whose bits are set in ColumnChunkInfo::encodings, joined by a space.
std::string encoding_names(std::uint32_t encodings);

std::string codec_name(microparquet::CodecId codec);

}  // namespace mpq_tool
