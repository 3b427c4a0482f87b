#include "exfat_volume.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "exfat_entries.h"
#include "numbers.h"

namespace microparquet::recovery {

namespace {

using Links = Clusters::Links;

// The boot sector's numbers; places are bytes of the image.
struct ExfatGeometry {
  std::uint64_t begin;
  std::uint64_t table_begin;
  std::uint64_t table_bytes;
  std::uint64_t clusters_begin;
  std::uint64_t clusters;
  std::uint32_t cluster_bytes;
  std::uint64_t root_cluster;
  unsigned active;  // which of two tables and bitmaps counts
};

struct BootRegion {
  ExfatGeometry geometry;
  bool is_whole;  // its checksum is right
};

constexpr std::size_t kLeastSector = 512;
constexpr unsigned kLeastShift = 9;
constexpr unsigned kMostShift = 12;

bool has_right_checksum(File& image, std::uint64_t begin, unsigned sector_shift) {
  constexpr std::size_t kSummed = 11;  // sectors
  const std::size_t summed = kSummed << sector_shift;
  const Bytes region = read_bytes(image, begin, summed + sizeof(std::uint32_t));
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < summed && !region.empty(); ++i) {
    if (i != 106 && i != 107 && i != 112) {  // flags, and how full it is: they change
      sum = (sum << 31 | sum >> 1) + byte_at(region, i);
    }
  }
  return !region.empty() && sum == number_at<std::uint32_t>(region, summed);
}

// The boot region at `region` of a volume that begins at `begin`.
std::optional<BootRegion> boot_region_at(File& image, std::uint64_t region, std::uint64_t begin) {
  const Bytes sector = read_bytes(image, region, kLeastSector);
  if (sector.empty() || std::memcmp(sector.data() + 3, "EXFAT   ", 8) != 0) {
    return std::nullopt;
  }
  const unsigned sector_shift = byte_at(sector, 108);
  const unsigned cluster_shift = sector_shift + byte_at(sector, 109);
  constexpr unsigned kMostClusterShift = 25;
  if (sector_shift < kLeastShift || sector_shift > kMostShift || cluster_shift > kMostClusterShift) {
    return std::nullopt;
  }
  const auto place = [&](std::size_t at) {
    return begin + (std::uint64_t{number_at<std::uint32_t>(sector, at)} << sector_shift);
  };
  const unsigned active = byte_at(sector, 110) > 1 ? byte_at(sector, 106) & 1 : 0;
  const std::uint64_t table_bytes = std::uint64_t{number_at<std::uint32_t>(sector, 84)} << sector_shift;
  constexpr std::uint32_t kMostClusters = 0xFFFFFFF5;
  const ExfatGeometry geometry{begin,
                               place(80) + active * table_bytes,
                               table_bytes,
                               place(88),
                               std::min(number_at<std::uint32_t>(sector, 92), kMostClusters),
                               1U << cluster_shift,
                               number_at<std::uint32_t>(sector, 96),
                               active};
  return BootRegion{geometry, has_right_checksum(image, region, sector_shift)};
}

std::optional<ExfatGeometry> find_backup(File& image, std::uint64_t begin) {
  constexpr std::uint64_t kSectors = 12;  // sectors of a boot region
  for (unsigned shift = kLeastShift; shift <= kMostShift; ++shift) {
    const auto region = boot_region_at(image, begin + (kSectors << shift), begin);
    if (region && region->is_whole) {
      return region->geometry;
    }
  }
  return std::nullopt;
}

std::string at_byte(std::uint64_t place) { return " at byte " + std::to_string(place); }

class ExfatReader {
 public:
  ExfatReader(File& image, const ExfatGeometry& geometry)
      : image_(image),
        geometry_(geometry),
        volume_(geometry.begin, Clusters(bytes_of(image), geometry.clusters_begin, geometry.clusters,
                                         geometry.cluster_bytes, Clusters::Table::kExfat)),
        taken_(static_cast<std::size_t>(volume_.clusters.there())) {}

  std::optional<Volume> read() {
    if (!volume_.clusters.read_table(image_, geometry_.table_begin, geometry_.table_bytes)) {
      return std::nullopt;
    }
    folders_of(Standing::kSound).push_back({"", 0, {geometry_.root_cluster, 0, Links::kTable}});
    for (const Standing standing : kStandings) {
      read_folders(standing);
    }
    for (const NamedSet& file : sets_) {  // before any of them gets clusters that it does not name
      if (file.set.standing == Standing::kSound) {
        take(follow(file.set.extent, false));
      }
    }
    for (const Standing standing : kStandings) {
      add_files(standing);
    }
    return std::move(volume_);
  }

 private:
  // Sound ones come first: clusters of a deleted file may be another's by now.
  static constexpr Standing kStandings[] = {Standing::kSound, Standing::kTorn, Standing::kDeleted};

  struct Folder {
    std::string path;  // with a slash at its end; empty: the root
    unsigned depth;
    ExfatExtent extent;
  };
  struct NamedSet {
    ExfatSet set;
    std::string path;
    std::uint64_t place;
  };

  std::deque<Folder>& folders_of(Standing standing) { return folders_[static_cast<std::size_t>(standing)]; }

  void read_folders(Standing standing) {
    while (!folders_of(standing).empty()) {
      const Folder folder = std::move(folders_of(standing).front());
      folders_of(standing).pop_front();
      read_folder(folder, standing);
    }
  }

  void read_folder(const Folder& folder, Standing standing) {
    constexpr std::uint64_t kMostBytes = 256 << 20;
    const bool is_root = folder.depth == 0;  // no entry tells its length
    const std::uint64_t bytes = std::min(folder.extent.bytes, kMostBytes);
    ClusterChain chain = volume_.clusters.follow(folder.extent.first, folder.extent.links,
                                                 is_root ? 1 : volume_.clusters.clusters_of(bytes),
                                                 [is_root](std::uint64_t) { return is_root; });
    std::vector<Piece> pieces;
    const Bytes entries = read_entries(chain, pieces);
    if (!chain.fault.empty() && standing != Standing::kDeleted) {
      volume_.notes.push_back("folder /" + folder.path + ": " + chain.fault);
    }
    if (standing == Standing::kSound) {
      take(chain);
    }
    const View places(image_, pieces);
    for (std::size_t at = 0; at + kExfatEntry <= entries.size();) {
      auto set = set_at(entries, at);
      if (!set && is_root) {
        take_table(ByteView(entries).subspan(at, kExfatEntry));
      }
      const std::size_t passed = set ? set->entries : 1;
      if (set) {
        take_set(folder, standing, std::move(*set), places.place(at));
      }
      at += passed * kExfatEntry;
    }
  }

  // The folder's entries up to their end. A cluster is of one folder, so that folders do not run in a circle.
  Bytes read_entries(ClusterChain& chain, std::vector<Piece>& pieces) {
    const std::uint32_t step = geometry_.cluster_bytes;
    Bytes entries;
    for (const Piece& piece : chain.pieces) {
      for (std::uint64_t at = piece.begin; at < piece.end(); at += step) {
        const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(step, piece.end() - at));
        const bool is_new = of_folders_.insert(at).second;
        const Bytes cluster = is_new ? read_bytes(image_, at, size) : Bytes();
        if (cluster.empty()) {
          chain.fault = "its cluster" + at_byte(at) + (is_new ? " cannot be read" : " is a folder's already");
          return entries;
        }
        append(entries, cluster);
        pieces.push_back({at, size});
        for (std::size_t i = entries.size() - size; i + kExfatEntry <= entries.size(); i += kExfatEntry) {
          if (byte_at(entries, i) == kFolderEnd) {
            entries.resize(i);
            return entries;
          }
        }
      }
    }
    return entries;
  }

  void take_set(const Folder& folder, Standing standing, ExfatSet set, std::uint64_t place) {
    constexpr unsigned kMaxDepth = 32;
    if (standing == Standing::kDeleted) {
      set.standing = Standing::kDeleted;
    }
    std::string path = set.name.empty() ? std::string() : folder.path + set.name;
    if (!set.is_folder) {
      sets_.push_back({set, std::move(path), place});
    } else if (folder.depth < kMaxDepth) {
      if (set.standing == Standing::kTorn) {
        volume_.notes.push_back("folder /" + path + "/: its entry" + at_byte(place) + " is torn");
      }
      folders_of(set.standing).push_back({path + "/", folder.depth + 1, set.extent});
    }
  }

  void take_table(ByteView entry) {
    const unsigned type = byte_at(entry, 0);
    if (type != kAllocationBitmap && type != kUpcaseTable) {
      return;
    }
    const ClusterChain chain = follow(extent_of(entry), false);
    take(chain);
    if (type == kAllocationBitmap && (byte_at(entry, 1) & 1) == geometry_.active) {
      std::uint64_t left = (volume_.clusters.there() + 7) / 8;
      for (const Piece& piece : chain.pieces) {
        const std::uint64_t size = std::min(left, piece.bytes);
        append(bitmap_, read_bytes(image_, piece.begin, static_cast<std::size_t>(size)));
        left -= size;
      }
    }
  }

  // Whether a log begins in a cluster, with a footer after its magic, which begins with the version.
  bool begins_log(std::uint64_t cluster) const {
    static constexpr char kBeginning[] = "PAR1\x15";
    const std::uint64_t place =
        volume_.clusters.begin() + (cluster - Clusters::kFirst) * volume_.clusters.bytes_each();
    const Bytes bytes = read_bytes(image_, place, sizeof kBeginning - 1);
    return !bytes.empty() && std::memcmp(bytes.data(), kBeginning, bytes.size()) == 0;
  }

  // The tail are clusters that follow those of its length, are not free and nobody else's: a log reserves them. Another
  // one in which a log begins is of a file whose entry is lost.
  ClusterChain follow(const ExfatExtent& extent, bool with_tail) {
    return volume_.clusters.follow(extent.first, extent.links, volume_.clusters.clusters_of(extent.bytes),
                                   [&](std::uint64_t cluster) {
                                     const auto index = static_cast<std::size_t>(cluster - Clusters::kFirst);
                                     return with_tail && !taken_[index] && index / 8 < bitmap_.size() &&
                                            (byte_at(bitmap_, index / 8) >> index % 8 & 1) != 0 &&
                                            (cluster == extent.first || !begins_log(cluster));
                                   });
  }

  void take(const ClusterChain& chain) {
    volume_.taken.add(chain.pieces);
    for (const Piece& piece : chain.pieces) {
      const auto first = static_cast<std::size_t>(
          volume_.clusters.cluster_at(piece.begin).value_or(Clusters::kFirst) - Clusters::kFirst);
      const auto clusters = static_cast<std::size_t>(volume_.clusters.clusters_of(piece.bytes));
      std::fill_n(taken_.begin() + static_cast<std::ptrdiff_t>(first), clusters, true);
    }
  }

  void add_files(Standing standing) {
    for (const NamedSet& file : sets_) {
      const ExfatSet& set = file.set;
      if (set.standing != standing) {
        continue;
      }
      ClusterChain chain = follow(set.extent, standing != Standing::kDeleted);
      if (standing == Standing::kSound) {
        take(chain);
      }
      if (chain.fault.empty() && set.written != set.extent.bytes) {
        chain.fault = "its entry says that " + std::to_string(set.written) + " bytes are written, of " +
                      std::to_string(set.extent.bytes);
      }
      volume_.files.push_back({file.path, file.place, standing, std::move(chain)});
    }
  }

  File& image_;
  ExfatGeometry geometry_;
  Volume volume_;
  std::vector<bool> taken_;                            // clusters of what is sound
  Bytes bitmap_;                                       // clusters that are not free
  std::deque<Folder> folders_[std::size(kStandings)];  // folders that are yet to be read
  std::unordered_set<std::uint64_t> of_folders_;       // places of clusters that have been read
  std::vector<NamedSet> sets_;
};

std::optional<Volume> read_noted(File& image, const ExfatGeometry& geometry, const std::string& note) {
  auto volume = ExfatReader(image, geometry).read();
  if (volume && !note.empty()) {
    volume->notes.insert(volume->notes.begin(), note);
  }
  return volume;
}

}  // namespace

std::optional<Volume> read_exfat_volume(File& image, std::uint64_t begin) {
  const auto region = boot_region_at(image, begin, begin);
  if (!region || region->is_whole) {
    return region ? ExfatReader(image, region->geometry).read() : std::nullopt;
  }
  auto volume = read_exfat_by_backup(image, begin);
  return volume ? std::move(volume)
                : read_noted(image, region->geometry,
                             "its boot region" + at_byte(begin) + " is damaged, and has no backup");
}

std::optional<Volume> read_exfat_by_backup(File& image, std::uint64_t begin) {
  const auto backup = find_backup(image, begin);
  return backup ? read_noted(image, *backup,
                             "its boot region" + at_byte(begin) + " is damaged; its backup is read")
                : std::nullopt;
}

}  // namespace microparquet::recovery
