// Page headers, by hand from parquet.thrift and Thrift's compact protocol.
#include <string_view>

#include "support/check.h"
#include "support/names.h"
#include "written_file.h"

namespace {

constexpr Field kNumber[] = {microparquet::int32_field("n")};

// A file with one page of `rows` numbers.
std::string_view write_page(const Options& options, int rows) {
  written::File file(kNumber, options);
  bool ok = file.opened() == Status::kOk;
  for (int i = 0; i < rows; ++i) {
    const Value row[] = {Value::of(i)};
    ok = ok && file.writer.append(row) == Status::kOk;
  }
  ok = ok && file.writer.close() == Status::kOk;
  CHECK(ok);
  const view::File view = file.view();
  const auto begin = static_cast<std::size_t>(view.column(0, 0).integer(view::id::kDataPageOffset));
  const auto bytes = static_cast<std::size_t>(view.column(0, 0).integer(view::id::kStoredSize));
  CHECK_EQ(view.row_groups(), 1U);
  return {reinterpret_cast<const char*>(view.bytes().data()) + begin, bytes};
}

// A zigzag varint of five bytes.
void put_crc(char* at, std::string_view page_body) {
  std::uint32_t crc =
      view::plain_crc32(reinterpret_cast<const std::byte*>(page_body.data()), page_body.size());
  crc = crc << 1 ^ (0 - (crc >> 31));
  for (int i = 0; i < 5; ++i, crc >>= 7) at[i] = static_cast<char>(i < 4 ? (crc & 0x7F) | 0x80 : crc);
}

}  // namespace

TEST("a page header byte by byte, without padding") {
  using namespace std::string_view_literals;
  Options options = written::in_place(512);
  options.whole_sectors = false;
  const std::string_view page = write_page(options, 3);
  // type 0, sizes 12, CRC; { 3 values, PLAIN, RLE, RLE }
  char expected[] =
      "\x15\x00\x15\x18\x15\x18\x15_____\x1C\x15\x06\x15\x00\x15\x06\x15\x06\x00\x00"
      "\x00\x00\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00";
  put_crc(expected + 7, {expected + 23, 12});
  CHECK_EQ(page, std::string_view(expected, sizeof expected - 1));
}

TEST("pages of every size become one sector by their header") {
  for (int rows = 1; rows <= 121; ++rows) {
    const std::string_view page = write_page(written::in_place(512), rows);
    REQUIRE_EQ(page.size(), 512U);
    const view::Struct header(reinterpret_cast<const std::byte*>(page.data()));
    const auto header_bytes = static_cast<std::uint32_t>(header.end() - header.begin());
    CHECK_EQ(header_bytes + 4 * static_cast<std::uint32_t>(rows), 512U);
    CHECK_EQ(header.integer(2), 4 * rows);
    CHECK_EQ(header.integer(3), 4 * rows);
    CHECK_EQ(header.structure(5).integer(1), rows);
    const bool extended = header.has(view::id::kExtension);
    // Varints of up to five bytes carry 16 bytes of padding; the shortest header here has 23 bytes, 26 with
    // sizes of two.
    CHECK_EQ(extended, header_bytes > (rows < 16 ? 23U : rows < 64 ? 25U : 26U) + 16);
    if (extended) CHECK_EQ(written::part(header.text(view::id::kExtension), 0, 4), "mpqp");
  }
}

TEST("padding by varints: none longer than five bytes") {
  // 118 values: 472 bytes, a header of 26 bytes and 14 of padding.
  const std::string_view page = write_page(written::in_place(512), 118);
  const auto* at = reinterpret_cast<const std::byte*>(page.data());
  const std::byte* const body = at + 40;
  int fields = 0;
  while (at < body) {
    const auto head = static_cast<unsigned>(*at++);
    if (head != 0x15) {
      CHECK(head == 0x1C || head == 0);
      continue;
    }
    const std::byte* const value = at;
    view::varint(at);
    CHECK(at - value <= 5);
    ++fields;
  }
  CHECK_EQ(fields, 8);
  CHECK(at == body);
}

TEST("padding by the extension field: its header is in the long form") {
  const std::string_view page = write_page(written::in_place(512), 1);
  // The header's last fields: end of the inner struct, 08 FE FF 03, a length of two bytes, our tag and zeros,
  // end.
  const std::size_t at = page.find("\x08\xFE\xFF\x03");
  REQUIRE(at != std::string_view::npos);
  CHECK_EQ(page[at - 1], '\0');
  const auto length = (static_cast<unsigned>(page[at + 4]) & 0x7F) | static_cast<unsigned>(page[at + 5]) << 7;
  CHECK((static_cast<unsigned>(page[at + 4]) & 0x80) != 0);
  CHECK_EQ(at + 6 + length + 1 + 4, page.size());
  CHECK_EQ(written::part(page, at + 6, 4), "mpqp");
  for (std::size_t i = at + 10; i < at + 6 + length + 1; ++i) CHECK_EQ(page[i], '\0');
}

TEST("pages of several sectors, and of the least size") {
  for (const std::uint32_t bytes : {1024U, 4096U, 32768U}) {
    for (const int rows : {1, 100, 200, 235, 241}) {
      const std::string_view page = write_page(written::in_place(bytes), rows);
      CHECK_EQ(page.size() % 512, 0U);
    }
  }
  Options options = written::in_place(128);
  for (int rows = 1; rows <= 25; ++rows) CHECK(write_page(options, rows).size() <= 128);
}

TEST("one column may have larger pages than the others") {
  const Field fields[] = {microparquet::int32_field("n"),
                          microparquet::string_field("log").with_page_bytes(2048)};
  written::File file(fields);
  REQUIRE_EQ(file.opened(), Status::kOk);
  static char text[1900];
  for (int i = 0; i < 20; ++i) {
    text[0] = static_cast<char>('a' + i);
    const Value row[] = {Value::of(i), Value::of_bytes({text, sizeof text})};
    REQUIRE_EQ(file.writer.append(row), Status::kOk);
  }
  REQUIRE_EQ(file.writer.close(), Status::kOk);
  view::Column column(file.view(), 1);
  view::Cell cell = {};
  int rows = 0;
  for (; column.next(cell); ++rows) CHECK(cell.bytes.size() == sizeof text && cell.bytes[0] == 'a' + rows);
  CHECK(column.sound());
  CHECK_EQ(rows, 20);
  CHECK_EQ(column.pages(), 20U);
}
