// Finds the column, row group and rows of the pages of a file without a footer.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "page_trial.h"

namespace microparquet::recovery {

struct PlacedPage {
  std::uint32_t page = 0;       // its number
  std::uint64_t first_row = 0;  // the first row that begins in it, or would
  std::uint32_t rows = 0;       // rows that begin in it
  bool begins_row = true;       // else its first items are of the row before
};

struct PlacedColumn {
  std::uint32_t dictionary = kNoPage;
  std::vector<PlacedPage> pages;  // pages in ascending order
  bool ends = false;              // a page of another chunk follows the last of them
};

struct PlacedRowGroup {
  std::uint64_t rows = 0;  // 0: not known
  std::vector<PlacedColumn> columns;
};

struct Placing {
  std::vector<PlacedRowGroup> row_groups;
  std::vector<Piece> unplaced;  // whole pages of which it is not certain where they belong
  std::optional<Misfit> misfit;
  std::vector<Piece> damaged;  // pages that no column can have, and bytes between pages
  // Pages that are placed only if the other file was written with the same settings; or would be, if that is not said.
  std::uint32_t by_habit = 0;
  bool other_settings = false;               // the first page contradicts that
  std::vector<std::uint64_t> rows_possible;  // numbers of rows that a row group may have, if it is not
                                             // certain
};

// All readings of the pages as row groups, one after another: column chunks in the order of the columns, each
// with as many rows. A place that is the same in all of them is certain. `group_rows` says how many rows a
// row group has, the last one excepted; 0: nobody knows. The other file settles places that are not certain
// if both have the `same_settings`: its writer ends pages and row groups by the same rules.
Placing place_pages(PageTrial& trial, const std::vector<ListedPage>& pages, const SchemaModel& model,
                    std::uint64_t group_rows, bool same_settings);

}  // namespace microparquet::recovery
