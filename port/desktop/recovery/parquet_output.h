// A new Parquet file out of row groups of others.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "footer.h"
#include "microparquet/port/posix_file.h"

namespace microparquet::recovery {

// All calls throw Failure. A file that is not finished is removed.
class ParquetOutput {
 public:
  ParquetOutput(std::string path, bool overwrite);
  ParquetOutput(const ParquetOutput&) = delete;
  ParquetOutput& operator=(const ParquetOutput&) = delete;
  ~ParquetOutput();

  // Copies the pages of the row group `entry` of `from`.
  void add_row_group(File& from, const Bytes& entry);
  void finish(const std::vector<FooterField>& fields);

  std::uint64_t bytes() const { return bytes_; }

 private:
  void write(ByteView bytes);
  void copy(File& from, std::uint64_t begin, std::uint64_t bytes);
  [[noreturn]] void fail();

  std::string path_;
  PosixFile file_;
  std::uint64_t bytes_ = 0;
  std::vector<Bytes> entries_;
  bool finished_ = false;
};

}  // namespace microparquet::recovery
