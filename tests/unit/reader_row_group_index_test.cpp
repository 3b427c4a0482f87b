// Rows by their numbers in any order, with memory for all row groups or for few.
#include <iterator>

#include "made_file.h"
#include "microparquet/row_group_index.h"
#include "support/check.h"
#include "support/forwarding_file.h"
#include "support/names.h"
#include "written_file.h"

using made::Bytes;
using made::Column;
using made::Page;
using microparquet::MemoryFile;
using microparquet::RowGroupIndex;
using microparquet::RowGroupPlace;
using written::mix;

namespace {

alignas(8) std::byte arena[4096];

constexpr std::int32_t kGroupRows[] = {0, 5, 12, 0, 0, 7, 1, 30, 9, 0};
constexpr std::int32_t kRows = 64;
constexpr std::int32_t kPageRows = 4;

// Row groups of one column that counts the rows of the file, in pages of four.
void make_file(made::File& made) {
  Column columns[std::size(kGroupRows)];
  std::int32_t row = 0;
  for (std::size_t i = 0; i < std::size(kGroupRows); ++i) {
    columns[i].values = kGroupRows[i];
    made.begin_column(columns[i]);
    for (std::int32_t left = kGroupRows[i]; left > 0; left -= kPageRows) {
      Page page;
      page.values = left < kPageRows ? left : kPageRows;
      Bytes values;
      for (std::uint32_t n = 0; n < page.values; ++n) values.little(static_cast<std::uint32_t>(row++), 4);
      made.page(page, values.view());
    }
    made.end_column(columns[i]);
  }
  Bytes footer;
  footer.i32(1, 1).list(2, 12, 2);
  made::root(footer, 1);
  made::leaf(footer, columns[0]);
  footer.i64(3, kRows).list(4, 12, std::size(kGroupRows));
  for (std::size_t i = 0; i < std::size(kGroupRows); ++i)
    made::row_group(footer, Span<const Column>(&columns[i], 1), kGroupRows[i]);
  made.end_with(footer.end());
}

// Counts the bytes read of a file.
class Counted final : public support::ForwardingFile {
 public:
  using ForwardingFile::ForwardingFile;
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    if (fail_next) {
      fail_next = false;
      return Status::kIoError;
    }
    bytes += out.size();
    return ForwardingFile::read_at(offset, out);
  }
  std::uint64_t bytes = 0;
  bool fail_next = false;
};

// A reader of the file with an index of up to `places` places.
struct Indexed {
  made::File made;
  MemoryFile memory;
  Counted file;
  ReaderOptions options;
  Reader reader;
  RowGroupPlace places[std::size(kGroupRows)];
  RowGroupIndex index;

  explicit Indexed(std::size_t count)
      : memory((make_file(made), made.open())), file(memory), index(reader, {places, count}) {
    options.buffer_bytes = 128;
    CHECK_EQ(reader.open(file, options, arena), Status::kOk);
    CHECK_EQ(reader.choose_all(), Status::kOk);
  }
  std::int32_t next() {
    Value row[1];
    CHECK_EQ(reader.next_row(row), Status::kOk);
    return row[0].int32;
  }
};

}  // namespace

TEST("row group index: rows in any order") {
  for (std::size_t places = 1; places <= std::size(kGroupRows); ++places) {
    Indexed indexed(places);
    CHECK_EQ(indexed.index.build(), Status::kOk);
    for (std::uint32_t i = 0; i < 300; ++i) {
      const auto row = static_cast<std::int32_t>(mix(77, i) % kRows);
      CHECK_EQ(indexed.index.seek_row(static_cast<std::uint64_t>(row)), Status::kOk);
      // Seeks to the next row group as well.
      for (std::int32_t next = row; next < kRows && next < row + static_cast<std::int32_t>(i % 9); ++next)
        CHECK_EQ(indexed.next(), next);
    }
    CHECK_EQ(indexed.index.seek_row(kRows), Status::kInvalidArgument);
  }
}

TEST("row group index: row groups in any order") {
  for (std::size_t places = 1; places <= std::size(kGroupRows); ++places) {
    Indexed indexed(places);
    CHECK_EQ(indexed.index.seek_row_group(0), Status::kWrongState);
    CHECK_EQ(indexed.index.build(), Status::kOk);
    for (std::uint32_t i = 0; i < 50; ++i) {
      const auto group = static_cast<std::uint32_t>(mix(5, i) % std::size(kGroupRows));
      CHECK_EQ(indexed.index.seek_row_group(group), Status::kOk);
      CHECK_EQ(indexed.reader.row_group(), group);
      CHECK_EQ(indexed.reader.row_group_rows(), static_cast<std::uint64_t>(kGroupRows[group]));
    }
    CHECK_EQ(indexed.index.seek_row_group(std::size(kGroupRows)), Status::kInvalidArgument);
  }
}

TEST("row group index: the reader stays where it is") {
  Indexed indexed(4);
  for (std::int32_t row = 0; row < kRows; ++row) {
    CHECK_EQ(indexed.next(), row);
    CHECK_EQ(indexed.index.build(), Status::kOk);
  }
}

TEST("row group index: built again after a failure") {
  Indexed indexed(4);
  CHECK_EQ(indexed.index.seek_row(0), Status::kWrongState);
  indexed.file.fail_next = true;
  CHECK_EQ(indexed.index.build(), Status::kIoError);
  CHECK_EQ(indexed.index.seek_row(0), Status::kWrongState);
  CHECK_EQ(indexed.index.build(), Status::kOk);
  CHECK_EQ(indexed.index.seek_row(40), Status::kOk);
  CHECK_EQ(indexed.next(), 40);
}

TEST("row group index: less is read than without it") {
  Indexed indexed(std::size(kGroupRows));
  CHECK_EQ(indexed.index.build(), Status::kOk);
  indexed.file.bytes = 0;
  for (std::uint32_t i = 0; i < 100; ++i) CHECK_EQ(indexed.index.seek_row(i % 2 == 0 ? 63 : 0), Status::kOk);
  const std::uint64_t with_index = indexed.file.bytes;
  indexed.file.bytes = 0;
  for (std::uint32_t i = 0; i < 100; ++i) CHECK_EQ(indexed.reader.seek_row(i % 2 == 0 ? 63 : 0), Status::kOk);
  CHECK(with_index * 4 < indexed.file.bytes * 3);
}
