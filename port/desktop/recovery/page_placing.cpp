#include "page_placing.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace microparquet::recovery {

namespace {

constexpr std::size_t kMostReadings = 2048;  // that are followed at a time

// Where a reading stands after a page.
struct Stand {
  std::uint32_t group = 0;  // the page with which its row group begins, or at which it is entered
  std::uint32_t column = 0;
  std::uint32_t dictionary = kNoPage;
  bool from_end = false;         // there is a gap in the chunk: its rows count from its end
  std::uint64_t rows = 0;        // of the chunk, or those after the gap
  std::uint64_t group_rows = 0;  // 0: not known yet

  auto key() const { return std::tie(group, column, dictionary, from_end, rows, group_rows); }
  bool operator<(const Stand& other) const { return key() < other.key(); }
};

// A stand, and what follows from the pages after it.
struct Node {
  Stand stand;
  PageReading reading;              // of the page it comes from
  std::vector<std::uint32_t> next;  // in the next layer
  bool alive = false;
  bool ends = false;       // the next page is of another chunk, in all readings
  bool unsure = false;     // readings differ in what follows
  std::uint64_t rows = 0;  // of the chunk, when it ended; 0: it did not
  std::uint64_t group_rows = 0;
};

// The stands after one page.
struct Layer {
  std::uint32_t page = 0;
  std::vector<Node> nodes;
};

// What all readings say of a page.
struct Verdict {
  std::uint32_t group;
  std::uint32_t column;
  std::uint32_t dictionary;
  std::uint64_t first_row;

  auto key() const { return std::tie(group, column, dictionary, first_row); }
};

class PagePlacing {
 public:
  // Readings are left out that do not have `habits`, as far as these are known.
  PagePlacing(PageTrial& trial, const std::vector<ListedPage>& pages, const std::vector<ColumnModel>& models,
              std::uint64_t group_rows, PageHabits habits)
      : trial_(trial),
        pages_(pages),
        models_(models),
        habits_(std::move(habits)),
        columns_(static_cast<std::uint32_t>(models_.size())),
        told_rows_(group_rows) {
    for (const PageHabit& habit : habits_.columns) {
      pages_fill_groups_ =
          pages_fill_groups_ ||
          (habit.full_rows != 0 && habits_.group_rows % habit.full_rows == 0 && habits_.group_rows != 0);
    }
  }

  Placing run() {
    follow();
    look_back();
    collect();
    return std::move(result_);
  }

 private:
  // Forwards: all stands that each page leaves possible.

  void follow() {
    Layer before;
    before.nodes.push_back({});
    bool gap = false;
    for (std::uint32_t i = 0; i < pages_.size(); ++i) {
      gap = gap || pages_[i].after_gap;
      if (!pages_[i].checksum_holds) {
        lose(i);
        gap = true;
        continue;
      }
      const Layer& from = layers_.empty() ? before : layers_.back();
      Layer layer;
      layer.page = i;
      std::map<Stand, std::uint32_t> numbers;
      std::vector<std::vector<std::uint32_t>> edges(from.nodes.size());
      for (std::size_t n = 0; n < from.nodes.size(); ++n) {
        successors(from.nodes[n].stand, i, gap, layers_.empty(),
                   [&](Stand stand, const PageReading& reading) {
                     if (!may_end_as_said(stand, i)) {
                       return;
                     }
                     const auto [at, is_new] =
                         numbers.emplace(stand, static_cast<std::uint32_t>(layer.nodes.size()));
                     if (is_new) {
                       layer.nodes.emplace_back();
                       layer.nodes.back().stand = stand;
                       layer.nodes.back().reading = reading;
                     }
                     if (std::find(edges[n].begin(), edges[n].end(), at->second) == edges[n].end()) {
                       edges[n].push_back(at->second);
                     }
                   });
      }
      if (layer.nodes.empty()) {
        note_misfit(from, i);
        lose(i);
        doubt_inferred_chunk();
        gap = true;
        continue;
      }
      if (layer.nodes.size() > kMostReadings) {
        stopped_ = i;
        break;
      }
      if (!layers_.empty()) {
        for (std::size_t n = 0; n < edges.size(); ++n) {
          layers_.back().nodes[n].next = std::move(edges[n]);
        }
      }
      layers_.push_back(std::move(layer));
      gap = false;
    }
  }

  // A stand after `page`, after which the file may say that a chunk ends.
  bool may_end_as_said(Stand& stand, std::uint32_t page) const {
    const auto& end = pages_[page].chunk_end;
    if (!end) {
      return true;
    }
    if (models_[stand.column].name != end->column) {
      return false;
    }
    if (models_[stand.column].element.max_repetition_level != 0) {
      return true;
    }
    const bool fits = stand.from_end ? stand.rows <= end->values : stand.rows == end->values;
    const bool same = stand.group_rows == 0 || stand.group_rows == end->values;
    stand.group_rows = end->values;
    return fits && same;
  }

  void lose(std::uint32_t page) {
    result_.damaged.push_back({pages_[page].begin, pages_[page].end - pages_[page].begin});
  }

  void note_misfit(const Layer& from, std::uint32_t page) {
    if (result_.misfit) {
      return;
    }
    result_.misfit = Misfit{page, {}};
    for (const Node& node : from.nodes) {
      const bool first = layers_.empty();
      if (!first && node.stand.rows != 0) {
        result_.misfit->columns.insert((node.stand.column + 1) % columns_);
      }
      if (first || !pages_[page].dictionary()) {
        result_.misfit->columns.insert(node.stand.column);
      }
    }
  }

  // No reading explains a page, so it is damaged, or one before it was, and was taken for one of another column: where a chunk
  // was taken to begin without a dictionary, its pages are in doubt.
  void doubt_inferred_chunk() {
    if (layers_.empty()) {
      return;
    }
    for (const Node& node : layers_.back().nodes) {
      for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
        const bool same = std::any_of(layer->nodes.begin(), layer->nodes.end(), [&](const Node& other) {
          return other.stand.group == node.stand.group && other.stand.column == node.stand.column;
        });
        if (!same) {
          break;
        }
        if (node.stand.dictionary == kNoPage && (node.stand.column != 0 || node.stand.group != 0)) {
          doubted_.insert(layer->page);
        }
      }
    }
  }

  template <typename Visit>
  void successors(const Stand& stand, std::uint32_t page, bool gap, bool first, const Visit& visit) {
    stand_is_after_gap_ = gap;
    if (!gap) {
      step(stand, page, first, visit);
      return;
    }
    // The gap may have had as many pages as it has place for.
    const std::uint64_t room = pages_[page].begin - (layers_.empty() ? 0 : pages_[layers_.back().page].end);
    std::uint64_t lost = 0;  // bytes of the chunks that lay in it wholly
    Stand after = stand;
    after.from_end = true;
    after.rows = 0;
    for (; !first && after.column < columns_ && lost <= room; ++after.column) {
      step(after, page, false, visit);
      after.dictionary = kLostPage;
      lost += after.column != stand.column ? least_bytes(after.column, stand.group_rows) : 0;
    }
    after = {};
    after.group = page;
    after.dictionary = kLostPage;
    after.from_end = true;
    for (; after.column < columns_ && lost <= room; ++after.column) {
      step(after, page, false, visit);
      lost += least_bytes(after.column, 0);
    }
  }

  // Of a chunk of that many rows: an eighth of what it would be in the other file.
  std::uint64_t least_bytes(std::uint32_t column, std::uint64_t rows) const {
    constexpr std::uint64_t kHeader = 8;
    const ColumnModel& model = models_[column];
    return kHeader + (model.values != 0 ? rows * model.bytes / model.values / 8 : 0);
  }

  template <typename Visit>
  void step(const Stand& stand, std::uint32_t page, bool first, const Visit& visit) {
    if (first) {
      begin_chunk(stand, page, visit);
      return;
    }
    const bool ended = !stand_is_after_gap_ && pages_[layers_.back().page].chunk_end;
    if (!pages_[page].dictionary() && !ended && may_be_followed(stand)) {
      go_on(stand, page, visit);
    }
    if (const auto next = next_chunk(stand, page); next && may_be_last(stand)) {
      begin_chunk(*next, page, visit);
    }
  }

  // The page before, if it is the one right before a page, and has rows of a column whose habits are known.
  const ListedPage* page_before(const Stand& stand) const {
    if (stand_is_after_gap_ || models_[stand.column].element.max_repetition_level != 0) {
      return nullptr;
    }
    const ListedPage& page = pages_[layers_.back().page];
    return page.dictionary() ? nullptr : &page;
  }

  // Whether a page of the same chunk may follow.
  bool may_be_followed(const Stand& stand) const {
    const ListedPage* const page = page_before(stand);
    if (page == nullptr) {
      return true;
    }
    const SchemaElement& element = models_[stand.column].element;
    const std::uint64_t rows = page->header.values;
    const std::uint64_t bytes = std::max<std::uint64_t>(
        page->header.uncompressed_bytes, rows * value_bytes(element.type, element.type_length));
    if (page->uses_dictionary()) {
      return true;
    }
    if (habits_.page_bytes != 0 && bytes < habits_.page_bytes &&
        (habits_.page_rows == 0 || rows < habits_.page_rows)) {
      return false;
    }
    if (habits_.columns.empty()) {
      return true;
    }
    const PageHabit& habit = habits_.columns[stand.column];
    return habit.full_rows != 0 ? rows == habit.full_rows : habit.alone_rows == 0 || rows > habit.alone_rows;
  }

  // Whether a chunk may end with the page before.
  bool may_be_last(const Stand& stand) const {
    const ListedPage* const page = page_before(stand);
    if (habits_.columns.empty() || page == nullptr || page->uses_dictionary()) {
      return true;
    }
    const PageHabit& habit = habits_.columns[stand.column];
    return habit.full_rows == 0 || page->header.values <= habit.full_rows;
  }

  // Whether a row group of `rows` rows may be followed by another one.
  bool may_be_full(std::uint64_t rows) const {
    if (rows == 0 || pages_fill_groups_) {
      return true;
    }
    return habits_.group_rows != 0 ? rows == habits_.group_rows : rows >= habits_.most_group_rows;
  }

  // `page` as the first one of the chunk in which `stand` is, without rows yet.
  template <typename Visit>
  void begin_chunk(Stand stand, std::uint32_t page, const Visit& visit) {
    stand.dictionary = kNoPage;
    if (!pages_[page].dictionary()) {
      go_on(stand, page, visit);
    } else if (trial_.fits_dictionary(page, stand.column)) {
      stand.dictionary = page;
      visit(stand, PageReading());
    }
  }

  template <typename Visit>
  void go_on(Stand stand, std::uint32_t page, const Visit& visit) {
    const PageReading& reading = trial_.read(page, stand.column, stand.dictionary);
    if (!reading.fits || (!reading.begins_row && stand.rows == 0 && !stand.from_end)) {
      return;
    }
    stand.rows += reading.rows;
    if (stand.group_rows != 0 ? stand.rows <= stand.group_rows
                              : told_rows_ == 0 || stand.rows <= told_rows_) {
      visit(stand, reading);
    }
  }

  // The chunk after that of `stand`, if that may end there.
  std::optional<Stand> next_chunk(const Stand& stand, std::uint32_t page) const {
    Stand next;
    next.group = stand.group;
    next.group_rows = stand.group_rows;
    if (!stand.from_end) {
      if (stand.rows == 0 || (stand.group_rows != 0 && stand.rows != stand.group_rows)) {
        return std::nullopt;
      }
      next.group_rows = stand.rows;
    }
    next.column = stand.column + 1;
    if (next.column == columns_) {
      if ((told_rows_ != 0 && next.group_rows != 0 && next.group_rows != told_rows_) ||
          !may_be_full(next.group_rows)) {
        return std::nullopt;
      }
      next = {};
      next.group = page;
    }
    return next;
  }

  // Backwards: which stands lead to the end, and what is known of their chunks then.

  void look_back() {
    for (std::size_t i = layers_.size(); i-- != 0;) {
      for (Node& node : layers_[i].nodes) {
        node.group_rows = node.stand.group_rows;
        const bool said = pages_[layers_[i].page].chunk_end.has_value();
        if (i + 1 == layers_.size()) {
          node.alive = true;
        } else {
          learn(node, layers_[i + 1].nodes);
        }
        if (said) {
          node.ends = true;
          node.rows = node.stand.rows;
        }
      }
    }
  }

  void learn(Node& node, const std::vector<Node>& after) const {
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

  // What is certain.

  void collect() {
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      collect(layers_[i]);
    }
    for (std::uint32_t i = stopped_.value_or(static_cast<std::uint32_t>(pages_.size())); i < pages_.size();
         ++i) {
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
  }

  void leave_out(std::uint32_t page) {
    result_.unplaced.push_back({pages_[page].begin, pages_[page].end - pages_[page].begin});
  }

  // Where the page of a node begins; none: it is not known.
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

  void collect(const Layer& layer) {
    std::optional<Verdict> verdict;
    const Node* one = nullptr;
    bool certain = doubted_.count(layer.page) == 0;
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

  PageTrial& trial_;
  const std::vector<ListedPage>& pages_;
  const std::vector<ColumnModel>& models_;
  const PageHabits habits_;
  bool pages_fill_groups_ = false;  // a full page says nothing of whether its row group is full
  std::uint32_t columns_;
  std::uint64_t told_rows_;
  std::vector<Layer> layers_;
  bool stand_is_after_gap_ = false;
  std::set<std::uint32_t> doubted_;       // pages
  std::optional<std::uint32_t> stopped_;  // the page before which too many readings were possible
  std::map<std::uint32_t, PlacedRowGroup> groups_;
  std::map<std::uint32_t, std::set<std::uint64_t>> group_rows_;
  Placing result_;
};

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
  Placing certain = PagePlacing(trial, pages, model.columns, group_rows, {}).run();
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
  Placing likely = PagePlacing(trial, pages, model.columns, group_rows, std::move(habits)).run();
  if (likely.unplaced.size() >= certain.unplaced.size() || likely.damaged.size() > certain.damaged.size()) {
    return certain;
  }
  Placing& result = same_settings ? likely : certain;
  result.by_habit = static_cast<std::uint32_t>(certain.unplaced.size() - likely.unplaced.size());
  return std::move(result);
}

}  // namespace microparquet::recovery
