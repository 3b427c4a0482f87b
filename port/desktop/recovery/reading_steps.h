// Steps of a reading, and where chunks and row groups may end.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "page_list.h"
#include "page_trial.h"
#include "schema_model.h"

namespace microparquet::recovery {

// The possible ends of chunks and row groups, by the habits of the file's writer, as far as they are known.
class PageEnds {
 public:
  // Both must stay.
  PageEnds(const std::vector<ColumnModel>& models, const PageHabits& habits);

  // Whether a page of the same chunk may follow `page` of `column`; null: it is not known which page stands before.
  bool may_be_followed(const ListedPage* page, std::uint32_t column) const;

  // Whether a chunk of `column` may end with `page`; null: as above.
  bool may_be_last(const ListedPage* page, std::uint32_t column) const;

  // Whether a row group of `rows` rows may be followed by another one.
  bool may_be_full(std::uint64_t rows) const;

 private:
  bool has_habits(const ListedPage* page, std::uint32_t column) const;

  const std::vector<ColumnModel>& models_;
  const PageHabits& habits_;
  bool pages_fill_groups_ = false;  // a full page says nothing of whether its row group is full
};

// A stand after a page, and how the page was read to come there.
struct PageStep {
  Stand stand;
  PageReading reading;
};

class PageSteps {
 public:
  // All must stay. `group_rows`: of each row group but the last; 0: nobody knows.
  PageSteps(PageTrial& trial, const std::vector<ListedPage>& pages, const std::vector<ColumnModel>& models,
            std::uint64_t group_rows, const PageHabits& habits);

  // The stands that `page` may lead to from `stand`, which is after page `before` (none: `page` is the first one that is
  // followed), with a gap between them or without one. They stay until the next call.
  const std::vector<PageStep>& after(const Stand& stand, std::optional<std::uint32_t> before,
                                     std::uint32_t page, bool gap);

 private:
  void follow(const Stand& stand, const ListedPage* before, std::uint32_t page);
  void cross_gap(const Stand& stand, std::optional<std::uint32_t> before, std::uint32_t page);
  void begin_chunk(Stand stand, std::uint32_t page);
  void continue_chunk(Stand stand, std::uint32_t page);
  std::optional<Stand> next_chunk(const Stand& stand, std::uint32_t page) const;
  bool may_end_as_said(Stand& stand, std::uint32_t page) const;
  void reach(Stand stand, const PageReading& reading, std::uint32_t page);
  std::uint64_t least_bytes(std::uint32_t column, std::uint64_t rows) const;

  PageTrial& trial_;
  const std::vector<ListedPage>& pages_;
  const std::vector<ColumnModel>& models_;
  PageEnds ends_;
  std::uint32_t columns_;
  std::uint64_t told_rows_;
  std::vector<PageStep> found_;
};

}  // namespace microparquet::recovery
