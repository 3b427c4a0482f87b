// A driver that answers RES_OK for a block which the card has rejected, each block in turn. Nothing can be done about the rows;
// but whoever reads the file gets an error, and no other values.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "microparquet/port/fatfs_file.h"
#include "support/boot.h"
#include "support/check.h"
#include "support/volume.h"

namespace {

using filesystems::Boot;
using filesystems::Habit;
using filesystems::RamDisk;
using filesystems::Volume;
using microparquet::FatFsFile;
using microparquet::Status;

constexpr char kRejectedPath[] = "LOG.PQT";
constexpr Habit kWhole{700, 90, 0, true};

struct RejectedInPlace : filesystems::Imu {
  static constexpr const char* kName = "in place";
};
struct RejectedForward : filesystems::Imu {
  static constexpr const char* kName = "forward";
  static constexpr microparquet::Options kOptions = filesystems::forward(filesystems::imu_options());
};

// Hands all on but one block.
class SilentDriver final : public filesystems::BlockLayer {
 public:
  SilentDriver(RamDisk& disk, std::uint64_t rejected) : disk_(disk), rejected_(rejected) {
    disk.set_front(this);
  }
  ~SilentDriver() { disk_.set_front(nullptr); }
  SilentDriver(const SilentDriver&) = delete;
  SilentDriver& operator=(const SilentDriver&) = delete;

  bool read(std::uint32_t first, std::byte* out, std::uint32_t count) override {
    return disk_.read(first, out, count);
  }
  bool write(std::uint32_t first, const std::byte* data, std::uint32_t count) override {
    bool good = true;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (written_++ == rejected_) continue;
      good = disk_.write(first + i, data + i * filesystems::kSectorBytes, 1) && good;
    }
    return good;
  }
  bool sync() override { return disk_.sync(); }
  std::uint64_t written() const { return written_; }

 private:
  RamDisk& disk_;
  std::uint64_t rejected_;
  std::uint64_t written_ = 0;
};

// Whether the program took the log for whole.
template <typename Kind>
bool log_all(RamDisk& disk) {
  Volume volume(disk);
  FatFsFile file;
  Boot<Kind> boot(0);
  return file.open_for_append(kRejectedPath) == Status::kOk && boot.resume(file) == Status::kOk &&
         boot.log(kWhole) == Status::kOk && file.close() == Status::kOk;
}

struct Readings {
  unsigned whole = 0;
  unsigned errors = 0;
  unsigned shorter = 0;  // a file of fewer rows, or none
  unsigned wrong = 0;
};

// Keeps the log for other programs: tests/groups/filesystems.
void keep_log(const std::string& name) {
  const char* const folder = std::getenv("MICROPARQUET_IMAGES");
  FIL log;
  if (folder == nullptr || f_open(&log, kRejectedPath, FA_READ) != FR_OK) return;
  std::vector<std::byte> bytes(static_cast<std::size_t>(f_size(&log)));
  UINT moved = 0;
  const bool read =
      f_read(&log, bytes.data(), static_cast<UINT>(bytes.size()), &moved) == FR_OK && moved == bytes.size();
  static_cast<void>(f_close(&log));
  std::FILE* const out = std::fopen((std::string(folder) + "/" + name + ".rejected").c_str(), "wb");
  REQUIRE(read && out != nullptr);
  CHECK_EQ(std::fwrite(bytes.data(), 1, bytes.size(), out), bytes.size());
  CHECK(std::fclose(out) == 0);
}

template <typename Kind>
void read_back(RamDisk& disk, Readings& readings) {
  Volume volume(disk);
  FatFsFile file;
  filesystems::History found;
  if (file.open_for_reading(kRejectedPath) != Status::kOk) {
    ++readings.shorter;
    return;
  }
  std::uint64_t size = 0;
  const std::string fault =
      file.size(size) == Status::kOk && size != 0 ? filesystems::read_log<Kind>(file, found) : "";
  static_cast<void>(file.close());
  if (fault.rfind("the reader: ", 0) == 0) {
    if (readings.errors++ % 20 == 0) keep_log(std::string(Kind::kName) + std::to_string(readings.errors));
  } else if (!fault.empty()) {
    ++readings.wrong;
  } else if (found.empty() || found.front().rows < kWhole.rows) {
    ++readings.shorter;
  } else {
    ++readings.whole;
  }
}

template <typename Kind>
void reject_each() {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  Readings readings;
  unsigned content = 0;
  std::uint64_t blocks = 1;
  for (std::uint64_t nth = 0; nth < blocks; ++nth) {
    disk.begin_transaction();
    {
      const SilentDriver driver(disk, nth);
      content += log_all<Kind>(disk) ? 1U : 0U;
      blocks = driver.written();
    }
    read_back<Kind>(disk, readings);
    disk.roll_back();
  }
  std::printf(
      "%s: each of %u blocks rejected in silence: %u programs content, %u files whole, %u with an error, %u "
      "shorter\n",
      Kind::kName, static_cast<unsigned>(blocks), content, readings.whole, readings.errors, readings.shorter);
  CHECK_EQ(readings.wrong, 0U);
  CHECK(readings.errors > 20);
  CHECK(content > readings.whole);
}

}  // namespace

TEST("a block that the card rejects in silence is never a wrong value") {
  reject_each<RejectedInPlace>();
  reject_each<RejectedForward>();
}
