// Boots: a file that was cut off or closed is resumed, or left without a row.
#include <cstring>
#include <string_view>

#include "cut_file.h"
#include "microparquet/detail/writer_access.h"
#include "support/check.h"
#include "support/names.h"
#include "write/in_place/in_place_layout.h"

using cut::append;
using cut::CutFile;
using cut::holds;
using cut::kFields;
using microparquet::detail::SectorIndex;
using microparquet::detail::Sectors;

namespace {

// Makes one in this many calls fail; a target is too slow for all.
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

TEST("a boot that closes or rolls without a row, with a key-value: later rows go after the durable ones") {
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

// A log that continues a file. One call of the file fails, and then comes something else than the same
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

// Makes each call of the file that a boot makes fail in turn.
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

struct Forged {
  std::size_t field;  // of the extension
  std::uint32_t value;
};
constexpr std::size_t kRows = 16;
constexpr std::size_t kRowGroups = 32;
constexpr std::size_t kNext = 52;
constexpr std::size_t kSegmentEnd = 56;
constexpr std::size_t kFreeBegin = 60;
constexpr std::size_t kFreeEnd = 64;
constexpr std::size_t kExtent = 68;  // of the first column; the second one's follows
constexpr std::size_t kExtentBytes = 8;

// Puts numbers into the extension of the last footer, whose checksum is right then. `counted`: its list of
// row groups says as many. The footer as it was is put back by the destructor.
class Forgery {
 public:
  Forgery(const CutFile& file, Span<const Forged> forged, bool counted = false) {
    const view::File view = file.view();
    footer_ = written::file_memory().data() + view.footer_begin();
    bytes_ = static_cast<std::size_t>(file.published) - view.footer_begin();
    std::memcpy(before_, footer_, bytes_);
    const std::string_view text = view.footer().text(view::id::kFooterExtension);
    extension_ = footer_ + (reinterpret_cast<const std::byte*>(text.data()) - view.bytes().data()) -
                 static_cast<std::ptrdiff_t>(view.footer_begin());
    for (const Forged& one : forged) std::memcpy(extension_ + one.field, &one.value, sizeof one.value);
    const std::size_t entries_begin = number(28);
    if (counted) count_row_groups(footer_ + entries_begin, number(kRowGroups) + (number(44) != 0 ? 1 : 0));
    std::byte* const crc = extension_ + text.size() - sizeof(std::uint32_t);
    const std::byte* const rest = footer_ + entries_begin + number(36) + number(44);
    const auto rest_bytes = static_cast<std::size_t>(crc - rest);
    static std::byte summed[sizeof before_];
    std::memcpy(summed, footer_, entries_begin);
    std::memcpy(summed + entries_begin, rest, rest_bytes);
    const std::uint32_t sum = view::plain_crc32(summed, entries_begin + rest_bytes);
    std::memcpy(crc, &sum, sizeof sum);
  }
  ~Forgery() { std::memcpy(footer_, before_, bytes_); }
  Forgery(const Forgery&) = delete;
  Forgery& operator=(const Forgery&) = delete;

 private:
  std::uint32_t number(std::size_t field) const {
    std::uint32_t value = 0;
    std::memcpy(&value, extension_ + field, sizeof value);
    return value;
  }
  // The number ends where the entries begin.
  static void count_row_groups(std::byte* end, std::uint32_t row_groups) {
    for (std::size_t i = 5; i != 0; --i, row_groups >>= 7)
      end[-static_cast<std::ptrdiff_t>(i)] = static_cast<std::byte>((row_groups & 0x7F) | (i > 1 ? 0x80 : 0));
  }

  std::byte* footer_;
  std::size_t bytes_;
  std::byte* extension_;
  std::byte before_[8 << 10];
};

std::uint32_t said(const CutFile& file, std::size_t field) {
  std::uint32_t value = 0;
  const std::string_view extension = file.view().footer().text(view::id::kFooterExtension);
  std::memcpy(&value, extension.data() + field, sizeof value);
  return value;
}

Status resume_forged(CutFile& file, const Options& options, Span<const Forged> forged, bool counted = false) {
  const Forgery forgery(file, forged, counted);
  Writer writer;
  return writer.resume(file, kFields, options, written::arena_memory());
}

TEST("a footer whose checksums are right but whose numbers cannot be is kCorrupt, and the file untouched") {
  constexpr Forged kForged[] = {
      {kRowGroups, 32'768},      {kRowGroups, 0xFFFFFFFF}, {kNext, 0xFFFFFFFF},      {kSegmentEnd, 0},
      {kSegmentEnd, 0xFFFFFFFF}, {kFreeBegin, 0xFFFFFFFF}, {kFreeEnd, 0xFFFFFFFF},   {kExtent, 0},
      {kExtent, 0xFFFFFFFF},     {kExtent + 4, 0},         {kExtent + 4, 0xFFFFFFFF}};
  const Options options = cut::options_of(512);
  CutFile file;
  std::int64_t rows = 0;
  REQUIRE(log_and_cut(file, options, rows));
  const int writes = file.writes;
  for (const Forged& forged : kForged)
    CHECK_EQ(resume_forged(file, options, Span<const Forged>(&forged, 1), true), Status::kCorrupt);
  {
    const Forged most[] = {{kRowGroups, 32'767}};  // and the open one
    const Forgery forgery(file, most, true);
    Writer writer;
    REQUIRE_EQ(writer.resume(file, kFields, options, written::arena_memory()), Status::kOk);
    CHECK_EQ(append(writer, rows), Status::kLimitReached);
    CHECK_EQ(writer.close(), Status::kOk);
  }
  CHECK_EQ(file.writes, writes);
  REQUIRE(log_and_cut(file, options, rows));
}

TEST("a resume() that has failed leaves a writer without rows, whatever it has read") {
  const Options options = cut::options_of(512);
  CutFile file;
  std::int64_t rows = 0;
  REQUIRE(log_and_cut(file, options, rows));
  const auto is_empty = [](const Writer& writer) {
    return writer.rows() == 0 && writer.durable_rows() == 0 && writer.row_groups() == 0;
  };
  Writer writer;
  Status status = Status::kIoError;
  for (int call = 0; status == Status::kIoError; ++call) {
    file.calls = 0;
    file.fails_at = call;
    status = writer.resume(file, kFields, options, written::arena_memory());
    if (status == Status::kIoError) CHECK(is_empty(writer));
  }
  REQUIRE_EQ(status, Status::kOk);
  CHECK_EQ(writer.rows(), static_cast<std::uint64_t>(rows));
  writer.reset();
  file.fails_at = -1;

  const Forged forged = {kRowGroups, 0xFFFFFFFF};
  const Forgery forgery(file, Span<const Forged>(&forged, 1), true);
  CHECK_EQ(writer.resume(file, kFields, options, written::arena_memory()), Status::kCorrupt);
  CHECK(is_empty(writer));
}

// Each row group would otherwise be larger than the one before, by a 32nd of what that has left empty.
TEST("row groups that end early do not let those that follow grow") {
  Options options = cut::options_of(512);
  options.row_group_bytes = 0;
  options.row_group_rows = 0;
  CutFile file;
  Writer writer;
  REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
  REQUIRE_EQ(append(writer, 0), Status::kOk);
  microparquet::write::in_place_of(microparquet::detail::WriterAccess::state(writer)).published_end =
      SectorIndex::of(1U << 30);  // as if it were that long
  REQUIRE_EQ(writer.end_row_group(), Status::kOk);
  CHECK(
      microparquet::write::in_place_of(microparquet::detail::WriterAccess::state(writer)).row_group_sectors <
      Sectors::holding(128U << 10));
}

TEST("a footer whose extension counts other rows or row groups than its list is kCorrupt") {
  const Options options = cut::options_of(512);
  CutFile file;
  std::int64_t rows = 0;
  REQUIRE(log_and_cut(file, options, rows));
  const int writes = file.writes;
  for (const std::size_t field : {kRows, kRows + 4, kRowGroups}) {
    for (const std::uint32_t more : {1U, 0xFFFFFFFFU}) {
      const Forged forged[] = {{field, said(file, field) + more}};
      CHECK_EQ(resume_forged(file, options, forged), Status::kCorrupt);
    }
  }
  CHECK_EQ(file.writes, writes);
  REQUIRE(log_and_cut(file, options, rows));
}

TEST("a footer with a segment, or an open row group, and no place for the next row group is kCorrupt") {
  const Options options = cut::options_of(512);
  for (const bool open : {true, false}) {
    CutFile file(0, false);
    std::int64_t rows = 0;
    REQUIRE((open ? log_and_cut : log_and_close)(file, options, rows));
    REQUIRE(said(file, kSegmentEnd) != 0);
    const int writes = file.writes;
    const Forged no_place[] = {{kNext, 0}};
    CHECK_EQ(resume_forged(file, options, no_place), Status::kCorrupt);
    const Forged no_segment[] = {{kNext, 0}, {kSegmentEnd, 0}};
    CHECK_EQ(resume_forged(file, options, no_segment), open ? Status::kCorrupt : Status::kOk);
    CHECK_EQ(file.writes, writes);
    REQUIRE(log_and_cut(file, options, rows));
  }
}

TEST("a footer whose columns' free extents overlap is kCorrupt") {
  Options options = cut::options_of(512);
  options.row_group_bytes = 64 << 10;  // no extent is full
  CutFile file;
  std::int64_t rows = 0;
  REQUIRE(log_and_cut(file, options, rows));
  const std::uint32_t begin = said(file, kExtent);
  const std::uint32_t end = said(file, kExtent + 4);
  const std::uint32_t other = said(file, kExtent + kExtentBytes);
  REQUIRE(begin < end && end <= other);
  const int writes = file.writes;
  const Forged same[] = {{kExtent + kExtentBytes, begin}, {kExtent + kExtentBytes + 4, end}};
  CHECK_EQ(resume_forged(file, options, same), Status::kCorrupt);
  const Forged by_one[] = {{kExtent + 4, other + 1}};
  CHECK_EQ(resume_forged(file, options, by_one), Status::kCorrupt);
  CHECK_EQ(file.writes, writes);
  REQUIRE(log_and_cut(file, options, rows));
}

TEST("a footer that names a place inside finished row groups for the next one costs no row") {
  const Options options = cut::options_of(512);
  CutFile file(0, false);
  std::int64_t rows = 0;
  for (int boot = 0; boot < 2; ++boot) REQUIRE(log_and_close(file, options, rows));
  const std::uint32_t next = said(file, kNext);
  REQUIRE(said(file, kSegmentEnd) > next + 1);
  std::byte* const before = written::file_memory(1).data();
  const auto bytes = static_cast<std::size_t>(file.published);
  std::memcpy(before, written::file_memory().data(), bytes);
  for (std::uint32_t place = next - 1; place > next - 16; --place) {
    std::memcpy(written::file_memory().data(), before, bytes);
    CutFile forged_file(0, false, bytes);
    {
      const Forged forged[] = {{kNext, place}};
      const Forgery forgery(forged_file, forged);
      Writer writer;
      REQUIRE_EQ(writer.resume(forged_file, kFields, options, written::arena_memory()), Status::kOk);
      for (std::int64_t n = 0; n < 60; ++n) REQUIRE_EQ(append(writer, rows + n), Status::kOk);
      REQUIRE_EQ(writer.close(), Status::kOk);
    }
    if (!CHECK(holds(forged_file.view(), rows + 60))) break;
  }
}

namespace {

// Closes a file that was cut off as an earlier version of the library did before a row came: with a footer at
// the end that names the offset of the interrupted row group as that of the next one.
bool close_naming_taken_place(CutFile& file, const Options& options) {
  Writer writer;
  if (writer.resume(file, kFields, options, written::arena_memory()) != Status::kOk) return false;
  microparquet::write::in_place_of(microparquet::detail::WriterAccess::state(writer)).continue_file = nullptr;
  microparquet::detail::WriterAccess::state(writer).shrinks = false;
  return writer.set_key_value("old", "1") == Status::kOk && writer.close() == Status::kOk;
}

}  // namespace

TEST("a footer that names the last row group's offset as that of the next one costs no row") {
  for (const bool another_boot : {false, true}) {
    const Options options = cut::options_of(512);
    CutFile file;
    std::int64_t rows = 0;
    for (int boot = 0; boot < (another_boot ? 2 : 1); ++boot) REQUIRE(log_and_cut(file, options, rows));
    const std::uint32_t place = said(file, kNext);
    REQUIRE(close_naming_taken_place(file, options));
    REQUIRE_EQ(said(file, kNext), place);
    REQUIRE(said(file, kSegmentEnd) != 0);
    if (another_boot) REQUIRE(add_key_value(file, options, "b", End::kClose));
    for (int i = 0; i < 3; ++i) REQUIRE(log_and_cut(file, options, rows));
    REQUIRE(log_and_close(file, options, rows));
    CHECK(holds(file.view(), rows));
    CHECK_EQ(file.view().key_value("old"), "1");
  }
}

namespace {

// Resumes, and repeats the call until it is done, while call `fails_at` of the file fails, or one in that many.
bool resumes_under_faults(CutFile& file, const Options& options, std::int64_t rows, unsigned one_in,
                          int fails_at) {
  const int before = file.calls;
  file.one_in = one_in;
  file.fails_at = fails_at < 0 ? -1 : before + fails_at;
  Writer writer;
  const bool done = in_tries([&] { return writer.resume(file, kFields, options, written::arena_memory()); });
  file.one_in = 0;
  file.fails_at = -1;
  return done && writer.rows() == static_cast<std::uint64_t>(rows);
}

}  // namespace

TEST("resume() whose reads fail is repeated: it gets through, and writes nothing") {
  for (const bool in_place : {true, false}) {
    Options options = in_place ? cut::options_of(512) : written::forward(256, 2048);
    options.row_group_rows = 20;
    CutFile file;
    std::int64_t rows = 0;
    REQUIRE(log_and_cut(file, options, rows));
    const int writes = file.writes;
    const int before = file.calls;
    REQUIRE(resumes_under_faults(file, options, rows, 0, -1));
    const int calls = file.calls - before;
    CHECK(calls > 5);
    for (int n = 0; n < calls; n += kStep) CHECK(resumes_under_faults(file, options, rows, 0, n));
    for (int n = 0; n < 10; ++n) CHECK(resumes_under_faults(file, options, rows, 40, -1));
    CHECK_EQ(file.writes, writes);
    REQUIRE(log_and_cut(file, options, rows));
  }
}

TEST("open() whose calls fail is repeated: it gets through, and nothing that counts is written twice") {
  for (const bool takes_effect : {false, true}) {
    int calls = 1;
    for (int n = -1; n < calls; ++n) {  // -1: nothing fails
      const Options options = cut::options_of(512);
      CutFile file;
      file.takes_effect = takes_effect;
      file.fails_at = n;
      Writer writer;
      REQUIRE(in_tries([&] { return writer.open(file, kFields, options, written::arena_memory()); }));
      if (n < 0) calls = file.calls;
      CHECK_EQ(file.violations, 0);
      for (std::int64_t row = 0; row < 50; ++row) REQUIRE_EQ(append(writer, row), Status::kOk);
      REQUIRE_EQ(writer.close(), Status::kOk);
      CHECK(holds(file.view(), 50));
    }
    CHECK(calls > 5);
  }
}

TEST(
    "a file that has rows is not continued where row groups are kept in memory: kUnsupported, and it is "
    "untouched") {
  Options options = written::forward(256, 2048);
  CutFile file;
  std::int64_t rows = 0;
  REQUIRE(log_and_close(file, options, rows));
  const int writes = file.writes;
  const std::size_t read_bytes = file.read_bytes;
  options.max_row_groups_in_memory = 4;
  Writer writer;
  for (int i = 0; i < 2; ++i)
    CHECK_EQ(writer.resume(file, kFields, options, written::arena_memory()), Status::kUnsupported);
  CHECK_EQ(append(writer, rows), Status::kWrongState);
  CHECK_EQ(file.writes, writes);
  CHECK_EQ(file.read_bytes, read_bytes);
  CHECK(holds(file.view(), rows));
  CutFile next(1);
  REQUIRE_EQ(writer.resume(next, kFields, options, written::arena_memory()), Status::kOk);
  CHECK_EQ(append(writer, 0), Status::kOk);
  CHECK_EQ(writer.close(), Status::kOk);
  CHECK(holds(next.view(), 1));
}

TEST("a file does not grow beyond 2 TiB: nothing is written, and what it has stays") {
  const Options options = cut::options_of(512);
  CutFile file;
  std::int64_t rows = 0;
  REQUIRE(log_and_close(file, options, rows));
  Writer writer;
  REQUIRE_EQ(writer.resume(file, kFields, options, written::arena_memory()), Status::kOk);
  microparquet::write::InPlaceState& in_place =
      microparquet::write::in_place_of(microparquet::detail::WriterAccess::state(writer));
  in_place.published_end = SectorIndex(0xFFFFFFF0);  // as if it were that long
  in_place.footers_begin = in_place.published_end;
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
      SectorIndex(0xFFFFFFFF);
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

TEST(
    "a full medium leaves a file that is resumed as it is: key-values that find no space keep nobody from "
    "closing it") {
  for (const Options& options : {written::in_place(512), written::forward(256, 4096)}) {
    std::size_t bytes = 0;
    {
      microparquet::MemoryFile file(written::file_memory());
      Writer writer;
      REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
      for (std::int64_t row = 0; row < 50; ++row) REQUIRE_EQ(append(writer, row), Status::kOk);
      REQUIRE_EQ(writer.close(), Status::kOk);
      bytes = file.contents().size();
    }
    static constexpr char kLong[] =
        "a text that is longer than what a file has left of its last sector, whatever that is";
    const microparquet::KeyValue pairs[] = {{"a", kLong}, {"b", kLong}, {"c", kLong}, {"d", kLong},
                                            {"e", kLong}, {"f", kLong}, {"g", kLong}, {"h", kLong}};
    Options more = options;
    more.max_key_values = 8;
    microparquet::MemoryFile file(Span<std::byte>(written::file_memory().data(), bytes), bytes);
    Writer writer;
    REQUIRE_EQ(writer.resume(file, kFields, more, written::arena_memory(), {pairs}), Status::kOk);
    CHECK_EQ(writer.close(), Status::kOk);
    CHECK_EQ(writer.rows(), 50U);
    CHECK_EQ(file.contents().size(), bytes);
    CHECK(holds(view::File(file.contents()), 50));

    // A row needs space, and says so.
    REQUIRE_EQ(writer.resume(file, kFields, more, written::arena_memory(), {pairs}), Status::kOk);
    Status status = append(writer, 50);
    if (status == Status::kOk) status = writer.close();
    CHECK_EQ(status, Status::kNoSpace);
    CHECK_EQ(writer.durable_rows(), 50U);
  }
}
