// roll(): nothing of a file's life is left in the next one, and what callers have said is.
#include <algorithm>

#include "microparquet/port/memory_file.h"
#include "microparquet/sorting.h"
#include "microparquet/writer.h"
#include "support/check.h"
#include "support/forwarding_file.h"
#include "support/names.h"
#include "written_file.h"

using microparquet::KeyValue;
using microparquet::MemoryFile;

namespace {

constexpr Field kFields[] = {microparquet::int64_field("n"), microparquet::float_field("x").as_optional(),
                             microparquet::string_field("text")};
constexpr SortingColumn kSorting[] = {{0, false, false}};
constexpr KeyValue kOfTheFile{"session", "1"};
constexpr KeyValue kSet{"device", "6A1B0042"};
constexpr std::uint32_t kFileId = 40;
constexpr std::uint32_t kClock = 900'000;  // when the files are changed

// A file that can lose what is written.
class ForgetfulFile final : public support::OwningFile<MemoryFile> {
 public:
  explicit ForgetfulFile(int slot) : OwningFile(written::file_memory(slot)) {}

  Status write_at(std::uint64_t offset, Span<const std::byte> data) override {
    return forgets ? Status::kOk : ForwardingFile::write_at(offset, data);
  }
  Span<const std::byte> contents() const { return inner_file().contents(); }

  bool forgets = false;
};

Options options_of(bool in_place, std::uint8_t key_values) {
  Options options = in_place ? written::in_place(512) : written::forward(256, 4096);
  if (in_place) options.row_group_bytes = 8 << 10;
  options.max_key_values = key_values;
  options.sorting = microparquet::sorted_by(kSorting);
  options.file_id = kFileId;
  options.checkpoint_ms = 1000;
  options.checkpoint_ratio = 1;
  return options;
}

// Texts as long as `text_bytes` on the average. Every tenth row comes too late where the rows are not sorted.
bool append(Writer& writer, std::int64_t first, std::int64_t rows, std::size_t text_bytes,
            bool sorted = true) {
  static constexpr char kText[] =
      "a text that is cut into pieces of any length, for pages that fill as they may";
  for (std::int64_t i = first; i < first + rows; ++i) {
    const std::size_t bytes = text_bytes / 2 + written::mix(static_cast<unsigned>(i)) % text_bytes;
    const std::int64_t n = sorted || i % 10 != 0 ? i : i - 5;
    const Value row[] = {Value::of(n), i % 3 == 0 ? Value() : Value::of(static_cast<float>(i)),
                         Value::of_bytes(written::part(kText, 0, bytes))};
    if (writer.append(row) != Status::kOk) return false;
  }
  return true;
}

bool append_and_tick(Writer& writer, std::int64_t rows, std::uint32_t& now_ms, std::size_t text_bytes) {
  for (std::int64_t i = 0; i < rows; i += 10) {
    now_ms += 100;
    if (!append(writer, i, 10, text_bytes) || writer.tick(now_ms) != Status::kOk) return false;
  }
  return true;
}

// A file that was left without being closed.
bool leave(ForgetfulFile& file, const Options& options) {
  Writer writer;
  return writer.open(file, kFields, options, written::arena_memory(),
                     {Span<const KeyValue>(&kOfTheFile, 1)}) == Status::kOk &&
         append(writer, 0, 150, 30) && writer.checkpoint() == Status::kOk;
}

// Resumes it, and has all happen to it that a file remembers: key-values of its own, long texts, rows out of
// order, checkpoints, row groups that are lost, a footer that is on its way when it ends.
bool live(Writer& writer, ForgetfulFile& file, const Options& options) {
  if (writer.resume(file, kFields, options, written::arena_memory()) != Status::kOk) return false;
  if (writer.set_key_value(kSet.key, kSet.value) != Status::kOk) return false;
  std::uint32_t now_ms = kClock / 2;
  if (!append_and_tick(writer, 1000, now_ms, 60) || writer.checkpoint() != Status::kOk) return false;
  file.forgets = true;
  if (!append(writer, 0, 40, 60)) return false;
  file.forgets = false;
  if (writer.reconnect(file) != Status::kOk || !append(writer, 0, 200, 60, false)) return false;
  return writer.tick(kClock) == Status::kOk;
}

struct Counts {
  std::uint64_t rows;
  std::uint64_t durable_rows;
  std::uint64_t bytes;
  std::uint32_t row_groups;
  std::uint32_t blocking_footers;
  std::uint32_t lost_rows;
};
Counts counts_of(const Writer& writer) {
  return {writer.rows(),       writer.durable_rows(),     writer.bytes_so_far(),
          writer.row_groups(), writer.blocking_footers(), writer.lost_rows()};
}
bool operator==(const Counts& a, const Counts& b) {
  return a.rows == b.rows && a.durable_rows == b.durable_rows && a.bytes == b.bytes &&
         a.row_groups == b.row_groups && a.blocking_footers == b.blocking_footers &&
         a.lost_rows == b.lost_rows;
}

// The same for each file that is begun; `counts` on the way.
bool fill(Writer& writer, Counts (&counts)[4]) {
  counts[0] = counts_of(writer);
  std::uint32_t now_ms = kClock;
  if (writer.tick(now_ms) != Status::kOk || !append_and_tick(writer, 400, now_ms, 20)) return false;
  counts[1] = counts_of(writer);
  if (!append(writer, 400, 300, 20) || writer.checkpoint() != Status::kOk) return false;
  counts[2] = counts_of(writer);
  if (!append(writer, 700, 30, 20) || writer.close() != Status::kOk) return false;
  counts[3] = counts_of(writer);
  return true;
}

bool same(Span<const std::byte> a, Span<const std::byte> b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

}  // namespace

TEST("a file that roll() begins is, byte for byte, the one that open() begins with the same key-values") {
  for (const bool in_place : {true, false}) {
    const Options options = options_of(in_place, 2);
    ForgetfulFile first(0);
    REQUIRE(leave(first, options));
    Writer writer;
    REQUIRE(live(writer, first, options));
    if (in_place) CHECK(writer.lost_rows() != 0);
    ForgetfulFile next(1);
    REQUIRE_EQ(writer.roll(next), Status::kOk);
    Counts rolled[4];
    REQUIRE(fill(writer, rolled));

    ForgetfulFile other(0);
    Writer fresh;
    REQUIRE_EQ(fresh.open(other, kFields, options, written::arena_memory(),
                          {Span<const KeyValue>(&kSet, 1), kFileId + 1}),
               Status::kOk);
    Counts begun[4];
    REQUIRE(fill(fresh, begun));
    for (int i = 0; i < 4; ++i) CHECK(rolled[i] == begun[i]);
    CHECK_EQ(writer.file_bytes(), fresh.file_bytes());
    CHECK(same(next.contents(), other.contents()));
    CHECK(next.contents().size() > 10'000);
  }
}

namespace {

// A writer in its second file, begun at kClock.
struct Rolled {
  explicit Rolled(const Options& options)
      : good(writer.open(first, kFields, options, written::arena_memory()) == Status::kOk &&
             writer.tick(kClock) == Status::kOk && writer.roll(next) == Status::kOk) {}

  ForgetfulFile first{0};
  ForgetfulFile next{1};
  Writer writer;
  bool good;
};

}  // namespace

TEST("the clock continues: a row group of the next file is as old as it is") {
  Options options = options_of(true, 0);
  options.row_group_ms = 5000;
  Rolled rolled(options);
  REQUIRE(rolled.good);
  Writer& writer = rolled.writer;
  CHECK(append(writer, 0, 10, 20));
  REQUIRE_EQ(writer.tick(kClock + 4999), Status::kOk);
  CHECK_EQ(writer.row_groups(), 0U);
  REQUIRE_EQ(writer.tick(kClock + 5000), Status::kOk);
  CHECK_EQ(writer.row_groups(), 1U);
  CHECK_EQ(writer.close(), Status::kOk);
}

TEST("the clock continues: forward, no footer is due at the first row of the next file") {
  Options options = options_of(false, 0);
  options.checkpoint_ms = options.max_loss_ms = kClock / 2;
  Rolled rolled(options);
  REQUIRE(rolled.good);
  Writer& writer = rolled.writer;
  CHECK(append(writer, 0, 1, 20));
  REQUIRE_EQ(writer.tick(kClock + options.max_loss_ms - 1), Status::kOk);
  CHECK_EQ(writer.row_groups(), 0U);
  REQUIRE_EQ(writer.tick(kClock + options.max_loss_ms), Status::kOk);
  CHECK_EQ(writer.row_groups(), 1U);
  CHECK_EQ(writer.close(), Status::kOk);
}

TEST("roll() that fails has changed nothing, and can be repeated") {
  const Options options = options_of(true, 2);
  Writer writer;
  ForgetfulFile first(0);
  REQUIRE_EQ(writer.open(first, kFields, options, written::arena_memory(), {Span<const KeyValue>(&kSet, 1)}),
             Status::kOk);
  CHECK(append(writer, 0, 10, 20));
  ForgetfulFile full(1);
  const std::byte some[16] = {};
  REQUIRE_EQ(full.write_at(0, some), Status::kOk);
  CHECK_EQ(writer.roll(full), Status::kWrongState);
  CHECK_EQ(writer.roll(full), Status::kWrongState);
  ForgetfulFile next(1);
  REQUIRE_EQ(writer.roll(next), Status::kOk);
  CHECK(append(writer, 0, 10, 20));
  CHECK_EQ(writer.close(), Status::kOk);
  const view::File file(next.contents());
  REQUIRE(file.whole());
  CHECK_EQ(file.rows(), 10);
  CHECK(file.key_value(kSet.key) == kSet.value);
  std::uint32_t id = 0;
  std::memcpy(&id, file.footer().text(view::id::kFooterExtension).data() + 8, sizeof id);
  CHECK_EQ(id, kFileId + 1);
}
