// Pages of values of four or eight bytes that wait beside them, until there are enough to be encoded.
//
//   the encoder's state   [ StagedState and what the encoder adds | the value before the stage | staged values ]
//
// Of a required column the page's cursor is in the stage, where values are put as into a page in PLAIN. What a page
// does not take stays staged and begins the next one. A page that holds nothing yet may become PLAIN: then the
// cursor is in the page.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/column_writer.h"

namespace microparquet::encoding {

// All zeros when a row group begins. An encoder's state begins with it.
struct StagedState {
  // The count that the page's cursor does not tell: bytes in the page while that is in the stage; else, and between
  // two pages, values in the stage.
  std::uint32_t other;
  bool is_plain;  // the page
  bool keeps;     // values that do not fit are sure to find another page
};

// The page and the stage, while they are worked on.
struct StagedPage {
  detail::ColumnWriter& column;
  StagedState& staging;
  std::byte* stage;
  std::byte* at;     // one after the last byte in the page
  std::byte* limit;  // of the page
  std::uint32_t staged;
  std::uint32_t shift;  // of a value's width

  // `stage`: that of the page's state.
  StagedPage(PageBody& page, std::byte* stage);
  void store() const;

  bool is_plain() const { return staging.is_plain; }
  bool cursor_is_in_stage() const { return column.levels == nullptr && !is_plain(); }
  std::uint32_t width() const { return 1U << shift; }
  std::uint32_t free_bytes() const { return static_cast<std::uint32_t>(limit - at); }
  void update_bounds(const std::byte* values, const std::byte* end) const {
    column.plan->bounds->update(column.bounds_state, values, end, column.plan->shape);
  }

  // Takes the first `count` values off the stage: that before the others is the last one then.
  void drop(std::uint32_t count);

  // Makes a page in which nothing is encoded PLAIN, with `before` values from before the stage and as many of the
  // staged ones as it takes. Returns whether it takes all.
  bool become_plain(std::uint32_t before);

  // The page ends; what is staged is kept for the next one.
  void end(EndingPage& page) const {
    page.cursor = at;
    page.row_count -= staged;
    staging.other = staged;
  }
};

// Whether values that an ending page leaves are sure to find other pages.
bool may_keep(const detail::ColumnWriter& column);

// Begins a page, with what the one before has kept in `stage`.
void begin_staged_page(PageBody& page, std::byte* stage);

}  // namespace microparquet::encoding
