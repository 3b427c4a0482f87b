#include "expected_rows.h"

#include <cstdio>

namespace faults {

bool write_expected_rows(const std::string& path, const Workload& workload, unsigned life, unsigned rows) {
  std::FILE* const out = std::fopen(path.c_str(), "w");
  if (out == nullptr) return false;
  RowSource source(workload, life);
  for (unsigned row = 0; row < rows; ++row) {
    const mpq::Span<const mpq::Value> values = source.row(row);
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::fputs(i != 0 ? " " : "", out);
      std::fputs(values[i].null ? "-" : "x", out);
      if (values[i].null) continue;
      for (const char c : bytes_of(values[i], workload.schema[i]))
        std::fprintf(out, "%02x", static_cast<unsigned char>(c));
    }
    std::fputc('\n', out);
  }
  return std::fclose(out) == 0;
}

}  // namespace faults
