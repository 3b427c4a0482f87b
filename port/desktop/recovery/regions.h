// Parts of a medium.
#pragma once

#include <cstdint>
#include <vector>

#include "view.h"

namespace microparquet::recovery {

class Regions {
 public:
  void add(const std::vector<Piece>& pieces) { pieces_.insert(pieces_.end(), pieces.begin(), pieces.end()); }
  // Sorts and joins what was added. The calls below require it.
  void settle();

  bool contains(std::uint64_t place) const { return overlaps({place, 1}); }
  bool overlaps(const Piece& piece) const;
  // The pieces of [begin, end) that are in no region.
  std::vector<Piece> gaps(std::uint64_t begin, std::uint64_t end) const;

 private:
  std::vector<Piece> pieces_;
};

}  // namespace microparquet::recovery
