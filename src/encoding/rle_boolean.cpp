// Booleans as runs (Encodings.md, RLE and bit-packing hybrid), and the runs themselves.
#include "base/bytes.h"
#include "base/endian.h"
#include "base/try.h"
#include "base/varint.h"
#include "encoding/hybrid_runs.h"
#include "encoding/packed_values.h"
#include "encoding/run_encoder.h"
#include "microparquet/decoders.h"
#include "microparquet/detail/encoding/length_prefix.h"
#include "microparquet/encoders.h"

namespace microparquet::encoding {

namespace {

// Longest run of equal numbers: a length of 32 bits, and a number.
constexpr std::uint32_t kMostRunBytes = 5 + 2;

std::byte* pack_group(RunEncoder& runs, std::byte* at) {
  constexpr auto kFull = static_cast<std::byte>(RunEncoder::kMostGroups << 1 | 1);
  if (runs.packed == 0 || at[-std::ptrdiff_t{runs.packed}] == kFull) {
    runs.packed = 1;
    *at++ = std::byte{1};
  }
  std::byte& header = at[-std::ptrdiff_t{runs.packed}];
  header = static_cast<std::byte>(static_cast<unsigned>(header) + 2);
  std::uint32_t bits = 0;
  std::uint32_t filled = 0;
  for (const std::uint32_t number : runs.group) {
    bits |= number << filled;
    for (filled += runs.width; filled >= 8; filled -= 8) {
      *at++ = static_cast<std::byte>(bits & 0xFF);
      bits >>= 8;
    }
  }
  runs.packed = static_cast<std::uint16_t>(runs.packed + runs.width);
  runs.buffered = 0;
  return at;
}

// Ends the open run. A run that is shorter when packed leaves its last numbers in the group.
std::byte* end_run(RunEncoder& runs, std::byte* at) {
  const std::uint32_t number_bytes = (runs.width + 7U) / 8;
  std::uint32_t left = runs.repeated;
  runs.repeated = 0;
  // Includes the headers of this run and of the packed one after it.
  if (left / RunEncoder::kGroup * runs.width < 2 + number_bytes) {
    for (std::uint16_t& each : runs.group) each = runs.number;
    for (; left >= RunEncoder::kGroup; left -= RunEncoder::kGroup) at = pack_group(runs, at);
    runs.buffered = static_cast<std::uint8_t>(left);
    return at;
  }
  at = util::put_varint(at, left << 1);
  for (std::uint32_t i = 0; i < number_bytes; ++i)
    *at++ = static_cast<std::byte>(runs.number >> 8 * i & 0xFF);
  runs.packed = 0;
  runs.has_runs = true;
  return at;
}

bool is_one_number(const RunEncoder& runs) {
  for (const std::uint16_t each : runs.group) {
    if (each != runs.group[0]) return false;
  }
  return true;
}

}  // namespace

void RunEncoder::begin(std::uint32_t bits) {
  repeated = 0;
  packed = 0;
  buffered = 0;
  width = static_cast<std::uint8_t>(bits);
  has_runs = false;
}

std::byte* RunEncoder::put(std::byte* at, std::uint32_t value, std::uint32_t times) {
  for (; times != 0; --times) {
    if (repeated != 0) {
      if (value == number) {
        repeated += times;
        break;
      }
      at = end_run(*this, at);
    }
    group[buffered++] = static_cast<std::uint16_t>(value);
    if (buffered < kGroup) continue;
    if (is_one_number(*this)) {
      number = static_cast<std::uint16_t>(value);
      repeated = kGroup;
      buffered = 0;
    } else {
      at = pack_group(*this, at);
    }
  }
  return at;
}

std::byte* RunEncoder::finish(std::byte* at) {
  if (repeated != 0) at = end_run(*this, at);
  if (buffered == 0) return at;
  while (buffered < kGroup) group[buffered++] = 0;
  return pack_group(*this, at);
}

// Counts all numbers as packed, after the open run. There is a header for each 63 groups at most, counted as
// one for each 32.
std::uint32_t RunEncoder::that_fit(std::uint32_t free_bytes, std::uint32_t more) const {
  const std::uint32_t ends = kMostRunBytes + 2U * width + 2;  // the open run, a group that is begun, headers
  if (free_bytes <= ends) return 0;
  const std::uint32_t group_bytes = width + kGroup * more;
  const std::uint32_t free = free_bytes - ends;
  return (free - free / 32) / (group_bytes != 0 ? group_bytes : 1) * kGroup;
}

}  // namespace microparquet::encoding

namespace microparquet {

// RLE of booleans (Encodings.md): the length of the runs in four bytes, then the runs (hybrid_runs.h).
//
// A page without a run of equal values holds the bits of PLAIN between the headers of its packed runs: taking
// the headers out turns it into a page in PLAIN.

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

namespace microparquet::encoding {

namespace {

constexpr std::uint32_t kGroup = 8;
constexpr std::uint32_t kLongestHeader = 5;  // a varint of 32 bits

// Begins a run. It takes nothing before the whole header is loaded, so that the call can be repeated after a
// failure of the file.
Status begin_run(PageInput page, HybridRuns& runs) {
  const std::uint32_t number_bytes = (runs.width + 7U) / 8;
  const std::uint32_t most = kLongestHeader + number_bytes;
  MICROPARQUET_TRY(page.load(page.left() < most ? static_cast<std::uint32_t>(page.left()) : most));
  const std::byte* at = page.data();
  const std::byte* const end = at + page.available();
  std::uint32_t header = 0;
  unsigned shift = 0;
  for (bool more = true; more; shift += 7) {
    if (at == end || shift > 28) return Status::kCorrupt;
    const auto byte = std::to_integer<std::uint32_t>(*at++);
    if (shift == 28 && byte > 15) return Status::kCorrupt;
    header |= (byte & 0x7F) << shift;
    more = byte >= 0x80;
  }
  const std::uint32_t length = header >> 1;
  std::uint32_t number = 0;
  const bool packed = (header & 1) != 0;
  if (!packed) {
    if (static_cast<std::size_t>(end - at) < number_bytes) return Status::kCorrupt;
    for (unsigned i = 0; i < number_bytes; ++i) number |= std::to_integer<std::uint32_t>(*at++) << 8 * i;
  }
  runs.packed = packed;
  runs.number = number;
  runs.bit = 0;
  runs.left =
      packed ? (length < 0xFFFFFFFF / kGroup ? length * kGroup : 0xFFFFFFFF / kGroup * kGroup) : length;
  page.take(static_cast<std::uint32_t>(at - page.data()));
  return Status::kOk;
}

}  // namespace

Status HybridRuns::load(PageInput page, std::uint32_t& count) {
  while (left == 0) {
    if (page.left() == 0) return Status::kCorrupt;
    MICROPARQUET_TRY(begin_run(page, *this));
  }
  if (count > left) count = left;
  if (!packed || width == 0) return Status::kOk;
  MICROPARQUET_TRY(page.load((bit + width + 7U) / 8));
  const std::uint32_t there = page.available();
  if ((std::uint64_t{count} * width + bit + 7) / 8 > there) count = packed_values(there, bit, width);
  return Status::kOk;
}

std::uint32_t HybridRuns::take(PageInput page) {
  --left;
  if (!packed) return number;
  const std::byte* const at = page.data();
  const unsigned end = bit + width;
  std::uint64_t bits = 0;
  for (unsigned i = 0; 8 * i < end; ++i) bits |= std::to_integer<std::uint64_t>(at[i]) << 8 * i;
  const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
  const auto value = static_cast<std::uint32_t>(bits >> bit & mask);
  page.take(end / 8);
  bit = end % 8;
  return value;
}

}  // namespace microparquet::encoding

namespace microparquet {

// Booleans in RLE: the length of the runs in four bytes, little-endian; runs of numbers of one bit.

namespace {

struct Booleans {
  encoding::HybridRuns runs;
  std::byte value;  // shown to the caller
};
static_assert(sizeof(Booleans) <= RleBooleanDecoder::kStateBytes);

}  // namespace

Status RleBooleanDecoder::begin_page(PageInput page, std::uint32_t values) const {
  Booleans& state = page.state<Booleans>();
  state = {};
  state.runs.width = 1;
  page.end_in_padding();
  // Some writers store no length in a page without values.
  if (page.left() == 0) return values == 0 || page.may_have_nulls() ? Status::kOk : Status::kCorrupt;
  MICROPARQUET_TRY(page.load(kLengthBytes));
  if (util::load<std::uint32_t>(page.data()) > page.left() - kLengthBytes) return Status::kCorrupt;
  page.take(kLengthBytes);
  return Status::kOk;
}

Status RleBooleanDecoder::next(PageInput page) const {
  Booleans& state = page.state<Booleans>();
  std::uint32_t count = 1;
  MICROPARQUET_TRY(state.runs.load(page, count));
  state.value = static_cast<std::byte>(state.runs.take(page) & 1);
  page.show(&state.value, 1);
  return Status::kOk;
}

Status RleBooleanDecoder::read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const {
  encoding::HybridRuns& runs = page.state<Booleans>().runs;
  auto* const values = static_cast<bool*>(out);
  MICROPARQUET_TRY(runs.load(page, count));
  for (stored = 0; stored < count; ++stored) values[stored] = (runs.take(page) & 1) != 0;
  return Status::kOk;
}

Status RleBooleanDecoder::skip(PageInput page) const { return next(page); }

}  // namespace microparquet
