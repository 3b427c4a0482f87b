// Power cuts while a log is written at many places of exFAT volumes; see place.h and cut_sweep.h.
//
//   exfat_cuts [SHARE [first]]         one cut of SHARE, and all that part an entry set; 1: all. Up to the first failure
//   exfat_cuts --images FOLDER SHARE   keeps one of SHARE volumes cut in order, and the same share of 16 where the
//                                      cut parts a set; manifest.txt has a line of each: IMAGE PATH BOOT:ROWS...
//   exfat_cuts --copy IMAGE PATH OUT   copies a file of a volume, as its entry set says; fails without one
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "cut_sweep.h"

namespace {

using exfat::CutSweep;
using exfat::Place;
using exfat::RamDisk;
using exfat::Tally;

int cut(unsigned share, bool ends_at_first) {
  Tally tally;
  unsigned failed = 0;
  unsigned seed = 0;
  const auto places = exfat::all_places();
  for (const Place& place : places) {
    if (failed != 0 && ends_at_first) break;
    CutSweep sweep(place, share, seed++);
    const bool done = sweep.run(tally);
    for (const std::string& fault : sweep.faults()) std::printf("FAILED: %s\n", fault.c_str());
    if (!done) std::printf("FAILED: %s: its log cannot be written\n", place.name().c_str());
    failed += !done || !sweep.faults().empty() ? 1U : 0U;
  }
  std::printf("%zu places, %llu cuts in order, %llu resumed, %llu files lost\n", places.size(),
              static_cast<unsigned long long>(tally.in_order), static_cast<unsigned long long>(tally.resumed),
              static_cast<unsigned long long>(tally.files_lost));
  std::printf("exfat.cuts %llu cuts\nexfat.rows_lost %llu rows\nexfat.dead_folders %llu folders\n",
              static_cast<unsigned long long>(tally.cuts), static_cast<unsigned long long>(tally.rows_lost),
              static_cast<unsigned long long>(tally.dead_folders));
  std::printf("%zu passed, %u failed\n", places.size() - failed, failed);
  return failed == 0 ? 0 : 1;
}

int keep_images(const std::string& folder, unsigned share) {
  std::FILE* const manifest = std::fopen((folder + "/manifest.txt").c_str(), "w");
  if (manifest == nullptr) return 1;
  Tally tally;
  unsigned parted = 0;
  unsigned seed = 0;
  bool good = true;
  for (const Place& place : exfat::all_places()) {
    CutSweep sweep(place, share, seed++);
    good = sweep.run(tally, [&](const CutSweep::Left& left) {
      if (left.is_parted && parted++ % (share / 16) != 0) return;
      good = left.disk.save(folder + "/" + left.name + ".img") && good;
      std::fprintf(manifest, "%s.img %s", left.name.c_str(), place.log().c_str());
      for (const auto& logged : left.durable) std::fprintf(manifest, " %u:%u", logged.boot, logged.rows);
      std::fputc('\n', manifest);
    }) && good;
  }
  return std::fclose(manifest) == 0 && good ? 0 : 1;
}

bool load(RamDisk& disk, const char* path) {
  std::FILE* const in = std::fopen(path, "rb");
  if (in == nullptr) return false;
  const bool good = std::fread(disk.sector(0), filesystems::kSectorBytes, disk.sectors(), in) != 0;
  return std::fclose(in) == 0 && good;
}

int copy(const char* image, const char* path, const char* out) {
  RamDisk disk(64 << 11);
  if (!load(disk, image)) return 2;
  const exfat::ExfatView view = exfat::view_of(disk);
  const auto set = view.find(path);
  bool sound = false;
  if (!set || !set->has_right_sum) return 1;
  const auto clusters = view.chain(*set, sound);
  std::FILE* const to = sound ? std::fopen(out, "wb") : nullptr;
  if (to == nullptr) return 1;
  std::uint64_t left = set->length;
  for (const std::uint32_t cluster : clusters) {
    const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(left, view.cluster_bytes()));
    std::fwrite(disk.sector(view.first_sector(cluster)), 1, bytes, to);
    left -= bytes;
  }
  return std::fclose(to) == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && std::strcmp(argv[1], "--copy") == 0) return copy(argv[2], argv[3], argv[4]);
  if (argc == 4 && std::strcmp(argv[1], "--images") == 0)
    return keep_images(argv[2], std::strtoul(argv[3], nullptr, 10));
  return cut(argc > 1 ? static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10)) : 1, argc > 2);
}
