#include <algorithm>

#include "page_readings.h"

namespace microparquet::recovery {

namespace {

// What the stands that may come `after` say of the chunk of `node`.
void learn(Node& node, const std::vector<Node>& after) {
  bool first = true;
  for (const std::uint32_t n : node.next) {
    const Node& next = after[n];
    if (!next.alive) {
      continue;
    }
    const bool same_group = next.stand.group == node.stand.group;
    const bool same = same_group && next.stand.column == node.stand.column;
    // After a gap the chunk may have had more rows.
    const bool gap = next.stand.from_end && (!node.stand.from_end || next.stand.rows <= next.reading.rows);
    const bool ends = !same && !next.stand.from_end;
    const std::uint64_t rows = same ? (gap ? 0 : next.rows) : ends ? node.stand.rows : 0;
    const std::uint64_t group_rows = same_group                     ? next.group_rows
                                     : ends && !node.stand.from_end ? node.stand.rows
                                                                    : node.stand.group_rows;
    const bool unsure = same && !gap && next.unsure;
    if (first) {
      node.alive = true;
      node.rows = rows;
      node.group_rows = std::max(group_rows, node.stand.group_rows);
      node.ends = ends;
      node.unsure = unsure;
    } else {
      node.unsure = node.unsure || unsure || node.rows != rows || node.group_rows != group_rows;
      node.ends = node.ends && ends;
    }
    first = false;
  }
}

}  // namespace

void look_back(PageReadings& readings, const std::vector<ListedPage>& pages) {
  std::vector<Layer>& layers = readings.layers;
  for (std::size_t i = layers.size(); i-- != 0;) {
    for (Node& node : layers[i].nodes) {
      node.group_rows = node.stand.group_rows;
      if (i + 1 == layers.size()) {
        node.alive = true;
      } else {
        learn(node, layers[i + 1].nodes);
      }
      if (pages[layers[i].page].chunk_end) {
        node.ends = true;
        node.rows = node.stand.rows;
      }
    }
  }
}

}  // namespace microparquet::recovery
