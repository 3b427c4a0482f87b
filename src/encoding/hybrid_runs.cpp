#include "encoding/hybrid_runs.h"

#include "base/try.h"
#include "encoding/packed_values.h"

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
