// Boots: a file that was cut off or closed is gone on with, or left without a row.
#include <cstring>
#include <string_view>

#include "check.h"
#include "cut_file.h"
#include "microparquet/detail/writer_access.h"
#include "write/in_place/in_place_layout.h"

using cut::append;
using cut::CutFile;
using cut::holds;
using cut::kFields;
using microparquet::Options;
using microparquet::Status;
using microparquet::Value;
using microparquet::Writer;

namespace {

// Of the calls that could fail one in so many does; a target is slow.
constexpr int kStep = sizeof(void*) == 4 ? 23 : 1;

// A boot: `rows` are durable, some more are not, and then the power goes. False when a call fails.
bool log_and_cut(CutFile& file, const Options& options, std::int64_t& rows) {
  Writer writer;
  bool good = writer.resume(file, kFields, options, written::arena_memory()) == Status::kOk &&
              writer.rows() == static_cast<std::uint64_t>(rows);
  for (int i = 0; i < 300 && good; ++i) good = append(writer, rows++) == Status::kOk;
  good = good && writer.checkpoint() == Status::kOk;
  for (int i = 0; i < 40 && good; ++i) good = append(writer, 1'000'000) == Status::kOk;
  file.cut();
  return good && holds(file.view(), rows);
}

enum class End { kClose, kRoll, kCloseAfterRefusal };
constexpr End kEnds[] = {End::kClose, End::kRoll, End::kCloseAfterRefusal};

// A boot without a row that adds a key-value.
bool add_key_value(CutFile& file, const Options& options, std::string_view key, End end) {
  Writer writer;
  if (writer.resume(file, kFields, options, written::arena_memory()) != Status::kOk) return false;
  if (end == End::kCloseAfterRefusal) {
    const Value row[] = {Value(), Value()};
    if (writer.append(row) != Status::kNullValue) return false;
  }
  if (writer.set_key_value(key, "1") != Status::kOk) return false;
  if (end != End::kRoll) return writer.close() == Status::kOk && writer.file_bytes() == file.published;
  CutFile next(1);
  return writer.roll(next) == Status::kOk && writer.close() == Status::kOk;
}

void add_key_values_between_cuts(const Options& options, bool shrinks) {
  static constexpr std::string_view kKeys[] = {"a", "b", "c"};
  for (const End end : kEnds) {
    CutFile file(0, shrinks);
    std::int64_t rows = 0;
    for (const std::string_view key : kKeys) {
      REQUIRE(log_and_cut(file, options, rows));
      REQUIRE(add_key_value(file, options, key, end));
      CHECK(holds(file.view(), rows));
      CHECK_EQ(file.view().key_value(key), "1");
    }
    REQUIRE(add_key_value(file, options, "d", end));
    REQUIRE(log_and_cut(file, options, rows));
    CHECK_EQ(file.view().key_values(), 4U);
  }
}

}  // namespace

TEST("a boot that closes or rolls without a row, with a key-value: later rows go behind the durable ones") {
  for (const bool shrinks : {true, false}) {
    for (const std::uint32_t page_bytes : {512U, 256U}) {
      Options options = cut::options_of(page_bytes);
      add_key_values_between_cuts(options, shrinks);
      options.row_group_bytes = 2 << 10;
      add_key_values_between_cuts(options, shrinks);
    }
  }
}

TEST("a boot that closes without a row: each call of the file fails once, before or after its effect") {
  const Options options = cut::options_of(512);
  for (const bool shrinks : {true, false}) {
    for (const bool takes_effect : {false, true}) {
      int calls = 1;
      for (int n = -1; n < calls; n += kStep) {  // -1: nothing fails
        CutFile file(0, shrinks);
        std::int64_t rows = 0;
        REQUIRE(log_and_cut(file, options, rows));
        Writer writer;
        REQUIRE_EQ(writer.resume(file, kFields, options, written::arena_memory()), Status::kOk);
        REQUIRE_EQ(writer.set_key_value("boot", "2"), Status::kOk);
        const int before = file.calls;
        file.takes_effect = takes_effect;
        if (n >= 0) file.fails_at = before + n;
        Status status = writer.close();
        if (n >= 0) {
          CHECK_EQ(status, Status::kIoError);
          status = writer.close();
        }
        CHECK_EQ(status, Status::kOk);
        if (n < 0) calls = file.calls - before;
        CHECK_EQ(file.violations, 0);
        CHECK(holds(file.view(), rows));
        CHECK_EQ(file.view().key_value("boot"), "2");
        REQUIRE(log_and_cut(file, options, rows));
      }
      CHECK(calls > 5);
    }
  }
}

namespace {

enum class Next { kSame, kKeyValue, kTicks, kCheckpoint, kClose, kRoll, kEndRowGroup };
constexpr Next kNexts[] = {Next::kSame,  Next::kKeyValue, Next::kTicks,      Next::kCheckpoint,
                           Next::kClose, Next::kRoll,     Next::kEndRowGroup};

// A log that goes on with a file. One call of the file fails, and then comes something else than the same
// call of the writer.
class Boot {
 public:
  Boot(CutFile& file, std::int64_t rows, Next next) : file_(file), rows_(rows), next_(next) {}

  // False when a call fails that should not.
  bool run(const Options& options) {
    if (!ok(writer_.resume(file_, kFields, options, written::arena_memory()))) return false;
    if (!ok(writer_.set_key_value("boot", "2"))) return false;
    for (int i = 0; i < 120; ++i) {
      if (!call([&] { return append(writer_, rows_); })) return false;
      if (closed_) return true;
      ++rows_;
      if (i % 3 == 0 && !call([&] { return writer_.tick(now_ms_ += 500); })) return false;
      if (!closed_ && i % 40 == 39 && !call([&] { return writer_.checkpoint(); })) return false;
      if (closed_) return true;
    }
    next_ = Next::kSame;  // nothing else is allowed
    return call([&] { return writer_.close(); });
  }
  std::int64_t rows() const { return rows_; }

 private:
  static bool ok(Status status) { return status == Status::kOk; }

  template <typename Call>
  bool call(Call call) {
    const Status status = call();
    if (status == Status::kOk) return true;
    if (status != Status::kIoError || failed_) return false;
    failed_ = true;
    return next() && (closed_ || ok(call()));
  }
  bool next() {
    switch (next_) {
      case Next::kSame: return true;
      case Next::kKeyValue: {
        const Status status = writer_.set_key_value("status", "the card has answered with an error");
        return ok(status) || status == Status::kWrongState;
      }
      case Next::kTicks:
        for (int i = 0; i < 40; ++i) {
          now_ms_ += 5000;
          if (!ok(writer_.tick(now_ms_))) return false;
        }
        return true;
      case Next::kCheckpoint: return ok(writer_.checkpoint());
      case Next::kClose: closed_ = ok(writer_.close()); return closed_;
      case Next::kRoll: {
        CutFile file(1);
        return closed_ = ok(writer_.roll(file)) && ok(writer_.close());
      }
      case Next::kEndRowGroup: return ok(writer_.end_row_group());
    }
    return false;
  }
  CutFile& file_;
  std::int64_t rows_;
  Next next_;
  Writer writer_;
  std::uint32_t now_ms_ = 0;
  bool failed_ = false;
  bool closed_ = false;
};

bool log_and_close(CutFile& file, const Options& options, std::int64_t& rows) {
  Writer writer;
  bool good = writer.resume(file, kFields, options, written::arena_memory()) == Status::kOk;
  for (int i = 0; i < 30 && good; ++i) good = append(writer, rows++) == Status::kOk;
  return good && writer.close() == Status::kOk;
}

// Each call of the file that a boot makes fails in turn.
void fail_and_go_on(const Options& options, bool cut, bool shrinks, bool takes_effect, Next next) {
  int calls = 1;
  for (int n = -1; n < calls; n += kStep) {  // -1: nothing fails
    CutFile file(0, shrinks);
    std::int64_t rows = 0;
    REQUIRE((cut ? log_and_cut : log_and_close)(file, options, rows));
    Boot boot(file, rows, next);
    int before = file.calls;
    {
      Writer writer;  // what resume() reads does not fail here
      REQUIRE_EQ(writer.resume(file, kFields, options, written::arena_memory()), Status::kOk);
      before = file.calls + (file.calls - before);
    }
    file.takes_effect = takes_effect;
    if (n >= 0) file.fails_at = before + n;
    REQUIRE(boot.run(options));
    if (n < 0) calls = file.calls - before;
    REQUIRE_EQ(file.violations, 0);
    REQUIRE(holds(file.view(), boot.rows()));
  }
  CHECK(calls > 50);
}

}  // namespace

TEST("what a failed call may have published is not written over, whatever is called next") {
  Options options = cut::options_of(512);
  options.row_group_bytes = 2 << 10;
  options.checkpoint_ms = 2000;
  options.checkpoint_ratio = 0;
  for (const bool cut : {true, false}) {
    for (const bool shrinks : {true, false}) {
      for (const bool takes_effect : {false, true}) {
        for (const Next next : kNexts) fail_and_go_on(options, cut, shrinks, takes_effect, next);
      }
    }
  }
}

namespace {

template <typename Call>
bool in_tries(Call call) {
  Status status = Status::kIoError;
  for (int i = 0; i < 200 && status == Status::kIoError; ++i) status = call();
  return status == Status::kOk;
}

}  // namespace

TEST("one call of the file in 20 fails: footers of 120 row groups get through, each call in bounded tries") {
  for (const bool shrinks : {true, false}) {
    Options options = cut::options_of(512);
    options.row_group_bytes = 2 << 10;
    options.row_group_rows = 3;
    CutFile file(0, shrinks);
    file.one_in = 20;
    Writer writer;
    std::int64_t rows = 0;
    REQUIRE(in_tries([&] { return writer.open(file, kFields, options, written::arena_memory()); }));
    for (; rows < 360; ++rows) {
      REQUIRE(in_tries([&] { return append(writer, rows); }));
      if (rows % 120 == 119) REQUIRE(in_tries([&] { return writer.checkpoint(); }));
    }
    REQUIRE(in_tries([&] { return writer.close(); }));
    CHECK_EQ(file.violations, 0);
    CHECK(holds(file.view(), rows));
    CHECK_EQ(file.view().row_groups(), 120U);
  }
}

// Puts `value` into the extension of the last footer, whose checksum is right then. The file without it is
// put back by the destructor.
class Forgery {
 public:
  Forgery(const CutFile& file, std::size_t offset, std::uint32_t value) {
    const view::File view = file.view();
    const std::string_view extension = view.footer().text(view::id::kExtension);
    const auto* const begin = reinterpret_cast<const std::byte*>(extension.data());
    field_ = written::file_memory().data() + (begin - view.bytes().data()) + offset;
    crc_ = written::file_memory().data() + (begin - view.bytes().data()) + extension.size() - sizeof(value);
    std::memcpy(before_, field_, sizeof value);
    std::memcpy(before_ + sizeof value, crc_, sizeof value);
    std::uint32_t entries[5] = {};  // where they begin, ..., bytes of the finished ones, ..., of the open one
    std::memcpy(entries, begin + 28, sizeof entries);
    std::memcpy(field_, &value, sizeof value);
    static std::byte summed[4096];
    const std::byte* const footer = written::file_memory().data() + view.footer_begin();
    const std::byte* const rest = footer + entries[0] + entries[2] + entries[4];
    const auto rest_bytes = static_cast<std::size_t>(crc_ - rest);
    std::memcpy(summed, footer, entries[0]);
    std::memcpy(summed + entries[0], rest, rest_bytes);
    const std::uint32_t crc = view::plain_crc32(summed, entries[0] + rest_bytes);
    std::memcpy(crc_, &crc, sizeof crc);
  }
  ~Forgery() {
    std::memcpy(field_, before_, sizeof(std::uint32_t));
    std::memcpy(crc_, before_ + sizeof(std::uint32_t), sizeof(std::uint32_t));
  }
  Forgery(const Forgery&) = delete;
  Forgery& operator=(const Forgery&) = delete;

 private:
  std::byte* field_;
  std::byte* crc_;
  std::byte before_[8];
};

TEST("a footer whose checksums are right but whose numbers cannot be is kCorrupt, and the file untouched") {
  constexpr std::size_t kRowGroups = 32;
  constexpr std::size_t kNext = 52;
  constexpr std::size_t kSegmentEnd = 56;
  constexpr std::size_t kFreeBegin = 60;
  constexpr std::size_t kFreeEnd = 64;
  constexpr std::size_t kExtent = 68;
  constexpr struct {
    std::size_t field;
    std::uint32_t value;
  } kForged[] = {
      {kRowGroups, 32'768},      {kRowGroups, 0xFFFFFFFF}, {kNext, 0xFFFFFFFF},      {kSegmentEnd, 0},
      {kSegmentEnd, 0xFFFFFFFF}, {kFreeBegin, 0xFFFFFFFF}, {kFreeEnd, 0xFFFFFFFF},   {kExtent, 0},
      {kExtent, 0xFFFFFFFF},     {kExtent + 4, 0},         {kExtent + 4, 0xFFFFFFFF}};
  const Options options = cut::options_of(512);
  CutFile file;
  std::int64_t rows = 0;
  REQUIRE(log_and_cut(file, options, rows));
  const int writes = file.writes;
  for (const auto& forged : kForged) {
    const Forgery forgery(file, forged.field, forged.value);
    Writer writer;
    CHECK_EQ(writer.resume(file, kFields, options, written::arena_memory()), Status::kCorrupt);
  }
  {
    const Forgery most(file, kRowGroups, 32'767);  // and the open one
    Writer writer;
    REQUIRE_EQ(writer.resume(file, kFields, options, written::arena_memory()), Status::kOk);
    CHECK_EQ(append(writer, rows), Status::kLimitReached);
    CHECK_EQ(writer.close(), Status::kOk);
  }
  CHECK_EQ(file.writes, writes);
  REQUIRE(log_and_cut(file, options, rows));
}

// Each would else be larger than the one before, by a 32nd of what that has left empty.
TEST("row groups that end early do not let those that follow grow") {
  Options options = cut::options_of(512);
  options.row_group_bytes = 0;
  options.row_group_rows = 0;
  CutFile file;
  Writer writer;
  REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
  REQUIRE_EQ(append(writer, 0), Status::kOk);
  microparquet::write::in_place_of(microparquet::detail::WriterAccess::state(writer)).published_end =
      (1U << 30) / 512;  // as if it were that long
  REQUIRE_EQ(writer.end_row_group(), Status::kOk);
  CHECK(
      microparquet::write::in_place_of(microparquet::detail::WriterAccess::state(writer)).row_group_sectors <
      (128U << 10) / 512);
}

TEST("a file does not grow beyond 2 TiB: nothing is written, and what it has stays") {
  const Options options = cut::options_of(512);
  CutFile file;
  std::int64_t rows = 0;
  REQUIRE(log_and_close(file, options, rows));
  Writer writer;
  REQUIRE_EQ(writer.resume(file, kFields, options, written::arena_memory()), Status::kOk);
  microparquet::write::in_place_of(microparquet::detail::WriterAccess::state(writer)).published_end =
      0xFFFFFFF0;  // as if it were that long
  file.is_endless = true;
  const int writes = file.writes;
  for (int i = 0; i < 3; ++i) CHECK_EQ(append(writer, rows), Status::kLimitReached);
  CHECK_EQ(file.writes, writes);
  CHECK(holds(file.view(), rows));
}

TEST("a file that has come to 2 TiB takes what its segment takes, and is closed with it") {
  const Options options = cut::options_of(512);
  CutFile file;
  Writer writer;
  REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
  std::int64_t rows = 0;
  REQUIRE_EQ(append(writer, rows++), Status::kOk);
  microparquet::write::in_place_of(microparquet::detail::WriterAccess::state(writer)).published_end =
      0xFFFFFFFF;
  file.is_endless = true;
  CHECK_EQ(writer.checkpoint(), Status::kLimitReached);
  Status status = Status::kOk;
  while ((status = append(writer, rows)) == Status::kOk) ++rows;
  CHECK_EQ(status, Status::kLimitReached);
  CHECK(writer.row_groups() > 1);
  CHECK_EQ(writer.checkpoint(), Status::kLimitReached);
  CHECK_EQ(writer.durable_rows(), 0U);
  REQUIRE_EQ(writer.close(), Status::kOk);
  CHECK_EQ(file.violations, 0);
  CHECK(holds(file.view(), rows));
}
