// The sequences of one file among the traces, and where in them one history was continued by another
// (src/FORMAT.md, "Sequences and interruptions").
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "traces.h"

namespace microparquet::recovery {

class Histories {
 public:
  Histories(const Traces& traces, std::uint32_t file_id);

  // Which history `sequence` belongs to: 0 is the first.
  std::size_t of(std::uint32_t sequence) const;

  // The last one found, of footers, records and emptied slots; 0 without any.
  std::uint32_t last_sequence() const { return last_sequence_; }

 private:
  std::vector<std::uint32_t> begins_;  // of all histories but the first
  std::uint32_t last_sequence_ = 0;
};

}  // namespace microparquet::recovery
