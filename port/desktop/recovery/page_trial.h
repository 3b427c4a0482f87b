// Whether a page can be one of a column: by decoding it as such.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "byte_views.h"
#include "column_file.h"
#include "page_list.h"
#include "schema_model.h"

namespace microparquet::recovery {

constexpr std::uint32_t kNoPage = 0xFFFFFFFF;    // in place of a page's number: a chunk has no dictionary
constexpr std::uint32_t kLostPage = 0xFFFFFFFE;  // nobody knows whether it has one

struct PageReading {
  bool fits = false;       // levels and values fill the page
  bool decoded = false;    // they were looked at
  bool begins_row = true;  // its first item does not continue a row of the page before
  std::uint32_t rows = 0;  // that begin in it
};

using VisitItems = std::function<void(const AnyBatch&)>;

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
  std::vector<std::size_t> kinds_;  // of columns: the first one that decodes alike
  std::map<std::tuple<std::uint32_t, std::size_t, std::uint32_t>, PageReading> known_;
  std::uint64_t items_left_;  // that may still be decoded
  std::uint32_t buffer_bytes_ = 1 << 20;
  std::vector<std::uint64_t> values_;
  std::vector<std::uint8_t> levels_;
};

}  // namespace microparquet::recovery
