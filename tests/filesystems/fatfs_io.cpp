// Counts the sectors that the workload `imu8` reads and writes on a FAT32 volume.
#include <cstdio>

#include "microparquet/port/fatfs_file.h"
#include "microparquet/writer.h"
#include "support/forwarding_file.h"
#include "support/imu8.h"
#include "support/imu8_schema.h"
#include "support/volume.h"

namespace {

namespace mpq = microparquet;
using filesystems::RamDisk;
using mpq::Status;

constexpr filesystems::Format kCard{"FAT32", FM_FAT32, 4U << 21, 32 << 10, 2};  // 4 GiB
constexpr std::int32_t kRows = 2'800'000;
constexpr std::uint32_t kMsPerRow = 10;

enum class Call : std::uint8_t { kPage, kFooter, kSync, kOther };

// Says of each call what it is for: pages and records lie inside the published size, footers after it; the
// last one, inside, ends within a sector.
class SortedFile final : public support::ForwardingFile {
 public:
  using ForwardingFile::ForwardingFile;
  Status read_at(std::uint64_t offset, mpq::Span<std::byte> out) override {
    call_ = Call::kFooter;
    return ForwardingFile::read_at(offset, out);
  }
  Status write_at(std::uint64_t offset, mpq::Span<const std::byte> data) override {
    const bool whole = data.size() % filesystems::kSectorBytes == 0;
    call_ = offset < published_ && whole ? Call::kPage : Call::kFooter;
    if (call_ == Call::kPage) page_sectors_ += data.size() / filesystems::kSectorBytes;
    return ForwardingFile::write_at(offset, data);
  }
  Status reserve(std::uint64_t end) override {
    call_ = Call::kOther;
    return ForwardingFile::reserve(end);
  }
  Status barrier() override {
    call_ = Call::kOther;
    return ForwardingFile::barrier();
  }
  Status sync(std::uint64_t size) override {
    call_ = Call::kSync;
    ++syncs_;
    published_ = size;
    return ForwardingFile::sync(size);
  }
  Status shrink(std::uint64_t size) override {
    call_ = Call::kOther;
    return ForwardingFile::shrink(size);
  }

  Call call() const { return call_; }
  std::uint64_t page_sectors() const { return page_sectors_; }
  std::uint64_t syncs() const { return syncs_; }

 private:
  Call call_ = Call::kOther;
  std::uint64_t published_ = 0;
  std::uint64_t page_sectors_ = 0;
  std::uint64_t syncs_ = 0;
};

// Lengths of runs: writes in a row, each to the sector after the one before.
class Runs {
 public:
  void add(std::uint32_t sector) {
    if (sector != next_) end();
    ++length_;
    next_ = sector + 1;
  }
  void end() {
    if (length_ == 0) return;
    ++count_;
    single_ += length_ == 1 ? 1U : 0U;
    sectors_ += length_;
    if (length_ > longest_) longest_ = length_;
    length_ = 0;
  }

  double mean() const { return static_cast<double>(sectors_) / static_cast<double>(count_); }
  double percent_single() const {
    return 100.0 * static_cast<double>(single_) / static_cast<double>(sectors_);
  }
  std::uint64_t longest() const { return longest_; }

 private:
  std::uint32_t next_ = 0;
  std::uint64_t length_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t single_ = 0;
  std::uint64_t sectors_ = 0;
  std::uint64_t longest_ = 0;
};

struct Counts {
  Runs runs;
  std::uint64_t writes = 0;
  std::uint64_t table_reads = 0;
  std::uint64_t page_reads = 0;  // of data, because a page is written
  std::uint64_t footer_reads = 0;
  std::uint64_t syncs = 0;
  std::uint64_t entry_writes =
      0;  // because the file is synced; its entry is in the root directory's first cluster
};

bool log_rows(SortedFile& file) {
  static constexpr mpq::Options kOptions;
  static std::uint64_t arena[1024];
  static mpq::Writer writer;
  const mpq::Schema schema(mpq::bench::kImu8Fields);
  if (writer.open(file, schema, kOptions,
                  mpq::Span<std::byte>(reinterpret_cast<std::byte*>(arena), sizeof arena)) != Status::kOk)
    return false;
  mpq::bench::Imu8Generator generator(kRows);
  mpq::bench::Imu8Row row;
  for (std::int32_t i = 0; i < kRows; ++i) {
    generator.next(row);
    const mpq::Value values[] = {mpq::Value::of(row.ts),     mpq::Value::of(row.seq),
                                 mpq::Value::of(row.ax),     mpq::Value::of(row.ay),
                                 mpq::Value::of(row.az),     mpq::Value::of(row.temp),
                                 mpq::Value::of(row.status), mpq::Value::of(row.battery_mv)};
    const bool good = writer.append(values) == Status::kOk &&
                      writer.tick(static_cast<std::uint32_t>(i) * kMsPerRow) == Status::kOk;
    if (!good) return false;
  }
  return writer.close() == Status::kOk;
}

}  // namespace

int main() {
  RamDisk disk(kCard.sectors);
  if (!filesystems::format(disk, kCard)) return 1;
  filesystems::Volume volume(disk);
  static DWORD link_map[64];
  mpq::FatFsFile file(link_map);
  SortedFile sorted(file);
  Counts counts;
  const FATFS& fatfs = volume.fatfs();
  disk.set_watch([&](RamDisk::Access access, std::uint32_t sector, const std::byte*) {
    if (access == RamDisk::Access::kWrite) {
      ++counts.writes;
      counts.runs.add(sector);
      const bool is_entry = sector >= fatfs.database && sector < fatfs.database + fatfs.csize;
      counts.entry_writes += is_entry && sorted.call() == Call::kSync ? 1U : 0U;
    } else if (access == RamDisk::Access::kSync) {
      ++counts.syncs;
    } else if (sector < fatfs.database) {
      ++counts.table_reads;
    } else {
      counts.page_reads += sorted.call() == Call::kPage ? 1U : 0U;
      counts.footer_reads += sorted.call() == Call::kFooter ? 1U : 0U;
    }
    return true;
  });
  if (file.create("LOG.PQT") != Status::kOk || !log_rows(sorted) || file.close() != Status::kOk) {
    std::fprintf(stderr, "fatfs_io: the log failed, FatFs answered %d\n", file.native_error());
    return 1;
  }
  counts.runs.end();
  const auto sectors = static_cast<double>(sorted.page_sectors());
  const double megabytes = sectors * 512 / 1e6;
  std::fprintf(stderr, "%.0f sectors of pages, %.0f syncs of the card\n", sectors,
               static_cast<double>(counts.syncs));
  std::printf("fatfs.imu8.sector_writes_per_sector %.3f ratio\n",
              static_cast<double>(counts.writes) / sectors);
  std::printf("fatfs.imu8.data_sector_reads %.0f sectors\n", static_cast<double>(counts.page_reads));
  std::printf("fatfs.imu8.fat_reads_per_mb %.2f sectors/MB\n",
              static_cast<double>(counts.table_reads) / megabytes);
  std::printf("fatfs.imu8.checkpoint_reads_per_mb %.2f sectors/MB\n",
              static_cast<double>(counts.footer_reads) / megabytes);
  std::printf("fatfs.imu8.entry_writes_per_sync %.2f writes\n",
              static_cast<double>(counts.entry_writes) / static_cast<double>(sorted.syncs()));
  std::printf("fatfs.imu8.write_run.mean %.2f sectors\n", counts.runs.mean());
  std::printf("fatfs.imu8.write_run.longest %.0f sectors\n", static_cast<double>(counts.runs.longest()));
  std::printf("fatfs.imu8.write_run.single_sectors %.1f percent\n", counts.runs.percent_single());
  return 0;
}
