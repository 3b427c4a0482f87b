// Memory that reaches disk_read() and disk_write(): the writer's on words or on the lines of a cache, and FatFs's own.
#include <cstddef>
#include <cstdint>

#include "microparquet/port/fatfs_file.h"
#include "microparquet/static_writer.h"
#include "support/boot.h"
#include "support/check.h"
#include "support/transfers.h"
#include "support/volume.h"

namespace {

using filesystems::RamDisk;
using filesystems::Volume;
using microparquet::FatFsFile;
using microparquet::Status;

constexpr char kMovedPath[] = "LOG.PQT";
constexpr std::uint32_t kRowsOfBoot = 900;

constexpr microparquet::Options moved(std::uint32_t page_bytes, std::uint8_t align) {
  microparquet::Options options = filesystems::imu_options();
  options.page_bytes = page_bytes;
  options.transfer_align = align;
  return options;
}
struct OnWords : filesystems::Imu {
  static constexpr std::size_t kLine = support::kWordBytes;
  static constexpr microparquet::Options kOptions = moved(512, 8);
};
struct OnLines : filesystems::Imu {
  static constexpr std::size_t kLine = 32;
  static constexpr microparquet::Options kOptions = moved(512, 32);
};
struct LargeOnLines : filesystems::Imu {
  static constexpr std::size_t kLine = 32;
  static constexpr microparquet::Options kOptions = moved(2048, 32);
};

// Refuses memory that is not on a word, and spoils the lines around what it reads to memory that is not FatFs's:
// for that it has a sector of its own.
class DmaDriver final : public filesystems::BlockLayer {
 public:
  DmaDriver(RamDisk& disk, std::size_t line) : disk_(disk), line_(line) { disk.set_front(this); }
  ~DmaDriver() { disk_.set_front(nullptr); }
  DmaDriver(const DmaDriver&) = delete;
  DmaDriver& operator=(const DmaDriver&) = delete;

  // The buffers in these objects are FatFs's.
  void set_owners(const Volume& volume, const FatFsFile& file) {
    volume_ = range(&volume, sizeof volume);
    file_ = range(&file, sizeof file);
  }

  bool read(std::uint32_t first, std::byte* out, std::uint32_t count) override {
    const support::Transfer transfer = range(out, count * filesystems::kSectorBytes);
    if (!takes(transfer) || !disk_.read(first, out, count)) return false;
    if (!is_fatfs(transfer)) support::spoil_lines(transfer, line_);
    return true;
  }
  bool write(std::uint32_t first, const std::byte* data, std::uint32_t count) override {
    return takes(range(data, count * filesystems::kSectorBytes)) && disk_.write(first, data, count);
  }
  bool sync() override { return disk_.sync(); }

  unsigned direct() const { return direct_; }          // transfers of the writer's memory
  unsigned misaligned() const { return misaligned_; }  // of them, and of FatFs's that are not on a word

 private:
  static support::Transfer range(const void* memory, std::size_t bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(memory);
    return {begin, begin + bytes};
  }
  static bool is_in(const support::Transfer& transfer, const support::Transfer& owner) {
    return transfer.begin >= owner.begin && transfer.end <= owner.end;
  }
  bool is_fatfs(const support::Transfer& transfer) const {
    return is_in(transfer, volume_) || is_in(transfer, file_);
  }
  bool takes(const support::Transfer& transfer) {
    const bool is_own = is_fatfs(transfer);
    if (!is_own) ++direct_;
    if (!transfer.is_on(is_own ? support::kWordBytes : line_)) ++misaligned_;
    return transfer.is_on(support::kWordBytes);
  }

  RamDisk& disk_;
  std::size_t line_;
  support::Transfer volume_;
  support::Transfer file_;
  unsigned direct_ = 0;
  unsigned misaligned_ = 0;
};

// A writer that lies on no more than it asks for.
template <typename Kind>
struct Placed {
  alignas(64) std::byte before[8];
  microparquet::StaticWriter<Kind::kSchema, Kind::kOptions> writer;
};

// Continues the log, with checkpoints.
template <typename Kind>
Status log_boot(FatFsFile& file, std::uint32_t number) {
  static Placed<Kind> placed;
  auto& writer = placed.writer;
  Status status = writer.resume(file);
  for (std::uint32_t i = 0; i < kRowsOfBoot && status == Status::kOk; ++i) {
    status = writer.append(Kind::make(filesystems::row_id(number, i)));
    if (status == Status::kOk && i % 90 == 60) status = writer.checkpoint();
  }
  return status == Status::kOk ? writer.close() : status;
}

template <typename Kind>
void check_boots() {
  RamDisk disk(filesystems::kFat32.sectors);
  REQUIRE(filesystems::format(disk, filesystems::kFat32));
  constexpr std::uint32_t kBoots = 3;
  for (std::uint32_t number = 0; number < kBoots; ++number) {
    Volume volume(disk);
    FatFsFile file;
    DmaDriver driver(disk, Kind::kLine);
    driver.set_owners(volume, file);
    REQUIRE_EQ(file.open_for_append(kMovedPath), Status::kOk);
    CHECK_EQ(log_boot<Kind>(file, number), Status::kOk);
    CHECK_EQ(file.close(), Status::kOk);
    CHECK(driver.direct() > 60);
    CHECK_EQ(driver.misaligned(), 0U);
  }
  Volume volume(disk);
  FatFsFile file;
  REQUIRE_EQ(file.open_for_reading(kMovedPath), Status::kOk);
  filesystems::History found;
  CHECK_EQ(filesystems::read_log<Kind>(file, found), std::string());
  REQUIRE_EQ(found.size(), kBoots);
  for (const filesystems::Logged& logged : found) CHECK_EQ(logged.rows, kRowsOfBoot);
}

// As in port/drivers.md, but where pointers have 64 bits and the window lies on less, as in FatFs before R0.15.
struct OnALine {
  std::byte before[32 - offsetof(FATFS, win) % 32];
  FATFS fatfs;
};
static_assert(offsetof(FATFS, win) % alignof(FATFS) != 0 ||
              (offsetof(OnALine, fatfs) + offsetof(FATFS, win)) % 32 == 0);

}  // namespace

TEST("FatFs hands the writer's sectors on from words") { check_boots<OnWords>(); }
TEST("FatFs hands the writer's sectors on from the lines of a cache") { check_boots<OnLines>(); }
TEST("FatFs hands pages of several sectors on from the lines of a cache") { check_boots<LargeOnLines>(); }
