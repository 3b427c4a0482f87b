#include "encoding/run_encoder.h"

#include "base/varint.h"

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
