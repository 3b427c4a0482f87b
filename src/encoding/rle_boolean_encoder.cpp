// RLE of booleans (Encodings.md): the length of the runs in four bytes, then the runs (hybrid_runs.h).
//
// A page without a run of equal values holds the bits of PLAIN between the headers of its packed runs: taking
// the headers out turns it into a page in PLAIN.
#include "microparquet/rle_encoder.h"

#include "base/bytes.h"
#include "base/endian.h"
#include "encoding/run_encoder.h"
#include "microparquet/detail/encoding/length_prefix.h"

namespace microparquet {
namespace {

using encoding::kLengthBytes;
using encoding::RunEncoder;

struct BooleanRuns {
  RunEncoder runs;
  bool has_value[2];  // false, true
};
static_assert(sizeof(BooleanRuns) == detail::kBooleanRunsStateBytes);

BooleanRuns& boolean_runs_of(const PageBody& page) { return *static_cast<BooleanRuns*>(page.state); }

// Takes the headers out of packed runs; returns the end of the page in PLAIN.
std::byte* take_out_headers(std::byte* values, const std::byte* end) {
  std::byte* to = values;
  for (const std::byte* from = values + kLengthBytes; from != end;) {
    const std::uint32_t bytes = std::to_integer<std::uint32_t>(*from++) >> 1;
    util::move_bytes(to, from, bytes);
    to += bytes;
    from += bytes;
  }
  return to;
}

}  // namespace

void detail::begin_boolean_runs(PageBody& page) {
  boolean_runs_of(page) = {};
  boolean_runs_of(page).runs.begin(1);
  page.cursor += kLengthBytes;
}

std::uint32_t detail::boolean_runs_that_fit(PageBody& page, std::uint32_t free_bytes,
                                            std::uint32_t level_bytes) {
  return boolean_runs_of(page).runs.that_fit(free_bytes, level_bytes);
}

void detail::put_boolean_runs(PageBody& page, const void* values, std::uint32_t count) {
  BooleanRuns& state = boolean_runs_of(page);
  const bool* value = static_cast<const bool*>(values);
  for (const bool* const end = value + count; value != end;) {
    const bool* const first = value++;
    while (value != end && *value == *first) ++value;
    const std::uint32_t number = *first ? 1 : 0;
    state.has_value[number] = true;
    page.cursor = state.runs.put(page.cursor, number, static_cast<std::uint32_t>(value - first));
  }
}

void detail::finish_boolean_runs(EndingPage& page) {
  BooleanRuns& state = boolean_runs_of(page);
  const bool values[] = {false, true};
  for (const bool& value : values) {
    if (state.has_value[value ? 1 : 0]) page.update_bounds(&value, 1);
  }
  page.cursor = state.runs.finish(page.cursor);
  if (state.runs.has_runs) {
    util::store(page.values, static_cast<std::uint32_t>(page.cursor - page.values) - kLengthBytes);
  } else {
    page.set_encoding(EncodingId::kPlain);
    page.cursor = take_out_headers(page.values, page.cursor);
  }
}

}  // namespace microparquet
