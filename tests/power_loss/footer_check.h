// Whether a file ends in a whole and genuine footer of ours, by the text of FORMAT.md and apart from the
// library.
#pragma once

#include <cstdint>

#include "card.h"

namespace power_loss {

struct FooterCheck {
  bool genuine = false;     // all that follows is of use in this case only
  std::uint32_t begin = 0;  // of the footer in the file
  std::uint32_t file_id = 0;
  std::uint32_t sequence = 0;
  std::uint64_t rows = 0;
  std::uint32_t row_groups = 0;  // finished
  std::uint32_t next = 0;        // in sectors, as all that follows
  std::uint32_t segment_end = 0;
  std::uint32_t free_begin = 0;
  std::uint32_t free_end = 0;
};

// `columns`: in place their number, in forward mode 0.
FooterCheck check_footer(const Medium& medium, std::uint32_t columns);

}  // namespace power_loss
