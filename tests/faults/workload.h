// Workloads that are written while calls fail: schemas, options and values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "microparquet/file.h"
#include "microparquet/file_start.h"
#include "microparquet/options.h"
#include "microparquet/schema.h"
#include "microparquet/value.h"
#include "mix.h"

namespace faults {

namespace mpq = microparquet;

inline constexpr std::string_view kLateKey = "late";  // set while a file is being written

struct Workload {
  std::string_view name;
  mpq::Schema schema;
  mpq::Options options;
  mpq::FileAbilities abilities;
  unsigned rows = 0;
  unsigned batch = 0;  // rows in an append_columns; 0: append, a row at a time
  mpq::FileStart start = {};
  // Start of a resumed file, and the rows that its writer had taken when it was cut off.
  mpq::FileStart first_start = {};
  unsigned first_rows = 0;  // 0: a new file

  // Whether checkpoints may leave pages open.
  bool has_tails() const { return options.layout->checkpoints == mpq::CheckpointKind::kKeepPages; }
  // Whether it is a stream with saves.
  bool saves_stream() const { return options.layout->checkpoints == mpq::CheckpointKind::kSaveStream; }
  // Whether save() is more than a checkpoint.
  bool saves() const { return has_tails() || saves_stream(); }
};

const std::vector<Workload>& workloads();

// A value that is not null as PLAIN has it, a byte array without its length. As long as `value` and its bytes
// stay.
std::string_view bytes_of(const mpq::Value& value, const mpq::Field& field);

// A row of a workload: always the same, whichever rows are asked for. Valid until the next one is made. Each
// life has rows of its own.
class RowSource {
 public:
  explicit RowSource(const Workload& workload, unsigned life = 0)
      : schema_(workload.schema), life_(life), row_(schema_.size()), text_(schema_.size()) {}
  mpq::Span<const mpq::Value> row(unsigned index);

 private:
  mpq::Value value(const mpq::Field& field, unsigned column, unsigned index);
  mpq::Value repeated(mpq::Type type, unsigned column, unsigned index, std::uint32_t random);

  mpq::Schema schema_;
  unsigned life_;
  std::vector<mpq::Value> row_;
  std::vector<std::string> text_;
};

}  // namespace faults
