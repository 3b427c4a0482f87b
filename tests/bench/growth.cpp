// growth FILE: what a row costs in a file of 10 to 10,000 row groups of 1,000 rows each: CPU time, and calls
// that read the file back, for footers and the records they are made of. Then what it takes to open the largest one
// and to read a row of each row group, in another order.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

#include "microparquet/port/posix_file.h"
#include "microparquet/row_group_index.h"
#include "microparquet/static_writer.h"
#include "support/forwarding_file.h"
#include "support/imu8_rows.h"
#include "support/must.h"

namespace {

using namespace microparquet;
using bench::Imu8Row;
using support::must;

constexpr std::uint32_t kRowsPerGroup = 1000;
constexpr Options options() {
  Options result;
  result.row_group_rows = kRowsPerGroup;
  return result;
}
constexpr Options kOptions = options();

// Counts what is read.
class CountingFile final : public support::OwningFile<PosixFile> {
 public:
  explicit CountingFile(const char* path) {
    must(inner_file().create(path, microparquet::Existing::kOverwrite), path);
  }

  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    ++reads;
    return ForwardingFile::read_at(offset, out);
  }

  std::uint64_t reads = 0;
};

StaticWriter<bench::kImu8Schema, kOptions> writer;
Imu8Row rows[kRowsPerGroup];  // of each row group

struct Cost {
  double ns_per_row;
  double reads;  // a row group
};

double cpu_seconds() {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::uint64_t write_file(const char* path, std::uint32_t row_groups) {
  CountingFile file(path);
  must(writer.open(file), "open");
  for (std::uint32_t i = 0; i < row_groups; ++i) {
    for (const Imu8Row& row : rows) must(writer.append(row), "append");
  }
  must(writer.close(), "close");
  if (writer.row_groups() < row_groups) must(Status::kInvalidArgument, "too few row groups");
  return file.reads;
}

// Writes enough files to have `all` row groups together.
Cost measure(const char* path, std::uint32_t row_groups, std::uint32_t all) {
  std::uint64_t reads = 0;
  const double begin = cpu_seconds();
  for (std::uint32_t done = 0; done < all; done += row_groups) reads += write_file(path, row_groups);
  const double seconds = cpu_seconds() - begin;
  return {seconds * 1e9 / (static_cast<double>(all) * kRowsPerGroup), static_cast<double>(reads) / all};
}

double seconds_of_seeks(const char* path, std::uint32_t row_groups) {
  constexpr std::uint64_t kStep =
      7919;  // has no factor in common with the number of row groups: each comes once
  std::vector<std::uint64_t> arena(1 << 14);
  std::vector<RowGroupPlace> places(row_groups);
  Value row[8];

  const double begin = cpu_seconds();
  PosixFile file;
  must(file.open_for_reading(path), path);
  Reader reader;
  ReaderOptions reading;
  reading.footer_bytes = 4096;
  must(reader.open(file, reading, {reinterpret_cast<std::byte*>(arena.data()), arena.size() * 8}), "read");
  must(reader.choose_all(), "choose");
  RowGroupIndex index(reader, places);
  must(index.build(), "index");
  for (std::uint64_t i = 0; i < row_groups; ++i) {
    must(index.seek_row(i * kStep % row_groups * kRowsPerGroup), "seek");
    must(reader.next_row(row), "row");
    if (row[0].int64 != rows[0].ts) must(Status::kCorrupt, "another row");
  }
  return cpu_seconds() - begin;
}

}  // namespace

// Measures in turns, and counts the least of several runs: the machine may be busy.
int main(int argc, char** argv) {
  constexpr std::uint32_t kRowGroups[] = {10, 100, 1'000, 10'000};
  constexpr std::uint32_t kAll = 10'000;
  constexpr int kRuns = 3;
  if (argc < 2) return 2;
  Cost least[4] = {};
  bench::Imu8Generator generator(kRowsPerGroup);
  for (Imu8Row& row : rows) generator.next(row);
  for (int run = 0; run < kRuns; ++run) {
    for (int i = 0; i < 4; ++i) {
      const Cost cost = measure(argv[1], kRowGroups[i], kAll);
      if (run == 0 || cost.ns_per_row < least[i].ns_per_row) least[i] = cost;
    }
  }
  for (int i = 0; i < 4; ++i) {
    std::printf("growth.row_groups_%u.ns_per_row %.1f ns\n", kRowGroups[i], least[i].ns_per_row);
    std::printf("growth.row_groups_%u.reads %.1f per_row_group\n", kRowGroups[i], least[i].reads);
  }
  std::printf("growth.row_groups_10000.vs_10 %.2f ratio\n", least[3].ns_per_row / least[0].ns_per_row);
  std::printf("growth.row_groups_10000.random_seeks %.2f s\n", seconds_of_seeks(argv[1], kAll));
}
