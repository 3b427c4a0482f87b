#include "place.h"

#include <algorithm>

namespace exfat {

namespace {

constexpr unsigned kEntriesOfSector = 16;
constexpr unsigned kLettersOfEntry = 15;
constexpr std::uint32_t kPiece = 100;  // bytes of a small file

// Names of the right length, all of them different.
std::string long_name(const std::string& begin, unsigned entries, const std::string& end) {
  std::string name = begin;
  const std::size_t least = (entries - 1) * kLettersOfEntry + 1;
  while (name.size() + end.size() < least) name += '_';
  return name + end;
}

bool touch(const std::string& path) {
  FIL file;
  return f_open(&file, path.c_str(), FA_WRITE | FA_CREATE_NEW) == FR_OK && f_close(&file) == FR_OK;
}

}  // namespace

ExfatView view_of(RamDisk& disk) {
  static constexpr filesystems::Sector kNone = {};
  return ExfatView(
      [&disk](std::uint32_t sector) { return sector < disk.sectors() ? disk.sector(sector) : kNone.data(); },
      disk.sectors());
}

std::string Place::name() const {
  static constexpr const char* kLifeNames[] = {"new", "resumed", "beside", "mkdir"};
  static constexpr const char* kWhereNames[] = {"root", "folder", "nested", "long", "scattered"};
  return std::string(kLifeNames[static_cast<unsigned>(life)]) + "_" +
         kWhereNames[static_cast<unsigned>(where)] + "_slot" + std::to_string(slot) + "_name" +
         std::to_string(name_entries) + "_" + std::to_string(cluster_bytes / 1024) + "k";
}

std::string Place::parent() const {
  if (where == Where::kRoot) return {};
  return where == Where::kNested ? "ONE/TWO/LOGS" : "LOGS";
}

std::string Place::folder() const {
  return life == Life::kFolder ? in(parent(), long_name("DAY", name_entries, "")) : parent();
}

std::string Place::log_name() const {
  return life == Life::kFolder ? "LOG.PQT" : long_name("LOG", name_entries, ".PQT");
}

Format Place::format() const {
  const std::uint32_t sectors = cluster_bytes > 32768 ? 40 << 11 : 16 << 11;
  return {"exFAT", FM_EXFAT, sectors, cluster_bytes};
}

// Takes the cluster after a folder that is to grow elsewhere.
bool Place::make_folders() const {
  const std::string all = parent();
  for (std::size_t end = 0; end < all.size(); ++end) {
    end = std::min(all.find('/', end), all.size());
    if (f_mkdir(all.substr(0, end).c_str()) != FR_OK) return false;
  }
  return where != Where::kScattered || lengthen("BLOCK.BIN", kPiece);
}

// Empty files go before the set, up to its slot.
bool Place::fill_up(RamDisk& disk) const {
  const auto view = view_of(disk);
  const auto folder = parent().empty() ? std::nullopt : view.find(parent());
  if (!parent().empty() && !folder) return false;
  unsigned used = view.used_entries(folder ? &*folder : nullptr);
  const unsigned in_cluster = cluster_bytes / 32;
  unsigned wanted = used / kEntriesOfSector * kEntriesOfSector + slot;
  if (where == Where::kLong) wanted = in_cluster - kEntriesOfSector + slot;
  if (where == Where::kScattered) wanted = in_cluster + slot;
  while (wanted < used || wanted - used == 1 || wanted - used == 2) wanted += kEntriesOfSector;
  for (unsigned i = 0; used < wanted; ++i) {
    const unsigned left = wanted - used;
    const unsigned takes = left == 5 || left == 4 || left == 7 || left == 8 ? (left == 5 ? 5U : 4U) : 3U;
    if (!touch(in(parent(), long_name("F" + std::to_string(i), takes - 2, "")))) return false;
    used += takes;
  }
  return true;
}

bool Place::prepare(RamDisk& disk) const {
  if (!filesystems::format(disk, format())) return false;
  const filesystems::Volume volume(disk);
  return make_folders() && lengthen(old(), kPiece) && (life != Life::kBeside || lengthen(beside(), kPiece)) &&
         fill_up(disk);
}

std::vector<Place> all_places() {
  static constexpr std::uint32_t kClusters[] = {4096, 32768, 131072};
  static constexpr std::uint32_t kRows[] = {6000, 8000, 12000};
  static constexpr std::uint32_t kCheckpointRows[] = {400, 600, 900};
  std::vector<Place> places;
  const auto add = [&](unsigned slot, unsigned name, unsigned cluster, unsigned life, unsigned where) {
    Place place;
    place.slot = slot;
    place.name_entries = name + 1;
    place.life = static_cast<Life>(life);
    place.where = static_cast<Where>(where);
    // Folders of several clusters have small ones.
    if (place.where >= Where::kLong) cluster = 0;
    place.cluster_bytes = kClusters[cluster];
    if (place.life == Life::kBeside) {  // fragments need clusters
      place.rows = kRows[cluster];
      place.checkpoint_rows = kCheckpointRows[cluster];
    }
    if (place.life == Life::kFolder) place.rows = 2 * place.checkpoint_rows;
    places.push_back(place);
  };
  for (unsigned slot = 0; slot < kEntriesOfSector; ++slot) {
    for (unsigned life = 0; life < kLives; ++life)
      add(slot, (slot + life) % 3, (slot / 3 + life) % 3, life, (slot + 2 * life) % 5);
  }
  for (unsigned slot = 12; slot < kEntriesOfSector; ++slot) {
    for (unsigned name = 0; name < 3; ++name) {
      for (unsigned where = 0; where < 5; ++where)
        add(slot, name, where % 3, (slot + name + where) % kLives, where);
    }
  }
  return places;
}

}  // namespace exfat
