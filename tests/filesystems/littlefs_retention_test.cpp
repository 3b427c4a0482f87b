// A log in flash that is full: its oldest files go, its newest stay, also when the power fails at any program or erase.
#include <array>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "microparquet/port/littlefs_log_folder.h"
#include "microparquet/retention.h"
#include "microparquet/rolling.h"
#include "microparquet/static_reader.h"
#include "microparquet/static_writer.h"
#include "support/check.h"
#include "support/flash.h"

namespace {

namespace mpq = microparquet;
using filesystems::Flash;
using mpq::Status;

struct NumberRow {
  std::int64_t number = 0;
};
constexpr auto kNumbers = mpq::schema(mpq::column("number", &NumberRow::number));
constexpr mpq::Options kInFlash = [] {
  mpq::Options options;
  options.layout = &mpq::kForward;
  options.row_group_bytes = 2 << 10;
  options.checkpoint_ms = 60'000;
  return options;
}();
using NumberWriter = mpq::StaticWriter<kNumbers, kInFlash>;

constexpr std::uint32_t kFirstId = 70;
constexpr std::uint32_t kBlocks = 64;  // 256 KiB

std::string path_in(std::uint32_t session, std::uint32_t split) {
  char path[48];
  std::snprintf(path, sizeof path, "log/%08u/%08u.parquet", session, split);
  return path;
}

class FlashFolder final : public mpq::LittleFsLogFolder {
 public:
  explicit FlashFolder(lfs_t& volume) : LittleFsLogFolder("log", volume, memory_) {}
  bool has_id(const mpq::LogFile& file, std::uint32_t id) override {
    return id == kFirstId + file.session * 100 + file.split;
  }

 private:
  alignas(8) std::array<std::byte, 1024> memory_;
};

// A boot of a device that logs a row a second, each session in files of a few kilobytes.
class FlashDevice final : private mpq::FileSequence {
 public:
  FlashDevice(lfs_t& volume, std::uint32_t session, std::uint32_t low_water)
      : volume_(volume),
        session_(session),
        limits_{mpq::WhenFull::kDropOldest, low_water, 0, 0, 0},
        folder_(volume),
        retention_(folder_, limits_),
        log_(writer_, *this, {6'000, 0}) {}

  // Logs that many rows. Anything but kOk: the flash has failed, or has no space.
  Status run(std::int64_t& number, unsigned rows) {
    Status status = begin();
    for (unsigned i = 0; i < rows && status == Status::kOk; ++i) {
      NumberRow row;
      row.number = number;
      status = repeat([&] { return log_.append(row); });
      if (status == Status::kOk) ++number;
      if (status == Status::kOk) status = repeat([&] { return log_.tick(now_ms_ += 1'000); });
      if (!retention_.is_writing(session_, split_)) retention_.begin_file(session_, split_);
      if (status == Status::kOk) status = retention_.step(now_ms_);
      if (status == Status::kOk)
        durable = writer_.durable_rows() == 0
                      ? durable
                      : number - static_cast<std::int64_t>(writer_.rows() - writer_.durable_rows());
    }
    if (status == Status::kOk) status = repeat([&] { return writer_.close(); });
    const Status closed = file_.close();
    if (status == Status::kOk) durable = number;
    return status == Status::kOk ? closed : status;
  }
  std::uint32_t removed() const { return retention_.removed(); }

  std::int64_t durable =
      -1;  // number after the last row that no cut takes; -1: none of this boot is known to be

 private:
  Status begin() {
    char folder[24];
    std::snprintf(folder, sizeof folder, "log/%08u", session_);
    retention_.begin_file(session_, 1);
    Status status = repeat([&] {
      for (const char* path : {"log", static_cast<const char*>(folder)}) {
        const int error = lfs_mkdir(&volume_, path);
        if (error != 0 && error != LFS_ERR_EXIST)
          return error == LFS_ERR_NOSPC ? Status::kNoSpace : Status::kMediumLost;
      }
      mpq::File* file = nullptr;
      return next(file);
    });
    if (status != Status::kOk) return status;
    return repeat([&] { return writer_.open(file_, {{}, kFirstId + session_ * 100 + split_}); });
  }
  template <typename Call>
  Status repeat(Call call) {
    Status status = call();
    while (status == Status::kNoSpace) {
      bool is_done = false;
      Status made = Status::kOk;
      while (made == Status::kOk && !is_done) made = retention_.make_space(is_done);
      if (made != Status::kOk) return made;
      status = call();
    }
    return status;
  }
  Status next(mpq::File*& file) override {
    if (const Status status = file_.close(); status != Status::kOk) return status;
    file = &file_;
    path_ = path_in(session_, split_ + 1);
    const Status status = file_.create(path_.c_str(), mpq::Existing::kOverwrite);
    if (status == Status::kOk) ++split_;
    return status;
  }

  lfs_t& volume_;
  std::uint32_t session_;
  std::uint32_t split_ = 0;
  std::uint32_t now_ms_ = 0;
  std::string path_;
  alignas(8) std::array<std::byte, 1024> memory_;
  mpq::LittleFsFile file_{volume_, memory_};
  mpq::RetentionLimits limits_;
  FlashFolder folder_;
  mpq::Retention retention_;
  NumberWriter writer_;
  mpq::RollingWriter<NumberWriter> log_;
};

// The numbers of all files, which are in order and without a gap but where a boot's last rows were lost.
struct FoundNumbers {
  std::vector<std::int64_t> numbers;
  unsigned files = 0;
  bool good = true;
};

FoundNumbers read_flash(Flash& flash, std::uint32_t sessions) {
  static mpq::StaticReader<kNumbers> reader;  // NOLINT(*-dynamic-static-initializers)
  alignas(8) std::array<std::byte, 1024> memory;
  FoundNumbers found;
  for (std::uint32_t session = 1; session <= sessions; ++session) {
    for (std::uint32_t split = 1; split < 60; ++split) {
      const std::string path = path_in(session, split);
      mpq::LittleFsFile file(flash.volume(), memory);
      if (file.open_for_reading(path.c_str()) != Status::kOk) continue;
      std::uint64_t bytes = 0;
      found.good = found.good && file.size(bytes) == Status::kOk;
      NumberRow row;
      Status status = bytes == 0 ? Status::kEnd : reader.open(file);
      while (bytes != 0 && status == Status::kOk && (status = reader.next(row)) == Status::kOk) {
        found.good = found.good && (found.numbers.empty() || row.number == found.numbers.back() + 1);
        found.numbers.push_back(row.number);
      }
      found.good = found.good && status == Status::kEnd;
      static_cast<void>(file.close());
      ++found.files;
    }
  }
  return found;
}

}  // namespace

TEST("a log in flash keeps the newest rows where the flash is full") {
  for (const std::uint32_t low_water : {0U, 40U << 10}) {
    Flash flash(kBlocks, Flash::Loss::kInOrder);
    REQUIRE(flash.good());
    lfs_file_t other;
    lfs_file_config config = {};
    alignas(8) std::array<std::uint8_t, 512> cache;
    config.buffer = cache.data();
    REQUIRE(lfs_file_opencfg(&flash.volume(), &other, "others", LFS_O_RDWR | LFS_O_CREAT, &config) == 0);
    REQUIRE(lfs_file_write(&flash.volume(), &other, "text", 4) == 4 &&
            lfs_file_close(&flash.volume(), &other) == 0);
    std::int64_t number = 0;
    std::uint32_t removed = 0;
    for (std::uint32_t session = 1; session <= 4; ++session) {
      FlashDevice device(flash.volume(), session, low_water);
      REQUIRE(device.run(number, 14'000) == Status::kOk);
      removed += device.removed();
    }
    const FoundNumbers found = read_flash(flash, 4);
    CHECK(found.good && removed > 20);
    CHECK(!found.numbers.empty() && found.numbers.back() == number - 1);
    CHECK(found.numbers.size() > 6'000 && found.numbers.front() > 28'000);
    lfs_info information;
    CHECK(lfs_stat(&flash.volume(), "others", &information) == 0 && information.size == 4);
    CHECK(lfs_stat(&flash.volume(), "log/00000001", &information) == LFS_ERR_NOENT);
    std::printf("%u files removed, %u rows left\n", removed, static_cast<unsigned>(found.numbers.size()));
  }
}

TEST("cut at any program or erase while a full flash makes place, no durable row is lost") {
  unsigned cuts = 0;
  for (std::uint32_t cut = 3; cut < 3'000; cut += 7) {
    Flash flash(kBlocks, cut % 2 == 0 ? Flash::Loss::kInOrder : Flash::Loss::kOutOfOrder);
    std::int64_t number = 0;
    {
      FlashDevice device(flash.volume(), 1, 40 << 10);
      REQUIRE(device.run(number, 16'000) == Status::kOk);
    }
    flash.cut_after(cut);
    FlashDevice device(flash.volume(), 2, 40 << 10);
    const std::int64_t before = number;
    static_cast<void>(device.run(number, 3'000));
    const bool was_cut = flash.is_cut();
    cuts += was_cut ? 1 : 0;
    REQUIRE(flash.power_on());
    const std::int64_t durable = device.durable < before ? before : device.durable;
    FoundNumbers found = read_flash(flash, 2);
    CHECK(found.good && !found.numbers.empty());
    CHECK(found.numbers.back() + 1 >= durable);
    number = found.numbers.back() + 1;
    FlashDevice next(flash.volume(), 3, 40 << 10);
    CHECK(next.run(number, 2'000) == Status::kOk);
    found = read_flash(flash, 3);
    CHECK(found.good && found.numbers.back() + 1 == number);
    if (!was_cut) break;
  }
  std::printf("%u cuts\n", cuts);
  CHECK(cuts > 20);
}
