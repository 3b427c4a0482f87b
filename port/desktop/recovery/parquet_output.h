// A new Parquet file out of row groups of others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "microparquet/desktop/new_file.h"
#include "thrift_dom/footer_parts.h"

namespace microparquet::recovery {

// Throws Failure when a new file cannot take the name `path`; `overwrite`: one that is there is replaced.
void check_target(const std::string& path, bool overwrite);

// All calls throw Failure. The file gets its name when it is whole and can be opened; until then it lies
// beside it, and is removed when it is not finished.
class ParquetOutput {
 public:
  ParquetOutput(const std::string& path, bool overwrite);
  ParquetOutput(const ParquetOutput&) = delete;
  ParquetOutput& operator=(const ParquetOutput&) = delete;

  // Copies the pages of the row group `entry` of `from`.
  void add_row_group(File& from, const Bytes& entry);
  void finish(const std::vector<FooterField>& fields);

  std::uint64_t bytes() const { return out_.bytes(); }

 private:
  void copy(File& from, std::uint64_t begin, std::uint64_t bytes);

  bool overwrite_;
  desktop::NewFile out_;
  std::vector<Bytes> entries_;
};

}  // namespace microparquet::recovery
