#include "image_files.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "candidates.h"
#include "history.h"
#include "microparquet/detail/format/magic.h"
#include "microparquet/detail/sectors.h"

namespace microparquet::recovery {

namespace {

constexpr std::size_t kEntry = 32;  // bytes of a folder's entry
constexpr unsigned kMaxDepth = 32;

template <typename T>
T number_at(ByteView bytes, std::size_t at) {
  T number = {};
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

unsigned byte_at(ByteView bytes, std::size_t at) { return std::to_integer<unsigned>(bytes[at]); }

bool is_boot_sector(ByteView sector) {
  return sector.size() == detail::kSectorBytes && byte_at(sector, 510) == 0x55 &&
         byte_at(sector, 511) == 0xAA;
}

void append_utf8(std::string& text, unsigned code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0 | code >> 6);
    text += static_cast<char>(0x80 | (code & 63));
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0 | code >> 12);
    text += static_cast<char>(0x80 | (code >> 6 & 63));
    text += static_cast<char>(0x80 | (code & 63));
  } else {
    text += static_cast<char>(0xF0 | code >> 18);
    text += static_cast<char>(0x80 | (code >> 12 & 63));
    text += static_cast<char>(0x80 | (code >> 6 & 63));
    text += static_cast<char>(0x80 | (code & 63));
  }
}

// Two halves of a pair are one character, which may lie in two parts of a name.
std::string utf8_of(const std::u16string& name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const unsigned code = name[i];
    const unsigned next = i + 1 < name.size() ? name[i + 1] : 0;
    if (code >> 10 == 0xD800 >> 10 && next >> 10 == 0xDC00 >> 10) {
      append_utf8(text, 0x10000 + ((code & 0x3FF) << 10 | (next & 0x3FF)));
      ++i;
    } else {
      append_utf8(text, code);
    }
  }
  return text;
}

class FatReader {
 public:
  FatReader(File& image, std::uint64_t begin) : image_(image), begin_(begin) {}

  std::optional<Volume> read() {
    const Bytes sector = read_bytes(image_, begin_, detail::kSectorBytes);
    if (!is_boot_sector(sector) || !read_geometry(sector)) {
      return std::nullopt;
    }
    fat_ = read_bytes(image_, begin_ + fat_begin_, static_cast<std::size_t>(fat_bytes_));
    if (fat_.empty()) {
      return std::nullopt;
    }
    if (fat_bits_ == 32) {
      read_folder(read_pieces(chain(root_cluster_)), "", 0);
    } else {
      read_folder(read_bytes(image_, begin_ + root_begin_, root_bytes_), "", 0);
    }
    return std::move(volume_);
  }

 private:
  bool read_geometry(ByteView sector) {
    const std::uint64_t sector_bytes = number_at<std::uint16_t>(sector, 11);
    const std::uint64_t cluster_sectors = byte_at(sector, 13);
    const std::uint64_t reserved = number_at<std::uint16_t>(sector, 14);
    const std::uint64_t fats = byte_at(sector, 16);
    const std::uint64_t root_entries = number_at<std::uint16_t>(sector, 17);
    std::uint64_t sectors = number_at<std::uint16_t>(sector, 19);
    std::uint64_t fat_sectors = number_at<std::uint16_t>(sector, 22);
    sectors = sectors != 0 ? sectors : number_at<std::uint32_t>(sector, 32);
    fat_sectors = fat_sectors != 0 ? fat_sectors : number_at<std::uint32_t>(sector, 36);
    const bool sound =
        (sector_bytes == 512 || sector_bytes == 1024 || sector_bytes == 2048 || sector_bytes == 4096) &&
        cluster_sectors != 0 && (cluster_sectors & (cluster_sectors - 1)) == 0 && fats != 0 &&
        reserved != 0 && fat_sectors != 0;
    const std::uint64_t data = reserved + fats * fat_sectors +
                               (root_entries * kEntry + sector_bytes - 1) / (sound ? sector_bytes : 1);
    if (!sound || data >= sectors) {
      return false;
    }
    clusters_ = (sectors - data) / cluster_sectors;
    fat_bits_ = clusters_ < 4085 ? 12 : clusters_ < 65525 ? 16 : 32;
    fat_begin_ = reserved * sector_bytes;
    fat_bytes_ = std::min(fat_sectors * sector_bytes, (clusters_ + 2) * fat_bits_ / 8 + 1);
    root_begin_ = (reserved + fats * fat_sectors) * sector_bytes;
    root_bytes_ = static_cast<std::size_t>(root_entries * kEntry);
    root_cluster_ = number_at<std::uint32_t>(sector, 44);
    volume_.cluster_bytes = static_cast<std::uint32_t>(cluster_sectors * sector_bytes);
    volume_.begin = begin_ + data * sector_bytes;
    volume_.end = volume_.begin + clusters_ * volume_.cluster_bytes;
    return true;
  }

  // The cluster after `cluster`, or none at the end of a chain.
  std::optional<std::uint64_t> next(std::uint64_t cluster) const {
    const std::size_t at = static_cast<std::size_t>(cluster * fat_bits_ / 8);
    if (at + (fat_bits_ == 32 ? 4 : 2) > fat_.size()) {
      return std::nullopt;
    }
    std::uint64_t value = 0;
    if (fat_bits_ == 32) {
      value = number_at<std::uint32_t>(fat_, at) & 0x0FFFFFFF;
    } else {
      value = number_at<std::uint16_t>(fat_, at);
      value = fat_bits_ == 16 ? value : cluster % 2 != 0 ? value >> 4 : value & 0xFFF;
    }
    return value >= 2 && value < clusters_ + 2 ? std::optional(value) : std::nullopt;
  }

  std::vector<Piece> chain(std::uint64_t first) const {
    std::vector<Piece> pieces;
    std::optional<std::uint64_t> cluster = first;
    while (cluster && *cluster >= 2 && *cluster < clusters_ + 2 && pieces.size() <= clusters_) {
      pieces.push_back({volume_.begin + (*cluster - 2) * volume_.cluster_bytes, volume_.cluster_bytes});
      cluster = next(*cluster);
    }
    return pieces;
  }

  Bytes read_pieces(const std::vector<Piece>& pieces) {
    Bytes bytes;
    for (const Piece& piece : pieces) {
      append(bytes, read_bytes(image_, piece.begin, static_cast<std::size_t>(piece.bytes)));
    }
    return bytes;
  }

  void read_folder(const Bytes& folder, const std::string& path, unsigned depth) {
    std::u16string long_name;
    for (std::size_t at = 0; at + kEntry <= folder.size() && folder[at] != std::byte{0}; at += kEntry) {
      constexpr unsigned kDeleted = 0xE5;
      constexpr unsigned kLongName = 0x0F;
      const ByteView entry = ByteView(folder).subspan(at, kEntry);
      if (byte_at(entry, 0) == kDeleted) {
        long_name.clear();
      } else if (byte_at(entry, 11) == kLongName) {
        long_name = long_part(entry) + long_name;  // the last part comes first
      } else {
        read_entry(entry, path, long_name.empty() ? short_name(entry) : utf8_of(long_name), depth);
        long_name.clear();
      }
    }
  }

  void read_entry(ByteView entry, const std::string& path, const std::string& name, unsigned depth) {
    constexpr unsigned kVolumeLabel = 0x08;
    constexpr unsigned kFolder = 0x10;
    const unsigned attributes = byte_at(entry, 11);
    const std::uint64_t first =
        std::uint64_t{number_at<std::uint16_t>(entry, 20)} * (fat_bits_ == 32 ? 65536 : 0) +
        number_at<std::uint16_t>(entry, 26);
    if ((attributes & kVolumeLabel) != 0 || name == "." || name == "..") {
      return;
    }
    if ((attributes & kFolder) != 0) {
      if (depth < kMaxDepth && folders_.insert(first).second) {
        read_folder(read_pieces(chain(first)), path + name + "/", depth + 1);
      }
    } else {
      volume_.files.push_back({path + name, number_at<std::uint32_t>(entry, 28), chain(first)});
    }
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
  std::uint64_t begin_;
  Volume volume_;
  Bytes fat_;
  std::uint64_t fat_bits_ = 0;
  std::uint64_t fat_begin_ = 0;
  std::uint64_t fat_bytes_ = 0;
  std::uint64_t root_begin_ = 0;
  std::size_t root_bytes_ = 0;
  std::uint64_t root_cluster_ = 0;
  std::uint64_t clusters_ = 0;
  std::set<std::uint64_t> folders_;  // folders that have been read, by their first cluster
};

}  // namespace

std::vector<Volume> find_volumes(File& image) {
  constexpr std::size_t kPartitions = 446;
  constexpr std::size_t kPartition = 16;
  std::vector<Volume> volumes;
  if (auto volume = FatReader(image, 0).read()) {
    volumes.push_back(std::move(*volume));
    return volumes;
  }
  const Bytes sector = read_bytes(image, 0, detail::kSectorBytes);
  for (std::size_t i = 0; i < 4 && is_boot_sector(sector); ++i) {
    const std::size_t at = kPartitions + i * kPartition;
    const std::uint64_t begin =
        std::uint64_t{number_at<std::uint32_t>(sector, at + 8)} * detail::kSectorBytes;
    if (byte_at(sector, at + 4) != 0 && begin != 0) {
      if (auto volume = FatReader(image, begin).read()) {
        volumes.push_back(std::move(*volume));
      }
    }
  }
  return volumes;
}

namespace {

using format::kMagicBytes;

// The traces of a medium from `begin` on, as those of a file that begins there.
Traces moved(const Traces& traces, std::uint64_t begin) {
  Traces result;
  for (FooterTrace trace : traces.footers) {
    if (trace.begin >= begin) {
      trace.begin -= begin;
      trace.end -= begin;
      result.footers.push_back(trace);
    }
  }
  for (SlotTrace slot : traces.slots) {
    if (slot.end >= begin) {
      slot.end -= begin;
      result.slots.push_back(slot);
    }
  }
  return result;
}

// The pieces of [begin, end) that belong to no file.
std::vector<Piece> free_pieces(const Volume& volume, std::uint64_t begin) {
  std::vector<Piece> used;
  for (const VolumeFile& file : volume.files) {
    used.insert(used.end(), file.pieces.begin(), file.pieces.end());
  }
  std::sort(used.begin(), used.end(), [](const Piece& a, const Piece& b) { return a.begin < b.begin; });
  std::vector<Piece> pieces;
  for (const Piece& piece : used) {
    if (piece.begin > begin) {
      pieces.push_back({begin, piece.begin - begin});
    }
    begin = std::max(begin, piece.begin + piece.bytes);
  }
  if (begin < volume.end) {
    pieces.push_back({begin, volume.end - begin});
  }
  return pieces;
}

class Finder {
 public:
  Finder(File& image, const Progress& progress)
      : image_(image), volumes_(find_volumes(image)), traces_(find_traces(image, progress)) {}

  std::vector<ImageFile> run() {
    for (const Volume& volume : volumes_) {
      for (const VolumeFile& file : volume.files) {
        add_named(file);
      }
    }
    for (const FooterTrace& trace : traces_.footers) {
      if (trace.extension.rows == 0 && trace.begin % detail::kSectorBytes == kMagicBytes &&
          !contains(named_, trace.begin)) {
        add_unnamed(trace);
      }
    }
    for (const std::uint32_t id : file_ids(traces_)) {
      const bool known = std::any_of(files_.begin(), files_.end(),
                                     [id](const ImageFile& file) { return file.file_id == id; });
      if (!known && volumes_.empty()) {  // a file whose beginning is destroyed
        add(id, "", {{0, bytes_of(image_)}});
      }
    }
    return std::move(files_);
  }

 private:
  void add_named(const VolumeFile& file) {
    if (!has_trace(file.pieces)) {
      return;
    }
    View view(image_, file.pieces);
    Traces traces = find_traces(view, {});
    if (const auto id = file_id_of(view, traces)) {
      for (const Piece& piece : file.pieces) {
        named_.push_back(piece);
      }
      files_.push_back({file.name, *id, view, std::move(traces)});
    }
  }

  static bool contains(const std::vector<Piece>& pieces, std::uint64_t place) {
    return std::any_of(pieces.begin(), pieces.end(), [place](const Piece& piece) {
      return place >= piece.begin && place - piece.begin < piece.bytes;
    });
  }

  // Other files need not be read.
  bool has_trace(const std::vector<Piece>& pieces) const {
    return std::any_of(traces_.footers.begin(), traces_.footers.end(),
                       [&](const FooterTrace& trace) { return contains(pieces, trace.begin); }) ||
           std::any_of(traces_.slots.begin(), traces_.slots.end(),
                       [&](const SlotTrace& slot) { return contains(pieces, slot.end - 1); });
  }

  void add_unnamed(const FooterTrace& trace) {
    const std::uint64_t begin = trace.begin - kMagicBytes;
    const std::uint32_t id = trace.extension.file_id;
    files_.push_back({"", id, View(image_, {{begin, bytes_of(image_) - begin}}), moved(traces_, begin)});
    for (const Volume& volume : volumes_) {
      if (begin >= volume.begin && begin < volume.end) {
        add(id, "", free_pieces(volume, begin));
      }
    }
  }

  void add(std::uint32_t id, const std::string& name, const std::vector<Piece>& pieces) {
    View view(image_, pieces);
    Traces traces = find_traces(view, {});
    files_.push_back({name, id, view, std::move(traces)});
  }

  File& image_;
  std::vector<Volume> volumes_;
  Traces traces_;  // traces of the whole medium
  std::vector<Piece> named_;
  std::vector<ImageFile> files_;
};

}  // namespace

std::vector<ImageFile> find_image_files(File& image, const Progress& progress) {
  return Finder(image, progress).run();
}

}  // namespace microparquet::recovery
