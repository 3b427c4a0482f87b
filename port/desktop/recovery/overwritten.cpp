#include "overwritten.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include "thrift_dom/moved_row_group.h"

namespace microparquet::recovery {

namespace {

// Bytes of a file, as ranges that do not touch.
class ByteSet {
 public:
  void add(const Piece& piece) {
    std::uint64_t begin = piece.begin;
    std::uint64_t end = piece.begin + piece.bytes;
    auto next = first_touched(begin);
    for (; next != ranges_.end() && next->first <= end; next = ranges_.erase(next)) {
      begin = std::min(begin, next->first);
      end = std::max(end, next->second);
    }
    ranges_.emplace(begin, end);
  }

  // Appends those of `piece` that are in the set.
  void append_common(const Piece& piece, std::vector<Piece>& common) const {
    const std::uint64_t end = piece.begin + piece.bytes;
    for (auto range = first_touched(piece.begin); range != ranges_.end() && range->first < end; ++range) {
      const std::uint64_t first = std::max(piece.begin, range->first);
      const std::uint64_t last = std::min(end, range->second);
      if (first < last) {
        common.push_back({first, last - first});
      }
    }
  }

 private:
  using Ranges = std::map<std::uint64_t, std::uint64_t>;  // begin and end

  // The first range that does not end before `place`.
  Ranges::const_iterator first_touched(std::uint64_t place) const {
    auto range = ranges_.upper_bound(place);
    return range != ranges_.begin() && std::prev(range)->second >= place ? std::prev(range) : range;
  }

  Ranges ranges_;
};

}  // namespace

std::vector<std::vector<Piece>> find_overwritten(const std::vector<Bytes>& entries) {
  std::vector<std::vector<Piece>> overwritten(entries.size());
  ByteSet later;
  for (std::size_t i = entries.size(); i-- != 0;) {
    const std::vector<Piece> chunks = chunks_of(entries[i]);
    for (const Piece& chunk : chunks) {
      later.append_common(chunk, overwritten[i]);
    }
    for (const Piece& chunk : chunks) {
      later.add(chunk);
    }
  }
  return overwritten;
}

}  // namespace microparquet::recovery
