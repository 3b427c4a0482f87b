// libFuzzer: any bytes as a file that lost its footer, and any as the one with the same columns: the first four bytes say how
// long that one is, the next one what is asked for.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "fuzz_input.h"
#include "microparquet/desktop/failure.h"
#include "salvage.h"

namespace {

using namespace microparquet;
namespace rec = microparquet::recovery;

constexpr std::size_t kPrefix = 5;
constexpr unsigned kSameSettings = 1, kPartial = 2, kUnchecked = 4, kGroupRows = 8;

void no_progress(std::uint64_t) {}

// Rows are in row groups, and no row group is empty.
void check(const rec::Salvaged& salvaged) {
  if ((salvaged.result.row_groups() == 0) != (salvaged.result.rows == 0)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::uint32_t other = 0;
  if (size < kPrefix) return 0;
  std::memcpy(&other, data, sizeof other);
  const unsigned asked = data[kPrefix - 1];
  data += kPrefix;
  size -= kPrefix;
  if (other > size) return 0;
  FuzzInput model(data, other);
  FuzzInput medium(data + other, size - other);
  rec::View view(medium, {{0, size - other}});
  const rec::SalvageOptions options{"model", (asked & kGroupRows) != 0 ? 1U + asked / 16 : 0U,
                                    (asked & kSameSettings) != 0, (asked & kPartial) != 0,
                                    (asked & kUnchecked) != 0};
  try {
    const rec::Traces traces = rec::find_traces(view, no_progress);
    check(rec::salvage(view, traces, model, options, no_progress));
  } catch (const microparquet::desktop::Failure&) {
    // The other file is none, and that is said.
  }
  return 0;
}
