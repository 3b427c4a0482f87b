// What is written while calls fail: schemas, options and values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "microparquet/file.h"
#include "microparquet/options.h"
#include "microparquet/schema.h"
#include "microparquet/value.h"

namespace faults {

namespace mpq = microparquet;

struct Workload {
  std::string_view name;
  mpq::Schema schema;
  mpq::Options options;
  mpq::FileAbilities abilities;
  unsigned rows = 0;
  unsigned batch = 0;  // rows in an append_columns; 0: append, a row at a time
};

const std::vector<Workload>& workloads();

// A row of a workload: always the same, whichever rows are asked for. Valid until the next one is made.
class RowSource {
 public:
  explicit RowSource(const Workload& workload)
      : schema_(workload.schema), row_(schema_.size()), text_(schema_.size()) {}
  mpq::Span<const mpq::Value> row(unsigned index);

 private:
  mpq::Value value(const mpq::Field& field, unsigned column, unsigned index);

  mpq::Schema schema_;
  std::vector<mpq::Value> row_;
  std::vector<std::string> text_;
};

}  // namespace faults
