#include "reading_steps.h"

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

PageSteps::PageSteps(PageTrial& trial, const std::vector<ListedPage>& pages,
                     const std::vector<ColumnModel>& models, std::uint64_t group_rows,
                     const PageHabits& habits)
    : trial_(trial),
      pages_(pages),
      models_(models),
      ends_(models, habits),
      columns_(static_cast<std::uint32_t>(models.size())),
      told_rows_(group_rows) {}

const std::vector<PageStep>& PageSteps::after(const Stand& stand, std::optional<std::uint32_t> before,
                                              std::uint32_t page, bool gap) {
  found_.clear();
  if (gap) {
    cross_gap(stand, before, page);
  } else if (before) {
    follow(stand, &pages_[*before], page);
  } else {
    begin_chunk(stand, page);
  }
  return found_;
}

// The gap may have had as many pages as it has place for.
void PageSteps::cross_gap(const Stand& stand, std::optional<std::uint32_t> before, std::uint32_t page) {
  const std::uint64_t room = pages_[page].begin - (before ? pages_[*before].end : 0);
  std::uint64_t lost = 0;  // bytes of the chunks that lay in it wholly
  Stand after = stand;
  after.from_end = true;
  after.rows = 0;
  for (; before && after.column < columns_ && lost <= room; ++after.column) {
    follow(after, nullptr, page);
    after.dictionary = kLostPage;
    lost += after.column != stand.column ? least_bytes(after.column, stand.group_rows) : 0;
  }
  after = {};
  after.group = page;
  after.dictionary = kLostPage;
  after.from_end = true;
  for (; after.column < columns_ && lost <= room; ++after.column) {
    follow(after, nullptr, page);
    lost += least_bytes(after.column, 0);
  }
}

// The least bytes of a chunk of that many rows: an eighth of its size in the other file.
std::uint64_t PageSteps::least_bytes(std::uint32_t column, std::uint64_t rows) const {
  constexpr std::uint64_t kHeader = 8;
  const ColumnModel& model = models_[column];
  return kHeader + (model.values != 0 ? rows * model.bytes / model.values / 8 : 0);
}

// `page` in the chunk of `stand`, or as the first one of the next chunk. `before`: the page right before it; null: a gap.
void PageSteps::follow(const Stand& stand, const ListedPage* before, std::uint32_t page) {
  const bool ended = before != nullptr && before->chunk_end;
  if (!pages_[page].dictionary() && !ended && ends_.may_be_followed(before, stand.column)) {
    continue_chunk(stand, page);
  }
  if (const auto next = next_chunk(stand, page); next && ends_.may_be_last(before, stand.column)) {
    begin_chunk(*next, page);
  }
}

// `page` as the first one of the chunk in which `stand` is, without rows yet.
void PageSteps::begin_chunk(Stand stand, std::uint32_t page) {
  stand.dictionary = kNoPage;
  if (!pages_[page].dictionary()) {
    continue_chunk(stand, page);
  } else if (trial_.fits_dictionary(page, stand.column)) {
    stand.dictionary = page;
    reach(stand, PageReading(), page);
  }
}

void PageSteps::continue_chunk(Stand stand, std::uint32_t page) {
  const PageReading& reading = trial_.read(page, stand.column, stand.dictionary);
  if (!reading.fits || (!reading.begins_row && stand.rows == 0 && !stand.from_end)) {
    return;
  }
  stand.rows += reading.rows;
  if (stand.group_rows != 0 ? stand.rows <= stand.group_rows : told_rows_ == 0 || stand.rows <= told_rows_) {
    reach(stand, reading, page);
  }
}

// The chunk after that of `stand`, if that may end there.
std::optional<Stand> PageSteps::next_chunk(const Stand& stand, std::uint32_t page) const {
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
        !ends_.may_be_full(next.group_rows)) {
      return std::nullopt;
    }
    next = {};
    next.group = page;
  }
  return next;
}

void PageSteps::reach(Stand stand, const PageReading& reading, std::uint32_t page) {
  if (may_end_as_said(stand, page)) {
    found_.push_back({stand, reading});
  }
}

// A stand after `page`, after which the file may say that a chunk ends.
bool PageSteps::may_end_as_said(Stand& stand, std::uint32_t page) const {
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

}  // namespace microparquet::recovery
