#include "base/bits.h"
#include "base/endian.h"
#include "base/varint.h"
#include "microparquet/detail/column_writer.h"
#include "microparquet/detail/desktop.h"

namespace microparquet::detail {
namespace {

constexpr std::uint32_t kGroup = 8;
constexpr unsigned kMaxGroups = 63;  // keeps a packed run's header at one byte

void end_repeated_run(LevelEncoder& encoder) {
  encoder.cursor = util::put_varint(encoder.cursor, encoder.repeated << 1);
  *encoder.cursor++ = static_cast<std::byte>(encoder.last);
}

[[gnu::always_inline]] inline void count_group(LevelEncoder& encoder) {
  if (encoder.packed_header == nullptr || *encoder.packed_header == std::byte{kMaxGroups << 1 | 1}) {
    encoder.packed_header = encoder.cursor++;
    *encoder.packed_header = std::byte{1};
  }
  *encoder.packed_header = static_cast<std::byte>(static_cast<unsigned>(*encoder.packed_header) + 2);
}

void pack_group(LevelEncoder& encoder) {
  count_group(encoder);
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
    if (++repeated > kGroup) return;  // a long run grows without a waiting group
  } else {
    if (repeated >= kGroup) end_repeated_run(*this);
    last = level;
    repeated = 1;
  }
  group[buffered++] = level;
  if (buffered < kGroup) return;
  if (repeated >= kGroup) {
    buffered = 0;  // eight equal levels begin a run instead of a group
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

// Puts a byte a row, on desktops eight at a time. Between groups there is no run, or one of at least eight levels.
std::uint32_t LevelEncoder::put_valid(const std::uint8_t* valid, std::uint32_t count) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(valid);
  const std::uint32_t nulls_before = nulls;
  for (std::uint32_t i = 0; i < count;) {
    if (!kDesktop || buffered != 0 || count - i < kGroup) {
      put(valid[i++] != 0 ? 1 : 0, 1);
      continue;
    }
    const std::uint64_t levels = util::bytes_set(util::load<std::uint64_t>(bytes + i));
    const std::uint64_t going_on = last != 0 ? util::kEachByte : 0;
    if (repeated != 0 && levels != going_on) {
      const auto more = static_cast<std::uint32_t>(__builtin_ctzll(levels ^ going_on)) / 8;
      repeated += more;
      nulls += last != 0 ? 0 : more;
      end_repeated_run(*this);
      repeated = 0;
      i += more;
      continue;
    }
    nulls += kGroup - util::count_bytes(levels);
    i += kGroup;
    if (levels == 0 || levels == util::kEachByte) {
      last = levels != 0 ? 1 : 0;
      repeated += kGroup;
      packed_header = nullptr;
    } else {
      count_group(*this);
      *cursor++ = static_cast<std::byte>(util::bits_of_bytes(levels));
    }
  }
  return count - (nulls - nulls_before);
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
