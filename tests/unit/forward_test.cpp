// Row groups in the arena, written strictly forward.
#include <cstring>
#include <string_view>

#include "support/check.h"
#include "support/names.h"
#include "written_file.h"

namespace {

constexpr Field kFields[] = {microparquet::int32_field("n"), microparquet::string_field("s").as_optional()};

// A pipe: knows only what comes next, and not even how long it is.
class Pipe final : public File {
 public:
  explicit Pipe(bool reads_back = false) : reads_back_(reads_back) {}
  FileAbilities abilities() const override { return {false, reads_back_, false}; }
  Status size(std::uint64_t&) override { return Status::kUnsupported; }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    if (!reads_back_ || offset + out.size() > used_) return Status::kUnsupported;
    std::memcpy(out.data(), written::file_memory().data() + offset, out.size());
    return Status::kOk;
  }
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override {
    if (offset != used_) ++astray;
    if (data.size() > written::file_memory().size() - used_) return Status::kNoSpace;
    std::memcpy(written::file_memory().data() + used_, data.data(), data.size());
    used_ += data.size();
    return Status::kOk;
  }
  Status sync(std::uint64_t) override { return Status::kOk; }

  view::File view() const { return view::File(written::file_memory().subspan(0, used_)); }

  int astray = 0;

 private:
  bool reads_back_;
  std::size_t used_ = 0;
};

Status append(Writer& writer, int i) {
  const Value row[] = {
      Value::of(i),
      i % 3 == 0 ? Value() : Value::of_bytes(written::part("abcdefgh", static_cast<std::size_t>(i) % 8))};
  return writer.append(row);
}

void check_rows(const view::File& file, int rows) {
  REQUIRE(file.whole());
  CHECK_EQ(file.rows(), rows);
  view::Column numbers(file, 0);
  view::Column texts(file, 1);
  view::Cell cell = {};
  for (int i = 0; i < rows; ++i) {
    std::int32_t number = -1;
    REQUIRE(numbers.next(cell));
    std::memcpy(&number, cell.bytes.data(), sizeof number);
    REQUIRE_EQ(number, i);
    REQUIRE(texts.next(cell));
    CHECK_EQ(cell.null, i % 3 == 0);
  }
  CHECK(!numbers.next(cell) && !texts.next(cell) && numbers.sound() && texts.sound());
}

Options sink(std::uint16_t kept) {
  Options options = written::forward(256, 1024);
  options.max_row_groups_in_memory = kept;
  return options;
}

// Returns whether there are but zeros between the last row group and the footer.
bool has_zeros_before_footer(const view::File& file) {
  const view::Struct last = file.column(file.row_groups() - 1, file.columns() - 1);
  const auto end =
      static_cast<std::size_t>(last.integer(view::id::kDataPageOffset) + last.integer(view::id::kStoredSize));
  for (std::size_t at = end; at < file.footer_begin(); ++at) {
    if (file.bytes()[at] != std::byte{0}) return false;
  }
  return end <= file.footer_begin();
}

}  // namespace

TEST("a pipe gets a whole file in one go") {
  Pipe pipe;
  const Options options = sink(60);
  Writer writer;
  REQUIRE_EQ(writer.open(pipe, kFields, options, written::arena_memory()), Status::kOk);
  for (int i = 0; i < 3000; ++i) REQUIRE_EQ(append(writer, i), Status::kOk);
  REQUIRE_EQ(writer.close(), Status::kOk);
  CHECK_EQ(pipe.astray, 0);
  CHECK(pipe.view().row_groups() > 5);
  CHECK_EQ(writer.file_bytes(), pipe.view().bytes().size());
  check_rows(pipe.view(), 3000);
}

TEST("a file that can be read back has no limit of row groups") {
  Pipe pipe(true);
  const Options options = written::forward(256, 1024);
  Writer writer;
  REQUIRE_EQ(writer.open(pipe, kFields, options, written::arena_memory()), Status::kOk);
  check_rows(pipe.view(), 0);
  for (int i = 0; i < 5000; ++i) REQUIRE_EQ(append(writer, i), Status::kOk);
  REQUIRE_EQ(writer.close(), Status::kOk);
  CHECK_EQ(pipe.astray, 0);
  CHECK(pipe.view().row_groups() > 20);
  check_rows(pipe.view(), 5000);
}

TEST("a pipe ends at the row groups that are kept, and is still closed") {
  Pipe pipe;
  Options options = sink(3);
  options.row_group_rows = 5;
  Writer writer;
  REQUIRE_EQ(writer.open(pipe, kFields, options, written::arena_memory()), Status::kOk);
  for (int i = 0; i < 15; ++i) REQUIRE_EQ(append(writer, i), Status::kOk);
  CHECK_EQ(append(writer, 15), Status::kLimitReached);
  CHECK_EQ(append(writer, 15), Status::kLimitReached);
  CHECK_EQ(writer.rows(), 15U);
  CHECK_EQ(writer.set_key_value("why", "full"), Status::kOk);
  REQUIRE_EQ(writer.close(), Status::kOk);
  check_rows(pipe.view(), 15);
  CHECK_EQ(pipe.view().key_value("why"), "full");
}

TEST("what is kept of a row group is counted") {
  const auto bytes = [](std::uint16_t kept) {
    return static_cast<int>(Writer::required_bytes(kFields, sink(kept)));
  };
  const int ten = bytes(10) - bytes(0);
  const int more = bytes(20) - bytes(10);
  CHECK(ten > 10 * 100);
  CHECK(more - ten <= 48 && ten - more <= 48);  // and one trailer
}

TEST("a pipe without row groups to keep is refused, and so is one in place") {
  Pipe pipe;
  Writer writer;
  const Options none = sink(0);
  CHECK_EQ(writer.open(pipe, kFields, none, written::arena_memory()), Status::kInvalidArgument);
  const Options in_place = written::in_place(512);
  CHECK_EQ(writer.open(pipe, kFields, in_place, written::arena_memory()), Status::kInvalidArgument);
  CHECK_EQ(pipe.view().bytes().size(), 0U);
}

TEST("row groups of the least memory: two pages a column") {
  Pipe pipe(true);
  const Options options = written::forward(128, 0);
  Writer writer;
  REQUIRE_EQ(writer.open(pipe, kFields, options, written::arena_memory()), Status::kOk);
  for (int i = 0; i < 300; ++i) REQUIRE_EQ(append(writer, i), Status::kOk);
  REQUIRE_EQ(writer.close(), Status::kOk);
  check_rows(pipe.view(), 300);
}

TEST("one column of many pages among others of few") {
  const Field fields[] = {microparquet::boolean_field("flag"), microparquet::string_field("text"),
                          microparquet::int64_field("time")};
  written::File file(fields, written::forward(256, 8 << 10));
  REQUIRE_EQ(file.opened(), Status::kOk);
  static char text[150];
  for (int i = 0; i < 400; ++i) {
    std::memset(text, 'a' + i % 26, sizeof text);
    const Value row[] = {Value::of(i % 2 == 0), Value::of_bytes({text, sizeof text}),
                         Value::of(std::int64_t{i})};
    REQUIRE_EQ(file.writer.append(row), Status::kOk);
  }
  REQUIRE_EQ(file.writer.close(), Status::kOk);
  const view::File view = file.view();
  REQUIRE(view.whole());
  CHECK(view.row_groups() >= 400 / 40 && view.row_groups() <= 400 / 20);
  view::Column texts(view, 1);
  view::Cell cell = {};
  for (int i = 0; i < 400; ++i)
    REQUIRE(texts.next(cell) && cell.bytes.size() == sizeof text && cell.bytes[0] == 'a' + i % 26);
  CHECK(!texts.next(cell) && texts.sound());
}

// The part of that footer which is in the file stays there: the next one begins after it.
TEST("a key-value that comes while a footer is on its way is in the footer that follows") {
  for (const std::uint16_t block_bytes : {std::uint16_t{512}, std::uint16_t{4096}}) {
    Options options = written::forward(512, 16 << 10);
    options.block_bytes = block_bytes;
    options.row_group_rows = 20;
    options.checkpoint_ms = options.max_loss_ms = 10'000;
    written::File file(kFields, options);
    REQUIRE_EQ(file.opened(), Status::kOk);
    Writer& writer = file.writer;
    REQUIRE_EQ(writer.tick(1), Status::kOk);
    for (int i = 0; i < 1000; ++i) REQUIRE_EQ(append(writer, i), Status::kOk);
    std::uint32_t now_ms = 10'001;
    REQUIRE_EQ(writer.tick(now_ms), Status::kOk);
    REQUIRE_EQ(writer.tick(++now_ms), Status::kOk);
    REQUIRE(writer.checkpoint_in_progress());
    CHECK_EQ(writer.set_key_value("why", "door"), Status::kOk);
    for (int i = 1000; i < 1010; ++i) REQUIRE_EQ(append(writer, i), Status::kOk);
    int ticks = 0;
    for (; writer.checkpoint_in_progress() && ticks < 100; ++ticks)
      REQUIRE_EQ(writer.tick(++now_ms), Status::kOk);
    CHECK(ticks > 1);
    CHECK_EQ(writer.durable_rows(), 1000U);
    check_rows(file.view(), 1000);
    CHECK_EQ(file.view().key_value("why"), "door");
    REQUIRE_EQ(writer.close(), Status::kOk);
    check_rows(file.view(), 1010);
    CHECK_EQ(file.view().key_value("why"), "door");
    CHECK_EQ(writer.blocking_footers(), 0U);
  }
}

TEST("a key-value that makes a footer longer before any of it is written moves it to another block") {
  static constexpr char kText[4000] = {};
  for (const std::uint16_t block_bytes : {std::uint16_t{512}, std::uint16_t{4096}}) {
    for (std::size_t bytes = 1; bytes < sizeof kText; bytes += 999) {
      Options options = written::forward(512, 16 << 10);
      options.block_bytes = block_bytes;
      options.checkpoint_ms = options.max_loss_ms = 10'000;
      written::File file(kFields, options);
      REQUIRE_EQ(file.opened(), Status::kOk);
      Writer& writer = file.writer;
      REQUIRE_EQ(writer.tick(1), Status::kOk);
      for (int i = 0; i < 40; ++i) REQUIRE_EQ(append(writer, i), Status::kOk);
      REQUIRE_EQ(writer.tick(10'001), Status::kOk);  // begins it
      REQUIRE(writer.checkpoint_in_progress());
      REQUIRE_EQ(writer.set_key_value("x", {kText, bytes}), Status::kOk);
      REQUIRE_EQ(writer.checkpoint(), Status::kOk);
      check_rows(file.view(), 40);
      CHECK(has_zeros_before_footer(file.view()));
      CHECK_EQ(file.view().bytes().size() % block_bytes, 0U);
      REQUIRE_EQ(writer.close(), Status::kOk);
    }
  }
}
