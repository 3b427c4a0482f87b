// One file written from open to close, while calls fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fault_file.h"
#include "microparquet/writer.h"
#include "row_batch.h"
#include "workload.h"

namespace faults {

// Result of a session.
struct Outcome {
  bool opened = false;
  mpq::Status stopped = mpq::Status::kOk;  // why appending ended early
  mpq::Status closed = mpq::Status::kOk;   // of close(), or of open() when that failed
  unsigned kept = 0;                       // rows that were durable before
  unsigned rows = 0;                       // those and what append took
  std::string fault;                       // the first thing that went wrong; empty: none
};

// Makes every public call that writes. A call that fails must answer exactly what the file answered, and is
// repeated; where the file fails for good, it must answer the same again.
class Session {
 public:
  Session(const Workload& workload, bool fails_for_good);

  // Writes the first `rows` rows of the workload. Of a file that is resumed some are there before.
  Outcome run(FaultFile& file, unsigned rows);

 private:
  template <typename Call>
  bool attempt(const char* name, Call call);
  void leave_file(FaultFile& file);
  mpq::Status begin(FaultFile& file);
  bool write_rows(unsigned rows);
  bool save_rows(unsigned step);
  bool append_batch(unsigned begin, unsigned rows);
  void complain(const std::string& text);
  mpq::Span<std::byte> arena() { return {reinterpret_cast<std::byte*>(arena_.data()), arena_.size() * 8}; }

  const Workload& workload_;
  bool fails_for_good_;
  RowSource source_;
  std::vector<std::uint64_t> arena_;
  mpq::Writer writer_;
  FaultFile* file_ = nullptr;
  mpq::Status status_ = mpq::Status::kOk;
  RowBatch batch_;
  std::string fault_;
};

}  // namespace faults
