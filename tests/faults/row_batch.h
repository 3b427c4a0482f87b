// Rows of a workload as columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "microparquet/writer.h"
#include "workload.h"

namespace faults {

class RowBatch {
 public:
  explicit RowBatch(const Workload& workload) : workload_(workload), columns_(workload.schema.size()) {}

  // Appends the rows from `begin` to before `end`.
  mpq::Status append(mpq::Writer& writer, RowSource& source, unsigned begin, unsigned end);

 private:
  struct Column {
    std::vector<std::byte> fixed;
    std::vector<std::string> texts;
    std::vector<std::string_view> views;
    std::vector<std::uint8_t> valid;
  };

  void collect(RowSource& source, unsigned begin, unsigned end);

  const Workload& workload_;
  std::vector<Column> columns_;
};

}  // namespace faults
