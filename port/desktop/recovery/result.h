// The row groups that a recovered file gets, and the end that is added to it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "byte_views.h"
#include "candidates.h"
#include "kept_rows.h"
#include "view.h"

namespace microparquet::recovery {

// A row group that is kept: as it is, or what could be kept of it, written again.
struct ResultPart {
  Bytes entry;  // entry of a row group that holds; its pages are where they were
  std::optional<WrittenRows> rows;
  bool only_in_view = false;  // the view shows pages as the medium does not have them
};

struct Result {
  std::vector<ResultPart> parts;
  std::uint64_t rows = 0;
  std::uint64_t rows_given_up = 0;  // they are there, but cannot be written again

  std::size_t row_groups() const;
};

// All that `found` says is there. Changes what is after the end of `view`.
Result make_result(View& view, const Found& found, const Progress& progress);

// The bytes that recovery in place adds to a file. It changes none of the others.
struct AddedEnd {
  Bytes bytes;                     // row groups that had to be written again, and a footer
  std::uint64_t footer_begin = 0;  // offset of the footer in the file
  std::uint64_t footer_bytes = 0;
};

// Goes right after the pieces of `view`. Throws Failure when an entry is malformed.
AddedEnd added_end(View& view, const Found& found, const Result& result);

}  // namespace microparquet::recovery
