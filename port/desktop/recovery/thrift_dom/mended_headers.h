// Headers of dictionary pages that name an encoding which no dictionary has. Nothing but damage writes one, headers have no
// checksum, and what they should name is known: so the dictionary need not be lost.
#pragma once

#include <vector>

#include "byte_views.h"
#include "view.h"

namespace microparquet::recovery {

// Which of the row groups `entries` have such a header. In `view` these name PLAIN from then on.
std::vector<bool> mend_dictionary_headers(View& view, const std::vector<Bytes>& entries);

}  // namespace microparquet::recovery
