// Counts what a card is asked for when a device wakes for a row: through FatFs, mounted again each boot, on a FAT32 volume
// with clusters of 32 KiB.
#include <cstdio>
#include <cstdlib>

#include "microparquet/port/fatfs_file.h"
#include "microparquet/static_writer.h"
#include "support/must.h"
#include "support/volume.h"

namespace {

namespace mpq = microparquet;
using filesystems::RamDisk;
using filesystems::Volume;
using mpq::Status;
using support::must;

constexpr filesystems::Format kCard{"FAT32", FM_FAT32, 8U << 21, 32 << 10, 2};  // 8 GiB
constexpr char kPath[] = "LOG.PQT";
constexpr std::uint32_t kBoots = 10'000;
constexpr std::uint32_t kMeasured = 1'000;  // the last of them

struct Row {
  std::int64_t time;
  float level;
  std::int32_t count;
};
inline constexpr auto kSchema = mpq::schema(
    mpq::column("time", &Row::time), mpq::column("level", &Row::level), mpq::column("count", &Row::count));
inline constexpr mpq::Options kTailed = [] {
  mpq::Options options;
  options.layout = &mpq::kInPlaceTailed;
  return options;
}();
mpq::StaticWriter<kSchema, kTailed> writer;
DWORD link_map[64];

// A boot, from the mounted volume to the row that is durable.
void log_row(std::uint32_t boot) {
  mpq::FatFsFile file(link_map);
  must(file.open_for_append(kPath), "open");
  writer.reset();
  must(writer.resume(file), "resume");
  must(writer.append({boot * std::int64_t{60'000'000}, static_cast<float>(boot) * 0.25F, 7}), "append");
  must(writer.checkpoint(), "checkpoint");
  if (writer.durable_rows() != boot) must(Status::kCorrupt, "rows");
}

// Reads and writes of sectors; the power goes without close().
class Wakes {
 public:
  void run() {
    disk_.set_watch([this](RamDisk::Access access, std::uint32_t, const std::byte*) {
      if (access == RamDisk::Access::kRead) ++read_;
      if (access == RamDisk::Access::kWrite && !is_off_) ++written_;
      return !is_off_;
    });
    for (std::uint32_t boot = 1; boot <= kBoots; ++boot) {
      if (boot == kBoots - kMeasured + 1) mounting_ = read_ = written_ = 0;
      is_off_ = false;
      const std::uint64_t before = read_;
      const Volume volume(disk_);
      mounting_ += read_ - before;
      log_row(boot);
      is_off_ = true;
    }
    print("written", written_);
    print("read", read_ - mounting_);
    print("mounting", mounting_);
  }

  bool format() { return filesystems::format(disk_, kCard); }

 private:
  static void print(const char* what, std::uint64_t sectors) {
    std::printf("card.boots.10000.%s %.2f sectors\n", what, static_cast<double>(sectors) / kMeasured);
  }

  RamDisk disk_{kCard.sectors};
  bool is_off_ = false;
  std::uint64_t mounting_ = 0;
  std::uint64_t read_ = 0;
  std::uint64_t written_ = 0;
};

}  // namespace

int main() {
  Wakes wakes;
  if (!wakes.format()) return EXIT_FAILURE;
  wakes.run();
}
