// Boots: a file that was cut off or closed is gone on with, or left without a row.
#include <string_view>

#include "check.h"
#include "cut_file.h"

using cut::append;
using cut::CutFile;
using cut::holds;
using cut::kFields;
using microparquet::Options;
using microparquet::Status;
using microparquet::Value;
using microparquet::Writer;

namespace {

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
      for (int n = -1; n < calls; ++n) {  // -1: nothing fails
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
