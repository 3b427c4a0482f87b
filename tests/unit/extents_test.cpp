// Space for the columns of a row group: chunks keep apart, whatever the rows are like.
#include <cstring>
#include <string_view>

#include "support/check.h"
#include "support/names.h"
#include "written_file.h"

namespace {

constexpr Field kFields[] = {
    microparquet::int64_field("time"),
    microparquet::string_field("first").as_optional(),
    microparquet::boolean_field("flag"),
    microparquet::string_field("second"),
    microparquet::double_field("rare").as_optional(),
};
constexpr std::uint32_t kColumns = 5;

// Lengths of strings and shares of nulls that change as the file grows.
std::size_t text_bytes(unsigned kind, std::uint32_t i) {
  const std::uint32_t random = written::mix(i, kind);
  switch (kind) {
    case 0: return 10;
    case 1: return random % 60;
    case 2: return i / 150 % 2 == 0 ? 3 : 200;   // changes its mind
    case 3: return i < 250 ? 0 : 300;            // grows once and for all
    case 4: return random % 100 == 0 ? 380 : 2;  // seldom
    default: return i % 400;
  }
}

void write(written::File& file, unsigned kind, std::uint32_t rows) {
  static char text[400];
  std::memset(text, 'x', sizeof text);
  for (std::uint32_t i = 0; i < rows; ++i) {
    const Value row[] = {
        Value::of(static_cast<std::int64_t>(i)),
        written::mix(i, 1) % (kind + 1) != 0 ? Value() : Value::of_bytes({text, text_bytes(kind, i)}),
        Value::of(i % 2 == 0),
        Value::of_bytes({text, text_bytes((kind + 3) % 6, i)}),
        i % 50 != 0 ? Value() : Value::of(1.0),
    };
    REQUIRE_EQ(file.writer.append(row), Status::kOk);
  }
  REQUIRE_EQ(file.writer.close(), Status::kOk);
}

// Chunks lie apart from each other.
void check_places(const view::File& file) {
  REQUIRE(file.whole());
  std::int64_t ends[64 * kColumns];
  std::int64_t begins[64 * kColumns];
  std::size_t chunks = 0;
  for (std::uint32_t i = 0; i < file.row_groups() && i < 64; ++i) {
    for (std::uint32_t c = 0; c < file.columns(); ++c, ++chunks) {
      begins[chunks] = file.column(i, c).integer(view::id::kDataPageOffset);
      ends[chunks] = begins[chunks] + file.column(i, c).integer(view::id::kStoredSize);
    }
  }
  std::size_t overlaps = 0;
  for (std::size_t a = 0; a < chunks; ++a) {
    for (std::size_t b = 0; b < a; ++b) overlaps += begins[a] < ends[b] && begins[b] < ends[a] ? 1U : 0U;
  }
  CHECK_EQ(overlaps, 0U);
}

// Checks that chunks do not overlap and that every value is there.
void check_chunks(const view::File& file, unsigned kind, std::uint32_t rows) {
  check_places(file);
  REQUIRE_EQ(file.rows(), static_cast<std::int64_t>(rows));
  for (std::uint32_t c = 0; c < kColumns; ++c) {
    view::Column column(file, c);
    view::Cell cell = {};
    std::uint32_t i = 0;
    for (; column.next(cell); ++i) {
      if (c == 3 && cell.bytes.size() != text_bytes((kind + 3) % 6, i)) break;
    }
    CHECK(column.sound());
    CHECK_EQ(i, rows);
  }
}

}  // namespace

TEST("row groups by bytes: strings of all kinds of lengths") {
  for (unsigned kind = 0; kind < 6; ++kind) {
    for (const std::uint32_t bytes : {8U << 10, 40U << 10}) {
      Options options = written::in_place(512);
      options.row_group_bytes = bytes;
      written::File file(kFields, options);
      REQUIRE_EQ(file.opened(), Status::kOk);
      write(file, kind, 500);
      check_chunks(file.view(), kind, 500);
    }
  }
}

TEST("row groups by rows: strings of all kinds of lengths, small pages") {
  for (unsigned kind = 0; kind < 6; ++kind) {
    Options options = written::in_place(512, 60);
    options.whole_sectors = false;
    written::File file(kFields, options);
    REQUIRE_EQ(file.opened(), Status::kOk);
    write(file, kind, 500);
    check_chunks(file.view(), kind, 500);
  }
}

// The closing footer takes more space when a row group has ended, or a key-value is set: no less is left for
// the row group that was planned before.
TEST("the last row group of a segment has the extents it was planned with") {
  struct Case {
    std::uint32_t rows;    // of a row group
    std::uint32_t before;  // row groups
    std::size_t value;     // bytes; 0: no key-value is set
  };
  constexpr Case kCases[] = {{24, 22, 0}, {16, 18, 700}, {36, 23, 600}};
  constexpr Field kTwoFields[] = {microparquet::int64_field("time"), microparquet::string_field("text")};
  static constexpr char kText[700] = {};
  for (const Case& it : kCases) {
    Options options = written::in_place(512, it.rows);
    options.layout = &microparquet::kInPlaceNoCheckpoints;
    written::File file(kTwoFields, options);
    REQUIRE_EQ(file.opened(), Status::kOk);
    for (std::uint32_t i = 0; i < (it.before + 3) * it.rows; ++i) {
      const std::size_t length = i < it.before * it.rows ? written::mix(i) % 20 : 300;
      const Value row[] = {Value::of(static_cast<std::int64_t>(i)), Value::of_bytes({kText, length})};
      REQUIRE_EQ(file.writer.append(row), Status::kOk);
      if (i + 1 != it.before * it.rows) continue;
      REQUIRE_EQ(file.writer.end_row_group(), Status::kOk);
      if (it.value != 0) REQUIRE_EQ(file.writer.set_key_value("key", {kText, it.value}), Status::kOk);
    }
    REQUIRE_EQ(file.writer.close(), Status::kOk);
    check_places(file.view());
  }
}

// The first row takes a block, since its page ends where a checkpoint does.
TEST("rows are not expected to take a block each after a checkpoint of one row") {
  constexpr Field kTwoFields[] = {microparquet::string_field("text"), microparquet::int64_field("time")};
  Options options = written::in_place(256, 100);
  options.whole_sectors = false;
  options.block_bytes = 4096;
  written::File file(kTwoFields, options);
  REQUIRE_EQ(file.opened(), Status::kOk);
  for (std::int64_t i = 0; i < 150; ++i) {
    const Value row[] = {Value::of_bytes("a text of 20 letters"), Value::of(i)};
    REQUIRE_EQ(file.writer.append(row), Status::kOk);
    if (i == 0) REQUIRE_EQ(file.writer.checkpoint(), Status::kOk);
    if (i == 0) REQUIRE_EQ(file.writer.end_row_group(), Status::kOk);
  }
  REQUIRE_EQ(file.writer.close(), Status::kOk);
  const view::File view = file.view();
  check_places(view);
  const auto begin = [&](std::uint32_t column) {
    return view.column(1, column).integer(view::id::kDataPageOffset);
  };
  CHECK(begin(1) - begin(0) < 100 * 256);
}

TEST("columns of fixed width: row groups of just the rows that were asked for") {
  const Field fields[] = {microparquet::int64_field("a"), microparquet::float_field("b"),
                          microparquet::boolean_field("c"), microparquet::fixed_field("d", 13)};
  for (const std::uint32_t rows : {1U, 2U, 59U, 60U, 61U, 121U, 500U}) {
    for (const std::uint32_t page : {256U, 512U, 1024U}) {
      written::File file(fields, written::in_place(page, rows));
      REQUIRE_EQ(file.opened(), Status::kOk);
      const std::uint32_t all = 3 * rows + 1;
      for (std::uint32_t i = 0; i < all; ++i) {
        const Value row[] = {Value::of(std::int64_t{i}), Value::of(1.0F), Value::of(true),
                             Value::of_fixed("thirteen char")};
        REQUIRE_EQ(file.writer.append(row), Status::kOk);
      }
      REQUIRE_EQ(file.writer.close(), Status::kOk);
      const view::File view = file.view();
      REQUIRE(view.whole() && view.row_groups() == 4);
      for (std::uint32_t i = 0; i < 3; ++i) CHECK_EQ(view.row_group(i).integer(view::id::kGroupRows), rows);
      view::Column column(view, 3);
      view::Cell cell = {};
      std::uint32_t count = 0;
      for (; column.next(cell); ++count) CHECK_EQ(cell.bytes, "thirteen char");
      CHECK(column.sound());
      CHECK_EQ(count, all);
    }
  }
}

TEST("row groups keep their size when the rows keep theirs") {
  Options options = written::in_place(512);
  options.row_group_bytes = 16 << 10;
  written::File file(kFields, options);
  REQUIRE_EQ(file.opened(), Status::kOk);
  write(file, 1, 4000);
  const view::File view = file.view();
  check_chunks(view, 1, 4000);
  // The writer learns from each row group, which must not shrink the next: the last whole ones are no smaller
  // than half.
  const std::uint32_t groups = view.row_groups();
  CHECK(groups >= 4000U * 60 / (20 << 10) && groups < 40);
  std::int64_t least = 1 << 30;
  for (std::uint32_t i = 1; i + 1 < groups; ++i) {
    const std::int64_t bytes = view.row_group(i).integer(view::id::kTotalByteSize);
    if (bytes < least) least = bytes;
  }
  CHECK(least > 6 << 10);
}

namespace {

constexpr Field kOptionals[] = {
    microparquet::int64_field("time"), microparquet::int32_field("a").as_optional(),
    microparquet::int32_field("b").as_optional(), microparquet::int32_field("c").as_optional()};

Status append_numbers(written::File& file, std::int64_t n) {
  const auto number = static_cast<std::int32_t>(n);
  const Value row[] = {Value::of(n), Value::of(number), n % 9 == 0 ? Value() : Value::of(number), Value()};
  return file.writer.append(row);
}

void write_numbers(std::int64_t rows, bool by_checkpoint, std::size_t& bytes) {
  written::File file(kOptionals, written::in_place(512));
  REQUIRE_EQ(file.opened(), Status::kOk);
  for (std::int64_t i = 0; i < rows; ++i) REQUIRE_EQ(append_numbers(file, i), Status::kOk);
  if (by_checkpoint) REQUIRE_EQ(file.writer.checkpoint(), Status::kOk);
  REQUIRE_EQ(file.writer.close(), Status::kOk);
  const view::File view = file.view();
  check_places(view);
  REQUIRE_EQ(view.rows(), rows);
  view::Column column(view, 1);
  view::Cell cell = {};
  std::int32_t n = 0;
  for (; column.next(cell); ++n) {
    std::int32_t value = -1;
    std::memcpy(&value, cell.bytes.data(), sizeof value);
    REQUIRE_EQ(value, n);
  }
  CHECK(column.sound());
  CHECK_EQ(n, rows);
  bytes = view.bytes().size();
}

}  // namespace

TEST("close() moves the last row group together, unless a checkpoint covers it") {
  std::size_t apart = 0;
  std::size_t together = 0;
  write_numbers(100, true, apart);
  write_numbers(100, false, together);
  CHECK(together < std::size_t{10} << 10);
  CHECK(apart >= together + (std::size_t{4} << 10));
}

// The plan of the first row group is mostly whole pages here. A quarter of the plan would take more rows than
// are planned, and the segment's footer lies after these.
TEST("the first row group stays in its segment, though a page is larger than a row group") {
  constexpr Field kFlags[] = {
      microparquet::boolean_field("a"),
      microparquet::boolean_field("b"),
      microparquet::boolean_field("c"),
      microparquet::boolean_field("d"),
      microparquet::boolean_field("e"),
      microparquet::boolean_field("f"),
      microparquet::int32_field("first").as_optional(),
      microparquet::int32_field("second").as_optional(),
  };
  constexpr std::size_t kOneRowGroup = 80 << 10;
  Options options = written::in_place(8192);
  options.row_group_bytes = 4096;
  microparquet::MemoryFile memory(written::file_memory().subspan(0, kOneRowGroup));
  Writer writer;
  REQUIRE_EQ(writer.open(memory, kFlags, options, written::arena_memory()), Status::kOk);
  Status status = Status::kOk;
  std::uint32_t rows = 0;
  for (; status == Status::kOk; rows += status == Status::kOk ? 1U : 0U) {
    REQUIRE(view::File(memory.contents()).whole());
    const Value flag = Value::of(rows % 2 == 0);
    const Value number = Value::of(static_cast<std::int32_t>(rows));
    const Value row[] = {flag, flag, flag, flag, flag, flag, number, number};
    status = writer.append(row);
    if (status == Status::kOk && rows % 512 == 0) (void)writer.tick(rows / 512 * options.max_loss_ms);
  }
  CHECK_EQ(status, Status::kNoSpace);
  REQUIRE_EQ(writer.close(), Status::kOk);
  const view::File view(memory.contents());
  check_places(view);
  CHECK_EQ(view.rows(), std::int64_t{rows});
}

namespace {

// A log of many rows that is closed, and one of a few that continues it. Two columns have no values.
void write_nulls(microparquet::MemoryFile& memory, std::int64_t rows) {
  Options options = written::in_place(512);
  options.row_group_bytes = 64 << 10;
  Writer writer;
  REQUIRE_EQ(writer.resume(memory, kOptionals, options, written::arena_memory()), Status::kOk);
  for (std::int64_t i = 0; i < rows; ++i) {
    const Value row[] = {Value::of(i), Value::of(static_cast<std::int32_t>(i)), Value(), Value()};
    REQUIRE_EQ(writer.append(row), Status::kOk);
  }
  REQUIRE_EQ(writer.checkpoint(), Status::kOk);  // nothing is moved at close
  REQUIRE_EQ(writer.close(), Status::kOk);
}

}  // namespace

TEST("a resumed file has its extents by what rows took before") {
  microparquet::MemoryFile memory(written::file_memory());
  write_nulls(memory, 1000);
  const std::uint32_t before = view::File(memory.contents()).row_groups();
  write_nulls(memory, 10);
  const view::File view(memory.contents());
  check_places(view);
  REQUIRE_EQ(view.rows(), 1010);
  const auto extent_of_nulls = [&](std::uint32_t row_group) {
    return view.column(row_group, 3).integer(view::id::kDataPageOffset) -
           view.column(row_group, 2).integer(view::id::kDataPageOffset);
  };
  CHECK(extent_of_nulls(0) > 3 << 10);
  CHECK(extent_of_nulls(before) <= 2 << 10);
}

TEST("checkpoints after each row do not make the next row groups large") {
  Options options = written::in_place(512);
  options.row_group_bytes = 16 << 10;
  written::File file(kOptionals, options);
  REQUIRE_EQ(file.opened(), Status::kOk);
  std::int64_t n = 0;
  for (; n < 20; ++n) {
    REQUIRE_EQ(append_numbers(file, n), Status::kOk);
    REQUIRE_EQ(file.writer.checkpoint(), Status::kOk);
  }
  REQUIRE_EQ(file.writer.end_row_group(), Status::kOk);
  for (; n < 2000; ++n) REQUIRE_EQ(append_numbers(file, n), Status::kOk);
  REQUIRE_EQ(file.writer.checkpoint(), Status::kOk);
  const view::File view = file.view();
  REQUIRE_EQ(view.rows(), n);
  check_places(view);
  const std::uint32_t last = view.row_groups() - 1;
  const std::int64_t begin = view.column(last, 0).integer(view::id::kDataPageOffset);
  for (std::uint32_t c = 0; c < 4; ++c) {
    const std::int64_t away = view.column(last, c).integer(view::id::kDataPageOffset) - begin;
    CHECK(away < 24 << 10 && away > -(24 << 10));
  }
}
