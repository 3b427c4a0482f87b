// Headers of pages that are read at once, against the same read field by field.
#include "format/desktop/usual_page_header.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "microparquet/detail/window.h"
#include "support/check.h"

namespace {

using microparquet::Status;
using microparquet::detail::Window;
using microparquet::format::kMostUsualHeader;
using microparquet::format::PageHeader;
using microparquet::format::PageType;
using microparquet::format::read_page_header;
using microparquet::format::read_usual_page_header;

using Header = std::array<std::byte, kMostUsualHeader>;

Header header_of(std::initializer_list<unsigned> bytes) {
  Header header = {};
  std::transform(bytes.begin(), bytes.end(), header.begin(), [](unsigned byte) { return std::byte(byte); });
  return header;
}

// 300 bytes, a CRC below zero, 37 values.
Header with_crc() {
  return header_of({0x15, 0,    0x15, 0xD8, 4,    0x15, 0xD8, 4, 0x15, 0x9B, 0xF6, 0xC0, 0xA1,
                    0xE,  0x1C, 0x15, 74,   0x15, 0,    0x15, 6, 0x15, 6,    0,    0});
}

Header without_crc() {
  return header_of({0x15, 0, 0x15, 0xD8, 4, 0x15, 0xD0, 2, 0x2C, 0x15, 74, 0x15, 16, 0x15, 6, 0x15, 6, 0, 0});
}

bool same(const PageHeader& a, const PageHeader& b) {
  return a.type == b.type && a.has_crc == b.has_crc && a.compressed == b.compressed &&
         a.header_bytes == b.header_bytes && a.uncompressed_bytes == b.uncompressed_bytes &&
         a.compressed_bytes == b.compressed_bytes && a.crc == b.crc && a.values == b.values &&
         a.rows == b.rows && a.encoding == b.encoding && a.level_encoding == b.level_encoding &&
         a.definition_bytes == b.definition_bytes && a.repetition_bytes == b.repetition_bytes;
}

// The reader reads field by field when fewer bytes are in memory than the longest usual header has.
Status read_by_fields(Header& bytes, PageHeader& header) {
  Window window = {};
  window.view_memory(bytes.data(), kMostUsualHeader - 1);
  return read_page_header(window, header);
}

// Whether the header is read at once; it is the same then as field by field.
bool is_usual(Header& bytes) {
  PageHeader at_once = {};
  if (!read_usual_page_header(bytes.data(), at_once)) return false;
  PageHeader by_fields = {};
  CHECK(read_by_fields(bytes, by_fields) == Status::kOk);
  CHECK(same(at_once, by_fields));
  return true;
}

}  // namespace

TEST("page header: with a checksum and without one it is read at once") {
  Header bytes = with_crc();
  PageHeader header = {};
  CHECK(is_usual(bytes));
  CHECK(read_usual_page_header(bytes.data(), header));
  CHECK(header.type == PageType::kData && header.has_crc);
  CHECK_EQ(header.header_bytes, 25U);
  CHECK_EQ(header.compressed_bytes, 300U);
  CHECK_EQ(header.values, 37U);
  bytes = without_crc();
  CHECK(is_usual(bytes));
  CHECK(read_usual_page_header(bytes.data(), header));
  CHECK(!header.has_crc);
  CHECK_EQ(header.uncompressed_bytes, 300U);
  CHECK_EQ(header.compressed_bytes, 168U);
  CHECK_EQ(header.encoding, 8U);
}

TEST("page header: numbers that are lengthened are taken, up to nine bytes") {
  for (std::size_t more = 0; more < 10; ++more) {
    Header bytes = header_of({0x15});
    std::size_t at = 1;
    for (std::size_t i = 0; i < more; ++i) bytes[at++] = std::byte{0x80};
    const Header rest = with_crc();
    std::copy(rest.begin() + 1, rest.end() - static_cast<std::ptrdiff_t>(more),
              bytes.begin() + static_cast<std::ptrdiff_t>(at));
    CHECK_EQ(is_usual(bytes), more < 9);
  }
}

TEST("page header: with any other byte in any place it is refused or the same") {
  for (const Header& original : {with_crc(), without_crc()}) {
    unsigned usual = 0;
    unsigned other = 0;
    for (std::size_t at = 0; at < 30; ++at) {
      for (unsigned byte = 0; byte < 256; ++byte) {
        Header bytes = original;
        bytes[at] = std::byte(byte);
        ++(is_usual(bytes) ? usual : other);
      }
    }
    CHECK(usual > 1000 && other > 1000);
  }
}
