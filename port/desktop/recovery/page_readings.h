// All ways to read pages, one after another, as column chunks of row groups: a graph whose layers are the pages.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "page_habits.h"
#include "page_trial.h"

namespace microparquet::recovery {

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

// The first page that no reading explains, and the columns of the other file that could stand there.
struct Misfit {
  std::uint32_t page = 0;
  std::set<std::uint32_t> columns;
};

struct PageReadings {
  std::vector<Layer> layers;
  std::vector<Piece> damaged;  // pages that no column can have
  std::optional<Misfit> misfit;
  std::set<std::uint32_t> doubted;       // pages
  std::optional<std::uint32_t> stopped;  // the page before which too many readings were possible
};

// Forwards: all stands that each page leaves possible. Readings are left out that do not have `habits`, as far as these are
// known. `group_rows`: as place_pages().
PageReadings follow_pages(PageTrial& trial, const std::vector<ListedPage>& pages,
                          const std::vector<ColumnModel>& models, std::uint64_t group_rows,
                          const PageHabits& habits);

// Backwards: which stands lead to the end, and what is known of their chunks then.
void look_back(PageReadings& readings, const std::vector<ListedPage>& pages);

}  // namespace microparquet::recovery
