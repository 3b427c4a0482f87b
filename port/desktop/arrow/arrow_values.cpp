#include "arrow_values.h"

#include <algorithm>
#include <cstring>

#include "microparquet/desktop/failure.h"

namespace microparquet::desktop {

namespace {

using Bytes = std::vector<std::byte>;

// Calls `convert(value, place)` for each value that is there, with the place for it.
template <typename Convert>
Bytes spaced(const ArrowNode& node, const LeafItems& items, const Slots& slots, Convert convert) {
  Bytes out(slots.size() * node.width);
  const std::byte* value = items.values().data();
  std::byte* place = out.data();
  for (const std::uint8_t slot : slots) {
    if (slot != 0) {
      convert(value, place);
      value += node.file_width;
    }
    place += node.width;
  }
  return out;
}

Bytes same(const ArrowNode& node, const LeafItems& items, const Slots& slots) {
  const bool no_nulls = std::find(slots.begin(), slots.end(), 0) == slots.end();
  if (no_nulls) {
    const auto begin = items.values().begin();
    return {begin, begin + static_cast<std::ptrdiff_t>(slots.size() * node.width)};
  }
  return spaced(node, items, slots,
                [&](const std::byte* value, std::byte* place) { std::memcpy(place, value, node.width); });
}

Bytes bits(const LeafItems& items, const Slots& slots) {
  Bytes out((slots.size() + 7) / 8);
  const std::byte* value = items.values().data();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i] != 0) {
      out[i / 8] |= *value++ << (i % 8);
    }
  }
  return out;
}

// The rest of a number of `width` bytes whose lowest `bytes` are at `place`.
void extend_sign(std::byte* place, std::size_t bytes, std::size_t width) {
  const bool negative = (place[bytes - 1] & std::byte{0x80}) != std::byte{0};
  std::memset(place + bytes, negative ? 0xFF : 0, width - bytes);
}

// A number in two's complement, the highest byte first; `place` has the lowest first.
void reverse(const ArrowNode& node, const std::byte* value, std::size_t bytes, std::byte* place) {
  if (bytes == 0) {
    return;  // zero
  }
  const std::byte sign = (value[0] & std::byte{0x80}) != std::byte{0} ? std::byte{0xFF} : std::byte{0};
  for (; bytes > node.width; --bytes, ++value) {
    if (value[0] != sign) {
      throw Failure("a decimal of column " + node.name + " is too long for its type");
    }
  }
  std::reverse_copy(value, value + bytes, place);
  extend_sign(place, bytes, node.width);
}

Bytes big_endian(const ArrowNode& node, const LeafItems& items, const Slots& slots) {
  if (node.file_width != 0) {
    return spaced(node, items, slots, [&](const std::byte* value, std::byte* place) {
      reverse(node, value, node.file_width, place);
    });
  }
  Bytes out(slots.size() * node.width);
  std::size_t number = 0;
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i] != 0) {
      const std::uint64_t end = items.ends()[number++];
      reverse(node, items.values().data() + begin, static_cast<std::size_t>(end - begin),
              out.data() + i * node.width);
      begin = end;
    }
  }
  return out;
}

// Wraps where 64 bits do not hold it, as other readers do: years before 1678 or after 2261.
void convert_int96(const std::byte* value, std::byte* place) {
  constexpr std::uint64_t kDayNanos = 86'400'000'000'000;
  constexpr std::uint64_t kJulianDayOf1970 = 2'440'588;
  std::uint64_t nanos = 0;
  std::uint32_t day = 0;
  std::memcpy(&nanos, value, sizeof nanos);
  std::memcpy(&day, value + sizeof nanos, sizeof day);
  nanos += (day - kJulianDayOf1970) * kDayNanos;
  std::memcpy(place, &nanos, sizeof nanos);
}

void add_bytes(const LeafItems& items, const Slots& slots, std::deque<Bytes>& buffers) {
  Bytes offsets((slots.size() + 1) * sizeof(std::uint64_t));
  std::size_t number = 0;
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    end = slots[i] != 0 ? items.ends()[number++] : end;
    std::memcpy(offsets.data() + (i + 1) * sizeof end, &end, sizeof end);
  }
  buffers.push_back(std::move(offsets));
  const auto begin = items.values().begin();
  buffers.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(end));
}

}  // namespace

void add_values(const ArrowNode& node, const LeafItems& items, const Slots& slots,
                std::deque<Bytes>& buffers) {
  switch (node.conversion) {
    case Conversion::kNone: return;
    case Conversion::kBits: buffers.push_back(bits(items, slots)); return;
    case Conversion::kSame: buffers.push_back(same(node, items, slots)); return;
    case Conversion::kBytes: add_bytes(items, slots, buffers); return;
    case Conversion::kBigEndian: buffers.push_back(big_endian(node, items, slots)); return;
    case Conversion::kNarrow:
      buffers.push_back(spaced(node, items, slots, [&](const std::byte* value, std::byte* place) {
        std::memcpy(place, value, node.width);
      }));
      return;
    case Conversion::kDecimal:
      buffers.push_back(spaced(node, items, slots, [&](const std::byte* value, std::byte* place) {
        std::memcpy(place, value, node.file_width);
        extend_sign(place, node.file_width, node.width);
      }));
      return;
    case Conversion::kInt96: buffers.push_back(spaced(node, items, slots, &convert_int96)); return;
  }
}

}  // namespace microparquet::desktop
