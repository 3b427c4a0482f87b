// Pages larger than the targets' memory.
#include <cstdint>
#include <cstring>
#include <memory>

#include "microparquet/port/memory_file.h"
#include "microparquet/writer.h"
#include "support/check.h"
#include "support/file_view.h"
#include "support/names.h"
#include "written_file.h"

using microparquet::ColumnData;
using microparquet::MemoryFile;

namespace {

struct Memory {
  explicit Memory(std::size_t size) : bytes(std::make_unique<std::uint64_t[]>(size / 8 + 1)), size(size) {}
  Span<std::byte> span() const { return {reinterpret_cast<std::byte*>(bytes.get()), size}; }

  std::unique_ptr<std::uint64_t[]> bytes;
  std::size_t size;
};

}  // namespace

TEST("values of more than 64 KiB, in pages that leave more than that to the header") {
  const Field field = microparquet::fixed_field("x", 65540);
  // Just more than twice 65,540 with and without: the space before the values passes 65,536 by a few bytes.
  for (const std::uint32_t page : {131076U + 4U, 131080U + 24U, 131088U, 200000U}) {
    for (const bool in_place : {true, false}) {
      Options options = in_place ? written::in_place(page) : written::forward(page, 0);
      options.whole_sectors = false;
      const Memory arena(Writer::required_bytes(Schema(&field, 1), options));
      const Memory memory(8U << 20);
      const Memory value(65540);
      MemoryFile file(memory.span());
      Writer writer;
      REQUIRE_EQ(writer.open(file, Schema(&field, 1), options, arena.span()), Status::kOk);
      for (int i = 0; i < 5; ++i) {
        std::memset(value.span().data(), 'a' + i, 65540);
        const Value row[] = {Value::of_fixed({reinterpret_cast<const char*>(value.span().data()), 65540})};
        REQUIRE_EQ(writer.append(row), Status::kOk);
      }
      REQUIRE_EQ(writer.close(), Status::kOk);
      const view::File view(file.contents());
      REQUIRE(view.whole());
      view::Column column(view, 0);
      view::Cell cell = {};
      int rows = 0;
      for (; column.next(cell); ++rows) CHECK(cell.bytes[0] == 'a' + rows && cell.bytes[65539] == 'a' + rows);
      CHECK(column.sound());
      CHECK_EQ(rows, 5);
    }
  }
}

// Sizes and counts of four bytes as varints leave fewer spare ones for padding.
TEST("pages of megabytes: every length of padding") {
  const Field field = microparquet::int32_field("n");
  Options options = written::in_place(16U << 20);
  options.row_group_bytes = 16U << 20;
  const Memory arena(Writer::required_bytes(Schema(&field, 1), options));
  const Memory memory(64U << 20);
  static std::int32_t numbers[600000];
  for (std::int32_t i = 0; i < 600000; ++i) numbers[i] = i;
  for (std::size_t rows = 530000; rows < 530000 + 128; rows += 3) {
    MemoryFile file(memory.span());
    Writer writer;
    REQUIRE_EQ(writer.open(file, Schema(&field, 1), options, arena.span()), Status::kOk);
    const ColumnData columns[] = {{numbers, nullptr}};
    REQUIRE_EQ(writer.append_columns(columns, rows), Status::kOk);
    REQUIRE_EQ(writer.close(), Status::kOk);
    const view::File view(file.contents());
    const view::Struct meta = view.column(0, 0);
    const view::Struct page(view.bytes().data() + meta.integer(view::id::kDataPageOffset));
    CHECK_EQ(meta.integer(view::id::kStoredSize) % 512, 0);
    CHECK_EQ(page.end() - page.begin() + page.integer(3), meta.integer(view::id::kStoredSize));
    CHECK_EQ(std::memcmp(page.end(), numbers, rows * 4), 0);
  }
}
