// The forward layout in flash through littlefs: the power fails at each program and erase of a boot in turn,
// operations fail, and the flash is full.
#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "bench/write_imu8.h"
#include "contract_test.h"
#include "microparquet/port/littlefs_file.h"
#include "ports/littlefs_writer.h"
#include "support/boot.h"
#include "support/check.h"
#include "support/flash.h"
#include "support/images.h"

namespace {

namespace mpq = microparquet;
using filesystems::Boot;
using filesystems::Flash;
using filesystems::Habit;
using filesystems::History;
using filesystems::Left;
using filesystems::Outcome;
using filesystems::WatchedFile;
using mpq::LittleFsFile;
using mpq::Status;

constexpr char kPath[] = "log.parquet";
constexpr std::uint32_t kBlocks = 256;  // 1 MiB
constexpr Habit kFirst{500, 60, 0, true};
constexpr Habit kLater{60, 25, 0, true};

alignas(8) std::array<std::byte, 1024> caches;

struct Imu : filesystems::Imu {
  static constexpr mpq::Options kOptions = filesystems::forward(filesystems::imu_options());
};
struct Texts : filesystems::Texts {
  static constexpr mpq::Options kOptions = filesystems::forward(filesystems::texts_options());
};

template <typename Kind>
Outcome run(Flash& flash, std::uint32_t number, const Habit& habit) {
  LittleFsFile file(flash.volume(), caches);
  WatchedFile watched(file);
  Boot<Kind> boot(number);
  Outcome outcome;
  outcome.status = file.open_for_append(kPath);
  if (outcome.status == Status::kOk) outcome.status = boot.resume(watched);
  if (outcome.status == Status::kOk) outcome.status = boot.log(habit);
  const Status closed = file.close();
  if (outcome.status == Status::kOk) outcome.status = closed;
  outcome.take(boot, watched);
  return outcome;
}

// Empty, or what is wrong with the open file. No bytes are right when nothing was published.
template <typename Kind>
std::string look_into(LittleFsFile& file, const Outcome& outcome, bool may_lack, History& found) {
  std::uint64_t size = 0;
  if (file.size(size) != Status::kOk) return "no size";
  if (size == 0) return may_lack ? "" : "the file has no bytes";
  const bool known = size == outcome.published || size == outcome.publishing;
  if (outcome.published != 0 && !known) return "a size that was not published";
  return filesystems::read_log<Kind>(file, found);
}

// The same; no file is right then, too.
template <typename Kind>
std::string look(Flash& flash, const Outcome& outcome, bool may_lack, History& found) {
  LittleFsFile file(flash.volume(), caches);
  const Status opened = file.open_for_reading(kPath);
  if (opened == Status::kIoError && file.native_error() == LFS_ERR_NOENT)
    return may_lack ? "" : "there is no file";
  if (opened != Status::kOk) return "the file cannot be opened";
  const std::string fault = look_into<Kind>(file, outcome, may_lack, found);
  return file.close() == Status::kOk ? fault : "the file cannot be closed";
}

// Leaves a copy of the file for other readers.
template <typename Kind>
void keep(Flash& flash, Flash::Loss loss, unsigned cut, Left left, const History& rows) {
  const std::string name = std::string("littlefs_") + Kind::kName +
                           (loss == Flash::Loss::kInOrder ? "_" : "_out_of_order_") + std::to_string(cut) +
                           (left == Left::kResumed ? "_resumed.parquet" : ".parquet");
  CHECK(filesystems::keep(name, left, rows, [&flash](const std::string& path) {
    LittleFsFile file(flash.volume(), caches);
    std::uint64_t size = 0;
    if (file.open_for_reading(kPath) != Status::kOk || file.size(size) != Status::kOk) return false;
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    std::FILE* const out = std::fopen(path.c_str(), "wb");
    if (out == nullptr) return false;
    const bool good = file.read_at(0, bytes) == Status::kOk && file.close() == Status::kOk &&
                      std::fwrite(bytes.data(), 1, bytes.size(), out) == bytes.size();
    return std::fclose(out) == 0 && good;
  }));
}

template <typename Kind>
void sweep(Flash::Loss loss) {
  std::uint32_t last = 0;
  unsigned different = 0;
  for (std::uint32_t cut = 0;; ++cut) {
    const auto flash = std::make_unique<Flash>(kBlocks, loss);
    REQUIRE(flash->good());
    flash->cut_after(cut);
    const Outcome outcome = run<Kind>(*flash, 0, kFirst);
    const bool was_cut = flash->is_cut();
    CHECK_EQ(to_string(outcome.status), to_string(was_cut ? Status::kMediumLost : Status::kOk));
    REQUIRE(flash->power_on());
    History found;
    std::string fault = look<Kind>(*flash, outcome, outcome.published == 0, found);
    if (fault.empty()) fault = compare(found, {}, 0, outcome.durable, outcome.offered);
    const std::uint32_t rows = found.empty() ? 0 : found.back().rows;
    different += rows != last ? 1U : 0U;
    last = rows;
    const bool kept = !was_cut || (cut % 100 == 99 && rows != 0);
    if (fault.empty() && kept) keep<Kind>(*flash, loss, cut, was_cut ? Left::kCut : Left::kClosed, found);
    if (fault.empty()) {  // the next boot continues
      const History before = found;
      const Outcome later = run<Kind>(*flash, 1, kLater);
      CHECK_EQ(to_string(later.status), "ok");
      fault = look<Kind>(*flash, later, false, found);
      if (fault.empty()) fault = compare(found, before, 1, kLater.rows, kLater.rows);
      if (fault.empty() && kept) keep<Kind>(*flash, loss, cut, Left::kResumed, found);
    }
    if (!CHECK(fault.empty())) {
      std::printf("  %s: cut at operation %u: %s\n", Kind::kName, cut, fault.c_str());
      return;
    }
    if (!was_cut) {
      CHECK(cut > 100);
      CHECK(different > 5);
      std::printf("%s%s: %u programs and erases, each cut\n", Kind::kName,
                  loss == Flash::Loss::kInOrder ? "" : ", out of order", cut);
      return;
    }
  }
}

std::uint64_t size_of(LittleFsFile& file) {
  std::uint64_t size = 0;
  CHECK(file.size(size) == Status::kOk);
  return size;
}

std::byte pattern(std::uint64_t offset) { return static_cast<std::byte>(offset * 7 + offset / 256); }

Status append(LittleFsFile& file, std::size_t bytes) {
  const std::uint64_t end = size_of(file);
  std::vector<std::byte> data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = pattern(end + i);
  return file.write_at(end, mpq::Span<const std::byte>(data.data(), bytes));
}

Status sync(LittleFsFile& file) { return file.sync(size_of(file)); }

// Number of the file's bytes that append() wrote; it has no others.
std::uint64_t bytes_after_a_boot(Flash& flash) {
  CHECK(flash.power_on());
  LittleFsFile file(flash.volume(), caches);
  CHECK(file.open_for_reading(kPath) == Status::kOk);
  std::vector<std::byte> data(size_of(file));
  CHECK(file.read_at(0, mpq::Span<std::byte>(data.data(), data.size())) == Status::kOk);
  std::size_t right = 0;
  while (right < data.size() && data[right] == pattern(right)) ++right;
  CHECK_EQ(right, data.size());
  CHECK(file.close() == Status::kOk);
  return right;
}

class Contract final : public port_contract::TestedPort {
 public:
  explicit Contract(Flash& flash)
      : TestedPort("LittleFsFile"),
        flash_(flash),
        file_(std::make_unique<LittleFsFile>(flash.volume(), caches)) {}
  microparquet::File* create() override {
    return file_->create(kPath, microparquet::Existing::kOverwrite) == Status::kOk ? file_.get() : nullptr;
  }
  microparquet::File* open_again() override {
    const Status status = file_->close();
    const bool good = status == Status::kOk || (status == Status::kMediumLost && flash_.has_failed());
    return good && file_->open_for_append(kPath) == Status::kOk ? file_.get() : nullptr;
  }
  microparquet::File* open_after_cut() override {
    if (!flash_.power_on()) return nullptr;
    file_ = std::make_unique<LittleFsFile>(flash_.volume(), caches);
    return file_->open_for_append(kPath) == Status::kOk ? file_.get() : nullptr;
  }
  void close() { static_cast<void>(file_->close()); }
  bool fail_next(bool fails) override {
    flash_.fail_after(fails ? 0 : Flash::kNever);
    return true;
  }

 private:
  Flash& flash_;
  std::unique_ptr<LittleFsFile> file_;
};

}  // namespace

TEST("the contract of ports is held") {
  Flash flash(kBlocks, Flash::Loss::kInOrder);
  REQUIRE(flash.good());
  Contract port(flash);
  port_contract::check_all(port, 21);
  port.close();
}

TEST("a file is written forward, and read back through both handles") {
  Flash flash(kBlocks, Flash::Loss::kInOrder);
  REQUIRE(flash.good());
  LittleFsFile file(flash.volume(), caches);
  REQUIRE(file.create(kPath) == Status::kOk);
  std::array<std::byte, 3000> data;
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::byte>(i * 7);
  CHECK(file.write_at(0, data) == Status::kOk);
  CHECK(file.write_at(10, data) == Status::kInvalidArgument);
  CHECK(file.sync(2000) == Status::kInvalidArgument);
  CHECK(file.sync(3000) == Status::kOk);
  std::array<std::byte, 500> read;
  const auto right = [&](std::uint64_t offset) {
    return file.read_at(offset, read) == Status::kOk &&
           std::equal(read.begin(), read.end(), &data[offset % 3000]);
  };
  CHECK(right(700));
  CHECK(file.write_at(3000, data) == Status::kOk);
  CHECK(right(100));   // of what is synced
  CHECK(right(4000));  // and not
  CHECK(file.write_at(6000, data) == Status::kOk);
  CHECK(right(8000));
  CHECK(file.read_at(8600, read) == Status::kIoError);
  CHECK(file.sync(9000) == Status::kOk);
  CHECK(right(2000));
  CHECK(right(7000));
  CHECK(file.write_at(9000, data) == Status::kOk);
  CHECK(file.close() == Status::kOk);  // drops what was not synced
  std::uint64_t size = 0;
  CHECK(file.create(kPath) == Status::kIoError);
  CHECK_EQ(file.native_error(), LFS_ERR_EXIST);
  REQUIRE(file.open_for_append(kPath) == Status::kOk);
  CHECK(file.size(size) == Status::kOk);
  CHECK_EQ(size, 9000);
  CHECK(file.write_at(9000, data) == Status::kOk);
  CHECK(file.sync(12000) == Status::kOk);
  CHECK(right(9100));
  REQUIRE(file.open_for_reading(kPath) == Status::kOk);
  CHECK(right(9500));
  CHECK(file.write_at(12000, data) == Status::kWrongState);
  CHECK(file.create(kPath, microparquet::Existing::kOverwrite) == Status::kOk);
  CHECK(file.size(size) == Status::kOk);
  CHECK_EQ(size, 0);
  CHECK(file.close() == Status::kOk);
  CHECK(file.open_for_reading("nothing") == Status::kIoError);
  CHECK_EQ(file.native_error(), LFS_ERR_NOENT);
  CHECK(file.sync(0) == Status::kWrongState);
  LittleFsFile small(flash.volume(), mpq::Span<std::byte>(caches.data(), 1023));
  CHECK(small.open_for_reading(kPath) == Status::kInvalidArgument);
}

TEST("the power fails at any program or erase") {
  for (const Flash::Loss loss : {Flash::Loss::kInOrder, Flash::Loss::kOutOfOrder}) {
    sweep<Imu>(loss);
    sweep<Texts>(loss);
  }
}

TEST("two hundred cut boots lose no durable row") {
  Flash flash(kBlocks, Flash::Loss::kInOrder);
  History history;
  unsigned cuts = 0;
  std::uint64_t rows = 0;
  for (std::uint32_t number = 1; number <= 200; ++number) {
    const auto chance = [number](std::uint32_t what) { return filesystems::mix(number, what); };
    flash.cut_after(chance(0) % 250);
    const Outcome outcome =
        run<Imu>(flash, number, {chance(1) % 200, 10 + chance(2) % 60, 0, chance(3) % 2 == 0});
    cuts += flash.is_cut() ? 1U : 0U;
    REQUIRE(flash.power_on());
    History found;
    REQUIRE_EQ(look<Imu>(flash, outcome, history.empty() && outcome.published == 0, found), "");
    REQUIRE_EQ(compare(found, history, number, outcome.durable, outcome.offered), "");
    history = found;
    rows = 0;
    for (const auto& logged : history) rows += logged.rows;
    if (number % 40 == 0) {  // another file
      REQUIRE(lfs_remove(&flash.volume(), kPath) == 0);
      history.clear();
    }
  }
  CHECK(cuts > 60);
}

TEST("a failing block loses the file until it is opened again") {
  for (std::uint32_t nth = 0;; ++nth) {
    const auto flash = std::make_unique<Flash>(kBlocks, Flash::Loss::kInOrder);
    flash->fail_after(nth);
    const Outcome outcome = run<Imu>(*flash, 0, kFirst);
    const bool failed = flash->has_failed();
    REQUIRE(outcome.status == (failed ? Status::kMediumLost : Status::kOk));
    REQUIRE(flash->power_on());
    History found;
    REQUIRE_EQ(look<Imu>(*flash, outcome, outcome.published == 0, found), "");
    REQUIRE_EQ(compare(found, {}, 0, outcome.durable, outcome.offered), "");
    const History before = found;
    const Outcome later = run<Imu>(*flash, 1, kLater);
    REQUIRE(later.status == Status::kOk);
    REQUIRE_EQ(look<Imu>(*flash, later, false, found), "");
    REQUIRE_EQ(compare(found, before, 1, kLater.rows, kLater.rows), "");
    if (!failed) {
      CHECK(nth > 100);
      break;
    }
  }
}

TEST("a full flash keeps what was durable") {
  for (const std::uint32_t blocks : {16U, 23U, 32U}) {
    Flash flash(blocks, Flash::Loss::kInOrder);
    const Outcome outcome = run<Imu>(flash, 0, {100000, 60, 0, true});
    CHECK_EQ(to_string(outcome.status), to_string(Status::kNoSpace));
    CHECK(outcome.durable > blocks * 10);
    REQUIRE(flash.power_on());
    History found;
    CHECK_EQ(look<Imu>(flash, outcome, false, found), "");
    CHECK_EQ(compare(found, {}, 0, outcome.durable, outcome.offered), "");
  }
}

// littlefs answers a sync with success, and does nothing, after a write that failed.
TEST("what a sync confirms is there, although a write found no space before") {
  unsigned confirmed = 0;
  for (const std::size_t bytes : {1U, 100U, 512U, 700U, 3000U, 4096U, 9000U}) {
    Flash flash(16, Flash::Loss::kInOrder);
    LittleFsFile filler(flash.volume(), caches);
    REQUIRE(filler.create("filler") == Status::kOk);
    REQUIRE(append(filler, 20000) == Status::kOk);
    REQUIRE(sync(filler) == Status::kOk);
    REQUIRE(filler.close() == Status::kOk);

    LittleFsFile file(flash.volume(), caches);
    REQUIRE(file.create(kPath) == Status::kOk);
    REQUIRE(append(file, 700) == Status::kOk);
    REQUIRE(sync(file) == Status::kOk);
    Status status = Status::kOk;
    while (status == Status::kOk) status = append(file, bytes);
    CHECK_EQ(to_string(status), to_string(Status::kNoSpace));
    const std::uint64_t full = size_of(file);
    const Status synced = sync(file);
    CHECK(synced == Status::kOk || synced == Status::kNoSpace);
    CHECK(sync(file) == synced);
    confirmed += synced == Status::kOk ? 1U : 0U;
    CHECK(file.close() == Status::kOk);
    CHECK_EQ(bytes_after_a_boot(flash), synced == Status::kOk ? full : 700);

    REQUIRE(file.open_for_append(kPath) == Status::kOk);
    while (append(file, bytes) == Status::kOk) {
    }
    REQUIRE(lfs_remove(&flash.volume(), "filler") == 0);  // there is space again
    CHECK(append(file, 10) == Status::kOk);
    const std::uint64_t more = size_of(file);
    CHECK(sync(file) == Status::kOk);
    CHECK(file.close() == Status::kOk);
    CHECK_EQ(bytes_after_a_boot(flash), more);
  }
  CHECK(confirmed > 3);
}

// The rest is a block for each sync, and for each part of a footer that the pool holds.
TEST("a byte of a log is programmed less than 1.2 times") {
  Flash flash(1024, Flash::Loss::kInOrder);
  const std::uint64_t before = flash.programmed_bytes();
  const Outcome outcome = run<Imu>(flash, 0, {20000, 5000, 0, true});
  CHECK(outcome.status == Status::kOk);
  const double ratio =
      static_cast<double>(flash.programmed_bytes() - before) / static_cast<double>(outcome.published);
  std::printf("%.2f bytes programmed for each byte of the file\n", ratio);
  CHECK(ratio < 1.2);
}

// Ten minutes at 100 Hz in 8 KiB of row group. The values take 36 bytes a row, without headers, records and footer.
TEST("a byte of values is programmed less than 1.25 times") {
  constexpr std::uint32_t kRows = 60'000;
  constexpr double kValueBytes = double{kRows} * 36;
  Flash flash(1024, Flash::Loss::kInOrder);
  const std::uint64_t programmed = flash.programmed_bytes();
  const std::uint64_t erased = flash.erased_bytes();
  static mpq::bench::LittleFsWriter<8> writer;  // NOLINT(*-dynamic-static-initializers)
  LittleFsFile file(flash.volume(), caches);
  REQUIRE(file.create(kPath) == Status::kOk);
  mpq::bench::write_imu8(writer, file, kRows, 10);
  CHECK(writer.close() == Status::kOk);
  CHECK(file.close() == Status::kOk);
  const double programmed_per_value =
      static_cast<double>(flash.programmed_bytes() - programmed) / kValueBytes;
  const double erased_per_value = static_cast<double>(flash.erased_bytes() - erased) / kValueBytes;
  std::printf("%.3f bytes programmed and %.3f erased for each byte of values\n", programmed_per_value,
              erased_per_value);
  CHECK(programmed_per_value < 1.25);
  CHECK(erased_per_value < 1.25);
}
