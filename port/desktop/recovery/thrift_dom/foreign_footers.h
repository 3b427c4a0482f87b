// Footers of other writers, wherever they stand: their form alone shows them, since they have neither a tag nor a checksum.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "microparquet/file.h"
#include "thrift_dom/footer_parts.h"
#include "traces.h"

namespace microparquet::recovery {

struct ForeignFooter {
  std::uint64_t begin;
  std::uint64_t end;  // after its PAR1, or where that would end
  Footer footer;

  // Whether all its column chunks stand in the file, and before it.
  bool places_hold() const;
};

// The footer that the last eight bytes of `file` lead to.
std::optional<ForeignFooter> foreign_footer_at_end(File& file);

// Told of a footer; false ends the search.
using VisitFooter = std::function<bool(const ForeignFooter&)>;

// Footers that are whole up to their last field, from the end of `file` backwards, whatever follows them.
void find_foreign_footers(File& file, const VisitFooter& visit, const Progress& progress);

}  // namespace microparquet::recovery
