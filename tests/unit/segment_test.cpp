// Row groups in segments of the file: it ends in a footer at every moment, and can be closed on a full
// medium.
#include <cstring>
#include <string_view>

#include "support/check.h"
#include "support/forwarding_file.h"
#include "support/names.h"
#include "written_file.h"

using microparquet::MemoryFile;

namespace {

constexpr Field kFields[] = {microparquet::int64_field("time"), microparquet::float_field("x"),
                             microparquet::string_field("note").as_optional()};

// Memory that tells what was asked of it.
class WatchedFile final : public support::OwningFile<MemoryFile> {
 public:
  explicit WatchedFile(std::size_t bytes, FileAbilities abilities = {true, true, true})
      : OwningFile(written::file_memory().subspan(0, bytes)), abilities_(abilities) {}

  FileAbilities abilities() const override { return abilities_; }
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override {
    if (offset + data.size() > inner_file().contents().size() && offset + data.size() > reserved_ &&
        reserved_ != 0)
      ++astray;
    return ForwardingFile::write_at(offset, data);
  }
  Status reserve(std::uint64_t end) override {
    ++reservations;
    const Status status = ForwardingFile::reserve(end);
    if (status == Status::kOk) reserved_ = end;
    return status;
  }
  Status sync(std::uint64_t size) override {
    ++syncs;
    static_cast<void>(ForwardingFile::sync(size));
    published_ = size;
    if (!view::File(contents()).whole()) ++astray;
    return Status::kOk;
  }
  Status shrink(std::uint64_t size) override {
    ++shrinks;
    published_ = size;
    return ForwardingFile::shrink(size);
  }
  // The content as a file system knows it; a footer that is being written lies after it.
  Span<const std::byte> contents() const {
    return inner_file().contents().subspan(0, static_cast<std::size_t>(published_));
  }

  int reservations = 0;
  int syncs = 0;
  int shrinks = 0;
  int astray = 0;  // writes past what was reserved, and sizes published without a footer

 private:
  FileAbilities abilities_;
  std::uint64_t reserved_ = 0;
  std::uint64_t published_ = 0;
};

Status append(Writer& writer, int i) {
  static constexpr std::string_view kText = "some text of some length";
  const std::size_t length = written::mix(static_cast<std::uint32_t>(i)) % kText.size();
  const Value row[] = {Value::of(std::int64_t{i}), Value::of(static_cast<float>(i)),
                       i % 5 == 0 ? Value() : Value::of_bytes(written::part(kText, 0, length))};
  return writer.append(row);
}

bool holds_rows(const view::File& file, std::int64_t rows) {
  if (!file.whole() || file.rows() != rows) return false;
  for (std::uint32_t c = 0; c < file.columns(); ++c) {
    view::Column column(file, c);
    view::Cell cell = {};
    std::int64_t i = 0;
    for (; column.next(cell); ++i) {
      std::int64_t time = -1;
      if (c == 0) std::memcpy(&time, cell.bytes.data(), sizeof time);
      if (c == 0 && time != i) return false;
    }
    if (!column.sound() || i != rows) return false;
  }
  return true;
}

}  // namespace

TEST("after every row the file ends in a footer, of rows that are finished") {
  const Options options = written::in_place(512, 20);
  WatchedFile file(300 << 10);
  Writer writer;
  REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
  CHECK(view::File(file.contents()).whole());
  CHECK(file.syncs >= 1);
  std::int64_t before = 0;
  for (int i = 0; i < 1500; ++i) {
    REQUIRE_EQ(append(writer, i), Status::kOk);
    const view::File view(file.contents());
    REQUIRE(view.whole());
    CHECK(view.rows() >= before && view.rows() <= i + 1);
    before = view.rows();
  }
  CHECK(holds_rows(view::File(file.contents()), before));
  CHECK(before > 300);  // later segments bring footers with more rows
  REQUIRE_EQ(writer.close(), Status::kOk);
  CHECK(holds_rows(view::File(file.contents()), 1500));
  CHECK_EQ(file.astray, 0);
  CHECK_EQ(file.shrinks, 1);
  CHECK_EQ(writer.file_bytes(), file.contents().size());
}

TEST("a medium that is full: the rows so far, in a whole file") {
  for (const std::uint32_t row_group_rows : {0U, 25U}) {
    for (const bool shrinks : {true, false}) {
      for (std::size_t bytes = 64 << 10; bytes < 250 << 10; bytes += 17001) {
        const Options options = written::in_place(512, row_group_rows);
        WatchedFile file(bytes, {true, true, shrinks});
        Writer writer;
        REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
        int rows = 0;
        Status status = Status::kOk;
        while ((status = append(writer, rows)) == Status::kOk) ++rows;
        CHECK_EQ(status, Status::kNoSpace);
        CHECK_EQ(append(writer, rows), Status::kNoSpace);
        CHECK_EQ(writer.close(), Status::kOk);
        CHECK(rows > 0 && holds_rows(view::File(file.contents()), rows));
        CHECK_EQ(file.astray, 0);
      }
    }
  }
}

TEST("a medium that is too small for a first segment") {
  const Options options = written::in_place(512);
  for (const std::size_t bytes : {0U, 100U, 2000U}) {
    WatchedFile file(bytes);
    Writer writer;
    CHECK_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kNoSpace);
    CHECK_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kNoSpace);
    if (!file.contents().empty() && file.syncs != 0) CHECK(view::File(file.contents()).whole());
    writer.reset();
  }
}

TEST("key-values set before the first row do not cost a segment") {
  const Options options = written::in_place(512, 50);
  int reservations[2] = {};
  for (const int set : {0, 1}) {
    WatchedFile file(300 << 10);
    Writer writer;
    REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
    for (std::size_t i = 0; set != 0 && i < 4; ++i) {
      static constexpr char kValue[] =
          "a value of nearly a hundred bytes: the name of a device, its firmware, and its place";
      REQUIRE_EQ(writer.set_key_value(written::part("abcd", i, 1), kValue), Status::kOk);
    }
    for (int i = 0; i < 200; ++i) REQUIRE_EQ(append(writer, i), Status::kOk);
    REQUIRE_EQ(writer.close(), Status::kOk);
    CHECK(holds_rows(view::File(file.contents()), 200));
    reservations[set] = file.reservations;
  }
  CHECK_EQ(reservations[1], reservations[0]);
}

TEST("in place needs a file that seeks and reads back") {
  for (const FileAbilities abilities : {FileAbilities{false, true, true}, FileAbilities{true, false, true}}) {
    WatchedFile file(100 << 10, abilities);
    const Options options = written::in_place(512);
    Writer writer;
    CHECK_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kInvalidArgument);
    CHECK_EQ(file.contents().size(), 0U);
  }
}

TEST("pages of whole sectors stand on sectors") {
  written::File file(kFields, written::in_place(1024, 70));
  REQUIRE_EQ(file.opened(), Status::kOk);
  for (int i = 0; i < 500; ++i) REQUIRE_EQ(append(file.writer, i), Status::kOk);
  REQUIRE_EQ(file.writer.close(), Status::kOk);
  for (std::uint32_t c = 0; c < 3; ++c) {
    view::Column column(file.view(), c);
    view::Cell cell = {};
    while (column.next(cell)) CHECK(column.page_begin() % 512 == 0 && column.page_end() % 512 == 0);
    CHECK(column.sound());
  }
}
