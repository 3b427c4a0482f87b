#include "exfat_entries.h"

#include <algorithm>

#include "numbers.h"
#include "utf16_name.h"

namespace microparquet::recovery {

namespace {

// Types of entries, without the bit that says that one is in use.
constexpr unsigned kInUse = 0x80;
constexpr unsigned kFile = 0x05;
constexpr unsigned kStream = 0x40;
constexpr unsigned kName = 0x41;
constexpr unsigned kSecondary = 0x40;  // the bit that all entries of a set have but the first

constexpr std::size_t kUnits = 15;  // of a name in one entry

unsigned kind_at(ByteView folder, std::size_t at) { return byte_at(folder, at) & ~kInUse; }

std::uint16_t checksum_of(ByteView set) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (i != 2 && i != 3) {  // where it stands
      sum = ((sum << 15 | sum >> 1) + byte_at(set, i)) & 0xFFFF;
    }
  }
  return static_cast<std::uint16_t>(sum);
}

// The name in the entries from the third on; empty when one of them is missing.
std::u16string name_of(ByteView set, std::size_t begin, std::size_t units) {
  std::u16string name;
  for (std::size_t at = begin; at < set.size() && name.size() < units; at += kExfatEntry) {
    if (kind_at(set, at) != kName) {
      break;
    }
    for (std::size_t i = 0; i < kUnits && name.size() < units; ++i) {
      name += number_at<char16_t>(set, at + 2 + 2 * i);
    }
  }
  return name.size() == units ? name : std::u16string();
}

}  // namespace

ExfatExtent extent_of(ByteView entry) {
  constexpr unsigned kContiguous = 0x02;
  const bool is_stream = kind_at(entry, 0) == kStream;
  return {number_at<std::uint32_t>(entry, 20), number_at<std::uint64_t>(entry, 24),
          is_stream && (byte_at(entry, 1) & kContiguous) != 0 ? Clusters::Links::kContiguous
                                                              : Clusters::Links::kTable};
}

std::optional<ExfatSet> set_at(ByteView folder, std::size_t at) {
  constexpr unsigned kFolder = 0x10;
  constexpr std::size_t kMostNames = 17;
  const bool has_first = kind_at(folder, at) == kFile;
  const std::size_t stream = has_first ? at + kExfatEntry : at;
  if (stream + kExfatEntry > folder.size() || kind_at(folder, stream) != kStream) {
    return std::nullopt;
  }
  const std::size_t most = has_first ? byte_at(folder, at + 1) : 1 + kMostNames;
  std::size_t end = stream + kExfatEntry;
  bool in_use = (byte_at(folder, stream) & (has_first ? byte_at(folder, at) : kInUse) & kInUse) != 0;
  while (end + kExfatEntry <= folder.size() && (end - stream) / kExfatEntry < most &&
         (kind_at(folder, end) & kSecondary) != 0 && kind_at(folder, end) != kStream) {
    in_use = in_use && (byte_at(folder, end) & kInUse) != 0;
    end += kExfatEntry;
  }
  const ByteView bytes = folder.subspan(at, end - at);
  ExfatSet set;
  set.entries = bytes.size() / kExfatEntry;
  set.name = utf8_of(name_of(bytes, stream + kExfatEntry - at, byte_at(folder, stream + 3)));
  set.is_folder = has_first && (byte_at(folder, at + 4) & kFolder) != 0;
  set.extent = extent_of(folder.subspan(stream, kExfatEntry));
  set.written = number_at<std::uint64_t>(folder, stream + 8);
  const bool whole = has_first && set.entries == most + 1 && !set.name.empty() &&
                     checksum_of(bytes) == number_at<std::uint16_t>(folder, at + 2);
  set.standing = !in_use ? Standing::kDeleted : whole ? Standing::kSound : Standing::kTorn;
  return set;
}

}  // namespace microparquet::recovery
