// Columns whose names have dots as members of structs: fix.lat and fix.lon are lat and lon of a struct fix.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "microparquet/detail/writer_plan.h"
#include "microparquet/file.h"
#include "microparquet/file_start.h"
#include "microparquet/writer.h"
#include "table_plan.h"

namespace csv_log {

// Puts the members of each struct where its first one stands, since a file has them together. Throws Failure, whose message
// begins with `place`, where a column would be a struct and have values of its own.
void gather_members(std::vector<ColumnPlan>& columns, const std::string& place);

// Opens files whose columns are members of structs. What it is given must stay as long as the writer, and it itself.
class StructFile {
 public:
  StructFile(microparquet::Schema fields, const microparquet::Options& options);
  StructFile(const StructFile&) = delete;
  StructFile& operator=(const StructFile&) = delete;

  // Functions as Writer::open() and resume(). Requires: the memory has Writer::required_bytes() of fields and options.
  microparquet::Status open(microparquet::Writer& writer, microparquet::File& file, std::byte* memory,
                            const microparquet::FileStart& start) const;
  microparquet::Status resume(microparquet::Writer& writer, microparquet::File& file,
                              std::byte* memory) const;

 private:
  bool is_sound() const;
  void plan_columns();

  microparquet::Schema fields_;
  const microparquet::Options& options_;
  std::vector<std::byte> head_;  // the footer's head, and after it the paths of all columns
  std::vector<std::byte> tail_;
  std::vector<microparquet::detail::ColumnPlan> columns_;
  std::vector<const microparquet::Compressor*> compressors_;
  microparquet::detail::ColumnTransforms transforms_ = {};
  microparquet::detail::WriterPlan plan_ = {};
};

}  // namespace csv_log
