// Whether a page can be one of a column, and how pages are read one after another.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "byte_views.h"
#include "column_file.h"
#include "page_list.h"
#include "schema_model.h"

namespace microparquet::recovery {

constexpr std::uint32_t kNoPage = 0xFFFFFFFF;    // number of no page: a chunk has no dictionary
constexpr std::uint32_t kLostPage = 0xFFFFFFFE;  // nobody knows whether it has one

struct PageReading {
  bool fits = false;       // levels and values fill the page
  bool decoded = false;    // they were looked at
  bool begins_row = true;  // its first item does not continue a row of the page before
  std::uint32_t rows = 0;  // rows that begin in the page
};

using VisitItems = std::function<void(const AnyBatch&)>;

// Tries whether a page can be one of a column, by decoding it as such.
class PageTrial {
 public:
  // Both must stay.
  PageTrial(View& view, const std::vector<ListedPage>& pages, const std::vector<ColumnModel>& columns);

  // Data page `page` as one of `column`, in a chunk whose dictionary is page `dictionary`.
  const PageReading& read(std::uint32_t page, std::size_t column, std::uint32_t dictionary);

  // Whether `page` can be the dictionary of `column`.
  bool fits_dictionary(std::uint32_t page, std::size_t column) const;

  // Items of a page that has been read, and fits. False: it cannot be done.
  bool visit(std::uint32_t page, std::size_t column, std::uint32_t dictionary, const VisitItems& items);

 private:
  PageReading try_page(std::uint32_t number, std::size_t column, std::uint32_t dictionary);
  PageReading decode(std::uint32_t number, std::size_t column, std::uint32_t dictionary);
  Status decode_as(const ListedPage& page, const ColumnModel& column, std::uint32_t dictionary,
                   std::uint64_t rows, bool continues, const VisitItems& items,
                   const std::function<void()>& again);
  Status read_items(ColumnFile& file, const ColumnModel& column, bool continues, const VisitItems& items);

  View& view_;
  const std::vector<ListedPage>& pages_;
  const std::vector<ColumnModel>& columns_;
  std::vector<std::size_t> kinds_;  // the first column that decodes alike, for each column
  std::map<std::tuple<std::uint32_t, std::size_t, std::uint32_t>, PageReading> known_;
  std::uint64_t items_left_;  // items that may still be decoded
  std::uint32_t buffer_bytes_ = 1 << 20;
  std::vector<std::uint64_t> values_;
  std::vector<std::uint8_t> levels_;
};

// The state of a reading after a page.
struct Stand {
  std::uint32_t group = 0;  // the page with which its row group begins, or at which it is entered
  std::uint32_t column = 0;
  std::uint32_t dictionary = kNoPage;
  bool from_end = false;         // there is a gap in the chunk: its rows count from its end
  std::uint64_t rows = 0;        // rows of the chunk, or those after the gap
  std::uint64_t group_rows = 0;  // 0: not known yet

  auto key() const { return std::tie(group, column, dictionary, from_end, rows, group_rows); }
  bool operator<(const Stand& other) const { return key() < other.key(); }
};

// A stand, and what follows from the pages after it.
struct Node {
  Stand stand;
  PageReading reading;              // reading of the page it comes from
  std::vector<std::uint32_t> next;  // nodes in the next layer
  bool alive = false;
  bool ends = false;       // the next page is of another chunk, in all readings
  bool unsure = false;     // readings differ in what follows
  std::uint64_t rows = 0;  // rows of the chunk when it ended; 0: it did not
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
