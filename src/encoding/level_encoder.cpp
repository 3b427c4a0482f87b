#include "base/varint.h"
#include "microparquet/detail/column_writer.h"

namespace microparquet::detail {
namespace {

constexpr std::uint32_t kGroup = 8;
constexpr unsigned kMaxGroups = 63;  // so that a packed run's header is one byte

void end_repeated_run(LevelEncoder& encoder) {
  encoder.cursor = util::put_varint(encoder.cursor, encoder.repeated << 1);
  *encoder.cursor++ = static_cast<std::byte>(encoder.last);
}

void pack_group(LevelEncoder& encoder) {
  if (encoder.packed_header == nullptr || *encoder.packed_header == std::byte{kMaxGroups << 1 | 1}) {
    encoder.packed_header = encoder.cursor++;
    *encoder.packed_header = std::byte{1};
  }
  *encoder.packed_header = static_cast<std::byte>(static_cast<unsigned>(*encoder.packed_header) + 2);
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < kGroup; ++i) {
    bits |= static_cast<std::uint64_t>(encoder.group[i]) << (i * encoder.bit_width);
  }
  for (unsigned i = 0; i < encoder.bit_width; ++i) {
    *encoder.cursor++ = static_cast<std::byte>(bits & 0xFF);
    bits >>= 8;
  }
  encoder.buffered = 0;
  encoder.repeated = 0;
}

}  // namespace

void LevelEncoder::begin_page(std::byte* at) {
  begin = at;
  cursor = at;
  packed_header = nullptr;
  nulls = 0;
  repeated = 0;
  buffered = 0;
}

void LevelEncoder::put_one(std::uint8_t level) {
  if (level == last && repeated != 0) {
    if (++repeated > kGroup) return;  // a run grows, and no group waits
  } else {
    if (repeated >= kGroup) end_repeated_run(*this);
    last = level;
    repeated = 1;
  }
  group[buffered++] = level;
  if (buffered < kGroup) return;
  if (repeated >= kGroup) {
    buffered = 0;  // eight equal ones: a run begins instead of a group
    packed_header = nullptr;
  } else {
    pack_group(*this);
  }
}

void LevelEncoder::put(std::uint8_t level, std::uint32_t times) {
  if (level == 0) nulls += times;
  while (times != 0 && !(level == last && repeated >= kGroup && buffered == 0)) {
    put_one(level);
    --times;
  }
  repeated += times;
}

void LevelEncoder::finish() {
  if (repeated >= kGroup && buffered == 0) {
    end_repeated_run(*this);
  } else if (buffered != 0) {
    while (buffered < kGroup) group[buffered++] = 0;
    pack_group(*this);
  }
  repeated = 0;
  packed_header = nullptr;
}

}  // namespace microparquet::detail
