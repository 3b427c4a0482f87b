// A card that comes back with other pages instead of those it was given: what a boot before, or a log
// that was deleted, has left there. Their checksums and numbers of rows are right, and they are not taken for
// the lost ones.
#include <cstring>

#include "lost_card.h"
#include "microparquet/writer.h"
#include "support/check.h"
#include "support/file_view.h"
#include "support/names.h"
#include "written_file.h"

using lost::Card;
using lost::CardFile;
using lost::Last;

namespace {

constexpr Field kFields[] = {microparquet::int64_field("n"), microparquet::double_field("v")};
constexpr std::size_t kSector = 512;
constexpr std::size_t kMaxBytes = 48 << 10;
std::byte remains[kMaxBytes];  // of the card before the boot in question

// Rows from `first` on. A boot that was interrupted had the same rows but for a large number added.
struct Run {
  std::int64_t first;
  int rows;
};
constexpr std::int64_t kOtherBoot = 1'000'000;

// A log whose rows a page of each column has space for 58 of.
struct Log {
  explicit Log(const Options& given) : options(given) {}

  Status append(std::int64_t n) {
    const Value row[] = {Value::of(n), Value::of(0.5 * static_cast<double>(n))};
    return writer.append(row);
  }
  bool append(const Run& run) {
    bool good = true;
    for (int i = 0; i < run.rows; ++i) good = good && append(run.first + i) == Status::kOk;
    return good;
  }
  bool open() { return writer.open(file, kFields, options, written::arena_memory()) == Status::kOk; }
  bool resume() { return writer.resume(file, kFields, options, written::arena_memory()) == Status::kOk; }

  // The power goes, or the card is pulled out: what was written is on it, but for the last `dropped` writes.
  void cut(unsigned dropped = 0) {
    card.plan({card.calls(), Last::kNotDone, dropped, false});
    std::uint64_t size = 0;
    CHECK_EQ(file.size(size), Status::kMediumLost);
  }
  void insert() {
    card.insert();
    file.reopen();
  }

  // Whether the closed file has these rows and no others.
  bool holds(std::initializer_list<Run> runs) const {
    const view::File view(card.contents());
    if (!view.whole()) return false;
    view::Column numbers(view, 0);
    view::Column values(view, 1);
    view::Cell cell = {};
    for (const Run& run : runs) {
      for (int i = 0; i < run.rows; ++i) {
        const std::int64_t n = run.first + i;
        const double v = 0.5 * static_cast<double>(n);
        if (!numbers.next(cell) || std::memcmp(cell.bytes.data(), &n, sizeof n) != 0) return false;
        if (!values.next(cell)) return false;
        double value = 0;
        std::memcpy(&value, cell.bytes.data(), sizeof value);
        if (value != v) return false;
      }
    }
    return !numbers.next(cell) && !values.next(cell) && numbers.sound() && values.sound();
  }

  Options options;
  Card card;
  CardFile file{card};
  Writer writer;
};

// Boot 1: 400 rows, 100 of them durable. Boot 2 continues: 150 rows in a row group that has ended, 100 in the
// open one.
struct TwoBoots : Log {
  explicit TwoBoots(const Options& given) : Log(given) {
    ok = open() && append({0, 100}) && writer.checkpoint() == Status::kOk && append({kOtherBoot + 100, 300});
    cut();
    insert();
    writer.reset();
    ok = ok && resume() && writer.rows() == 100;
    std::memcpy(remains, written::file_memory(0).data(), kMaxBytes);
    ok = ok && append({100, 150}) && writer.end_row_group() == Status::kOk && append({250, 100});
  }
  bool ok = false;
};

Options on_request(std::uint32_t page_bytes) {
  Options options = written::in_place(page_bytes);
  options.checkpoint_ms = 0;
  return options;
}

void put_back(std::size_t sector) {
  std::memcpy(written::file_memory(0).data() + sector * kSector, remains + sector * kSector, kSector);
}

// Leaves each sector in turn as the boot before has left it.
void leave_each_sector(std::uint32_t page_bytes) {
  const Options options = on_request(page_bytes);
  unsigned lost = 0;
  unsigned kept = 0;
  for (std::size_t sector = 0; sector < kMaxBytes / kSector; ++sector) {
    TwoBoots log(options);
    REQUIRE(log.ok);
    const std::byte* const now = written::file_memory(0).data() + sector * kSector;
    if (std::memcmp(now, remains + sector * kSector, kSector) == 0) continue;
    log.cut();
    put_back(sector);
    log.insert();
    CHECK_EQ(log.writer.reconnect(log.file), Status::kOk);
    const bool some_lost = log.writer.lost_rows() != 0;
    ++(some_lost ? lost : kept);
    if (some_lost) CHECK_EQ(log.writer.lost_rows(), 250);
    CHECK(log.append({1000, 70}));
    CHECK_EQ(log.writer.close(), Status::kOk);
    CHECK(some_lost ? log.holds({{0, 100}, {1000, 70}}) : log.holds({{0, 350}, {1000, 70}}));
  }
  CHECK(lost >= 6);  // two pages or more of each column
  CHECK(kept <= 4);  // dead bytes: an emptied slot, the end of a record's
}

// Finds the size in a page header that begins at `page`; null when none begins there. The writer pads headers
// by varints with bytes that carry nothing.
std::byte* uncompressed_size_of(std::byte* page) {
  constexpr std::byte kInteger{0x15};  // the next field, an i32
  if (*page++ != kInteger) return nullptr;
  while ((*page & std::byte{0x80}) != std::byte{0}) ++page;
  return *page == std::byte{0} && page[1] == kInteger ? page + 2 : nullptr;
}

}  // namespace

TEST("reconnect: no page that the boot before has left is taken for a lost one") { leave_each_sector(512); }
TEST("reconnect: nor in a sector that is a part of a page, or has several") {
  leave_each_sector(1024);
  leave_each_sector(256);
}

TEST("reconnect: nor all of them") {
  for (const bool ends : {false, true}) {
    Log log(on_request(512));
    REQUIRE(log.open());
    CHECK(log.append({0, 500}));
    CHECK_EQ(log.writer.checkpoint(), Status::kOk);
    CHECK(log.append({500, 500}));
    log.cut();
    log.insert();
    log.writer.reset();
    REQUIRE(log.resume());
    CHECK(log.append({kOtherBoot, 300}));
    if (ends) CHECK_EQ(log.writer.end_row_group(), Status::kOk);
    log.cut(999);
    log.insert();
    CHECK_EQ(log.writer.reconnect(log.file), Status::kOk);
    CHECK_EQ(log.writer.lost_rows(), 300);
    CHECK_EQ(log.writer.close(), Status::kOk);
    CHECK(log.holds({{0, 500}}));
  }
}

// A header that lies in two sectors may have lost the first one, and have there what an older page left.
TEST("reconnect: nor a page whose header has another page's uncompressed size") {
  int tried = 0;
  for (std::size_t sector = 1; sector < kMaxBytes / kSector; ++sector) {
    Log log(on_request(512));
    REQUIRE(log.open() && log.append({0, 100}) && log.writer.checkpoint() == Status::kOk);
    std::memcpy(remains, written::file_memory(0).data(), kMaxBytes);
    REQUIRE(log.append({100, 150}));
    std::byte* const page = written::file_memory(0).data() + sector * kSector;
    if (std::memcmp(page, remains + sector * kSector, kSector) == 0) continue;  // it is durable
    std::byte* const size = uncompressed_size_of(page);
    if (size == nullptr) continue;
    ++tried;
    *size ^= std::byte{2};
    log.cut();
    log.insert();
    REQUIRE_EQ(log.writer.reconnect(log.file), Status::kOk);
    CHECK(log.writer.lost_rows() != 0);
    CHECK_EQ(log.writer.close(), Status::kOk);
    CHECK(log.holds({{0, static_cast<int>(250 - log.writer.lost_rows())}}));
  }
  CHECK(tried > 2);
}

// The same of each of its bytes, whose checksum is not over them: some readers take other types of numbers.
TEST("reconnect: nor a page whose header has a byte of another page's") {
  constexpr std::size_t kHeaderBytes = 20;  // of one that is not lengthened
  std::size_t sector = 0;
  for (std::size_t byte = 0; byte < kHeaderBytes; ++byte) {
    Log log(on_request(512));
    REQUIRE(log.open() && log.append({0, 100}) && log.writer.checkpoint() == Status::kOk);
    std::memcpy(remains, written::file_memory(0).data(), kMaxBytes);
    REQUIRE(log.append({100, 150}));
    std::byte* const begin = written::file_memory(0).data();
    const auto is_page = [&](std::size_t at) {
      return std::memcmp(begin + at, remains + at, kSector) != 0 &&
             uncompressed_size_of(begin + at) != nullptr;
    };
    while (sector == 0 || !is_page(sector)) sector += kSector;
    begin[sector + byte] ^= std::byte{3};
    log.cut();
    log.insert();
    REQUIRE_EQ(log.writer.reconnect(log.file), Status::kOk);
    CHECK(log.writer.lost_rows() != 0);
    CHECK_EQ(log.writer.close(), Status::kOk);
    CHECK(log.holds({{0, static_cast<int>(250 - log.writer.lost_rows())}}));
  }
}

TEST("reconnect: nor what is left of a log that was deleted") {
  const Options options = on_request(512);
  {
    Log log(options);
    REQUIRE(log.open());
    CHECK(log.append({kOtherBoot, 600}));
    log.cut();
    std::memcpy(remains, written::file_memory(0).data(), kMaxBytes);
  }
  for (const unsigned dropped : {0U, 1U, 3U, 999U}) {
    Log log(options);
    for (const int slot : {0, 1}) std::memcpy(written::file_memory(slot).data(), remains, kMaxBytes);
    REQUIRE(log.open());
    CHECK(log.append({0, 200}));
    CHECK_EQ(log.writer.checkpoint(), Status::kOk);
    CHECK(log.append({200, 300}));
    log.cut(dropped);
    log.insert();
    CHECK_EQ(log.writer.reconnect(log.file), Status::kOk);
    CHECK_EQ(log.writer.lost_rows(), dropped == 0 ? 0 : 300);
    CHECK_EQ(log.writer.close(), Status::kOk);
    CHECK(dropped == 0 ? log.holds({{0, 500}}) : log.holds({{0, 200}}));
  }
}

TEST("reconnect: nor is a page of the same log that stands in another's place") {
  const Options options = on_request(512);
  unsigned tried = 0;
  for (std::size_t sector = 2; sector + 1 < kMaxBytes / kSector; ++sector) {
    Log log(options);
    REQUIRE(log.open());
    CHECK(log.append({0, 350}));
    std::byte* const page = written::file_memory(0).data() + sector * kSector;
    constexpr std::byte kPageHeader{0x15};
    if (page[0] != kPageHeader || page[kSector] != kPageHeader) continue;
    log.cut();
    for (std::size_t i = 0; i < kSector; ++i) {
      const std::byte first = page[i];
      page[i] = page[i + kSector];
      page[i + kSector] = first;
    }
    log.insert();
    CHECK_EQ(log.writer.reconnect(log.file), Status::kOk);
    CHECK_EQ(log.writer.lost_rows(), 350);
    ++tried;
  }
  CHECK(tried >= 8);
}

TEST("reconnect: again and again, with footers on their way and row groups that end, and nothing is lost") {
  for (const std::uint32_t page_bytes : {512U, 256U}) {
    Options options = written::in_place(page_bytes, 90);
    options.checkpoint_ms = 1;
    options.checkpoint_ratio = 0;
    Log log(options);
    REQUIRE(log.open());
    for (int n = 0; n < 1000; ++n) {
      CHECK_EQ(log.append(n), Status::kOk);
      if (n % 37 == 0) CHECK_EQ(log.writer.tick(static_cast<std::uint32_t>(n)), Status::kOk);
      if (n % 230 == 0) CHECK_EQ(log.writer.checkpoint(), Status::kOk);
      if (n % 13 == 0) CHECK_EQ(log.writer.reconnect(log.file), Status::kOk);
      if (n % 410 == 0) CHECK_EQ(log.writer.reconnect(log.file), Status::kOk);
      if (!CHECK_EQ(log.writer.lost_rows(), 0)) break;
    }
    CHECK_EQ(log.writer.close(), Status::kOk);
    CHECK(log.holds({{0, 1000}}));
  }
}
