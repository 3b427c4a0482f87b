// Prints what making place on a full card costs a log: the longest time that a row, a tick and a step of the retention
// take together, on the model of a common card, those included that end a file and begin the next one.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "cards/card.h"
#include "cards/kinds.h"
#include "cards/logged_card.h"
#include "microparquet/port/fatfs_log_folder.h"
#include "microparquet/rolling.h"
#include "microparquet/static_writer.h"
#include "support/imu8_rows.h"
#include "support/must.h"

namespace {

namespace mpq = microparquet;
namespace bench = microparquet::bench;
using cards::Card;
using cards::Driver;
using support::must;

constexpr std::uint32_t kClusterBytes = 32 << 10;
constexpr std::uint32_t kOldFiles = 90;
constexpr std::uint32_t kOldBytes = 40 << 20;
constexpr std::uint32_t kLeft = 12 << 20;
constexpr std::int32_t kRows = 4 * 360'000;  // hours at 100 Hz
constexpr std::uint32_t kRowMs = 10;
constexpr std::uint32_t kRollMs = 600'000;

std::string path_of(std::uint32_t session, std::uint32_t split) {
  char path[48];
  std::snprintf(path, sizeof path, "LOG/%08u/%08u.PQT", session, split);
  return path;
}

void require(bool good, const char* what) {
  if (!good) must(mpq::Status::kIoError, what);
}

class Folder final : public mpq::FatFsLogFolder {
 public:
  explicit Folder(FATFS& volume) : FatFsLogFolder("LOG", volume) {}
  bool has_id(const mpq::LogFile& /*file*/, std::uint32_t /*file_id*/) override { return true; }
};

// Fills the card with earlier files, which begin as the log's do, and are longer; only their clusters count.
void fill(const std::vector<std::byte>& head) {
  const auto make = [&](const std::string& path, FSIZE_t bytes) {
    FIL file;
    UINT written = 0;
    require(f_open(&file, path.c_str(), FA_WRITE | FA_CREATE_NEW) == FR_OK &&
                f_write(&file, head.data(), static_cast<UINT>(head.size()), &written) == FR_OK &&
                f_lseek(&file, bytes) == FR_OK && f_close(&file) == FR_OK,
            "an earlier file");
  };
  for (std::uint32_t split = 1; split <= kOldFiles; ++split) make(path_of(1, split), kOldBytes);
  DWORD clusters = 0;
  FATFS* volume = nullptr;
  require(f_getfree("", &clusters, &volume) == FR_OK, "space");
  make("FILL.BIN", FSIZE_t{clusters} * kClusterBytes - kLeft);
}

class Log final : private mpq::FileSequence {
 public:
  Log(cards::LoggedCard& card, std::uint32_t roll_ms)
      : card_(card),
        folder_(card.volume()),
        retention_(folder_, kLimits),
        log_(writer_, *this, {0, roll_ms}) {
    for (const char* path : {"LOG", "LOG/00000001", "LOG/00000002"}) require(f_mkdir(path) == FR_OK, path);
    mpq::File* file = nullptr;
    must(next(file), "create");
    must(writer_.open(*file), "open");
    std::vector<std::byte> head(kHeadBytes);
    must(file_.write_at(kHeadBytes, {head.data(), 1}), "write");
    must(file_.read_at(0, {head.data(), head.size()}), "read");
    fill(head);
    retention_.begin_file(2, split_);
  }

  void run() {
    bench::Imu8Generator generator(kRows);
    bench::Imu8Row row = {};
    for (std::int32_t i = 0; i < kRows; ++i) {
      const auto ms = static_cast<std::uint32_t>(i) * kRowMs;
      generator.next(row);
      card_.commands().begin_call(ms);
      must(log_.append(row), "append");
      must(log_.tick(ms), "tick");
      if (!retention_.is_writing(2, split_)) retention_.begin_file(2, split_);
      must(retention_.step(ms), "step");
    }
    card_.commands().begin_call(kRows * kRowMs);
    require(split_ > 20 && retention_.removed() != 0, "no file has gone");
    std::fprintf(stderr, "%u files begun, %u removed\n", split_, retention_.removed());
  }

 private:
  static constexpr std::size_t kHeadBytes = 1'024;
  static constexpr mpq::RetentionLimits kLimits = [] {
    mpq::RetentionLimits limits;
    limits.when_full = mpq::WhenFull::kDropOldest;
    return limits;
  }();

  mpq::Status next(mpq::File*& file) override {
    if (const mpq::Status status = file_.close(); status != mpq::Status::kOk) return status;
    file = &file_;
    return file_.create(path_of(2, ++split_).c_str());
  }

  cards::LoggedCard& card_;
  DWORD link_map_[64] = {};
  mpq::FatFsFile file_{link_map_};
  std::uint32_t split_ = 0;
  Folder folder_;
  mpq::Retention retention_;
  mpq::StaticWriter<bench::kImu8Schema> writer_;
  mpq::RollingWriter<mpq::StaticWriter<bench::kImu8Schema>> log_;
};

}  // namespace

int main() {
  constexpr cards::CardKind kCommon = cards::kThree[1];
  Card model(kCommon, Driver::kHeld);
  cards::LoggedCard card(model, kClusterBytes);
  require(card.is_mounted(), "mount");
  const auto log = std::make_unique<Log>(card, kRollMs);
  model.forget_call();
  log->run();
  std::printf("card.longest_roll %.0f ms\n", model.longest_call_us() / 1'000);
}
