// The places of the row group that a footer leaves open, as far as their contents show them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tail_heads.h"
#include "traces.h"

namespace microparquet::recovery {

struct TailPlaces {
  std::size_t heads = 0;  // those that hold, with their pages
  std::vector<std::string>
      torn;  // sentences: what a cut may have left in places that the footer does not describe
  std::vector<std::string> damage;  // a sentence: what of the footer's own place does not hold
};

// Looks at the row group that the footer of `trace` leaves open. `traces` are those of `file`.
TailPlaces find_places(File& file, const Traces& traces, const FooterTrace& trace, const Footer& footer);

}  // namespace microparquet::recovery
