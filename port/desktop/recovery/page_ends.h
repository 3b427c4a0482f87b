// Where chunks and row groups may end, by the habits of the file's writer, as far as they are known.
#pragma once

#include <cstdint>
#include <vector>

#include "page_habits.h"
#include "page_list.h"
#include "schema_model.h"

namespace microparquet::recovery {

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

}  // namespace microparquet::recovery
