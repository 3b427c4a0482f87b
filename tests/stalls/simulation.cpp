// The model on a desktop: real FatFs on a card in memory, in simulated time.
//
//   stall_simulation TRACE.csv CASE [CARD.img]   CASE is the number of one in cases.h; the card is left as
//   CARD.img
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "log.h"
#include "microparquet/port/fatfs_file.h"
#include "support/volume.h"

namespace {

using filesystems::RamDisk;
using microparquet::Status;

// A card with clusters of 4 KiB; if they are smaller, FatFs's table grows by more sectors at a time.
constexpr filesystems::Format kCard{"FAT32", FM_FAT32, 272 << 11, 4096, 2};

class SimulatedClock final : public stalls::Clock {
 public:
  std::uint32_t now_ms() const override { return now_ms_; }
  void wait(std::uint32_t ms) override {
    for (; ms != 0; --ms) {
      ++now_ms_;
      if (sampling_ != nullptr && now_ms_ % period_ms_ == 0) sampling_->sample();
    }
  }
  void drive(stalls::Sampling* sampling, std::uint32_t period_ms) override {
    sampling_ = sampling;
    period_ms_ = period_ms;
  }

 private:
  stalls::Sampling* sampling_ = nullptr;
  std::uint32_t period_ms_ = 1;
  std::uint32_t now_ms_ = 0;
};

int fail(const char* what) {
  std::fprintf(stderr, "stall_simulation: %s\n", what);
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  const auto index = count >= 3 ? std::strtoul(arguments[2], nullptr, 10) : stalls::kCases.size();
  if (index >= stalls::kCases.size()) return fail("usage: stall_simulation TRACE.csv CASE [CARD.img]");
  std::ostringstream text;
  text << std::ifstream(arguments[1]).rdbuf();
  stalls::StallTrace trace;
  if (!trace.read(text.str())) return fail("the trace is no table of from_ms,latency_ms");

  RamDisk disk(kCard.sectors);
  if (!filesystems::format(disk, kCard)) return fail("the card cannot be formatted");
  filesystems::Volume volume(disk);
  DWORD link_map[64];
  microparquet::FatFsFile file(link_map);
  if (file.create("STALLS.PQT") != Status::kOk) return fail("the file cannot be created");
  SimulatedClock clock;
  stalls::CardLatency latency(trace, clock);
  disk.set_watch([&](RamDisk::Access access, std::uint32_t, const std::byte*) {
    if (access == RamDisk::Access::kWrite) latency.pass();
    return true;
  });
  const stalls::Outcome outcome = stalls::kLogCases[index](file, clock, trace.end_ms() + 1000);
  if (outcome.status != Status::kOk) return fail(to_string(outcome.status));
  if (file.close() != Status::kOk) return fail("the file cannot be closed");
  if (count == 4 && !disk.save(arguments[3])) return fail("the card cannot be saved");
  const stalls::Case& tried = stalls::kCases[index];
  std::printf("rate %u stall %u depth %u samples %u refused %u pending %u\n", tried.rows_per_second,
              tried.longest_stall_ms, tried.depth, outcome.samples, outcome.dropped, outcome.most_pending);
  return 0;
}
