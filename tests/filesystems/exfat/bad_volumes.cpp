// Loggers on exFAT volumes that are damaged by chance; see damage.h. Each call comes to an end, no other file's
// bytes, entry set, links or clusters change, and no set is mended into one that leads where it may not.
//
//   bad_volumes [COUNT]          volumes 0, 1, ...
//   bad_volumes COUNT first      up to the first failure
//   bad_volumes 1 NUMBER         this one
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "damage.h"
#include "microparquet/port/fatfs_file.h"
#include "support/boot.h"

namespace {

using exfat::Damage;
using exfat::ExfatView;
using exfat::lengthen;
using exfat::RamDisk;
using exfat::view_of;
using filesystems::Boot;
using filesystems::EntrySet;
using filesystems::History;
using filesystems::Imu;
using filesystems::kExfat;
using filesystems::kSectorBytes;
using filesystems::Volume;
using microparquet::FatFsFile;
using microparquet::Status;

// Steps of a search before FatFs ends it, in a folder without an end, by one call; a few calls are made.
constexpr unsigned kMostAccesses = 20 * (1U << 19);

constexpr unsigned kMostFaults = 20;

DWORD link_map[64];

// A file that no damage is done to, and its bytes.
struct Kept {
  std::string path;
  EntrySet set;
  std::vector<std::uint32_t> clusters;
};

Status log(const std::string& path, std::uint32_t number, std::uint32_t rows, bool closes,
           FRESULT* native_error = nullptr) {
  FatFsFile file(number % 2 == 0 ? microparquet::Span<DWORD>() : microparquet::Span<DWORD>(link_map));
  Boot<Imu> boot(number);
  Status status = file.open_for_append(path.c_str());
  if (native_error != nullptr) *native_error = file.native_error();
  if (status == Status::kOk) status = boot.resume(file);
  if (status == Status::kOk) status = boot.log({rows, 50, 0, closes});
  const Status closed = closes || status != Status::kOk ? file.close() : Status::kOk;
  return status == Status::kOk ? closed : status;
}

// A card with logs in the root or in a folder, of which one is damaged again and again.
class Card {
 public:
  Card(bool in_folder, bool is_closed)
      : disk_(kExfat.sectors),
        base_(kExfat.sectors),
        folder_(in_folder ? "LOGS/" : ""),
        is_closed_(is_closed) {}

  bool prepare();
  // What is wrong; empty: nothing. `how`: the damage, and what became of the log.
  std::string damage(std::uint64_t seed, std::string& how);
  unsigned longest() const { return longest_; }

 private:
  std::string path(const char* name) const { return folder_ + name; }
  void keep_all(const std::string& folder);
  std::string use(std::uint64_t seed);
  std::string look(const Damage& damage, const ExfatView& before, const std::vector<EntrySet>& damaged);
  bool is_same(const Kept& kept, const ExfatView& before);
  std::string look_at_set(const std::string& path, const EntrySet& was);
  std::string read_rows(const std::string& path);
  std::vector<std::byte> bytes_of(const EntrySet& set);

  RamDisk disk_;
  RamDisk base_;
  std::string folder_;
  bool is_closed_;
  std::vector<Kept> kept_;
  std::map<std::string, std::vector<std::byte>> damaged_bytes_;
  unsigned accesses_ = 0;
  unsigned longest_ = 0;
};

bool Card::prepare() {
  if (!filesystems::format(disk_, kExfat)) return false;
  Volume volume(disk_);
  bool good = f_mkdir("LOGS") == FR_OK && log(path("FIRST.PQT"), 1, 300, true) == Status::kOk;
  for (unsigned i = 0; i < 4; ++i) good = good && lengthen(path(std::to_string(i).c_str()), 100);
  for (unsigned i = 0; i < 3; ++i) good = good && lengthen("PIECES.BIN", 5000) && lengthen("BLOCK.BIN", 5000);
  good = good && log(path("LOG.PQT"), 2, 600, is_closed_) == Status::kOk;
  volume.mount(disk_);
  good = good && lengthen(path("LAST.TXT"), 5000);
  base_.copy_from(disk_);
  keep_all("");
  keep_all("LOGS");
  return good;
}

void Card::keep_all(const std::string& folder) {
  const ExfatView view = view_of(disk_);
  const auto set = folder.empty() ? std::nullopt : view.find(folder);
  for (const EntrySet& found : view.sets(set ? &*set : nullptr)) {
    bool sound = false;
    const std::string path = folder.empty() ? found.name : folder + "/" + found.name;
    if (!found.is_folder() && path != this->path("LOG.PQT"))
      kept_.push_back({path, found, view.chain(found, sound)});
  }
}

std::vector<std::byte> Card::bytes_of(const EntrySet& set) {
  std::vector<std::byte> bytes;
  for (const std::uint64_t at : set.places) {
    const std::byte* const from =
        disk_.sector(static_cast<std::uint32_t>(at / kSectorBytes)) + at % kSectorBytes;
    bytes.insert(bytes.end(), from, from + 32);
  }
  return bytes;
}

std::string Card::damage(std::uint64_t seed, std::string& how) {
  disk_.begin_transaction();
  const ExfatView before = view_of(disk_);  // which knows where the bitmap is, whatever is done to it
  std::string fault;
  {
    const Damage damage(disk_, seed, path("LOG.PQT"), path("FIRST.PQT"), "PIECES.BIN");
    std::vector<EntrySet> sets;
    for (const std::string& each : damage.damaged()) {
      const auto set = before.find(each);
      sets.push_back(set ? *set : EntrySet());
      damaged_bytes_[each] = set ? bytes_of(*set) : std::vector<std::byte>();
    }
    accesses_ = 0;
    disk_.set_watch(
        [this](RamDisk::Access, std::uint32_t, const std::byte*) { return ++accesses_ < kMostAccesses; });
    how = damage.what() + ": " + use(seed);
    fault = look(damage, before, sets);
    disk_.set_watch({});
    longest_ = std::max(longest_, accesses_);
    if (accesses_ >= kMostAccesses) fault = "a call does not come to an end";
  }
  disk_.roll_back();
  return fault;
}

// A logger's boots, and another program's file between them.
std::string Card::use(std::uint64_t seed) {
  Volume volume(disk_);
  if (volume.result() != FR_OK) return "not mounted";
  const std::string at = path("LOG.PQT");
  FRESULT native_error = FR_OK;
  const Status status = log(at, 4 + seed / 32 % 2, 60, true, &native_error);
  std::string first = to_string(status);
  if (native_error == FR_NO_FILESYSTEM) return "no exFAT";  // FatFs alone would write where files are
  if (status != Status::kOk) {
    volume.mount(disk_);
    log(path("NEXT.PQT"), 6, 60, true);
  }
  volume.mount(disk_);
  lengthen("PHOTO.BIN", 40000);
  volume.mount(disk_);
  log(at, 8, 20, true);
  volume.mount(disk_);
  log(path("NEXT.PQT"), 9, 20, seed % 64 < 32);
  return first;
}

std::string Card::look(const Damage& damage, const ExfatView& before, const std::vector<EntrySet>& damaged) {
  const auto& paths = damage.damaged();
  for (const Kept& kept : kept_) {
    if (std::find(paths.begin(), paths.end(), kept.path) != paths.end()) continue;
    if (!is_same(kept, before)) return kept.path + " has changed";
  }
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (std::string fault = look_at_set(paths[i], damaged[i]); !fault.empty()) return paths[i] + " " + fault;
  }
  for (const char* name : {"LOG.PQT", "NEXT.PQT"}) {
    if (std::string fault = read_rows(path(name)); !fault.empty()) return path(name) + " " + fault;
  }
  const ExfatView view = view_of(disk_);
  const auto photo = view.find("PHOTO.BIN");
  bool sound = true;
  if (photo) {
    for (const std::uint32_t cluster : view.chain(*photo, sound)) {
      const std::byte* const data = disk_.sector(view.first_sector(cluster));
      if (data[0] != std::byte{0xA5}) return "PHOTO.BIN has changed";
    }
  }
  return {};
}

bool Card::is_same(const Kept& kept, const ExfatView& before) {
  for (const std::uint64_t at : kept.set.places) {
    const auto sector = static_cast<std::uint32_t>(at / kSectorBytes);
    if (std::memcmp(disk_.sector(sector) + at % kSectorBytes, base_.sector(sector) + at % kSectorBytes, 32) !=
        0)
      return false;
  }
  const std::size_t bytes = before.cluster_bytes();
  for (const std::uint32_t cluster : kept.clusters) {
    const std::uint32_t sector = before.first_sector(cluster);
    if (!before.is_taken(cluster) || std::memcmp(disk_.sector(sector), base_.sector(sector), bytes) != 0)
      return false;
    const std::uint64_t link = before.link_at(cluster);
    const auto at = static_cast<std::uint32_t>(link / kSectorBytes);
    if (kept.set.is_in_table() &&
        std::memcmp(disk_.sector(at) + link % kSectorBytes, base_.sector(at) + link % kSectorBytes, 4) != 0)
      return false;
  }
  return true;
}

// A set that was changed since it was damaged leads where it may. One that only got the checksum of what it has, as
// another program's does, is at least within the volume.
std::string Card::look_at_set(const std::string& path, const EntrySet& was) {
  const ExfatView view = view_of(disk_);
  const auto set = view.find(path);
  if (!set || !set->has_right_sum) return {};
  std::vector<std::byte> now = bytes_of(*set);
  std::vector<std::byte>& then = damaged_bytes_[path];
  const bool is_there = set->places == was.places && now.size() == then.size();
  if (is_there && now == then) return {};
  const bool is_empty = set->first == 0 && set->length == 0;
  const bool fits = view.has(set->first) && set->length <= std::uint64_t{view.end()} * view.cluster_bytes();
  if (!is_empty && !fits) return "was mended, and leads out of the volume";
  for (const std::size_t at : {2U, 3U}) now[at] = is_there ? then[at] : now[at];
  if (is_there && now == then) return {};
  bool sound = false;
  const auto clusters = view.chain(*set, sound);
  if (!sound) return "was changed, and its chain is broken";
  for (const std::uint32_t cluster : clusters) {
    if (!view.is_taken(cluster)) return "was changed, and has a free cluster";
    for (const Kept& kept : kept_) {
      if (kept.path == path) continue;
      if (std::find(kept.clusters.begin(), kept.clusters.end(), cluster) != kept.clusters.end())
        return "was changed, and has a cluster of " + kept.path;
    }
  }
  return {};
}

// What can be read of a log is what was logged.
std::string Card::read_rows(const std::string& path) {
  const Volume volume(disk_);
  if (volume.result() != FR_OK) return {};
  FatFsFile file(link_map);
  if (file.open_for_reading(path.c_str()) != Status::kOk) return {};
  History found;
  const std::string fault = filesystems::read_log<Imu>(file, found);
  static_cast<void>(file.close());
  return fault.find("row") != std::string::npos ? fault : std::string();
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 500;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  const bool ends_at_first = argc > 2 && std::strcmp(argv[2], "first") == 0;
  std::vector<std::unique_ptr<Card>> cards;
  for (unsigned i = 0; i < 4; ++i) {
    cards.push_back(std::make_unique<Card>((i & 1) != 0, (i & 2) != 0));
    if (!cards.back()->prepare()) {
      std::printf("the card cannot be made\n0 passed, 1 failed\n");
      return 1;
    }
  }
  std::map<std::string, unsigned> became;
  std::uint64_t failed = 0;
  for (std::uint64_t seed = first; seed < first + count && !(ends_at_first && failed != 0); ++seed) {
    std::string how;
    const std::string fault = cards[seed / 16 % cards.size()]->damage(seed, how);
    ++became[how];
    if (fault.empty()) continue;
    if (++failed <= kMostFaults) {
      std::printf("FAILED: volume %llu: %s: %s\n", static_cast<unsigned long long>(seed), how.c_str(),
                  fault.c_str());
    }
  }
  unsigned longest = 0;
  for (const auto& card : cards) longest = std::max(longest, card->longest());
  for (const auto& [how, times] : became) std::printf("%6u %s\n", times, how.c_str());
  std::printf("at most %u accesses\nexfat.bad_volumes %llu volumes\nexfat.others_changed %llu volumes\n",
              longest, static_cast<unsigned long long>(count), static_cast<unsigned long long>(failed));
  std::printf("%llu passed, %llu failed\n", static_cast<unsigned long long>(count - failed),
              static_cast<unsigned long long>(failed));
  return failed == 0 ? 0 : 1;
}
