#include "page_ends.h"

#include <algorithm>

namespace microparquet::recovery {

PageEnds::PageEnds(const std::vector<ColumnModel>& models, const PageHabits& habits)
    : models_(models), habits_(habits) {
  pages_fill_groups_ = std::any_of(habits.columns.begin(), habits.columns.end(), [&](const PageHabit& habit) {
    return habit.full_rows != 0 && habits.group_rows != 0 && habits.group_rows % habit.full_rows == 0;
  });
}

// Rows of lists are not counted, and a page of indices into a dictionary says nothing of how long one in PLAIN would be.
bool PageEnds::has_habits(const ListedPage* page, std::uint32_t column) const {
  return page != nullptr && !page->dictionary() && !page->uses_dictionary() &&
         models_[column].element.max_repetition_level == 0;
}

bool PageEnds::may_be_followed(const ListedPage* page, std::uint32_t column) const {
  if (!has_habits(page, column)) {
    return true;
  }
  const SchemaElement& element = models_[column].element;
  const std::uint64_t rows = page->header.values;
  const std::uint64_t bytes = std::max<std::uint64_t>(page->header.uncompressed_bytes,
                                                      rows * value_bytes(element.type, element.type_length));
  if (habits_.page_bytes != 0 && bytes < habits_.page_bytes &&
      (habits_.page_rows == 0 || rows < habits_.page_rows)) {
    return false;
  }
  if (habits_.columns.empty()) {
    return true;
  }
  const PageHabit& habit = habits_.columns[column];
  return habit.full_rows != 0 ? rows == habit.full_rows : habit.alone_rows == 0 || rows > habit.alone_rows;
}

bool PageEnds::may_be_last(const ListedPage* page, std::uint32_t column) const {
  if (habits_.columns.empty() || !has_habits(page, column)) {
    return true;
  }
  const PageHabit& habit = habits_.columns[column];
  return habit.full_rows == 0 || page->header.values <= habit.full_rows;
}

bool PageEnds::may_be_full(std::uint64_t rows) const {
  if (rows == 0 || pages_fill_groups_) {
    return true;
  }
  return habits_.group_rows != 0 ? rows == habits_.group_rows : rows >= habits_.most_group_rows;
}

}  // namespace microparquet::recovery
