// Key-values from a file's first footer on, and of a file that is resumed: each key stands once.
#include <cstring>

#include "cut_file.h"
#include "microparquet/dropped_rows.h"
#include "microparquet/static_writer.h"
#include "support/check.h"
#include "support/misread_file.h"
#include "support/names.h"

using cut::append;
using cut::CutFile;
using cut::holds;
using cut::kFields;
using microparquet::DroppedRows;
using microparquet::FileStart;
using microparquet::KeyValue;

namespace {

constexpr KeyValue kAbout[] = {{"device", "6A1B0042"}, {"firmware", "1.0.0"}, {"session", "1"}};

Options options_of(bool in_place, std::uint8_t key_values = 4) {
  Options options = in_place ? cut::options_of(512) : written::forward(256, 2048);
  options.max_key_values = key_values;
  return options;
}

Status open(Writer& writer, CutFile& file, const Options& options, const FileStart& start) {
  return writer.open(file, kFields, options, written::arena_memory(), start);
}
Status resume(Writer& writer, CutFile& file, const Options& options, const FileStart& start = {}) {
  return writer.resume(file, kFields, options, written::arena_memory(), start);
}

bool has(const view::File& file, Span<const KeyValue> pairs) {
  if (!file.whole() || file.key_values() != pairs.size()) return false;
  for (const KeyValue& pair : pairs) {
    if (file.key_value(pair.key) != pair.value) return false;
  }
  return true;
}

std::uint32_t file_id(const view::File& file) {
  std::uint32_t id = 0;
  std::memcpy(&id, file.footer().text(view::id::kFooterExtension).data() + 8, sizeof id);
  return id;
}

// A boot that logs some rows after `rows`, has them durable, and is cut off.
bool log_and_cut(CutFile& file, const Options& options, std::int64_t& rows, const FileStart& start) {
  Writer writer;
  bool good = resume(writer, file, options, start) == Status::kOk;
  for (int i = 0; i < 20 && good; ++i) good = append(writer, rows++) == Status::kOk;
  good = good && writer.checkpoint() == Status::kOk && append(writer, -1) == Status::kOk;
  file.cut();
  return good && holds(file.view(), rows);
}

}  // namespace

TEST("key-values given to open() are in the file before its first row, with the file id, in both layouts") {
  for (const bool in_place : {true, false}) {
    CutFile file;
    Writer writer;
    REQUIRE_EQ(open(writer, file, options_of(in_place), {kAbout, 77}), Status::kOk);
    file.cut();
    CHECK(has(file.view(), kAbout));
    CHECK_EQ(file_id(file.view()), 77U);
    CHECK_EQ(file.view().rows(), 0);
  }
}

TEST(
    "key-values given to resume() are in a new file's first footer, and a writer of structs has both calls") {
  struct Row {
    std::int64_t n;
  };
  static constexpr auto kSchema = microparquet::schema(microparquet::column("n", &Row::n));
  static microparquet::StaticWriter<kSchema> writer;
  for (const bool resumes : {true, false}) {
    CutFile file;
    REQUIRE_EQ(resumes ? writer.resume(file, {kAbout, 5}) : writer.open(file, {kAbout}), Status::kOk);
    CHECK(has(file.view(), kAbout));
    CHECK_EQ(file_id(file.view()), resumes ? 5U : 0U);
    CHECK_EQ(writer.append({1}), Status::kOk);
    CHECK_EQ(writer.close(), Status::kOk);
    CHECK(has(file.view(), kAbout));
    CHECK_EQ(writer.resume(file, {kAbout, 6}), Status::kOk);
    CHECK_EQ(writer.append({2}), Status::kOk);
    CHECK_EQ(writer.close(), Status::kOk);
    CHECK(has(file.view(), kAbout));
    CHECK_EQ(file_id(file.view()), resumes ? 5U : 0U);  // of the file
  }
}

TEST("more key-values than places: kOutOfMemory, and nothing is written") {
  const Options options = options_of(true, 2);
  CutFile file;
  Writer writer;
  CHECK_EQ(open(writer, file, options, {kAbout}), Status::kOutOfMemory);
  CHECK_EQ(resume(writer, file, options, {kAbout}), Status::kOutOfMemory);
  CHECK_EQ(file.writes, 0);
  REQUIRE_EQ(open(writer, file, options, {Span<const KeyValue>(kAbout, 2)}), Status::kOk);
  CHECK_EQ(append(writer, 0), Status::kOk);
  CHECK_EQ(writer.close(), Status::kOk);
  const int writes = file.writes;
  CHECK_EQ(resume(writer, file, options, {kAbout}), Status::kOutOfMemory);
  CHECK_EQ(writer.checkpoint(), Status::kWrongState);
  CHECK_EQ(file.writes, writes);
  REQUIRE_EQ(resume(writer, file, options, {Span<const KeyValue>(kAbout + 1, 2)}), Status::kOk);
  CHECK_EQ(writer.close(), Status::kOk);
  CHECK(has(file.view(), kAbout));

  Options none = options;
  none.max_key_values = 0;
  REQUIRE_EQ(resume(writer, file, none), Status::kOk);
  CHECK_EQ(writer.set_key_value("session", "2"), Status::kOutOfMemory);
  CHECK_EQ(append(writer, 1), Status::kOk);
  CHECK_EQ(writer.close(), Status::kOk);
  CHECK(has(file.view(), kAbout));
}

TEST("key-values that a file has are not repeated, and write nothing by themselves") {
  for (const bool in_place : {true, false}) {
    const Options options = options_of(in_place);
    CutFile file;
    std::int64_t rows = 0;
    REQUIRE(log_and_cut(file, options, rows, {kAbout}));
    const int writes = file.writes;
    Writer writer;
    for (const KeyValue& pair : kAbout) {
      REQUIRE_EQ(resume(writer, file, options, {Span<const KeyValue>(&pair, 1)}), Status::kOk);
      CHECK_EQ(writer.close(), Status::kOk);
    }
    REQUIRE_EQ(resume(writer, file, options, {kAbout}), Status::kOk);
    CHECK_EQ(writer.set_key_value("none", ""), Status::kOk);
    writer.reset();
    REQUIRE_EQ(resume(writer, file, options, {kAbout}), Status::kOk);
    CHECK_EQ(writer.close(), Status::kOk);
    CHECK_EQ(writer.file_bytes(), file.published);
    CHECK_EQ(file.writes, writes);
    REQUIRE(log_and_cut(file, options, rows, {kAbout}));
    CHECK(has(file.view(), kAbout));
  }
}

TEST("a key-value with another value replaces the file's, given to resume() or set later, boot after boot") {
  static constexpr std::string_view kSessions[] = {"2", "a longer one", "", "3"};
  for (const bool in_place : {true, false}) {
    for (const bool later : {true, false}) {
      const Options options = options_of(in_place);
      CutFile file;
      std::int64_t rows = 0;
      REQUIRE(log_and_cut(file, options, rows, {kAbout}));
      for (const std::string_view session : kSessions) {
        const KeyValue now[] = {{"session", session}};
        const KeyValue all[] = {kAbout[0], kAbout[1], now[0]};
        Writer writer;
        REQUIRE_EQ(resume(writer, file, options, later ? FileStart{} : FileStart{now}), Status::kOk);
        CHECK_EQ(append(writer, rows++), Status::kOk);
        if (later) CHECK_EQ(writer.set_key_value("session", "?"), Status::kOk);
        if (later) CHECK_EQ(writer.set_key_value("session", session), Status::kOk);
        CHECK_EQ(writer.checkpoint(), Status::kOk);
        CHECK(has(file.view(), all));
        CHECK_EQ(append(writer, rows++), Status::kOk);
        CHECK_EQ(writer.close(), Status::kOk);
        CHECK(has(file.view(), all));
        // The same without a row.
        REQUIRE_EQ(resume(writer, file, options), Status::kOk);
        CHECK_EQ(writer.set_key_value("firmware", "2"), Status::kOk);
        CHECK_EQ(writer.set_key_value("firmware", "1.0.0"), Status::kOk);
        CHECK_EQ(writer.close(), Status::kOk);
        CHECK(has(file.view(), all));
      }
      CHECK(holds(file.view(), rows));
    }
  }
}

TEST("any of a file's key-values may be replaced, all of them as well, while footers go out in steps") {
  constexpr unsigned kPairs = 18;
  static char keys[kPairs][8];
  static char long_value[301];
  std::memset(long_value, 'x', sizeof long_value - 1);
  const auto key = [](unsigned i) {
    std::memcpy(keys[i], "key", 3);
    keys[i][3] = static_cast<char>('a' + i);
    return std::string_view(keys[i], 4 + i % 4);
  };
  for (unsigned pattern = 0; pattern < 40; ++pattern) {
    Options options = options_of(true, kPairs);
    options.checkpoint_ms = 1;
    options.checkpoint_ratio = 0;
    CutFile file;
    Writer writer;
    REQUIRE_EQ(open(writer, file, options, {}), Status::kOk);
    for (unsigned i = 0; i < kPairs; ++i)
      REQUIRE_EQ(writer.set_key_value(key(i), written::part(long_value, 0, i * 17)), Status::kOk);
    CHECK_EQ(append(writer, 0), Status::kOk);
    REQUIRE_EQ(writer.close(), Status::kOk);

    const auto replaced = [&](unsigned i) { return pattern == 0 || written::mix(pattern, i) % 3 == 0; };
    REQUIRE_EQ(resume(writer, file, options), Status::kOk);
    CHECK_EQ(append(writer, 1), Status::kOk);
    for (unsigned i = kPairs; i-- > 0;) {
      if (replaced(i)) CHECK_EQ(writer.set_key_value(key(i), "new"), Status::kOk);
    }
    std::uint32_t ms = 0;
    for (int tries = 0; writer.durable_rows() != 2 && tries < 100; ++tries)
      CHECK_EQ(writer.tick(ms += 2), Status::kOk);
    for (const bool closes : {false, true}) {
      if (closes) CHECK_EQ(writer.close(), Status::kOk);
      CHECK(holds(file.view(), 2));
      CHECK_EQ(file.view().key_values(), kPairs);
      for (unsigned i = 0; i < kPairs; ++i)
        CHECK(file.view().key_value(key(i)) == (replaced(i) ? "new" : written::part(long_value, 0, i * 17)));
    }
    CHECK_EQ(file.violations, 0);
  }
}

TEST("roll() takes along what was set, also what the file had; the next file has the next id") {
  for (const bool in_place : {true, false}) {
    const Options options = options_of(in_place);
    CutFile file;
    std::int64_t rows = 0;
    REQUIRE(log_and_cut(file, options, rows, {kAbout, 41}));
    Writer writer;
    REQUIRE_EQ(resume(writer, file, options, {Span<const KeyValue>(kAbout, 2), 90}), Status::kOk);
    CutFile next(1);
    REQUIRE_EQ(writer.roll(next), Status::kOk);
    CHECK(has(next.view(), Span<const KeyValue>(kAbout, 2)));
    CHECK_EQ(file_id(next.view()), 42U);
    CHECK_EQ(append(writer, 0), Status::kOk);
    CHECK_EQ(writer.close(), Status::kOk);
    CHECK(has(file.view(), kAbout));
    CHECK(has(next.view(), Span<const KeyValue>(kAbout, 2)));
    CHECK_EQ(file_id(next.view()), 42U);
  }
}

TEST("reset() forgets key-values and file id") {
  CutFile file;
  Writer writer;
  REQUIRE_EQ(open(writer, file, options_of(true), {kAbout, 9}), Status::kOk);
  writer.reset();
  CutFile next(1);
  REQUIRE_EQ(writer.open(next, kFields, options_of(true), written::arena_memory()), Status::kOk);
  CHECK_EQ(next.view().key_values(), 0U);
  CHECK_EQ(file_id(next.view()), 0U);
}

TEST("each call of the file fails once while key-values are given and set: repeated, they stand once") {
  for (const bool in_place : {true, false}) {
    const Options options = options_of(in_place);
    for (int at = 0;; ++at) {
      CutFile file;
      std::int64_t rows = 0;
      REQUIRE(log_and_cut(file, options, rows, {kAbout}));
      file.fails_at = file.calls + at;
      const auto again = [&](auto call) {
        const Status status = call();
        return status == Status::kIoError ? call() : status;
      };
      const KeyValue now[] = {{"session", "2"}, {"device", "6A1B0042"}};
      Writer writer;
      CHECK_EQ(again([&] { return resume(writer, file, options, {now}); }), Status::kOk);
      CHECK_EQ(again([&] { return append(writer, rows); }), Status::kOk);
      CHECK_EQ(again([&] { return writer.set_key_value("firmware", "2"); }), Status::kOk);
      CHECK_EQ(again([&] { return writer.checkpoint(); }), Status::kOk);
      CHECK_EQ(again([&] { return writer.close(); }), Status::kOk);
      const KeyValue all[] = {now[0], now[1], {"firmware", "2"}};
      CHECK(holds(file.view(), rows + 1));
      if (!CHECK(has(file.view(), all))) break;
      if (file.calls <= file.fails_at) break;
    }
  }
}

TEST("key-values that are misread once are not taken over wrongly; a repeated call reads them right") {
  const Options options = options_of(true);
  int noticed = 0;
  for (int at = 0; at < 60; ++at) {
    CutFile file;
    std::int64_t rows = 0;
    REQUIRE(log_and_cut(file, options, rows, {kAbout}));
    support::MisreadFile misread(file);
    Writer writer;
    REQUIRE_EQ(writer.resume(misread, kFields, options, written::arena_memory()), Status::kOk);
    CHECK_EQ(append(writer, rows), Status::kOk);
    misread.reads_left = at;
    Status status = writer.set_key_value("firmware", "2");
    CHECK(status == Status::kOk || status == Status::kCorrupt);
    if (status == Status::kCorrupt) {
      ++noticed;
      CHECK_EQ(writer.set_key_value("firmware", "2"), Status::kOk);
    }
    misread.reads_left = -1;
    status = writer.close();
    // The checksum of the next footer finds a name that was misread; that footer is then not published.
    CHECK(status == Status::kOk || status == Status::kCorrupt);
    if (status == Status::kCorrupt) {
      CHECK(has(file.view(), kAbout));
      continue;
    }
    const KeyValue all[] = {kAbout[0], {"firmware", "2"}, kAbout[2]};
    CHECK(has(file.view(), all));
  }
  CHECK(noticed > 5);
}

TEST(
    "a read that fails while the keys of a file are compared is an I/O error, and the call can be repeated") {
  const Options options = options_of(true);
  CutFile file;
  std::int64_t rows = 0;
  REQUIRE(log_and_cut(file, options, rows, {kAbout}));
  constexpr KeyValue kOfOneLength[] = {{"session", "2"}, {"sensors", "3"}};  // both are compared with one
  int failures = 0;
  for (bool fails = true; fails; failures += fails ? 1 : 0) {
    Writer writer;
    REQUIRE_EQ(resume(writer, file, options, {kOfOneLength}), Status::kOk);
    file.fails_at = file.calls + failures;
    const Status status = writer.set_key_value("firmware", "2");
    fails = status != Status::kOk;
    CHECK_EQ(status, fails ? Status::kIoError : Status::kOk);
    CHECK_EQ(writer.set_key_value("firmware", "2"), Status::kOk);
  }
  CHECK(failures > 3);
}

TEST("a closed file that gets a key-value and no row ends with a footer that names its own place") {
  for (const bool shrinks : {true, false}) {
    const Options options = options_of(true);
    CutFile file(0, shrinks);
    Writer writer;
    REQUIRE_EQ(open(writer, file, options, {}), Status::kOk);
    CHECK_EQ(append(writer, 0), Status::kOk);
    CHECK_EQ(writer.close(), Status::kOk);
    REQUIRE_EQ(resume(writer, file, options, {kAbout}), Status::kOk);
    CHECK_EQ(writer.close(), Status::kOk);
    CHECK(has(file.view(), kAbout));
    constexpr std::size_t kNext = 52;  // in the extension, in sectors
    std::uint32_t places[2] = {};      // next, and the end of its segment
    std::memcpy(places, file.view().footer().text(view::id::kFooterExtension).data() + kNext, sizeof places);
    const bool names_itself = places[0] * std::uint64_t{512} == file.view().footer_begin();
    CHECK(names_itself || places[0] < places[1]);
  }
}

TEST("a file in which a key stands twice, as older versions left it, has it once from the next change on") {
  const Options options = options_of(true);
  CutFile file;
  Writer writer;
  const KeyValue twice[] = {{"boot", "1"}, {"device", "a"}, {"bOOt", "2"}};
  REQUIRE_EQ(open(writer, file, options, {twice}), Status::kOk);
  CHECK_EQ(append(writer, 0), Status::kOk);
  CHECK_EQ(writer.close(), Status::kOk);
  // Both are called the same now, and the checksum of the footer is right.
  const view::File view = file.view();
  const Span<std::byte> memory = written::file_memory(0);
  const std::byte* const list = view.footer().list(view::id::kKeyValues).structure(2).begin();
  std::memcpy(memory.data() + (list - memory.data()) + 2, "boot", 4);
  const std::string_view extension = view.footer().text(view::id::kFooterExtension);
  std::uint32_t entries_offset = 0;
  std::uint32_t entries_bytes = 0;
  std::memcpy(&entries_offset, extension.data() + 28, sizeof entries_offset);
  std::memcpy(&entries_bytes, extension.data() + 36, sizeof entries_bytes);
  static std::byte summed[4096];
  const std::byte* const begin = memory.data() + view.footer_begin();
  const std::byte* const rest = begin + entries_offset + entries_bytes;
  const auto* const crc_at = reinterpret_cast<const std::byte*>(extension.data()) + extension.size() - 4;
  std::memcpy(summed, begin, entries_offset);
  std::memcpy(summed + entries_offset, rest, static_cast<std::size_t>(crc_at - rest));
  const std::uint32_t crc =
      view::plain_crc32(summed, entries_offset + static_cast<std::size_t>(crc_at - rest));
  std::memcpy(memory.data() + (crc_at - memory.data()), &crc, sizeof crc);

  REQUIRE_EQ(resume(writer, file, options), Status::kOk);
  CHECK_EQ(writer.close(), Status::kOk);
  CHECK_EQ(file.view().key_values(), 3U);
  REQUIRE_EQ(resume(writer, file, options), Status::kOk);
  CHECK_EQ(writer.set_key_value("boot", "2"), Status::kOk);
  CHECK_EQ(writer.close(), Status::kOk);
  const KeyValue all[] = {{"boot", "2"}, {"device", "a"}};
  CHECK(has(file.view(), all));
}

TEST("the rows refused stand in the first footer, and once however many boots there were") {
  const Options options = options_of(true);
  CutFile file;
  std::int64_t rows = 0;
  for (const std::uint32_t before : {0U, 0U, 12U}) {
    Writer writer;
    DroppedRows dropped;
    const KeyValue pairs[] = {dropped.key_value(before)};
    REQUIRE_EQ(resume(writer, file, options, {pairs}), Status::kOk);
    if (rows == 0) CHECK_EQ(file.view().key_value("rows_dropped"), "0");
    CHECK_EQ(append(writer, rows++), Status::kOk);
    CHECK_EQ(dropped.update(writer, 7), Status::kOk);
    CHECK_EQ(writer.checkpoint(), Status::kOk);
    CHECK_EQ(file.view().key_values(), 1U);
    CHECK_EQ(file.view().key_value("rows_dropped"), "7");
    file.cut();
  }
  CHECK(holds(file.view(), rows));
}
