#include "format/desktop/usual_page_header.h"

#include <cstdint>

#include "format/page_header.h"
#include "microparquet/detail/math.h"

namespace microparquet::format {
namespace {

constexpr unsigned kDataPageStructWithoutCrc = thrift::field_byte(
    PageHeaderField::kDataPageHeader, thrift::CompactType::kStruct, PageHeaderField::kCompressedPageSize);

// Takes the expected bytes; usual() tells at the end whether all of them were.
class UsualBytes {
 public:
  explicit UsualBytes(const std::byte* at) : at_(at) {}

  const std::byte* at() const { return at_; }
  bool usual() const { return usual_; }
  unsigned peek() const { return std::to_integer<unsigned>(*at_); }
  void take(unsigned byte) { usual_ &= std::to_integer<unsigned>(*at_++) == byte; }

  // Takes a field of type i32, with continuation bytes of zeros.
  std::uint32_t number() {
    take(kPageNumber);
    std::uint64_t value = 0;
    unsigned shift = 0;
    unsigned byte = 0x80;
    for (; byte >= 0x80 && shift < 63; shift += 7) {
      byte = std::to_integer<unsigned>(*at_++);
      value |= std::uint64_t{byte & 0x7F} << shift;
    }
    usual_ &= byte < 0x80 && value <= 0xFFFFFFFF;
    return static_cast<std::uint32_t>(value);
  }
  // Takes a number that must not be negative.
  std::uint32_t count() {
    const std::uint32_t value = number();
    usual_ &= value % 2 == 0;
    return value / 2;
  }

 private:
  const std::byte* at_;
  bool usual_ = true;
};

static_assert(8 * (1 + 9) + 3 <= kMostUsualHeader, "eight numbers and three bytes");

}  // namespace

bool read_usual_page_header(const std::byte* at, PageHeader& header) {
  UsualBytes in(at);
  header = {};
  header.type = PageType::kData;
  header.compressed = true;
  if (in.count() != static_cast<std::uint32_t>(PageType::kData)) return false;
  header.uncompressed_bytes = in.count();
  header.compressed_bytes = in.count();
  header.has_crc = in.peek() == kPageNumber;
  if (header.has_crc) header.crc = static_cast<std::uint32_t>(detail::unzigzag(in.number()));
  in.take(header.has_crc ? kDataPageStruct : kDataPageStructWithoutCrc);
  header.values = in.count();
  header.encoding = in.count();
  header.level_encoding = in.count();
  header.repetition_encoding = in.count();
  in.take(0);
  in.take(0);
  header.header_bytes = static_cast<std::uint32_t>(in.at() - at);
  return in.usual();
}

}  // namespace microparquet::format
