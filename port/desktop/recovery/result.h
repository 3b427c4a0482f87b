// The row groups that a recovered file gets.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "candidates.h"
#include "kept_rows.h"
#include "view.h"

namespace microparquet::recovery {

// A row group that is kept: as it is, or what could be kept of it, written again.
struct ResultPart {
  Bytes entry;  // of a row group that holds; its pages are where they were
  std::optional<WrittenRows> rows;
  bool mended = false;  // as the view shows it: the medium has another page header
};

struct Result {
  std::vector<ResultPart> parts;
  std::uint64_t rows = 0;
  std::uint64_t rows_given_up = 0;  // they are there, but cannot be written again

  std::size_t row_groups() const;
};

// All that `found` says is there. Changes what is after the end of `view`.
Result make_result(View& view, const Found& found, const Progress& progress);

}  // namespace microparquet::recovery
