// Pages that are corrupt: none of their values comes out, however often a call is repeated, and the reader
// continues after them.
#include <cstring>

#include "made_file.h"
#include "microparquet/reader.h"
#include "support/check.h"
#include "support/forwarding_file.h"
#include "support/names.h"

using made::Bytes;
using made::Column;
using made::Page;
using microparquet::ColumnRun;
using microparquet::MemoryFile;

namespace {

alignas(8) std::byte arena[4096];

constexpr std::int32_t kRows = 120;

// A column whose value in each row is the row's number; optional ones are null in every third row.
struct Shape {
  std::string_view name;
  std::int32_t page_rows;
  bool optional;
  int corrupt = -1;       // the page whose checksum is wrong; -1: none
  int miscounted = -1;    // the page whose header says one row less than it has
  int wrong_header = -1;  // the page whose header cannot be
};

bool is_null(const Shape& shape, std::int32_t row) { return shape.optional && row % 3 == 0; }

Bytes page_body(const Shape& shape, std::int32_t first, std::int32_t rows) {
  Bytes levels;
  Bytes values;
  for (std::int32_t row = first; row < first + rows; ++row) {
    levels.varint(1 << 1).byte(is_null(shape, row) ? 0 : 1);
    if (!is_null(shape, row)) values.little(static_cast<std::uint32_t>(row), 4);
  }
  if (!shape.optional) return values;
  Bytes body;
  return body.little(levels.size(), 4).append(levels).append(values);
}

Column make_column(made::File& made, const Shape& shape) {
  Column column;
  column.name = shape.name;
  column.repetition = shape.optional ? made::kOptional : made::kRequired;
  column.values = kRows;
  made.begin_column(column);
  int number = 0;
  for (std::int32_t first = 0; first < kRows; first += shape.page_rows, ++number) {
    const std::int32_t rows = shape.page_rows < kRows - first ? shape.page_rows : kRows - first;
    Page page;
    page.values = rows - (number == shape.miscounted ? 1 : 0);
    page.crc_error = number == shape.corrupt ? 1 : 0;
    if (number == shape.wrong_header) page.values = -1;
    made.page(page, page_body(shape, first, rows).view());
  }
  made.end_column(column);
  return column;
}

template <std::size_t kCount>
void make_file(made::File& made, const Shape (&shapes)[kCount]) {
  Column columns[kCount];
  for (std::size_t i = 0; i < kCount; ++i) columns[i] = make_column(made, shapes[i]);
  made.footer(columns, kRows);
}

// The outcome of reading a row or nothing, the same for all ways of reading.
struct Outcome {
  std::int32_t given = 0;
  std::int32_t missing = 0;
  int skips = 0;
  bool right = true;
};

// Asks again after kIoError, as often as it comes.
template <typename Call>
Status repeat(Call call) {
  Status status = call();
  while (status == Status::kIoError) status = call();
  return status;
}

// Reads all rows of `shapes`; of what is corrupt each call is repeated, and then the page is skipped.
template <std::size_t kCount>
Outcome read_rows(Reader& reader, const Shape (&shapes)[kCount]) {
  Outcome outcome;
  for (;;) {
    const std::int32_t row = outcome.given + outcome.missing;
    const Status status = repeat([&] { return reader.next_row(); });
    if (status == Status::kEnd) return outcome;
    if (status == Status::kOk) {
      for (std::size_t i = 0; i < kCount; ++i) {
        const microparquet::Cell cell = reader.cell(i);
        outcome.right = outcome.right && cell.null() == is_null(shapes[i], row);
        outcome.right = outcome.right && (cell.null() || cell.as<std::int32_t>() == row);
      }
      ++outcome.given;
      continue;
    }
    if (!CHECK_EQ(status, Status::kCorrupt)) return outcome;
    CHECK_EQ(repeat([&] { return reader.next_row(); }), Status::kCorrupt);
    CHECK_EQ(repeat([&] { return reader.skip_row(); }), Status::kCorrupt);
    std::uint64_t rows = 0;
    if (!CHECK_EQ(repeat([&] { return reader.skip_page(rows); }), Status::kOk)) return outcome;
    CHECK_EQ(reader.skip_page(rows), Status::kWrongState);
    outcome.missing += static_cast<std::int32_t>(rows);
    ++outcome.skips;
  }
}

// Reads column `i` by batches, or by runs.
Outcome read_column(Reader& reader, const Shape& shape, std::size_t i, bool runs) {
  Outcome outcome;
  std::int32_t values[9];
  std::uint8_t levels[9];
  ColumnRun run;
  microparquet::Batch<std::int32_t> batch(values, levels);
  const auto next = [&] {
    if (runs) return reader.next_run(i, run);
    batch = microparquet::Batch<std::int32_t>(values, levels);
    return reader.next_batch(i, batch);
  };
  for (;;) {
    const Status status = repeat(next);
    if (status == Status::kEnd) return outcome;
    if (status == Status::kOk) {
      const std::size_t rows = runs ? run.rows : batch.level_count;
      std::size_t present = 0;
      for (std::size_t k = 0; k < rows; ++k) {
        const std::int32_t row = outcome.given + outcome.missing;
        const bool null = runs ? run.null() : shape.optional && levels[k] == 0;
        outcome.right = outcome.right && null == is_null(shape, row);
        if (!null)
          outcome.right = outcome.right && (runs ? run.value<std::int32_t>(k) : values[present++]) == row;
        ++outcome.given;
      }
      continue;
    }
    if (!CHECK_EQ(status, Status::kCorrupt)) return outcome;
    CHECK_EQ(reader.failed_column(), i);
    CHECK_EQ(repeat(next), Status::kCorrupt);
    CHECK_EQ(repeat([&] { return reader.skip_value(i); }), Status::kCorrupt);
    std::uint64_t skipped = 0;
    if (!CHECK_EQ(repeat([&] { return reader.skip_page(i, skipped); }), Status::kOk)) return outcome;
    CHECK_EQ(reader.skip_page(i, skipped), Status::kWrongState);
    outcome.missing += static_cast<std::int32_t>(skipped);
    ++outcome.skips;
  }
}

// Opens the file with buffers of just that size.
void open(Reader& reader, File& file, std::uint32_t buffer_bytes) {
  static ReaderOptions options;
  options.buffer_bytes = buffer_bytes;
  CHECK_EQ(repeat([&] { return reader.open(file, options, arena); }), Status::kOk);
  const std::size_t exact = Reader::required_bytes(reader.columns(), reader.columns(), options);
  REQUIRE(exact <= sizeof arena);
  CHECK_EQ(repeat([&] { return reader.open(file, options, {arena, exact}); }), Status::kOk);
  CHECK_EQ(reader.choose_all(), Status::kOk);
}

void expect(const Outcome& outcome, std::int32_t missing, int skips) {
  CHECK(outcome.right);
  CHECK_EQ(outcome.missing, missing);
  CHECK_EQ(outcome.given, kRows - missing);
  CHECK_EQ(outcome.skips, skips);
}

// Reads in all ways; `missing` of the one column.
void check_all_ways(made::File& made, const Shape& shape, std::uint32_t buffer_bytes, std::int32_t missing) {
  for (int way = 0; way < 3; ++way) {
    MemoryFile file = made.open();
    Reader reader;
    open(reader, file, buffer_bytes);
    const Shape shapes[] = {shape};
    Outcome outcome;
    if (way == 0) {
      outcome = read_rows(reader, shapes);
    } else {
      CHECK_EQ(reader.next_row_group(), Status::kOk);
      outcome = read_column(reader, shape, 0, way == 2);
    }
    expect(outcome, missing, 1);
    // Nothing of it is left for the next pass.
    CHECK_EQ(reader.seek_row_group(0), Status::kOk);
    CHECK_EQ(reader.next_row() == Status::kCorrupt, shape.corrupt == 0);
  }
}

}  // namespace

TEST("reader: no row of a page with a wrong checksum is given out, at any size of buffer and page") {
  for (const bool optional : {false, true}) {
    for (const std::int32_t page_rows : {7, 24, 60}) {
      for (const int corrupt : {0, 1}) {
        const Shape shape{"c", page_rows, optional, corrupt};
        made::File made;
        make_file(made, {shape});
        for (std::uint32_t buffer = 64; buffer <= 470; buffer += optional ? 5 : 3) {
          check_all_ways(made, shape, buffer, page_rows);
        }
      }
    }
  }
}

TEST("reader: the rows of a corrupt page are passed in all columns") {
  const Shape shapes[] = {{"a", 10, false, 1}, {"b", 7, true, 9}, {"c", 40, false, -1}, {"d", 20, false, 4}};
  for (const std::uint32_t buffer : {64U, 100U, 512U}) {
    made::File made;
    make_file(made, shapes);
    MemoryFile file = made.open();
    Reader reader;
    open(reader, file, buffer);
    // Rows 10 to 19 of a, 63 to 69 of b, 80 to 99 of d.
    expect(read_rows(reader, shapes), 37, 3);
  }
}

TEST("reader: corrupt pages that overlap in several columns, and at the beginning and end of a row group") {
  const Shape shapes[] = {{"a", 10, false, 0}, {"b", 7, true, 1}, {"c", 25, true, 4}, {"d", 13, false, 9}};
  made::File made;
  make_file(made, shapes);
  MemoryFile file = made.open();
  Reader reader;
  open(reader, file, 64);
  // Rows 0 to 9, with them 10 to 13, since b's page is met on the way; 100 to 119, and all after.
  const Outcome outcome = read_rows(reader, shapes);
  CHECK(outcome.right);
  CHECK_EQ(outcome.missing, 34);
  CHECK_EQ(outcome.given, kRows - 34);
}

TEST("reader: by batches and runs a column says how many rows it lacks, the others have them") {
  const Shape shapes[] = {{"a", 10, false, 1}, {"b", 7, true, 17}, {"c", 40, true, -1}};
  for (const bool runs : {false, true}) {
    made::File made;
    make_file(made, shapes);
    MemoryFile file = made.open();
    Reader reader;
    open(reader, file, 64);
    REQUIRE_EQ(reader.next_row_group(), Status::kOk);
    expect(read_column(reader, shapes[0], 0, runs), 10, 1);
    expect(read_column(reader, shapes[1], 1, runs), 1, 1);
    expect(read_column(reader, shapes[2], 2, runs), 0, 0);
  }
}

TEST("reader: after a header that is damaged no row is trusted") {
  // The number of missing rows: an impossible header costs all rows from there on. A header that says a row
  // less than its page has is noticed by the bytes left of the page; a column without levels has given out
  // the page's own rows, all but that one, by then.
  for (const bool optional : {false, true}) {
    Shape shape{"c", 20, optional};
    shape.wrong_header = 2;
    made::File made;
    make_file(made, {shape});
    check_all_ways(made, shape, 128, kRows - 40);
  }
  Shape shape{"c", 20, false};
  shape.miscounted = 3;
  made::File required;
  make_file(required, {shape});
  check_all_ways(required, shape, 128, kRows - 60);
  shape.optional = true;
  made::File optional;
  make_file(optional, {shape});
  check_all_ways(optional, shape, 128, kRows - 79);

  // The same when a page after the corrupt one has the wrong header.
  shape.corrupt = 1;
  made::File both;
  make_file(both, {shape});
  check_all_ways(both, shape, 128, kRows - 20);
}

namespace {

// The made file, on a medium whose reads fail when they are to.
class FailingFile final : public support::OwningFile<MemoryFile> {
 public:
  explicit FailingFile(made::File& made) : OwningFile(made.open()) {}

  int reads() const { return reads_; }
  // Reads of these numbers fail: `first`, and each `step` after it.
  void fail(int first, int step) {
    first_ = first;
    step_ = step;
  }

  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    const int number = reads_++;
    if (first_ >= 0 && number >= first_ && (number - first_) % step_ == 0) return Status::kIoError;
    return ForwardingFile::read_at(offset, out);
  }

 private:
  int reads_ = 0;
  int first_ = -1;
  int step_ = 1;
};

}  // namespace

TEST("reader: skipping pages continues where a failure of the medium stopped it") {
  const Shape shapes[] = {{"a", 10, false, 1}, {"b", 7, true, 2}, {"c", 60, true, 1}};
  for (const std::uint32_t buffer : {64U, 300U}) {
    made::File made;
    make_file(made, shapes);
    FailingFile counting(made);
    Reader reader;
    open(reader, counting, buffer);
    const Outcome whole = read_rows(reader, shapes);
    CHECK(whole.right);
    const int reads = counting.reads();
    for (int first = 0; first < reads; ++first) {
      FailingFile file(made);
      open(reader, file, buffer);
      file.fail(first, first % 2 == 0 ? 100000 : 5);
      const Outcome outcome = read_rows(reader, shapes);
      CHECK(outcome.right);
      CHECK_EQ(outcome.given, whole.given);
      CHECK_EQ(outcome.missing, whole.missing);
    }
  }
}

TEST("reader: a page of two billion nulls is counted and passed at once") {
  constexpr std::int64_t kNulls = 0x7FFFFFFF;
  made::File made;
  Column columns[2];
  Page page;
  page.values = kNulls;
  Bytes body;
  body.little(6, 4).varint(std::uint64_t{kNulls} << 1).byte(0);
  for (Column& column : columns) {
    column.repetition = made::kOptional;
    column.values = 2 * kNulls;
    made.begin_column(column);
    made.page(page, body.view());
    page.crc_error = &column == &columns[0] ? 1 : 0;
    made.page(page, body.view());
    page.crc_error = 0;
    made.end_column(column);
  }
  columns[1].name = "text";
  columns[1].type = made::kByteArray;
  made.footer(columns, 2 * kNulls);
  MemoryFile file = made.open();
  Reader reader;
  open(reader, file, 64);
  REQUIRE_EQ(reader.next_row_group(), Status::kOk);
  std::uint64_t rows = 0;
  Status status = Status::kOk;
  int runs = 0;
  for (ColumnRun run; (status = reader.next_run(1, run)) == Status::kOk; ++runs) {
    CHECK(run.null());
    rows += run.rows;
  }
  CHECK_EQ(status, Status::kEnd);
  CHECK_EQ(rows, 2U * kNulls);
  CHECK(runs <= 4);
}

TEST("reader: other columns pass the nulls beside a corrupt page at once") {
  constexpr std::int64_t kNulls = 0x7FFFFFFF;
  made::File made;
  Column columns[2];
  Bytes body;
  body.little(6, 4).varint(std::uint64_t{kNulls} << 1).byte(0);
  for (Column& column : columns) {
    column.repetition = made::kOptional;
    column.values = kNulls + 1;
    made.begin_column(column);
    Page page;
    page.values = kNulls;
    page.crc_error = &column == &columns[0] ? 1 : 0;
    made.page(page, body.view());
    Bytes last;
    last.little(2, 4).varint(1 << 1).byte(1).little(77, 4);
    page.values = 1;
    page.crc_error = 0;
    made.page(page, last.view());
    made.end_column(column);
  }
  columns[1].name = "d";
  made.footer(columns, kNulls + 1);
  MemoryFile file = made.open();
  Reader reader;
  open(reader, file, 64);
  REQUIRE_EQ(reader.next_row(), Status::kCorrupt);
  std::uint64_t rows = 0;
  REQUIRE_EQ(reader.skip_page(rows), Status::kOk);
  CHECK_EQ(rows, std::uint64_t{kNulls});
  REQUIRE_EQ(reader.next_row(), Status::kOk);
  CHECK_EQ(reader.cell(0).as<std::int32_t>(), 77);
  CHECK_EQ(reader.cell(1).as<std::int32_t>(), 77);
  CHECK_EQ(reader.next_row(), Status::kEnd);
}

TEST("reader: a row that some columns have passed is not given out") {
  class Failing final : public support::ForwardingFile {
   public:
    using ForwardingFile::ForwardingFile;
    Status read_at(std::uint64_t offset, microparquet::Span<std::byte> out) override {
      if (--until_ == 0) return Status::kIoError;
      return ForwardingFile::read_at(offset, out);
    }
    void fail_at(int read) { until_ = read; }

   private:
    int until_ = 0;
  };
  const Shape shapes[] = {{"a", 24, false}, {"b", 24, true}, {"c", 12, false}};
  made::File made;
  make_file(made, shapes);
  MemoryFile memory = made.open();
  Failing file(memory);
  Reader reader;
  open(reader, file, 64);
  int waited = 0;
  for (std::int32_t passed = 0; passed < 60; ++passed) {
    REQUIRE_EQ(reader.seek_row(0, static_cast<std::uint64_t>(passed)), Status::kOk);
    file.fail_at(1);
    Status status = reader.skip_row();
    file.fail_at(0);
    if (status == Status::kOk) continue;
    std::int32_t row = passed;
    status = reader.next_row();
    if (status == Status::kWrongState) {
      std::uint64_t rows = 0;
      ColumnRun run;
      CHECK_EQ(reader.next_run(0, run), Status::kWrongState);
      CHECK_EQ(reader.seek_value(0, 100), Status::kWrongState);
      CHECK_EQ(reader.skip_page(rows), Status::kWrongState);
      REQUIRE_EQ(reader.skip_row(), Status::kOk);
      status = reader.next_row();
      ++row;
      ++waited;
    }
    REQUIRE_EQ(status, Status::kOk);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK_EQ(reader.cell(i).null(), is_null(shapes[i], row));
      if (!reader.cell(i).null()) CHECK_EQ(reader.cell(i).as<std::int32_t>(), row);
    }
  }
  CHECK(waited != 0);
}
