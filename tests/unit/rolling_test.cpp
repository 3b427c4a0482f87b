// A log over files that fail: one that rots, one that cannot be used, a card on which none can be, one that
// heals. The log continues, and counts the rows that are in no file. Also tests the age of a file that
// several boots have written.
#include "microparquet/rolling.h"

#include <cstring>
#include <optional>

#include "microparquet/port/memory_file.h"
#include "microparquet/writer.h"
#include "support/check.h"
#include "support/file_view.h"
#include "support/forwarding_file.h"
#include "support/names.h"
#include "written_file.h"

using microparquet::MemoryFile;
using microparquet::RollingWriter;

namespace {

constexpr Field kFields[] = {microparquet::int64_field("n")};
constexpr std::uint32_t kRowMs = 100;
constexpr std::int64_t kCheckpointRows = 50;
constexpr unsigned kSlots = 6;
constexpr std::size_t kSlotBytes = 200 << 10;

// Faults of a file.
enum class Fault { kNone, kFails, kMisreads };

// A card in memory of some files. Those from `first` on have a fault.
struct FaultyCard {
  Fault fault = Fault::kNone;
  unsigned first = 0;
  unsigned last = kSlots;
  unsigned calls = 0;
  std::size_t bytes[kSlots] = {};

  static Span<std::byte> memory(unsigned slot) {
    return {written::file_memory(static_cast<int>(slot / 3)).data() + slot % 3 * kSlotBytes, kSlotBytes};
  }
  Fault fault_of(unsigned slot) const { return slot >= first && slot <= last ? fault : Fault::kNone; }
};

class FaultyFile final : public support::OwningFile<MemoryFile> {
 public:
  FaultyFile(FaultyCard& card, unsigned slot)
      : OwningFile(FaultyCard::memory(slot)), card_(card), slot_(slot) {}

  Status size(std::uint64_t& bytes) override {
    return fails() ? Status::kIoError : ForwardingFile::size(bytes);
  }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    if (fails()) return Status::kIoError;
    const Status status = ForwardingFile::read_at(offset, out);
    if (card_.fault_of(slot_) == Fault::kMisreads) out[out.size() / 2] ^= std::byte{4};
    return status;
  }
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override {
    return fails() ? Status::kIoError : ForwardingFile::write_at(offset, data);
  }
  Status reserve(std::uint64_t end) override {
    return fails() ? Status::kIoError : ForwardingFile::reserve(end);
  }
  Status barrier() override { return fails() ? Status::kIoError : Status::kOk; }
  Status sync(std::uint64_t size) override {
    if (fails()) return Status::kIoError;
    card_.bytes[slot_] = static_cast<std::size_t>(size);
    return ForwardingFile::sync(size);
  }
  Status shrink(std::uint64_t size) override {
    card_.bytes[slot_] = static_cast<std::size_t>(size);
    return ForwardingFile::shrink(size);
  }
  unsigned slot() const { return slot_; }

 private:
  bool fails() {
    ++card_.calls;
    return card_.fault_of(slot_) == Fault::kFails;
  }

  FaultyCard& card_;
  unsigned slot_;
};

class Slots final : public microparquet::FileSequence {
 public:
  explicit Slots(FaultyCard& card) : card_(card) {}

  Status next(microparquet::File*& file) override { return open(slot_ + 1, file); }
  Status again(microparquet::File*& file) override { return open(slot_, file); }
  Status open(unsigned slot, microparquet::File*& file) {
    if (slot == kSlots) return Status::kIoError;
    slot_ = slot;
    card_.bytes[slot] = 0;
    file = &file_.emplace(card_, slot);
    return Status::kOk;
  }
  unsigned slot() const { return slot_; }

 private:
  FaultyCard& card_;
  unsigned slot_ = 0;
  std::optional<FaultyFile> file_;
};

Options options_of(bool in_place) {
  Options options = in_place ? written::in_place(512) : written::forward(256, 2048);
  if (in_place) options.row_group_bytes = 2 << 10;
  options.checkpoint_ms = 0;
  return options;
}

// Ten rows a second, in order, with a checkpoint each five seconds.
struct Faulty {
  explicit Faulty(bool in_place) : options(options_of(in_place)) {
    microparquet::File* file = nullptr;
    opened = files.open(0, file) == Status::kOk &&
             writer.open(*file, kFields, options, written::arena_memory()) == Status::kOk;
  }

  void run(std::int64_t seconds) {
    for (std::int64_t i = 0; i < seconds * 10; ++i) {
      const Value row[] = {Value::of(rows++)};
      if (log.append(Span<const Value>(row)) != Status::kOk) ++refused;
      now_ms += kRowMs;
      static_cast<void>(log.tick(now_ms));
      if (rows % kCheckpointRows == 0) static_cast<void>(log.checkpoint());
      most_left = log.is_resting() ? most_left + 1 : most_left;
    }
  }

  // Rows of all files; each file's are in order, and none is there twice.
  std::uint64_t found() const {
    std::uint64_t count = 0;
    std::int64_t last = -1;
    for (unsigned slot = 0; slot < kSlots; ++slot) {
      if (card.bytes[slot] == 0 || slot == rotten) continue;
      const view::File file(Span<const std::byte>(FaultyCard::memory(slot).data(), card.bytes[slot]));
      CHECK(file.whole());
      view::Column numbers(file, 0);
      for (view::Cell cell = {}; numbers.next(cell); ++count) {
        std::int64_t n = -1;
        std::memcpy(&n, cell.bytes.data(), sizeof n);
        CHECK(n > last);
        last = n;
      }
    }
    return count;
  }

  Options options;
  FaultyCard card;
  Slots files{card};
  Writer writer;
  RollingWriter<Writer> log{writer, files, {0, 0}};
  std::int64_t rows = 0;
  std::uint64_t refused = 0;
  unsigned most_left = 0;  // rows that came while the card was left in peace
  unsigned rotten = kSlots;
  std::uint32_t now_ms = 0xFFFF0000;
  bool opened = false;
};

}  // namespace

TEST("a log continues in the next file where the last footer rots, and counts what it had not made durable") {
  for (const bool in_place : {false, true}) {
    Faulty log(in_place);
    REQUIRE(log.opened);
    log.run(32);
    REQUIRE_EQ(log.writer.durable_rows(), 300U);
    Span<std::byte> memory = FaultyCard::memory(0);
    const view::File file(Span<const std::byte>(memory.data(), log.card.bytes[0]));
    const std::uint64_t durable = log.found();
    for (std::size_t at = file.footer_begin(); at + 8 < log.card.bytes[0]; at += 40)
      memory[at] ^= std::byte{2};
    log.run(100);
    CHECK_EQ(log.files.slot(), 1U);
    CHECK_EQ(log.refused, 0U);
    CHECK(log.log.lost_rows() >= 20);
    CHECK(log.log.lost_rows() <= static_cast<std::uint64_t>(kCheckpointRows));
    CHECK(!log.log.is_resting());
    REQUIRE_EQ(log.writer.close(), Status::kOk);
    log.rotten = 0;
    CHECK_EQ(durable + log.found() + log.log.lost_rows(), static_cast<std::uint64_t>(log.rows));
  }
}

TEST("what was only misread costs a log no row, and no file") {
  for (const bool in_place : {false, true}) {
    Faulty log(in_place);
    REQUIRE(log.opened);
    log.run(30);
    log.card.fault = Fault::kMisreads;
    const Value row[] = {Value::of(log.rows++)};
    CHECK_EQ(log.log.append(Span<const Value>(row)), Status::kOk);
    CHECK_EQ(log.writer.checkpoint(), Status::kCorrupt);
    log.card.fault = Fault::kNone;
    log.run(30);
    REQUIRE_EQ(log.writer.close(), Status::kOk);
    CHECK_EQ(log.files.slot(), 0U);
    CHECK_EQ(log.log.lost_rows(), 0U);
    CHECK_EQ(log.found(), static_cast<std::uint64_t>(log.rows));
  }
}

TEST("forward, no row is taken that cannot become durable, and the file does not grow by what is tried") {
  Faulty log(false);
  REQUIRE(log.opened);
  log.run(32);
  log.card.fault = Fault::kMisreads;
  CHECK_EQ(log.writer.checkpoint(), Status::kCorrupt);
  const std::uint64_t rows = log.writer.rows();
  const unsigned calls = log.card.calls;
  for (int i = 0; i < 1000; ++i) {
    const Value row[] = {Value::of(std::int64_t{i})};
    CHECK_EQ(log.writer.append(Span<const Value>(row)), Status::kCorrupt);
    CHECK_EQ(log.writer.tick(log.now_ms += kRowMs), Status::kCorrupt);
  }
  CHECK_EQ(log.card.calls, calls);
  CHECK_EQ(log.writer.rows(), rows);
  log.card.fault = Fault::kNone;
  CHECK_EQ(log.writer.checkpoint(), Status::kOk);
  CHECK_EQ(log.writer.durable_rows(), rows);
}

TEST("a file that cannot be used any more is left, on a card that can") {
  for (const bool in_place : {false, true}) {
    Faulty log(in_place);
    REQUIRE(log.opened);
    log.run(32);
    log.card.fault = Fault::kFails;
    log.card.last = 0;
    log.run(100);
    CHECK_EQ(log.files.slot(), 1U);
    CHECK(log.log.lost_rows() <= static_cast<std::uint64_t>(2 * kCheckpointRows));
    CHECK(log.refused <= 16);
    REQUIRE_EQ(log.writer.close(), Status::kOk);
    CHECK_EQ(log.found() + log.log.lost_rows() + log.refused, static_cast<std::uint64_t>(log.rows));
  }
}

TEST("a card that fails every file is left in peace, uses up no names, and continues when it has healed") {
  for (const bool in_place : {false, true}) {
    for (const Fault fault : {Fault::kFails, Fault::kMisreads}) {
      Faulty log(in_place);
      REQUIRE(log.opened);
      log.run(32);
      log.card.fault = fault;
      log.run(240);
      if (fault == Fault::kFails) {
        CHECK(log.log.is_resting());
        const Value row[] = {Value::of(std::int64_t{0})};
        CHECK_EQ(log.log.append(Span<const Value>(row)), Status::kIoError);
      }
      const unsigned calls = log.card.calls;
      log.run(600);
      CHECK(log.most_left > 1000);
      if (fault == Fault::kFails) CHECK(log.card.calls - calls < 60);  // ten tries
      CHECK_EQ(log.files.slot(), 3U);                                  // the first file has rows
      const unsigned slot = log.files.slot();
      log.card.fault = Fault::kNone;
      log.run(100);
      CHECK(!log.log.is_resting());
      CHECK(log.writer.durable_rows() > 300);
      CHECK_EQ(log.files.slot(), slot);
      REQUIRE_EQ(log.writer.close(), Status::kOk);
      CHECK_EQ(log.found() + log.log.lost_rows() + log.refused, static_cast<std::uint64_t>(log.rows));
    }
  }
}

TEST("a card that answers every read wrongly for a minute costs a log no more than that") {
  for (const bool in_place : {false, true}) {
    Faulty log(in_place);
    REQUIRE(log.opened);
    log.run(62);
    log.card.fault = Fault::kMisreads;
    log.run(60);
    log.card.fault = Fault::kNone;
    log.run(130);
    REQUIRE_EQ(log.writer.close(), Status::kOk);
    CHECK(log.files.slot() <= 3);
    CHECK_EQ(log.found() + log.log.lost_rows() + log.refused, static_cast<std::uint64_t>(log.rows));
    CHECK(log.found() >= 600 + 700);
  }
}

namespace {

// The bytes of two files of ten seconds each, with a checkpoint each time that many milliseconds have passed.
std::size_t bytes_of_two(std::uint32_t checkpoint_ms) {
  constexpr std::uint32_t kFileMs = 10'000;
  Options options = options_of(false);
  options.checkpoint_ms = options.max_loss_ms = checkpoint_ms;
  FaultyCard card;
  Slots files{card};
  Writer writer;
  microparquet::File* file = nullptr;
  CHECK_EQ(files.open(0, file), Status::kOk);
  CHECK_EQ(writer.open(*file, kFields, options, written::arena_memory()), Status::kOk);
  RollingWriter<Writer> log(writer, files, {0, kFileMs});
  for (std::uint32_t now_ms = 0; files.slot() < 2; now_ms += kRowMs) {
    const Value row[] = {Value::of(std::int64_t{now_ms})};
    CHECK_EQ(log.append(Span<const Value>(row)), Status::kOk);
    CHECK_EQ(log.tick(now_ms), Status::kOk);
  }
  return card.bytes[0] + card.bytes[1];
}

}  // namespace

TEST("files that end when a checkpoint is due have no footer before their last one") {
  const std::size_t bytes = bytes_of_two(0);
  CHECK_EQ(bytes_of_two(10'000), bytes);
  CHECK(bytes_of_two(5'000) > bytes);
}

namespace {

// Counts the files that a log asks for.
class Asked final : public microparquet::FileSequence {
 public:
  Status next(microparquet::File*& file) override {
    ++count;
    current_ = &file_.emplace(FaultyCard::memory(count % 2));
    file = current_;
    return Status::kOk;
  }
  MemoryFile& file() { return *current_; }
  unsigned count = 0;

 private:
  std::optional<MemoryFile> file_;
  MemoryFile* current_ = nullptr;
};

constexpr std::uint32_t kHourMs = 3'600'000;

// Boots of `hours`, each with a clock that begins at 0 and a row each ten minutes; how many files they ask for.
unsigned files_of(unsigned boots, unsigned hours, std::uint32_t ms) {
  Asked files;
  microparquet::File* file = nullptr;
  CHECK_EQ(files.next(file), Status::kOk);
  files.count = 0;
  const Options options = options_of(false);
  for (unsigned boot = 0; boot < boots; ++boot) {
    Writer writer;
    MemoryFile& found = files.file();
    CHECK_EQ(writer.resume(found, kFields, options, written::arena_memory()), Status::kOk);
    RollingWriter<Writer> log(writer, files, {0, ms});
    for (std::uint32_t now_ms = 0; now_ms < hours * kHourMs; now_ms += 600'000) {
      const Value row[] = {Value::of(std::int64_t{boot})};
      CHECK_EQ(log.append(Span<const Value>(row)), Status::kOk);
      CHECK_EQ(log.tick(now_ms), Status::kOk);
    }
    CHECK_EQ(log.checkpoint(), Status::kOk);
  }
  return files.count;
}

}  // namespace

TEST("a file is as old as all of its boots") {
  CHECK_EQ(files_of(1, 48, 24 * kHourMs), 1U);
  const unsigned day = files_of(48, 23, 24 * kHourMs);  // 46 days
  CHECK(day >= 40);
  CHECK(day <= 48);
  const unsigned few = files_of(24, 6, 24 * kHourMs);  // six days
  CHECK(few >= 5);
  CHECK(few <= 7);
  CHECK_EQ(files_of(20, 1, 24 * kHourMs), 0U);
  CHECK_EQ(files_of(20, 23, 0), 0U);
}
