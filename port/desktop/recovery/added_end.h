// What recovery in place adds to a file: nothing that is there is changed.
#pragma once

#include <cstdint>

#include "byte_views.h"
#include "candidates.h"
#include "result.h"
#include "view.h"

namespace microparquet::recovery {

struct AddedEnd {
  Bytes bytes;                     // row groups that had to be written again, and a footer
  std::uint64_t footer_begin = 0;  // in the file
  std::uint64_t footer_bytes = 0;
};

// Goes right after the pieces of `view`. Throws Failure when an entry is malformed.
AddedEnd added_end(View& view, const Found& found, const Result& result);

}  // namespace microparquet::recovery
