#include "agreement.h"

#include <algorithm>
#include <cstdint>

namespace microparquet::desktop {

namespace {

// The levels that the leaves below a node have in common: lower ones tell of the node and what is around it.
struct SharedLevels {
  std::uint8_t repetition = 0;
  std::uint8_t definition = 0;
};

class Agreement {
 public:
  explicit Agreement(const std::vector<LeafItems>& leaves) : leaves_(leaves) {}

  // Each leaf is compared with the one before it where they part. Both agree with the ones around them then, since a
  // node's levels contain those of the nodes that it stands in.
  std::size_t first_disagreeing(const ArrowNode& node, SharedLevels shared) const {
    if (node.kind == ArrowNode::Kind::kStruct) {
      shared.definition = node.definition;
    } else if (node.kind != ArrowNode::Kind::kValue) {
      shared = {node.repetition, node.element_definition};
    }
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const std::size_t leaf = node.children[i].leaf;
      if (i != 0 && !agree(leaves_[node.children[i - 1].leaf], leaves_[leaf], shared)) {
        return leaf;
      }
      const std::size_t below = first_disagreeing(node.children[i], shared);
      if (below != leaves_.size()) {
        return below;
      }
    }
    return leaves_.size();
  }

 private:
  // The items that say nothing of what is shared continue lists further in.
  static bool find_shared(const LeafItems& items, const SharedLevels& shared, std::size_t& at) {
    while (at < items.size() && items.repetition(at) > shared.repetition) {
      ++at;
    }
    return at < items.size();
  }

  static bool agree(const LeafItems& left, const LeafItems& right, const SharedLevels& shared) {
    if (shared.repetition == 0 && shared.definition == 0) {
      return true;  // the row alone, and each leaf has been read up to the end of the same row
    }
    for (std::size_t l = 0, r = 0;; ++l, ++r) {
      const bool more = find_shared(left, shared, l);
      if (more != find_shared(right, shared, r)) {
        return false;
      }
      if (!more) {
        return true;
      }
      if (left.repetition(l) != right.repetition(r) || std::min(left.definition(l), shared.definition) !=
                                                           std::min(right.definition(r), shared.definition)) {
        return false;
      }
    }
  }

  const std::vector<LeafItems>& leaves_;
};

}  // namespace

std::size_t first_disagreeing(const ArrowNode& row, const std::vector<LeafItems>& leaves) {
  return Agreement(leaves).first_disagreeing(row, {});
}

}  // namespace microparquet::desktop
