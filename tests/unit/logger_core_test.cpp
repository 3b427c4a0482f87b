// Tests the answers of a Logger to a sketch's mistakes, and the content of its files then.
#include "microparquet/port/logger_core.h"

#include <array>
#include <optional>
#include <string_view>

#include "microparquet/port/memory_file.h"
#include "microparquet/static_reader.h"
#include "support/check.h"
#include "support/file_view.h"

namespace mpq = microparquet;
using mpq::Status;
using mpq::Value;

namespace {

constexpr std::size_t kLoggedFiles = 3;
constexpr std::size_t kLoggedBytes = 4096;
constexpr std::size_t kNamed = 3;  // columns

// A volume in memory with short names, of files with one digit: LOGFIL01.PQT and so on.
class MemoryBoard final : public mpq::LoggerBoard {
 public:
  std::uint32_t now_ms() override { return now; }
  bool start() override { return has_card; }
  bool exists(const char* path) override {
    return number(path) <= kLoggedFiles && sizes[number(path) - 1] != 0;
  }
  Status open(const char* path) override {
    if (!has_card || number(path) > kLoggedFiles) return Status::kIoError;
    open_ = number(path) - 1;
    current_ = &file_.emplace(memory(open_), sizes[open_]);
    return Status::kOk;
  }
  void close() override {
    if (!file_) return;
    sizes[open_] = file_->contents().size();
    file_.reset();
  }
  mpq::File& file() override { return *current_; }

  static mpq::Span<std::byte> memory(std::size_t index) {
    static std::array<std::byte, kLoggedFiles * kLoggedBytes> bytes;
    return {bytes.data() + index * kLoggedBytes, kLoggedBytes};
  }

  std::uint32_t now = 0xFFFFF000;  // the clock wraps in four seconds
  bool has_card = true;
  std::size_t sizes[kLoggedFiles] = {};

 private:
  static std::size_t number(const char* path) {
    return static_cast<std::size_t>(path[7] - '0') * 10 + static_cast<std::size_t>(path[8] - '0');
  }

  std::size_t open_ = 0;
  std::optional<mpq::MemoryFile> file_;
  mpq::File* current_ = nullptr;
};

alignas(8) std::array<std::byte, mpq::LoggerCore::required_bytes<kNamed>(true, true)> core_arena;
std::array<mpq::LoggerColumn, kNamed> core_columns;
std::array<mpq::Field, kNamed + 1> core_fields;
std::array<Value, kNamed + 1> core_values;

constexpr mpq::LoggerExtras kExtras{&mpq::LoggerCore::kClock, &mpq::kLoggerText};

mpq::LoggerMemory core_memory() { return {core_columns, core_fields, core_values, core_arena}; }

// A log that has begun, with one row of "a" 1, "b" 1.5 and "c" "one".
struct Begun {
  Begun() {
    begun = core.begin("LOGFIL", kExtras);
    first = row(1, 1.5F, "one");
  }
  bool row(std::int32_t a, float b, const char* c) {
    core.add("a", mpq::kLoggerInt32, Value::of(a));
    core.add("b", mpq::kLoggerFloat, Value::of(b));
    core.add_text("c", c);
    board.now += 100;
    return core.end_row();
  }
  // Returns message() if the status is that.
  std::string_view said(Status status) const {
    return core.status() == status ? core.message() : "another status";
  }

  MemoryBoard board;
  mpq::LoggerCore core{board, core_memory()};
  bool begun = false;
  bool first = false;
};

struct LoggedRow {
  std::int64_t time_ms;
  std::optional<std::int64_t> time;
  std::optional<std::int32_t> a;
  std::optional<float> b;
  std::optional<std::string_view> c;
  std::optional<std::string_view> mark;
};
constexpr auto kLogged = mpq::schema(mpq::column("time_ms", &LoggedRow::time_ms),
                                     mpq::timestamp_us_column("time", &LoggedRow::time),
                                     mpq::column("a", &LoggedRow::a), mpq::column("b", &LoggedRow::b),
                                     mpq::column("c", &LoggedRow::c), mpq::column("mark", &LoggedRow::mark));

// Calls `look` with each row of a file, and returns how many there are.
template <typename Look>
unsigned read_logged(const MemoryBoard& board, std::size_t number, Look look) {
  static mpq::StaticReader<kLogged> reader;  // NOLINT(*-dynamic-static-initializers)
  mpq::MemoryFile file(MemoryBoard::memory(number - 1), board.sizes[number - 1]);
  Status status = reader.open(file);
  unsigned rows = 0;
  LoggedRow row = {};
  while (status == Status::kOk && (status = reader.next(row)) == Status::kOk) look(rows++, row);
  CHECK_EQ(to_string(status), to_string(Status::kEnd));
  return rows;
}

// Returns the clock anchors of the boot that began with row `boot` of a file; empty: it has none.
std::string_view clock_of(const MemoryBoard& board, std::size_t number, std::string_view boot) {
  const view::File file(
      mpq::Span<const std::byte>(MemoryBoard::memory(number - 1).data(), board.sizes[number - 1]));
  return file.key_values() == 0 ? "" : file.key_value(boot);
}

}  // namespace

TEST("a logger that was not begun says so") {
  MemoryBoard board;
  mpq::LoggerCore core(board, core_memory());
  CHECK(core.status() == Status::kWrongState);
  CHECK_EQ(std::string_view(core.message()), "begin() comes first");
  core.set_time(1);
  core.add("a", mpq::kLoggerInt32, Value::of(1));
  CHECK(core.status() == Status::kWrongState);
  CHECK(!core.end_row());
  CHECK(!core.end());
  CHECK_EQ(std::string_view(core.message()), "begin() comes first");
  CHECK_EQ(std::string_view(core.file_name()), "");
  for (const char* name : {"", "SEVENTH", "A.B", "A/B", "\xC3\xA4"}) {
    CHECK(!core.begin(name));
    CHECK(core.status() == Status::kInvalidArgument);
    CHECK_EQ(std::string_view(core.message()), "a log's name has 1 to 6 letters or digits");
    CHECK(!core.end_row());
  }
}

TEST("a logger leaves out what it cannot take, and writes the rest of the row") {
  Begun log;
  REQUIRE(log.begun);
  REQUIRE(log.first);
  CHECK_EQ(std::string_view(log.core.file_name()), "LOGFIL01.PQT");
  CHECK_EQ(log.said(Status::kOk), "ok");

  log.core.add("d", mpq::kLoggerInt32, Value::of(4));
  CHECK(!log.row(2, 2.5F, "two"));
  CHECK_EQ(log.said(Status::kSchemaMismatch), "d: not in the first row; left out");

  log.core.add("a", mpq::kLoggerDouble, Value::of(3.5));
  CHECK_EQ(log.said(Status::kSchemaMismatch), "a: of another type in the first row; left out");
  log.core.add_text("c", "three");
  CHECK(!log.core.end_row());

  log.core.add("a", mpq::kLoggerInt32, Value::of(4));
  CHECK(!log.row(40, 4.5F, nullptr));
  CHECK_EQ(log.said(Status::kInvalidArgument), "a: twice in a row; left out");

  log.core.add_text("c", "a text that is longer than all the texts of a row together may become");
  CHECK_EQ(log.said(Status::kValueTooLarge), "c: over 64 bytes of text in a row; left out");
  log.core.add("a", mpq::kLoggerInt32, Value::of(5));
  CHECK(!log.core.end_row());

  for (const char* name : {"", static_cast<const char*>(nullptr), "a_name_of_24_bytes_in_all"}) {
    log.core.add(name, mpq::kLoggerInt32, Value::of(6));
    CHECK(log.core.status() == Status::kInvalidArgument);
    CHECK(!log.core.end_row());
    CHECK(log.core.status() == Status::kInvalidArgument);
  }
  CHECK_EQ(log.said(Status::kInvalidArgument),
           "a_name_of_24_bytes_in_al: a column's name has 1 to 23 bytes; left out");
  CHECK(!log.core.end_row());
  CHECK_EQ(log.said(Status::kInvalidArgument), "end_row() without a value");

  CHECK(log.row(7, 7.5F, "seven"));
  CHECK_EQ(log.said(Status::kOk), "ok");
  CHECK_EQ(log.core.rows(), 6U);
  CHECK(log.core.end());
  constexpr std::optional<std::int32_t> kA[] = {1, 2, std::nullopt, 4, 5, 7};
  constexpr std::optional<float> kB[] = {1.5F, 2.5F, std::nullopt, 4.5F, std::nullopt, 7.5F};
  constexpr std::string_view kC[] = {"one", "two", "three", "", "", "seven"};
  const unsigned rows = read_logged(log.board, 1, [&](unsigned i, const LoggedRow& row) {
    CHECK(row.a == kA[i]);
    CHECK(row.b == kB[i]);
    CHECK(row.c.has_value() != kC[i].empty());
    CHECK_EQ(row.c.value_or(""), kC[i]);
  });
  CHECK_EQ(rows, 6U);
  CHECK_EQ(log.core.lost_rows(), 0U);
}

TEST("a logger's first row has no more columns than the logger") {
  MemoryBoard board;
  mpq::LoggerCore core(board, core_memory());
  REQUIRE(core.begin("LOGFIL", kExtras));
  core.add("e", mpq::kLoggerBool, Value::of(true));
  core.add("f", mpq::kLoggerInt64, Value::of(std::int64_t{1}));
  core.add("g", mpq::kLoggerUint32, Value::of(std::int32_t{1}));
  core.add("h", mpq::kLoggerBool, Value::of(true));
  CHECK(core.status() == Status::kOutOfMemory);
  CHECK_EQ(std::string_view(core.message()), "h: the Logger has no more columns; left out");
  CHECK(!core.end_row());
  CHECK_EQ(core.rows(), 1U);
  core.add("g", mpq::kLoggerUint32, Value::of(std::int32_t{2}));
  CHECK(core.end_row());
  CHECK(core.end());
}

TEST("a logger's rows have the time since begin(), also where the clock wraps") {
  Begun log;
  REQUIRE(log.first);
  for (std::int32_t i = 2; i <= 50; ++i) CHECK(log.row(i, 0, nullptr));
  CHECK(log.core.end());
  const unsigned rows = read_logged(
      log.board, 1, [](unsigned i, const LoggedRow& row) { CHECK_EQ(row.time_ms, std::int64_t{i} * 100); });
  CHECK_EQ(rows, 50U);
}

TEST("a logger that learns the time late dates its rows in the same file, the earlier ones by an anchor") {
  constexpr std::int64_t kSeconds = 1'700'000'000;
  Begun log;
  REQUIRE(log.first);
  for (const std::int64_t no_date :
       {std::int64_t{0}, std::int64_t{315'532'799}, std::int64_t{10'000'000'000}}) {
    log.core.set_time(no_date);
  }
  CHECK(log.row(2, 0, nullptr));
  log.core.set_time(kSeconds);
  CHECK(log.row(3, 0, nullptr));
  log.board.now += 3'600'000;
  log.core.set_time(kSeconds + 3'601);  // the device's clock is slow
  CHECK(log.row(4, 0, nullptr));
  CHECK(log.core.end());
  CHECK_EQ(std::string_view(log.core.file_name()), "LOGFIL01.PQT");
  constexpr std::int64_t kSet = 3'600'300;
  const std::optional<std::int64_t> times[] = {std::nullopt, std::nullopt, kSeconds * 1'000'000,
                                               (kSeconds + 3'601) * 1'000'000};
  const std::int64_t ticks[] = {0, 100, 200, kSet};
  const unsigned rows = read_logged(log.board, 1, [&](unsigned i, const LoggedRow& row) {
    CHECK_EQ(row.time_ms, ticks[i]);
    CHECK(row.time == times[i]);
  });
  CHECK_EQ(rows, 4U);
  CHECK_EQ(clock_of(log.board, 1, "clock.0000000000"), "4 200=1700000000000 3600300=1700003601000");
}

TEST("a logger that knows the time from its first row on writes no anchor") {
  Begun log;
  REQUIRE(log.first);
  CHECK(log.core.end());
  CHECK(log.core.begin("LOGFIL", kExtras));
  log.core.set_time(1'700'000'000);
  CHECK(log.row(2, 0, nullptr));
  log.core.set_time(1'600'000'000);  // set back: believed
  CHECK(log.row(3, 0, nullptr));
  CHECK(log.core.end());
  unsigned dated = 0;
  CHECK_EQ(read_logged(log.board, 1, [&](unsigned, const LoggedRow& row) { dated += row.time ? 1U : 0U; }),
           3U);
  CHECK_EQ(dated, 2U);
  CHECK_EQ(clock_of(log.board, 1, "clock.0000000001"), "");
}

TEST("a logger's marks stand in a column of their own") {
  Begun log;
  log.core.mark("begin");
  CHECK(log.row(2, 2.5F, "two"));
  log.core.mark("alone");
  CHECK(log.core.end_row());
  log.core.mark("first");
  log.core.mark("second");
  CHECK_EQ(log.said(Status::kInvalidArgument), "mark: twice in a row; left out");
  CHECK(!log.core.end_row());
  log.core.mark("a mark that is longer than all the texts of a row together may become");
  CHECK_EQ(log.said(Status::kValueTooLarge), "mark: over 64 bytes of text in a row; left out");
  CHECK(!log.row(5, 5, nullptr));
  log.core.mark(nullptr);
  CHECK_EQ(log.said(Status::kInvalidArgument), "mark: no text; left out");
  CHECK(!log.row(6, 6, nullptr));
  CHECK(log.core.end());
  constexpr std::string_view kMarks[] = {"", "begin", "alone", "first", "", ""};
  const unsigned rows = read_logged(log.board, 1, [&](unsigned i, const LoggedRow& row) {
    CHECK_EQ(row.mark.value_or(""), kMarks[i]);
    CHECK_EQ(row.a.has_value(), i != 2 && i != 3);
  });
  CHECK_EQ(rows, 6U);
}

TEST("a logger's mark waits for the first values, which name the columns") {
  MemoryBoard board;
  mpq::LoggerCore core(board, core_memory());
  REQUIRE(core.begin("LOGFIL", kExtras));
  core.mark("switched on");
  CHECK(!core.end_row());
  CHECK_EQ(std::string_view(core.message()), "the first row has a mark alone, which waits for values");
  core.add("a", mpq::kLoggerInt32, Value::of(1));
  CHECK(core.end_row());
  CHECK(core.begin("LOGFIL", kExtras));
  core.mark("mine");
  core.add("mark", mpq::kLoggerInt32, Value::of(7));  // its own: there is no other
  CHECK(!core.end_row());
  CHECK_EQ(std::string_view(core.message()), "mark: the first row has a column of this name; left out");
  core.mark("mine");
  CHECK(core.status() == Status::kSchemaMismatch);
  core.add("mark", mpq::kLoggerInt32, Value::of(8));
  CHECK(!core.end_row());
  CHECK_EQ(core.rows(), 2U);
  CHECK(core.end());
}

TEST("a logger continues its last file, and with other columns begins the next one") {
  Begun log;
  REQUIRE(log.first);
  CHECK(log.core.begin("LOGFIL", kExtras));  // ends the one before
  CHECK(log.row(2, 0, nullptr));
  CHECK_EQ(std::string_view(log.core.file_name()), "LOGFIL01.PQT");
  CHECK_EQ(log.core.rows(), 2U);
  CHECK(log.core.begin("LOGFIL", kExtras));
  log.core.add("time", mpq::kLoggerInt32, Value::of(17));  // its own: there is no other
  log.core.add("a", mpq::kLoggerInt32, Value::of(3));
  CHECK(log.core.end_row());
  CHECK_EQ(std::string_view(log.core.file_name()), "LOGFIL02.PQT");
  CHECK(log.core.end());
  struct Own {
    std::optional<std::int32_t> time, a;
  };
  static constexpr auto kOwn = mpq::schema(mpq::column("time", &Own::time), mpq::column("a", &Own::a));
  static mpq::StaticReader<kOwn, mpq::kDefaultReaderOptions, 3>
      reader;  // NOLINT(*-dynamic-static-initializers)
  mpq::MemoryFile file(MemoryBoard::memory(1), log.board.sizes[1]);
  Own row = {};
  REQUIRE(reader.open(file) == Status::kOk);
  REQUIRE(reader.next(row) == Status::kOk);
  CHECK(row.time == 17);
  CHECK(row.a == 3);
}

TEST("a logger without a card counts rows, and finds the card") {
  MemoryBoard board;
  board.has_card = false;
  mpq::LoggerCore core(board, core_memory());
  CHECK(!core.begin("LOGFIL", kExtras));
  CHECK(core.status() == Status::kIoError);
  core.add("a", mpq::kLoggerInt32, Value::of(1));
  CHECK(!core.end_row());
  CHECK_EQ(std::string_view(core.message()), "no card that can be read; tried again soon");
  CHECK_EQ(core.lost_rows(), 1U);
  board.has_card = true;
  board.now += 2000;
  core.add("a", mpq::kLoggerInt32, Value::of(2));
  CHECK(core.end_row());
  CHECK_EQ(core.rows(), 1U);
  CHECK(core.end());
}
