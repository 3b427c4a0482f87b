#include "histories.h"

#include <algorithm>

#include "format/record_format.h"

namespace microparquet::recovery {

Histories::Histories(const Traces& traces, std::uint32_t file_id) {
  std::vector<std::uint32_t> found;
  for (const FooterTrace& trace : traces.footers) {
    if (trace.extension.file_id == file_id) {
      found.push_back(trace.extension.sequence);
    }
  }
  for (const SlotTrace& slot : traces.slots) {
    if (slot.trailer.file_id == file_id) {
      found.push_back(slot.trailer.sequence);
    }
  }
  if (found.empty()) {
    return;
  }
  std::sort(found.begin(), found.end());
  last_sequence_ = found.back();
  for (std::size_t i = 1; i < found.size(); ++i) {
    if (found[i] - found[i - 1] >= write::kHistoryGap) {
      begins_.push_back(found[i]);
    }
  }
}

std::size_t Histories::of(std::uint32_t sequence) const {
  const auto next = std::upper_bound(begins_.begin(), begins_.end(), sequence);
  return static_cast<std::size_t>(next - begins_.begin());
}

}  // namespace microparquet::recovery
