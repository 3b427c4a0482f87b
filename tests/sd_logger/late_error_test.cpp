// A whole log over the board's driver that holds writes open, on a card that loses each of these writes in turn: an error
// that the driver learns of too late for the call that wrote.
#include <cstdio>
#include <cstring>
#include <vector>

#include "ff.h"
#include "microparquet/port/fatfs_file.h"
#include "sd_card.h"
#include "support/boot.h"
#include "support/check.h"
#include "support/rows.h"
// After ff.h:
#include "diskio.h"
#include "simulated_slot.h"

extern "C" DRESULT board_disk_ioctl(BYTE pdrv, BYTE cmd, void* buff);

// The board's driver does not tell what only formatting asks for.
extern "C" DRESULT disk_ioctl(BYTE pdrv, BYTE cmd, void* buff) {
  constexpr LBA_t kSectors = 16 << 10;
  constexpr DWORD kEraseBlock = 1;
  if (cmd == GET_SECTOR_COUNT) {
    std::memcpy(buff, &kSectors, sizeof kSectors);
  } else if (cmd == GET_BLOCK_SIZE) {
    std::memcpy(buff, &kEraseBlock, sizeof kEraseBlock);
  } else {
    return board_disk_ioctl(pdrv, cmd, buff);
  }
  return RES_OK;
}

namespace {

using filesystems::row_id;
using microparquet::FatFsFile;
using microparquet::Status;

constexpr char kLatePath[] = "LOG.PQT";
constexpr std::uint32_t kLateRows = 700;
constexpr std::uint32_t kRowsPerCheckpoint = 90;
constexpr std::uint32_t kRowsPerRest = 250;
constexpr unsigned kMounts = 5;

struct LateInPlace : filesystems::Imu {
  static constexpr const char* kName = "in place";
};
constexpr microparquet::Options forward_in_sectors() {
  microparquet::Options options = filesystems::imu_options();
  options.layout = &microparquet::kForward;
  options.row_group_bytes = 8 << 10;
  return options;
}
struct LateForward : filesystems::Imu {
  static constexpr const char* kName = "forward";
  static constexpr microparquet::Options kOptions = forward_in_sectors();
};

std::uint32_t clock_ms = 0;
std::uint32_t now_ms() { return clock_ms; }

// The program, whose card may lose what it has taken.
template <typename Kind>
class LateLog {
 public:
  LateLog() { f_mount(&volume_, "", 1); }
  ~LateLog() { f_mount(nullptr, "", 0); }
  LateLog(const LateLog&) = delete;
  LateLog& operator=(const LateLog&) = delete;

  // Logs all rows, and continues after each loss. False: something else has failed.
  bool log() {
    writer_.reset();
    Status status = open(false);
    for (std::uint32_t i = 0; i < kLateRows && status == Status::kOk;) {
      ++clock_ms;
      if (i % kRowsPerRest == kRowsPerRest - 1) clock_ms += 1000;
      sd_card::rest();
      status = append(i);
      if (status == Status::kOk) ++i;
      if (status == Status::kOk && i % kRowsPerCheckpoint == 0) status = writer_.checkpoint();
      if (status == Status::kMediumLost) status = open(true);
    }
    while (status == Status::kOk && (status = writer_.close()) == Status::kMediumLost) status = open(true);
    if (status == Status::kOk && file_.close() != Status::kOk) {
      ++losses_;
      durable_ = kLateRows;
    }
    return status == Status::kOk;
  }

  unsigned losses() const { return losses_; }
  std::uint32_t lost_rows() const { return writer_.lost_rows(); }
  // Rows that were durable when a write was lost.
  std::uint32_t durable() const { return durable_; }

  // Resumes the log, and closes it again.
  bool resume() {
    Status status = try_to_open(false);
    for (std::uint32_t i = 0; i < kRowsPerCheckpoint && status == Status::kOk; ++i) {
      status = append(static_cast<std::uint32_t>(writer_.rows()));
    }
    if (status == Status::kOk) status = writer_.close();
    return status == Status::kOk && file_.close() == Status::kOk;
  }

  // The rows of the log: -1 if a value is wrong.
  std::vector<std::int64_t> read_back() {
    std::vector<std::int64_t> ids;
    static microparquet::StaticReader<Kind::kSchema, filesystems::kReaderOptions>
        reader;  // NOLINT(*-dynamic-static-initializers)
    f_mount(&volume_, "", 1);
    FatFsFile file;
    Status status = file.open_for_reading(kLatePath);
    if (status == Status::kOk) status = reader.open(file);
    typename Kind::Row row = {};
    while (status == Status::kOk && (status = reader.next(row)) == Status::kOk) {
      ids.push_back(Kind::equal(row, Kind::make(row.id)) ? row.id : -1);
    }
    CHECK_EQ(to_string(status), "end");
    return ids;
  }

 private:
  Status append(std::uint32_t index) { return writer_.append(Kind::make(row_id(0, index))); }

  // Opens the file, for the writer to begin or to continue after a loss.
  Status open(bool again) {
    Status status = again ? Status::kMediumLost : try_to_open(false);
    while (status == Status::kMediumLost && losses_ < kMounts) {
      ++losses_;
      durable_ = static_cast<std::uint32_t>(writer_.durable_rows());
      status = try_to_open(again);
    }
    return status;
  }

  Status try_to_open(bool again) {
    static_cast<void>(file_.close());
    f_mount(&volume_, "", 1);
    const Status status = file_.open_for_append(kLatePath);
    if (status != Status::kOk) return status;
    if (again) return writer_.reconnect(file_);
    writer_.reset();
    return writer_.resume(file_);
  }

  FATFS volume_ = {};
  FatFsFile file_;
  microparquet::StaticWriter<Kind::kSchema, Kind::kOptions>& writer_ = filesystems::Boot<Kind>::writer();
  unsigned losses_ = 0;
  std::uint32_t durable_ = 0;
};

bool format_card() {
  std::vector<BYTE> work(16 << 10);
  const MKFS_PARM parameters = {FM_FAT | FM_SFD, 2, 0, 0, 1024};
  FATFS volume = {};
  return f_mkfs("", &parameters, work.data(), static_cast<UINT>(work.size())) == FR_OK &&
         f_mount(&volume, "", 1) == FR_OK && f_mount(nullptr, "", 0) == FR_OK;
}

// Returns how many commands to write a log takes, with or without holding them.
template <typename Kind>
unsigned writes_of(const SimulatedCard& formatted, std::uint32_t (*clock)()) {
  SimulatedCard card;
  card.blocks = formatted.blocks;
  const InSlot in_slot(card);
  sd_card::hold_writes(clock);
  LateLog<Kind> log;
  const unsigned before = card.writes;
  CHECK(log.log());
  const unsigned writes = card.writes - before;
  CHECK_EQ(log.read_back().size(), kLateRows);
  CHECK_EQ(card.interruptions, 0U);
  return writes;
}

// Loses the n-th write of a log, from the first to the last one. Writes that were held are among them, and those that
// end where FatFs does not look.
template <typename Kind>
void lose_each() {
  SimulatedCard formatted;
  {
    const InSlot in_slot(formatted);
    sd_card::hold_writes(&now_ms);
    REQUIRE(disk_initialize(0) == 0 && format_card());
  }
  const unsigned plain = writes_of<Kind>(formatted, nullptr);
  const unsigned writes = writes_of<Kind>(formatted, &now_ms);
  CHECK(writes <= plain);
  unsigned with_losses = 0;
  unsigned losses_of_rows = 0;
  for (unsigned nth = 1; nth <= writes; ++nth) {
    SimulatedCard card;
    card.blocks = formatted.blocks;
    const InSlot in_slot(card);
    LateLog<Kind> log;
    card.loses_in_write = nth;
    REQUIRE(log.log());
    const std::vector<std::int64_t> ids = log.read_back();
    CHECK_EQ(ids.size() + log.lost_rows(), kLateRows);
    std::int64_t expected = 0;
    for (const std::int64_t id : ids) {
      if (id != expected && expected >= log.durable()) expected += log.lost_rows();
      CHECK_EQ(id, expected);
      expected = id + 1;
    }
    CHECK_EQ(card.interruptions, 0U);
    CHECK(log.losses() <= 1);
    with_losses += log.losses();
    losses_of_rows += log.lost_rows() != 0 ? 1U : 0U;
  }
  std::printf(
      "%s: %u writes, %u without holding them; each lost when it ends: %u times rows that were not durable\n",
      Kind::kName, writes, plain, losses_of_rows);
  CHECK(with_losses > writes / 2);
  sd_card::hold_writes(nullptr);
}

// Cuts the power in the n-th write of a log, from the first to the last one, and resumes the log.
template <typename Kind>
void cut_each() {
  SimulatedCard formatted;
  {
    const InSlot in_slot(formatted);
    REQUIRE(disk_initialize(0) == 0 && format_card());
  }
  const unsigned writes = writes_of<Kind>(formatted, &now_ms);
  for (unsigned nth = 1; nth <= writes; ++nth) {
    SimulatedCard card;
    card.blocks = formatted.blocks;
    const InSlot in_slot(card);
    LateLog<Kind> log;
    card.cuts_in_write = nth;
    card.written_at_cut = nth % 3;
    static_cast<void>(log.log());
    CHECK(card.is_cut());
    const std::uint32_t durable = log.durable();
    card.power_on();
    REQUIRE(log.resume());
    const std::vector<std::int64_t> ids = log.read_back();
    CHECK(ids.size() >= durable + kRowsPerCheckpoint);
    for (std::size_t i = 0; i < ids.size(); ++i) CHECK_EQ(ids[i], static_cast<std::int64_t>(i));
    CHECK_EQ(card.interruptions, 0U);
  }
  sd_card::hold_writes(nullptr);
}

}  // namespace

TEST("a power cut in a write that is held costs no durable row") {
  cut_each<LateInPlace>();
  cut_each<LateForward>();
}

TEST("a write that is lost after it was reported costs no durable row") {
  lose_each<LateInPlace>();
  lose_each<LateForward>();
}
