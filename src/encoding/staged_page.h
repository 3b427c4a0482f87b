// Pages of values of four or eight bytes that wait in a stage until there are enough to be encoded.
//
//   the encoder's state   [ StagedState and what the encoder adds | the value before the stage | staged values ]
//
// In a required column the page's cursor is in the stage, and values are put there as into a page in PLAIN.
// Values that a page does not take stay staged and begin the next one. A page that holds nothing yet may
// become PLAIN: then the cursor is in the page.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/column_writer.h"

namespace microparquet::encoding {

// Beginning of an encoder's state, all zeros when a row group begins.
struct StagedState {
  // The count that the page's cursor does not hold: bytes in the page while the cursor is in the stage;
  // otherwise, and between two pages, values in the stage.
  std::uint32_t other;
  bool is_plain;  // the page is PLAIN
  bool keeps;     // values that do not fit are guaranteed another page
};

// The open page and its stage while they are changed.
struct StagedPage {
  PageBody& body;
  StagedState& staging;
  std::byte* stage;
  std::byte* at;     // one after the last byte in the page
  std::byte* limit;  // end of the page
  std::uint32_t staged;
  std::uint32_t shift;  // binary logarithm of a value's width

  // `stage` lies in the page's state.
  StagedPage(PageBody& page, std::byte* stage);
  void store() const;

  bool is_plain() const { return staging.is_plain; }
  bool cursor_is_in_stage() const { return body.is_required() && !is_plain(); }
  std::uint32_t width() const { return 1U << shift; }
  std::uint32_t free_bytes() const { return static_cast<std::uint32_t>(limit - at); }
  void update_bounds(const std::byte* values, const std::byte* end) const {
    body.plan->bounds->update(body.bounds_state, values, end, body.plan->shape);
  }

  // Drops the first `count` values of the stage; the last of them becomes the value before the stage.
  void drop(std::uint32_t count);

  // Turns a page without encoded values into PLAIN, with `before` values from before the stage and as many
  // staged ones as fit. Returns whether all fit.
  bool become_plain(std::uint32_t before);

  // Ends the page, and keeps staged values for the next one.
  void end(EndingPage& page) const {
    page.cursor = at;
    page.row_count -= staged;
    staging.other = staged;
  }
};

// Returns whether values that an ending page leaves are guaranteed other pages.
bool may_keep(const PageBody& page);

// Begins a page, with the values that the last one has kept in `stage`.
void begin_staged_page(PageBody& page, std::byte* stage);

}  // namespace microparquet::encoding
