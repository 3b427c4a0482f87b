#include "footer_check.h"

#include <array>
#include <cstring>
#include <vector>

namespace power_loss {
namespace {

constexpr std::uint32_t kEnd = 9;  // after the extension: a stop byte, the footer's length and PAR1

class Bytes {
 public:
  explicit Bytes(const std::byte* at) : at_(at) {}
  std::uint32_t u32(std::uint32_t offset) const { return static_cast<std::uint32_t>(u64(offset)); }
  std::uint64_t u64(std::uint32_t offset) const {
    std::uint64_t value = 0;
    for (unsigned i = 8; i-- != 0;) value = value << 8 | static_cast<std::uint64_t>(at_[offset + i]);
    return value;
  }

 private:
  const std::byte* at_;
};

// The CRC-32 of GZIP, a byte a step.
std::uint32_t crc32(const std::byte* data, std::size_t bytes) {
  static const std::vector<std::uint32_t> table = [] {
    std::vector<std::uint32_t> rows(256);
    for (std::uint32_t i = 0; i < 256; ++i) {
      rows[i] = i;
      for (int bit = 0; bit < 8; ++bit) rows[i] = rows[i] >> 1 ^ (0xEDB88320 & (0 - (rows[i] & 1)));
    }
    return rows;
  }();
  std::uint32_t crc = 0xFFFFFFFF;
  for (std::size_t i = 0; i < bytes; ++i)
    crc = crc >> 8 ^ table[(crc ^ static_cast<std::uint32_t>(data[i])) & 0xFF];
  return ~crc;
}

}  // namespace

FooterCheck check_footer(const Medium& medium, std::uint32_t columns) {
  const std::uint32_t extension = 68 + 8 * columns + 4;
  const auto size = static_cast<std::uint32_t>(medium.size);
  if (size < 4 + extension + kEnd) return {};
  std::array<std::byte, 16> end = {};
  medium.read(size - 8, {end.data(), 8});
  const std::uint32_t bytes = Bytes(end.data()).u32(0);
  if (std::memcmp(end.data() + 4, "PAR1", 4) != 0 || bytes < extension + 1 || bytes > size - 12) return {};
  std::vector<std::byte> footer(bytes + 8);
  medium.read(size - 8 - bytes, {footer.data(), footer.size()});
  const std::byte* const begin = footer.data();
  const std::byte* const at = begin + bytes - 1 - extension;
  const Bytes field(at);
  if (std::memcmp(at, "mpqF", 4) != 0 || field.u32(4) != 1) return {};

  const std::uint32_t entries_begin = field.u32(28);
  const std::uint32_t finished = field.u32(36);
  const std::uint32_t open = field.u32(44);
  const auto head = static_cast<std::uint32_t>(at - begin);
  if (entries_begin > head || finished > head - entries_begin || open > head - entries_begin - finished)
    return {};
  const std::byte* const entries = begin + entries_begin;
  std::vector<std::byte> rest(begin, entries);
  rest.insert(rest.end(), entries + finished + open, at + extension - 4);
  const bool genuine = crc32(rest.data(), rest.size()) == field.u32(extension - 4) &&
                       crc32(entries, finished) == field.u32(40) &&
                       crc32(entries, finished + open) == field.u32(48);
  return {genuine,       size - 8 - bytes, field.u32(8),  field.u32(12), field.u64(16),
          field.u32(32), field.u32(52),    field.u32(56), field.u32(60), field.u32(64)};
}

}  // namespace power_loss
