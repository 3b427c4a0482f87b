#include "regions.h"

#include <algorithm>

namespace microparquet::recovery {

void Regions::settle() {
  std::sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) { return a.begin < b.begin; });
  std::vector<Piece> joined;
  for (const Piece& piece : pieces_) {
    if (!joined.empty() && piece.begin <= joined.back().end()) {
      joined.back().bytes = std::max(joined.back().end(), piece.end()) - joined.back().begin;
    } else if (piece.bytes != 0) {
      joined.push_back(piece);
    }
  }
  pieces_ = std::move(joined);
}

bool Regions::overlaps(const Piece& piece) const {
  const auto behind = std::lower_bound(pieces_.begin(), pieces_.end(), piece.end(),
                                       [](const Piece& a, std::uint64_t end) { return a.begin < end; });
  return behind != pieces_.begin() && std::prev(behind)->end() > piece.begin;
}

std::vector<Piece> Regions::gaps(std::uint64_t begin, std::uint64_t end) const {
  std::vector<Piece> gaps;
  for (const Piece& piece : pieces_) {
    if (piece.begin >= end) {
      break;
    }
    if (piece.begin > begin) {
      gaps.push_back({begin, piece.begin - begin});
    }
    begin = std::max(begin, piece.end());
  }
  if (begin < end) {
    gaps.push_back({begin, end - begin});
  }
  return gaps;
}

}  // namespace microparquet::recovery
