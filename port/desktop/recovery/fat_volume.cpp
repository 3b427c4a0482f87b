#include "fat_volume.h"

#include <set>

#include "microparquet/detail/sectors.h"
#include "numbers.h"
#include "utf16_name.h"

namespace microparquet::recovery {

namespace {

constexpr std::size_t kFatEntry = 32;  // bytes of a folder's entry
constexpr unsigned kMaxDepth = 32;

using Table = Clusters::Table;

// The boot sector's numbers; places are bytes of the image.
struct FatGeometry {
  std::uint64_t begin;
  Table kind;
  std::uint64_t table_begin;
  std::uint64_t table_bytes;
  std::uint64_t root_begin;  // of the root folder that is no chain
  std::size_t root_bytes;
  std::uint64_t root_cluster;
  std::uint64_t clusters_begin;
  std::uint64_t clusters;
  std::uint32_t cluster_bytes;
};

std::optional<FatGeometry> geometry_of(ByteView sector, std::uint64_t begin) {
  const std::uint64_t sector_bytes = number_at<std::uint16_t>(sector, 11);
  const std::uint64_t cluster_sectors = byte_at(sector, 13);
  const std::uint64_t reserved = number_at<std::uint16_t>(sector, 14);
  const std::uint64_t tables = byte_at(sector, 16);
  const std::uint64_t root_entries = number_at<std::uint16_t>(sector, 17);
  std::uint64_t sectors = number_at<std::uint16_t>(sector, 19);
  std::uint64_t table_sectors = number_at<std::uint16_t>(sector, 22);
  sectors = sectors != 0 ? sectors : number_at<std::uint32_t>(sector, 32);
  table_sectors = table_sectors != 0 ? table_sectors : number_at<std::uint32_t>(sector, 36);
  const bool sound =
      number_at<std::uint16_t>(sector, 510) == 0xAA55 &&
      (sector_bytes == 512 || sector_bytes == 1024 || sector_bytes == 2048 || sector_bytes == 4096) &&
      cluster_sectors != 0 && (cluster_sectors & (cluster_sectors - 1)) == 0 && tables != 0 &&
      reserved != 0 && table_sectors != 0;
  const std::uint64_t data = reserved + tables * table_sectors +
                             (root_entries * kFatEntry + sector_bytes - 1) / (sound ? sector_bytes : 1);
  if (!sound || data >= sectors) {
    return std::nullopt;
  }
  const std::uint64_t clusters = (sectors - data) / cluster_sectors;
  return FatGeometry{begin,
                     clusters < 4085    ? Table::kFat12
                     : clusters < 65525 ? Table::kFat16
                                        : Table::kFat32,
                     begin + reserved * sector_bytes,
                     table_sectors * sector_bytes,
                     begin + (reserved + tables * table_sectors) * sector_bytes,
                     static_cast<std::size_t>(root_entries * kFatEntry),
                     number_at<std::uint32_t>(sector, 44),
                     begin + data * sector_bytes,
                     clusters,
                     static_cast<std::uint32_t>(cluster_sectors * sector_bytes)};
}

class FatReader {
 public:
  FatReader(File& image, const FatGeometry& geometry)
      : image_(image),
        geometry_(geometry),
        volume_(geometry.begin, Clusters(bytes_of(image), geometry.clusters_begin, geometry.clusters,
                                         geometry.cluster_bytes, geometry.kind)) {}

  std::optional<Volume> read() {
    if (!volume_.clusters.read_table(image_, geometry_.table_begin, geometry_.table_bytes)) {
      return std::nullopt;
    }
    if (geometry_.kind == Table::kFat32) {
      read_folder(chain(geometry_.root_cluster, 1), "", 0);
    } else {
      ClusterChain root;
      root.pieces.push_back({geometry_.root_begin, geometry_.root_bytes});
      read_folder(root, "", 0);
    }
    return std::move(volume_);
  }

 private:
  // Follows a chain to its end: a log may have written what it has reserved.
  ClusterChain chain(std::uint64_t first, std::uint64_t least) {
    return volume_.clusters.follow(first, Clusters::Links::kTable, least, [](std::uint64_t) { return true; });
  }

  void read_folder(const ClusterChain& chain, const std::string& path, unsigned depth) {
    if (!chain.fault.empty()) {
      volume_.notes.push_back("folder /" + path + ": " + chain.fault);
    }
    volume_.taken.add(chain.pieces);
    const View places(image_, chain.pieces);
    Bytes folder;
    for (const Piece& piece : chain.pieces) {
      append(folder, read_bytes(image_, piece.begin, static_cast<std::size_t>(piece.bytes)));
    }
    std::u16string long_name;
    for (std::size_t at = 0; at + kFatEntry <= folder.size() && folder[at] != std::byte{0}; at += kFatEntry) {
      constexpr unsigned kDeleted = 0xE5;
      constexpr unsigned kLongName = 0x0F;
      const ByteView entry = ByteView(folder).subspan(at, kFatEntry);
      if (byte_at(entry, 0) == kDeleted) {
        long_name.clear();
      } else if (byte_at(entry, 11) == kLongName) {
        long_name = long_part(entry) + long_name;  // the last part comes first
      } else {
        const std::string name = long_name.empty() ? short_name(entry) : utf8_of(long_name);
        read_entry(entry, path + name, name, places.place(at), depth);
        long_name.clear();
      }
    }
  }

  void read_entry(ByteView entry, const std::string& path, const std::string& name, std::uint64_t place,
                  unsigned depth) {
    constexpr unsigned kVolumeLabel = 0x08;
    constexpr unsigned kFolder = 0x10;
    const unsigned attributes = byte_at(entry, 11);
    const std::uint64_t first =
        std::uint64_t{number_at<std::uint16_t>(entry, 20)} * (geometry_.kind == Table::kFat32 ? 65536 : 0) +
        number_at<std::uint16_t>(entry, 26);
    if ((attributes & kVolumeLabel) != 0 || name == "." || name == "..") {
      return;
    }
    if ((attributes & kFolder) != 0) {
      if (depth < kMaxDepth && folders_.insert(first).second) {
        read_folder(chain(first, 1), path + "/", depth + 1);
      }
      return;
    }
    const std::uint64_t bytes = number_at<std::uint32_t>(entry, 28);
    ClusterChain clusters = chain(first, volume_.clusters.clusters_of(bytes));
    volume_.taken.add(clusters.pieces);
    volume_.files.push_back({path, place, Standing::kSound, std::move(clusters)});
  }

  static std::u16string long_part(ByteView entry) {
    constexpr std::size_t kPlaces[] = {1, 3, 5, 7, 9, 14, 16, 18, 20, 22, 24, 28, 30};
    std::u16string part;
    for (const std::size_t place : kPlaces) {
      const auto unit = number_at<char16_t>(entry, place);
      if (unit == 0 || unit == 0xFFFF) {
        break;
      }
      part += unit;
    }
    return part;
  }

  static std::string short_name(ByteView entry) {
    const std::string text(reinterpret_cast<const char*>(entry.data()), 11);
    const auto trimmed = [](std::string part) {
      part.erase(part.find_last_not_of(' ') + 1);
      return part;
    };
    const std::string extension = trimmed(text.substr(8));
    return trimmed(text.substr(0, 8)) + (extension.empty() ? "" : "." + extension);
  }

  File& image_;
  FatGeometry geometry_;
  Volume volume_;
  std::set<std::uint64_t> folders_;  // folders that have been read, by their first cluster
};

}  // namespace

std::optional<Volume> read_fat_volume(File& image, std::uint64_t begin) {
  const Bytes sector = read_bytes(image, begin, detail::kSectorBytes);
  const auto geometry = sector.empty() ? std::nullopt : geometry_of(sector, begin);
  return geometry ? FatReader(image, *geometry).read() : std::nullopt;
}

}  // namespace microparquet::recovery
