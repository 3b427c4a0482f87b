#include "page_placing.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "page_trial.h"

namespace microparquet::recovery {

namespace {

// A page's row group, column and rows, if all readings agree on them.
struct Verdict {
  std::uint32_t group;
  std::uint32_t column;
  std::uint32_t dictionary;
  std::uint64_t first_row;

  auto key() const { return std::tie(group, column, dictionary, first_row); }
};

// Places each page where all readings have it.
class CertainPlaces {
 public:
  // `pages` must stay.
  CertainPlaces(PageReadings readings, const std::vector<ListedPage>& pages, std::uint32_t columns)
      : readings_(std::move(readings)), pages_(pages), columns_(columns) {}

  Placing run() {
    for (const Layer& layer : readings_.layers) {
      place(layer);
    }
    for (std::uint32_t i = readings_.stopped.value_or(static_cast<std::uint32_t>(pages_.size()));
         i < pages_.size(); ++i) {
      leave_out(i);
    }
    for (auto& [group, rows] : group_rows_) {
      const bool known = rows.size() == 1 && *rows.begin() != 0;
      if (const auto placed = groups_.find(group); placed != groups_.end()) {
        placed->second.rows = known ? *rows.begin() : 0;
      }
      if (rows.size() > 1 && result_.rows_possible.empty()) {
        std::copy_if(rows.begin(), rows.end(), std::back_inserter(result_.rows_possible),
                     [](std::uint64_t n) { return n != 0; });
      }
    }
    for (auto& [group, placed] : groups_) {
      result_.row_groups.push_back(std::move(placed));
    }
    result_.damaged = std::move(readings_.damaged);
    result_.misfit = std::move(readings_.misfit);
    return std::move(result_);
  }

 private:
  void leave_out(std::uint32_t page) {
    result_.unplaced.push_back({pages_[page].begin, pages_[page].end - pages_[page].begin});
  }

  // The first row of the page of a node; none: it is not known.
  static std::optional<Verdict> verdict_of(const Node& node) {
    const Stand& stand = node.stand;
    std::uint64_t first_row = stand.rows - node.reading.rows;
    if (stand.from_end) {
      if (node.rows == 0 || node.group_rows == 0 || node.unsure || node.rows > node.group_rows) {
        return std::nullopt;
      }
      first_row += node.group_rows - node.rows;
    }
    return Verdict{stand.group, stand.column, stand.dictionary, first_row};
  }

  void place(const Layer& layer) {
    std::optional<Verdict> verdict;
    const Node* one = nullptr;
    bool certain = readings_.doubted.count(layer.page) == 0;
    bool ends = true;
    for (const Node& node : layer.nodes) {
      if (!node.alive) {
        continue;
      }
      group_rows_[node.stand.group].insert(node.unsure ? 0 : node.group_rows);
      const auto mine = verdict_of(node);
      certain = certain && mine && (!verdict || verdict->key() == mine->key());
      verdict = mine;
      ends = ends && node.ends;
      one = &node;
    }
    if (!certain || !verdict || one == nullptr) {
      leave_out(layer.page);
      return;
    }
    PlacedRowGroup& group = groups_[verdict->group];
    group.columns.resize(columns_);
    PlacedColumn& column = group.columns[verdict->column];
    if (pages_[layer.page].dictionary()) {
      column.dictionary = layer.page;
      return;
    }
    if (pages_[layer.page].uses_dictionary() && verdict->dictionary >= kLostPage) {
      return;  // its dictionary is lost
    }
    column.pages.push_back({layer.page, verdict->first_row, one->reading.rows, one->reading.begins_row});
    column.ends = ends;
  }

  PageReadings readings_;
  const std::vector<ListedPage>& pages_;
  std::uint32_t columns_;
  std::map<std::uint32_t, PlacedRowGroup> groups_;
  std::map<std::uint32_t, std::set<std::uint64_t>> group_rows_;
  Placing result_;
};

Placing place_by_habits(PageTrial& trial, const std::vector<ListedPage>& pages, const SchemaModel& model,
                        std::uint64_t group_rows, const PageHabits& habits) {
  PageReadings readings = follow_pages(trial, pages, model.columns, group_rows, habits);
  look_back(readings, pages);
  return CertainPlaces(std::move(readings), pages, static_cast<std::uint32_t>(model.columns.size())).run();
}

// Whether the first page, which surely is of the first column, is as long as those of the other file, if these have one length.
bool begins_alike(const std::vector<ListedPage>& pages, const PageHabits& habits) {
  const auto first =
      std::find_if(pages.begin(), pages.end(), [](const ListedPage& page) { return !page.dictionary(); });
  if (first == pages.end() || habits.columns.empty() || pages.front().after_gap) {
    return false;
  }
  const PageHabit& habit = habits.columns.front();
  const std::uint64_t rows = habit.full_rows != 0 ? habit.full_rows : habit.alone_rows;
  return rows != 0 && first->header.values == rows;
}

}  // namespace

Placing place_pages(PageTrial& trial, const std::vector<ListedPage>& pages, const SchemaModel& model,
                    std::uint64_t group_rows, bool same_settings) {
  Placing certain = place_by_habits(trial, pages, model, group_rows, {});
  if (certain.unplaced.empty()) {
    return certain;
  }
  PageHabits habits = model.habits;
  if (!begins_alike(pages, habits)) {
    certain.other_settings = habits.page_bytes == 0;
    habits = PageHabits();
    habits.page_bytes = model.habits.page_bytes;
    habits.page_rows = model.habits.page_rows;
  }
  Placing likely = place_by_habits(trial, pages, model, group_rows, habits);
  if (likely.unplaced.size() >= certain.unplaced.size() || likely.damaged.size() > certain.damaged.size()) {
    return certain;
  }
  Placing& result = same_settings ? likely : certain;
  result.by_habit = static_cast<std::uint32_t>(certain.unplaced.size() - likely.unplaced.size());
  return std::move(result);
}

namespace {

// Takes the number of rows in the chunk of `node` from the stands that may come `after`.
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
