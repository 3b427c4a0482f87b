// A Logger over files that fail: one that rots, one that cannot be used, a card on which none can be, one that heals. It
// continues, and what is in no file is counted. And names of files on volumes with long names and without.
#include <array>
#include <cstring>
#include <optional>
#include <string_view>

#include "microparquet/port/logger_core.h"
#include "microparquet/port/memory_file.h"
#include "microparquet/static_reader.h"
#include "support/check.h"
#include "support/file_view.h"
#include "support/forwarding_file.h"
#include "written_file.h"

namespace mpq = microparquet;
using mpq::Status;
using mpq::Value;

namespace {

enum class CardFault { kNone, kFails, kMisreads };

// A card in memory of some files, some of which have a fault.
struct LoggerCard {
  static constexpr unsigned kFiles = 12;
  static constexpr std::size_t kBytes = 100 << 10;

  static mpq::Span<std::byte> memory(unsigned slot) {
    return {written::file_memory(static_cast<int>(slot / 6)).data() + slot % 6 * kBytes, kBytes};
  }
  CardFault fault_of(unsigned slot) const { return slot >= first && slot <= last ? fault : CardFault::kNone; }
  unsigned files() const {
    unsigned count = 0;
    for (const std::string_view name : names()) count += name.empty() ? 0U : 1U;
    return count;
  }
  std::array<std::string_view, kFiles> names() const {
    std::array<std::string_view, kFiles> all;
    for (unsigned i = 0; i < kFiles; ++i) all[i] = paths[i];
    return all;
  }
  // The file of a name, or a place for it; kFiles: there is none.
  unsigned slot_of(std::string_view path, bool makes) {
    unsigned free = kFiles;
    for (unsigned i = kFiles; i-- != 0;) {
      if (path == paths[i]) return i;
      if (paths[i][0] == 0) free = i;
    }
    if (!makes || free == kFiles) return kFiles;
    std::memcpy(paths[free], path.data(), path.size());
    paths[free][path.size()] = 0;
    sizes[free] = 0;
    return free;
  }

  CardFault fault = CardFault::kNone;
  unsigned first = 0;
  unsigned last = kFiles;
  bool fails_to_open = false;
  unsigned calls = 0;
  char paths[kFiles][32] = {};
  std::size_t sizes[kFiles] = {};
};

class CardFile final : public support::OwningFile<mpq::MemoryFile> {
 public:
  CardFile(LoggerCard& card, unsigned slot)
      : OwningFile(LoggerCard::memory(slot), card.sizes[slot]), card_(card), slot_(slot) {}

  Status read_at(std::uint64_t offset, mpq::Span<std::byte> out) override {
    if (fails()) return Status::kIoError;
    const Status status = ForwardingFile::read_at(offset, out);
    if (card_.fault_of(slot_) == CardFault::kMisreads) out[out.size() / 2] ^= std::byte{4};
    return status;
  }
  Status write_at(std::uint64_t offset, mpq::Span<const std::byte> data) override {
    return fails() ? Status::kIoError : ForwardingFile::write_at(offset, data);
  }
  Status sync(std::uint64_t size) override {
    if (fails()) return Status::kIoError;
    card_.sizes[slot_] = static_cast<std::size_t>(size);
    return ForwardingFile::sync(size);
  }

 private:
  bool fails() {
    ++card_.calls;
    return card_.fault_of(slot_) == CardFault::kFails;
  }

  LoggerCard& card_;
  unsigned slot_;
};

class CardBoard final : public mpq::LoggerBoard {
 public:
  CardBoard(LoggerCard& card, bool long_names) : card_(card), long_names_(long_names) {}

  std::uint32_t now_ms() override { return now; }
  bool start() override { return true; }
  bool has_long_names() override { return long_names_; }
  bool exists(const char* path) override { return card_.slot_of(path, false) != LoggerCard::kFiles; }
  Status open(const char* path) override {
    if (card_.fails_to_open) return Status::kIoError;
    const unsigned slot = card_.slot_of(path, true);
    if (slot == LoggerCard::kFiles) return Status::kIoError;
    current_ = &file_.emplace(card_, slot);
    return Status::kOk;
  }
  bool remove(const char* path) override {
    const unsigned slot = card_.slot_of(path, false);
    if (slot == LoggerCard::kFiles) return false;
    card_.paths[slot][0] = 0;
    card_.sizes[slot] = 0;
    return true;
  }
  void close() override {}
  mpq::File& file() override { return *current_; }

  std::uint32_t now = 0xFFFF0000;

 private:
  LoggerCard& card_;
  bool long_names_;
  std::optional<CardFile> file_;
  mpq::File* current_ = nullptr;
};

constexpr std::size_t kFaultColumns = 1;
alignas(8) std::array<std::byte, mpq::LoggerCore::required_bytes<kFaultColumns>()> fault_arena;
std::array<mpq::LoggerColumn, kFaultColumns> fault_columns;
std::array<mpq::Field, kFaultColumns + 1> fault_fields;
std::array<Value, kFaultColumns + 1> fault_values;

struct LoggedNumber {
  std::int64_t time_ms;
  std::optional<std::int32_t> n;
};
constexpr auto kLoggedNumber =
    mpq::schema(mpq::column("time_ms", &LoggedNumber::time_ms), mpq::column("n", &LoggedNumber::n));

// Ten rows a second.
struct FaultyLog {
  // A function of its own: inlined, GCC 12 takes what the core keeps of it for a pointer that outlives a test.
  [[gnu::noinline]] explicit FaultyLog(bool long_names = true) : board(card, long_names) {
    begun = core.begin("LOG");
  }

  void run(unsigned seconds) {
    for (unsigned i = 0; i < seconds * 10; ++i) {
      core.add("n", mpq::kLoggerInt32, Value::of(rows++));
      static_cast<void>(core.end_row());
      board.now += 100;
    }
  }

  // Rows of a file, which come in order and once.
  unsigned rows_of(unsigned slot) {
    if (card.sizes[slot] == 0) return 0;
    static mpq::StaticReader<kLoggedNumber> reader;  // NOLINT(*-dynamic-static-initializers)
    mpq::MemoryFile file(LoggerCard::memory(slot), card.sizes[slot]);
    LoggedNumber row = {};
    Status status = reader.open(file);
    unsigned count = 0;
    for (std::int32_t before = -1; status == Status::kOk && (status = reader.next(row)) == Status::kOk;
         ++count) {
      const std::int32_t n = row.n.value_or(-1);
      CHECK(n > before);
      before = n;
    }
    CHECK(status == Status::kEnd);
    return count;
  }
  unsigned found() {
    unsigned count = 0;
    for (unsigned slot = 0; slot < LoggerCard::kFiles; ++slot) count += slot == rotten ? 0 : rows_of(slot);
    return count;
  }
  // All rows are in a file or counted.
  void check_all(unsigned in_rotten = 0) {
    CHECK_EQ(found() + in_rotten + core.lost_rows(), static_cast<std::uint32_t>(rows));
  }

  LoggerCard card;
  CardBoard board;
  mpq::LoggerCore core{board, {fault_columns, fault_fields, fault_values, fault_arena}};
  std::int32_t rows = 0;
  unsigned rotten = LoggerCard::kFiles;
  bool begun = false;
};

}  // namespace

TEST("a logger whose last footer rots continues in the next file") {
  FaultyLog log;
  REQUIRE(log.begun);
  log.run(95);
  const unsigned durable = log.found();
  REQUIRE(durable > 300);
  mpq::Span<std::byte> memory = LoggerCard::memory(0);
  const view::File file(mpq::Span<const std::byte>(memory.data(), log.card.sizes[0]));
  for (std::size_t at = file.footer_begin(); at + 8 < log.card.sizes[0]; at += 40) memory[at] ^= std::byte{2};
  log.run(300);
  CHECK(log.core.status() == Status::kOk);
  CHECK_EQ(std::string_view(log.core.file_name()), "LOG00002.parquet");
  CHECK(log.core.lost_rows() > 0);
  CHECK(log.core.lost_rows() < 600);
  CHECK(!log.core.end() || log.core.lost_rows() != 0);
  log.rotten = 0;
  log.check_all(durable);
}

TEST("a logger leaves a file that cannot be used any more, while it logs and when it begins") {
  FaultyLog log;
  REQUIRE(log.begun);
  log.run(95);
  const unsigned durable = log.found();
  log.card.fault = CardFault::kFails;
  log.card.last = 0;
  log.run(300);
  CHECK(log.core.status() == Status::kOk);
  CHECK_EQ(std::string_view(log.core.file_name()), "LOG00002.parquet");
  CHECK(log.core.lost_rows() < 600);
  CHECK(log.core.end());
  log.check_all();
  CHECK(log.rows_of(0) == durable);

  FaultyLog next;
  next.card = log.card;
  next.card.fault = CardFault::kFails;
  next.card.first = 1;
  next.card.last = 1;
  next.run(60);
  CHECK_EQ(std::string_view(next.core.file_name()), "LOG00003.parquet");
  CHECK(next.core.lost_rows() < 100);
  CHECK(next.core.lost_rows() > 0);
  CHECK(next.core.end());
  CHECK_EQ(next.rows_of(2) + next.core.lost_rows(), 600U);
}

TEST("a logger leaves a card in peace that fails every file, and continues when it has healed") {
  for (const CardFault fault : {CardFault::kFails, CardFault::kMisreads}) {
    FaultyLog log;
    REQUIRE(log.begun);
    log.run(95);
    log.card.fault = fault;
    log.run(1800);
    CHECK(log.card.files() <= 4);
    if (fault == CardFault::kFails) {
      CHECK_EQ(std::string_view(log.core.message()), "no file takes a row; tried again each minute");
      CHECK(log.core.status() == Status::kIoError);
    }
    const unsigned calls = log.card.calls;
    log.run(600);
    if (fault == CardFault::kFails) CHECK(log.card.calls - calls < 100);  // ten tries
    CHECK(log.card.files() <= 4);
    log.card.fault = CardFault::kNone;
    log.run(300);
    CHECK(log.core.status() == Status::kOk);
    CHECK(log.card.files() <= 4);
    CHECK(log.core.end());
    log.check_all();
    CHECK(log.found() > 900 + 2000);
  }
}

TEST("a logger on a card that answers every read wrongly for a minute loses no more than that") {
  FaultyLog log;
  REQUIRE(log.begun);
  log.run(125);
  log.card.fault = CardFault::kMisreads;
  log.run(60);
  log.card.fault = CardFault::kNone;
  log.run(200);
  CHECK(log.core.status() == Status::kOk);
  CHECK(log.core.end());
  CHECK(log.card.files() <= 4);
  log.check_all();
  CHECK(log.core.lost_rows() < 1500);
}

TEST("a logger whose card does not open another file keeps the one that it has") {
  FaultyLog log;
  REQUIRE(log.begun);
  log.run(95);
  log.card.fault = CardFault::kFails;
  log.card.fails_to_open = true;
  log.run(60);
  CHECK(!log.core.end_row());
  log.card.fault = CardFault::kNone;
  log.card.fails_to_open = false;
  log.run(60);
  CHECK_EQ(std::string_view(log.core.file_name()), "LOG00001.parquet");
  CHECK_EQ(log.card.files(), 1U);
  CHECK(log.core.end());
  log.check_all();
}

TEST("a logger names files as other programs know them, where the volume can, and finds both names") {
  LoggerCard card;
  const auto name_of = [&](bool long_names) {
    FaultyLog log(long_names);
    log.card = card;
    log.run(20);
    static char name[24];
    const std::string_view text = log.core.file_name();
    std::memcpy(name, text.data(), text.size());
    CHECK(log.core.end());
    card = log.card;
    return std::string_view(name, text.size());
  };
  CHECK_EQ(name_of(false), "LOG00001.PQT");
  CHECK_EQ(name_of(true), "LOG00001.PQT");  // continued
  CHECK_EQ(card.files(), 1U);
  card = {};
  CHECK_EQ(name_of(true), "LOG00001.parquet");
  CHECK_EQ(name_of(true), "LOG00001.parquet");
  CHECK_EQ(card.files(), 1U);
  std::memcpy(card.paths[1], "/LOG00002.PQT", sizeof "/LOG00002.PQT");
  CHECK_EQ(name_of(true), "LOG00002.PQT");
  CHECK_EQ(card.files(), 2U);
}
