// A new Parquet file out of row groups of others.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "byte_sink.h"
#include "result.h"
#include "thrift_dom/footer_parts.h"
#include "view.h"

namespace microparquet::recovery {

// All calls throw Failure. The sink must stay.
class ParquetOutput {
 public:
  explicit ParquetOutput(ByteSink& sink);
  ParquetOutput(const ParquetOutput&) = delete;
  ParquetOutput& operator=(const ParquetOutput&) = delete;

  // Appends the pages of the row group `entry` of `from`.
  void add_row_group(File& from, const Bytes& entry);
  // The same of a file on a medium, whose own bytes the sink gets from there.
  void add_row_group(View& from, const Bytes& entry);
  // Appends all row groups of a result. `progress` gets the number of bytes before each of them.
  void add_result(View& view, const Result& result, const Progress& progress);
  // Appends the footer, and opens the file to see whether others can.
  Status finish(const std::vector<FooterField>& fields);

 private:
  ByteSink& sink_;
  std::vector<Bytes> entries_;
};

}  // namespace microparquet::recovery
