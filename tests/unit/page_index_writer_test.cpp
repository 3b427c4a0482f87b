// Page indexes that writers make: what they say of the pages there are, where memory for them ends, and what a file has of them
// that was cut off.
#include <cmath>
#include <cstring>

#include "microparquet/indexed_layout.h"
#include "microparquet/page_filter.h"
#include "microparquet/page_index.h"
#include "microparquet/reader.h"
#include "support/check.h"
#include "support/names.h"
#include "written_file.h"

using microparquet::ColumnStatistics;
using microparquet::IndexedLayout;
using microparquet::IndexedPage;
using microparquet::Layout;
using microparquet::MemoryFile;
using microparquet::PageIndex;
using microparquet::with_page_index;

namespace {

constexpr Field kFields[] = {microparquet::int64_field("n"), microparquet::double_field("d").as_optional(),
                             microparquet::string_field("s").as_optional(), microparquet::boolean_field("b")};
constexpr std::size_t kColumns = std::size(kFields);
constexpr const microparquet::Decoder* kDecoders[] = {&microparquet::kPlainFixedDecoder,
                                                      &microparquet::kPlainByteArrayDecoder,
                                                      &microparquet::kPlainBooleanDecoder};
constexpr int kRows = 1200;
constexpr int kFirstNan = 300;  // up to kLastNan there is nothing else
constexpr int kLastNan = 700;

alignas(8) std::byte reader_memory[8192];
alignas(8) std::byte index_memory[16384];

bool has_number(int n) { return n % 5 != 0; }
double number_of(int n) { return n >= kFirstNan && n < kLastNan ? std::nan("") : (n % 2 == 0 ? n : -n); }
bool has_text(int n) { return n % 3 != 0 && (n < 800 || n > 1000); }
std::string_view text_of(int n) {
  return written::part("a text of which some are longer than a bound may be, and some are empty", 0,
                       written::mix(static_cast<unsigned>(n)) % 70);
}

Status append(Writer& writer, int n) {
  const Value row[] = {Value::of(std::int64_t{n}), has_number(n) ? Value::of(number_of(n)) : Value(),
                       has_text(n) ? Value::of_bytes(text_of(n)) : Value(), Value::of(n >= 600)};
  return writer.append(row);
}

Options indexed(const Layout& layout, IndexedLayout& memory, std::uint32_t pages) {
  Options options = layout.in_place ? written::in_place(512, 400) : written::forward(256, 24 << 10);
  options.layout = &layout;
  options.checkpoint_ms = 0;
  memory = with_page_index(layout, page_index_bytes(kFields, options, pages));
  options.layout = &memory;
  return options;
}

// A file that is read.
struct Opened {
  MemoryFile memory;
  ReaderOptions options;
  Reader reader;

  explicit Opened(Span<const std::byte> contents) : memory(written::file_memory(), contents.size()) {
    options.buffer_bytes = 1024;
    options.decoders = kDecoders;
    CHECK_EQ(reader.open(memory, options, reader_memory), Status::kOk);
    CHECK_EQ(reader.choose_all(), Status::kOk);
  }
};

std::string_view text_in(Span<const std::byte> bound) {
  return {reinterpret_cast<const char*>(bound.data()), bound.size()};
}

// Whether the value of row `n` lies within what a page says, if it is one.
bool is_within(const IndexedPage& page, std::uint32_t column, int n) {
  if (column == 0) {
    std::int64_t min = 0;
    std::int64_t max = 0;
    return microparquet::bound_as(page.min, min) && microparquet::bound_as(page.max, max) && min <= n &&
           n <= max;
  }
  if (column == 1) {
    double min = 0;
    double max = 0;
    const double number = number_of(n);
    return std::isnan(number) || (microparquet::bound_as(page.min, min) &&
                                  microparquet::bound_as(page.max, max) && min <= number && number <= max);
  }
  if (column == 2) return text_in(page.min) <= text_of(n) && text_of(n) <= text_in(page.max);
  const std::byte value{n >= 600 ? std::uint8_t{1} : std::uint8_t{0}};
  return page.min[0] <= value && value <= page.max[0];
}

bool has_value(std::uint32_t column, int n) {
  return column == 1 ? has_number(n) : column != 2 || has_text(n);
}

// Holds the index of a column against its rows, the first of which is `row`.
void check_pages(Reader& reader, const PageIndex& index, std::uint32_t column, int row) {
  std::uint64_t rows = 0;
  for (std::size_t i = 0; i < index.pages().size(); ++i) {
    const IndexedPage& page = index.pages()[i];
    bool confirmed = false;
    REQUIRE_EQ(index.confirm(reader, i, confirmed), Status::kOk);
    REQUIRE(confirmed);
    REQUIRE_EQ(page.first_row, rows);
    std::uint64_t nulls = 0;
    for (std::uint64_t k = 0; k < page.rows; ++k) {
      const int n = row + static_cast<int>(rows + k);
      if (!has_value(column, n)) {
        ++nulls;
      } else if (page.has_bounds) {
        REQUIRE(is_within(page, column, n));
      }
    }
    if (page.has_null_count) REQUIRE_EQ(page.null_count, nulls);
    REQUIRE_EQ(page.only_nulls, page.has_null_count && nulls == page.rows);
    rows += page.rows;
  }
  REQUIRE_EQ(rows, reader.row_group_rows());
}

struct Indexes {
  int places = 0;
  int bounds = 0;
  int chunks = 0;
};

// Reads all indexes of a file, which must be right.
Indexes check_indexes(Reader& reader) {
  Indexes found;
  int row = 0;
  while (reader.next_row_group() == Status::kOk) {
    for (std::uint32_t column = 0; column < kColumns; ++column) {
      PageIndex index(index_memory);
      const Status status = index.read(reader, column);
      ++found.chunks;
      if (status == Status::kEnd) continue;
      CHECK_EQ(status, Status::kOk);
      ++found.places;
      const IndexedPage& first = index.pages()[0];
      if (first.has_bounds || first.only_nulls) ++found.bounds;
      check_pages(reader, index, column, row);
    }
    row += static_cast<int>(reader.row_group_rows());
  }
  CHECK_EQ(static_cast<std::uint64_t>(row), reader.rows());
  return found;
}

void write_rows(written::File& file) {
  REQUIRE_EQ(file.opened(), Status::kOk);
  for (int n = 0; n < kRows; ++n) REQUIRE_EQ(append(file.writer, n), Status::kOk);
  REQUIRE_EQ(file.writer.close(), Status::kOk);
}

constexpr const Layout* kLayouts[] = {&microparquet::kInPlace, &microparquet::kInPlaceNoCheckpoints,
                                      &microparquet::kForward};

}  // namespace

TEST("page indexes written: all pages of all layouts") {
  for (const Layout* layout : kLayouts) {
    IndexedLayout memory = {};
    written::File file(kFields, indexed(*layout, memory, 200));
    write_rows(file);
    Opened opened(file.view().bytes());
    const Indexes found = check_indexes(opened.reader);
    CHECK(found.chunks >= 8);
    CHECK_EQ(found.places, found.chunks);
    CHECK(found.bounds >= found.chunks - 2);  // pages of NaN alone have none
    CHECK(found.bounds < found.chunks);
  }
}

TEST("page indexes written: rows are passed over by them") {
  IndexedLayout memory = {};
  written::File file(kFields, indexed(microparquet::kInPlace, memory, 200));
  write_rows(file);
  Opened opened(file.view().bytes());
  microparquet::ColumnRange range;
  REQUIRE_EQ(microparquet::make_range(opened.reader, 0, Value::of(std::int64_t{900}),
                                      Value::of(std::int64_t{905}), range),
             Status::kOk);
  microparquet::RowRange scratch[24];
  const microparquet::PageFilter filter({&range, 1}, index_memory, scratch);
  microparquet::RowRange places[8];
  microparquet::SelectedRows selected(opened.reader, filter, places);
  int rows = 0;
  bool found = false;
  while (selected.next() == Status::kOk && opened.reader.next_row() == Status::kOk) {
    found = found || opened.reader.cell(0).as<std::int64_t>() == 903;
    ++rows;
  }
  CHECK(found);
  CHECK(rows < 130);
}

TEST(
    "page indexes written: a chunk with more pages than the memory holds has none, and its bounds are those "
    "of all") {
  for (const Layout* layout : kLayouts) {
    for (const std::uint32_t pages : {0U, 1U, 7U, 15U}) {
      IndexedLayout memory = {};
      written::File file(kFields, indexed(*layout, memory, pages));
      write_rows(file);
      Opened opened(file.view().bytes());
      const Indexes found = check_indexes(opened.reader);
      CHECK(found.places < found.chunks);
      CHECK(pages != 0 || found.places == 0);
    }
  }
  IndexedLayout memory = {};
  written::File file(kFields, indexed(microparquet::kInPlace, memory, 2));
  write_rows(file);
  Opened opened(file.view().bytes());
  REQUIRE_EQ(opened.reader.next_row_group(), Status::kOk);
  std::byte bounds[64];
  ColumnStatistics statistics;
  REQUIRE_EQ(opened.reader.column_statistics(0, bounds, statistics), Status::kOk);
  std::int64_t bound = -1;
  CHECK(microparquet::bound_as(statistics.min, bound) && bound == 0);
  CHECK(microparquet::bound_as(statistics.max, bound) && bound == 399);
}

TEST("page indexes written: options without memory for the columns are refused") {
  IndexedLayout memory = {};
  Options options = indexed(microparquet::kInPlace, memory, 0);
  memory = with_page_index(microparquet::kInPlace, page_index_bytes(kFields, options, 0) - 8);
  written::File file(kFields, options);
  CHECK_EQ(file.opened(), Status::kInvalidArgument);
}

TEST("page indexes written: a file that was cut off has those of row groups that had ended") {
  IndexedLayout memory = {};
  const Options options = indexed(microparquet::kInPlace, memory, 200);
  MemoryFile file(written::file_memory());
  Writer writer;
  REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
  for (int n = 0; n < 900; ++n) REQUIRE_EQ(append(writer, n), Status::kOk);
  REQUIRE_EQ(writer.checkpoint(), Status::kOk);
  writer.reset();
  REQUIRE_EQ(writer.resume(file, kFields, options, written::arena_memory()), Status::kOk);
  for (int n = 900; n < kRows; ++n) REQUIRE_EQ(append(writer, n), Status::kOk);
  REQUIRE_EQ(writer.close(), Status::kOk);
  Opened opened(file.contents());
  const Indexes found = check_indexes(opened.reader);
  CHECK_EQ(found.chunks, 16);
  CHECK_EQ(found.places, 12);
}
