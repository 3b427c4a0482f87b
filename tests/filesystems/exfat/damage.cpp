#include "damage.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace exfat {

namespace {

constexpr std::size_t kEntry = 32;
constexpr std::size_t kFlags = 33;
constexpr std::size_t kNameLetters = 35;
constexpr std::size_t kNameHash = 36;
constexpr std::size_t kValid = 40;
constexpr std::size_t kFirst = 52;
constexpr std::size_t kLength = 56;

constexpr std::uint64_t kLengths[] = {0,          1,          511,        4096,       4097,       1U << 24,
                                      0xFFFFFFFF, 1ULL << 32, 1ULL << 40, 1ULL << 62, 1ULL << 63, ~0ULL};
constexpr unsigned kSecondaries[] = {0, 1, 2, 3, 17, 18, 19, 255};

void put_number(std::byte* at, std::uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) at[i] = static_cast<std::byte>(value >> 8 * i);
}

}  // namespace

Damage::Damage(RamDisk& disk, std::uint64_t seed, std::string log, std::string neighbour,
               std::string stranger)
    : disk_(disk),
      chance_(seed),
      log_(std::move(log)),
      neighbour_(std::move(neighbour)),
      stranger_(std::move(stranger)) {
  do_one(static_cast<unsigned>(seed % 16));
}

void Damage::do_one(unsigned kind) {
  switch (kind) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4: return change_set();
    case 5: return cut_off();
    case 6: what_ = "an empty file has clusters"; return claim_clusters(log_, 0, true);
    case 7:
      what_ = "another's clusters, and a wrong sum";
      return claim_clusters(log_, kLengths[2 + chance_.below(4)], false);
    case 8:
      what_ = "a neighbour has another's clusters, and a wrong sum";
      return claim_clusters(neighbour_, kLengths[chance_.below(6)], false);
    case 9:
      what_ = "two wrong sums";
      break_sum(log_);
      return break_sum(neighbour_);
    case 10: what_ = "a neighbour lost its 0xC0"; return lose_stream(neighbour_);
    case 11:
      what_ = "a wrong sum, and a neighbour lost its 0xC0";
      break_sum(log_);
      return lose_stream(neighbour_);
    case 12: what_ = "the log lost its 0xC0"; return lose_stream(log_);
    case 13: return move_bitmap();
    default: return loop();
  }
}

filesystems::EntrySet Damage::find(const std::string& path) const {
  const auto set = view_of(disk_).find(path);
  return set ? *set : filesystems::EntrySet();
}

Damage::Bytes Damage::get(const filesystems::EntrySet& set) const {
  Bytes bytes;
  for (const std::uint64_t at : set.places) {
    const std::byte* const from = disk_.sector(static_cast<std::uint32_t>(at / 512)) + at % 512;
    bytes.insert(bytes.end(), from, from + kEntry);
  }
  return bytes;
}

// The sum is that of the entries which the set is said to have, as far as they are there.
void Damage::put(const filesystems::EntrySet& set, Bytes bytes, bool right_sum) {
  if (right_sum && !bytes.empty()) put_number(&bytes[2], filesystems::set_sum(bytes.data(), bytes.size()), 2);
  for (std::size_t i = 0; i < set.places.size(); ++i) poke(set.places[i], &bytes[i * kEntry], kEntry);
}

// Bytes within a sector, which the disk's transaction takes back.
void Damage::poke(std::uint64_t at, const std::byte* data, std::size_t bytes) {
  const auto index = static_cast<std::uint32_t>(at / 512);
  filesystems::Sector sector;
  std::memcpy(sector.data(), disk_.sector(index), sector.size());
  std::memcpy(sector.data() + at % 512, data, bytes);
  disk_.write(index, sector.data(), 1);
}

void Damage::poke_number(std::uint64_t at, std::uint64_t value, unsigned bytes) {
  std::byte data[8];
  put_number(data, value, bytes);
  poke(at, data, bytes);
}

// Entries that were never used, and end the folder, become deleted ones.
void Damage::use_all_entries(const ExfatView& view, const std::vector<std::uint32_t>& clusters) {
  for (const std::uint32_t cluster : clusters) {
    const std::uint64_t begin = std::uint64_t{view.first_sector(cluster)} * 512;
    for (std::uint64_t at = begin; at < begin + view.cluster_bytes(); at += kEntry) {
      if (disk_.sector(static_cast<std::uint32_t>(at / 512))[at % 512] == std::byte{0})
        poke_number(at, 0x05, 1);
    }
  }
}

void Damage::touch(const std::string& path) {
  if (std::find(damaged_.begin(), damaged_.end(), path) == damaged_.end()) damaged_.push_back(path);
}

// Of nobody, of the volume itself, of another file, or of none.
std::uint32_t Damage::any_cluster() {
  const ExfatView view = view_of(disk_);
  const std::uint32_t clusters[] = {0,
                                    1,
                                    2,
                                    3,
                                    view.root(),
                                    view.end() - 1,
                                    view.end(),
                                    0x0FFFFFF7U,
                                    0xFFFFFFF,
                                    0xFFFFFFF7,
                                    0xFFFFFFFF,
                                    find(stranger_).first,
                                    find(neighbour_).first};
  return chance_.percent(20) ? chance_.below(view.end()) : chance_.any_of(clusters);
}

// The sum is right, what it covers is not.
void Damage::change_set() {
  touch(log_);
  const filesystems::EntrySet set = find(log_);
  Bytes bytes = get(set);
  if (chance_.percent(70)) {
    change_numbers(bytes);
  } else {
    change_shape(bytes);
  }
  put(set, bytes, true);
}

void Damage::change_numbers(Bytes& set) {
  const unsigned which = 1 + chance_.below(15);
  what_ = "a right sum over wrong";
  if ((which & 1) != 0) {
    what_ += " length";
    put_number(&set[kLength], chance_.any_of(kLengths), 8);
  }
  if ((which & 2) != 0) {
    what_ += " valid length";
    put_number(&set[kValid], chance_.any_of(kLengths), 8);
  }
  if ((which & 4) != 0) {
    what_ += " cluster";
    put_number(&set[kFirst], any_cluster(), 4);
  }
  if ((which & 8) != 0) {
    what_ += " flags";
    set[kFlags] = static_cast<std::byte>(chance_.below(4));
  }
}

void Damage::change_shape(Bytes& set) {
  switch (chance_.below(4)) {
    case 0:
      what_ = "a right sum over a wrong number of entries";
      set[1] = static_cast<std::byte>(chance_.any_of(kSecondaries));
      break;
    case 1:
      what_ = "a right sum over a wrong name length";
      set[kNameLetters] = static_cast<std::byte>(chance_.next());
      break;
    case 2:
      what_ = "a right sum over a wrong name hash";
      put_number(&set[kNameHash], chance_.next(), 2);
      break;
    default:
      what_ = "a right sum over any bytes";
      for (unsigned i = 0; i < 3; ++i) {
        const unsigned at = 1 + chance_.below(static_cast<unsigned>(set.size()) - 1);
        set[at] = static_cast<std::byte>(chance_.next());
      }
      break;
  }
}

void Damage::break_sum(const std::string& path) {
  touch(path);
  const filesystems::EntrySet set = find(path);
  Bytes bytes = get(set);
  bytes[2] ^= static_cast<std::byte>(1 + chance_.below(255));
  put(set, bytes, false);
}

// As another program leaves it, or a card that lost a sector: an older entry is there, or none.
void Damage::lose_stream(const std::string& path) {
  touch(path);
  const filesystems::EntrySet set = find(path);
  Bytes bytes = get(set);
  constexpr unsigned kTypes[] = {0x40, 0x05, 0x41, 0xC1, 0x85, 0xE0, 0xA0, 0x00};
  bytes[kEntry] = static_cast<std::byte>(chance_.any_of(kTypes));
  put(set, bytes, chance_.percent(50));
}

void Damage::claim_clusters(const std::string& path, std::uint64_t length, bool right_sum) {
  touch(path);
  const filesystems::EntrySet set = find(path);
  Bytes bytes = get(set);
  const filesystems::EntrySet other = find(chance_.percent(50) ? stranger_
                                           : path == log_      ? neighbour_
                                                               : log_);
  const std::uint32_t cluster = chance_.percent(25) ? any_cluster() : other.first;
  put_number(&bytes[kFirst], cluster, 4);
  put_number(&bytes[kLength], length, 8);
  put_number(&bytes[kValid], length, 8);
  bytes[kFlags] = static_cast<std::byte>(chance_.below(4));
  if (!right_sum) bytes[2] ^= std::byte{0x55};
  put(set, bytes, right_sum);
}

// The set says that it continues where its folder ends: it stands in the folder's last entries.
void Damage::cut_off() {
  touch(log_);
  what_ = "a set that is cut off at its folder's end";
  const filesystems::EntrySet set = find(log_);
  Bytes bytes = get(set);
  const std::size_t slash = log_.rfind('/');
  if (slash == std::string::npos || set.places.empty()) return;
  const ExfatView view = view_of(disk_);
  bool sound = false;
  const std::vector<std::uint32_t> clusters = view.chain(find(log_.substr(0, slash)), sound);
  if (clusters.empty()) return;
  const std::size_t left = 1 + chance_.below(static_cast<unsigned>(set.places.size()) - 1);
  filesystems::EntrySet last = set;
  for (const std::uint64_t at : set.places) poke_number(at, 0x05, 1);  // where it stood there is nothing
  last.places.resize(left);
  const std::uint64_t end = std::uint64_t{view.first_sector(clusters.back())} * 512 + view.cluster_bytes();
  use_all_entries(view, clusters);
  for (std::size_t i = 0; i < left; ++i) last.places[i] = end - (left - i) * kEntry;
  put_number(&bytes[2], filesystems::set_sum(bytes.data(), bytes.size()), 2);
  bytes.resize(left * kEntry);
  put(last, bytes, false);
}

// Entries of the table lead back: those of the log, of its folder or of the root.
void Damage::loop() {
  const ExfatView view = view_of(disk_);
  touch(log_);
  filesystems::EntrySet set = find(log_);
  const std::size_t slash = log_.rfind('/');
  const unsigned which = chance_.below(slash == std::string::npos ? 2U : 3U);
  bool sound = false;
  std::vector<std::uint32_t> clusters = view.chain(set, sound);
  what_ = "a loop in the log's chain";
  if (which == 1) {
    what_ = "a loop in the root";
    clusters = {view.root()};
  } else if (which == 2) {
    what_ = "a loop in the folder";
    set = find(log_.substr(0, slash));
    clusters = view.chain(set, sound);
  }
  if (which != 1) {
    Bytes bytes = get(set);
    bytes[kFlags] = std::byte{1};
    if (which == 2 && chance_.percent(50)) put_number(&bytes[kLength], 1ULL << 40, 8);
    put(set, bytes, true);
  }
  if (clusters.empty()) return;
  const auto link = [&](std::uint32_t from, std::uint32_t to) { poke_number(view.link_at(from), to, 4); };
  for (std::size_t i = 0; i + 1 < clusters.size(); ++i) link(clusters[i], clusters[i + 1]);
  link(clusters.back(), clusters[chance_.below(static_cast<unsigned>(clusters.size()))]);
  if (which != 0 && chance_.percent(5)) use_all_entries(view, clusters);
}

void Damage::move_bitmap() {
  touch(log_);
  what_ = "a bitmap elsewhere";
  const ExfatView view = view_of(disk_);
  const std::uint64_t root = std::uint64_t{view.first_sector(view.root())} * 512;
  for (std::uint64_t at = root; at < root + 512; at += kEntry) {
    if (disk_.sector(static_cast<std::uint32_t>(at / 512))[at % 512] != std::byte{0x81}) continue;
    switch (chance_.below(3)) {
      case 0: return poke_number(at + 24, chance_.any_of(kLengths), 8);
      case 1: return poke_number(at + 1, 1, 1);
      default: return poke_number(at + 20, any_cluster(), 4);
    }
  }
}

}  // namespace exfat
