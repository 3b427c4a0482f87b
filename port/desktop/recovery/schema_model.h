// What a file of the same columns tells of one that has lost its footer.
#pragma once

#include <string>
#include <vector>

#include "format/footer.h"
#include "format/thrift_value.h"
#include "microparquet/reader.h"

namespace microparquet::recovery {

// A column as the file with the same columns has it.
struct ColumnModel {
  std::string name;  // with the groups it lies in, joined by dots
  SchemaElement element;
  std::uint32_t field;  // which child of the root it is, or lies in
  CodecId codec;
  std::uint64_t bytes;   // of a chunk of it
  std::uint64_t values;  // of the same
};

struct SchemaModel {
  std::vector<FooterField> fields;
  std::vector<ColumnModel> columns;
  ThriftValue row_group;  // to be filled in
};

// Of the file `path`, which has rows. Throws Failure when it has none, or is no whole Parquet file.
SchemaModel read_schema_model(const std::string& path);

}  // namespace microparquet::recovery
