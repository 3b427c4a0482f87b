#include "page_readings.h"

#include <algorithm>
#include <map>
#include <utility>

#include "reading_steps.h"

namespace microparquet::recovery {

namespace {

constexpr std::size_t kMostReadings = 2048;  // that are followed at a time

class FollowedPages {
 public:
  FollowedPages(PageTrial& trial, const std::vector<ListedPage>& pages,
                const std::vector<ColumnModel>& models, std::uint64_t group_rows, const PageHabits& habits)
      : pages_(pages),
        columns_(static_cast<std::uint32_t>(models.size())),
        steps_(trial, pages, models, group_rows, habits) {
    before_all_.nodes.push_back({});
  }

  PageReadings run() {
    bool gap = false;
    for (std::uint32_t i = 0; i < pages_.size(); ++i) {
      gap = gap || pages_[i].after_gap;
      if (!pages_[i].checksum_holds) {
        lose(i);
        gap = true;
        continue;
      }
      Layer layer = layer_after(last(), i, gap);
      if (layer.nodes.size() > kMostReadings) {
        readings_.stopped = i;
        break;
      }
      gap = layer.nodes.empty();
      if (gap) {
        note_misfit(i);
        lose(i);
        doubt_inferred_chunk();
      } else {
        readings_.layers.push_back(std::move(layer));
      }
    }
    return std::move(readings_);
  }

 private:
  // The last page that was followed; before the first one, the beginning.
  Layer& last() { return readings_.layers.empty() ? before_all_ : readings_.layers.back(); }

  // The stands after `page`, to which those of `from` point then.
  Layer layer_after(Layer& from, std::uint32_t page, bool gap) {
    Layer layer;
    layer.page = page;
    std::map<Stand, std::uint32_t> numbers;
    const std::optional<std::uint32_t> before =
        readings_.layers.empty() ? std::nullopt : std::optional<std::uint32_t>(from.page);
    for (Node& node : from.nodes) {
      for (const PageStep& step : steps_.after(node.stand, before, page, gap)) {
        const auto [at, is_new] = numbers.emplace(step.stand, static_cast<std::uint32_t>(layer.nodes.size()));
        if (is_new) {
          layer.nodes.emplace_back();
          layer.nodes.back().stand = step.stand;
          layer.nodes.back().reading = step.reading;
        }
        if (std::find(node.next.begin(), node.next.end(), at->second) == node.next.end()) {
          node.next.push_back(at->second);
        }
      }
    }
    return layer;
  }

  void lose(std::uint32_t page) {
    readings_.damaged.push_back({pages_[page].begin, pages_[page].end - pages_[page].begin});
  }

  void note_misfit(std::uint32_t page) {
    if (readings_.misfit) {
      return;
    }
    readings_.misfit = Misfit{page, {}};
    for (const Node& node : last().nodes) {
      const bool first = readings_.layers.empty();
      if (!first && node.stand.rows != 0) {
        readings_.misfit->columns.insert((node.stand.column + 1) % columns_);
      }
      if (first || !pages_[page].dictionary()) {
        readings_.misfit->columns.insert(node.stand.column);
      }
    }
  }

  // No reading explains a page, so it is damaged, or one before it was, and was taken for one of another column: where a chunk
  // was taken to begin without a dictionary, its pages are in doubt.
  void doubt_inferred_chunk() {
    if (readings_.layers.empty()) {
      return;
    }
    for (const Node& node : readings_.layers.back().nodes) {
      for (auto layer = readings_.layers.rbegin(); layer != readings_.layers.rend(); ++layer) {
        const bool same = std::any_of(layer->nodes.begin(), layer->nodes.end(), [&](const Node& other) {
          return other.stand.group == node.stand.group && other.stand.column == node.stand.column;
        });
        if (!same) {
          break;
        }
        if (node.stand.dictionary == kNoPage && (node.stand.column != 0 || node.stand.group != 0)) {
          readings_.doubted.insert(layer->page);
        }
      }
    }
  }

  const std::vector<ListedPage>& pages_;
  std::uint32_t columns_;
  PageSteps steps_;
  Layer before_all_;
  PageReadings readings_;
};

}  // namespace

PageReadings follow_pages(PageTrial& trial, const std::vector<ListedPage>& pages,
                          const std::vector<ColumnModel>& models, std::uint64_t group_rows,
                          const PageHabits& habits) {
  return FollowedPages(trial, pages, models, group_rows, habits).run();
}

}  // namespace microparquet::recovery
