#include "block_size.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "microparquet/detail/sectors.h"

namespace microparquet::recovery {

namespace {

constexpr std::uint32_t kLargerBlocks[] = {4096, 2048, 1024};
constexpr std::uint64_t kFirstFooter = 4;  // stands where it stands, whatever the blocks

bool is_placed_by(const FooterTrace& trace, std::uint32_t block) {
  const detail::FooterExtension& e = trace.extension;
  const std::uint64_t places =
      e.next.offset() | e.segment_end.offset() | e.free_begin.offset() | e.free_end.offset() | trace.end;
  const bool in_place = trace.columns != 0;
  return places % block == 0 && (!in_place || e.slot_bytes % block == 0);
}

// In place a footer begins on a sector, unless it has to end on a larger block.
bool shows_larger_blocks(const FooterTrace& trace) {
  return trace.columns == 0 || trace.begin % detail::kSectorBytes != 0;
}

}  // namespace

std::uint32_t block_bytes_of(const Traces& traces, std::uint32_t file_id) {
  std::vector<FooterTrace> later;
  std::copy_if(traces.footers.begin(), traces.footers.end(), std::back_inserter(later),
               [&](const FooterTrace& trace) {
                 return trace.extension.file_id == file_id && trace.begin != kFirstFooter;
               });
  if (std::none_of(later.begin(), later.end(), shows_larger_blocks)) {
    return detail::kSectorBytes;
  }
  for (const std::uint32_t block : kLargerBlocks) {
    if (std::all_of(later.begin(), later.end(),
                    [&](const FooterTrace& trace) { return is_placed_by(trace, block); })) {
      return block;
    }
  }
  return detail::kSectorBytes;
}

}  // namespace microparquet::recovery
