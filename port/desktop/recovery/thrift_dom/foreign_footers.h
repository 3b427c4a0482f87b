// Footers that microparquet did not write: found by their form, and joined into one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "byte_views.h"
#include "microparquet/file.h"
#include "thrift_dom/footer_parts.h"
#include "traces.h"

namespace microparquet::recovery {

// Footers of other writers, wherever they stand: their form alone shows them, since they have neither a tag nor a checksum.
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

// Bytes of positions that the summary and each part have for themselves: more than a file of either has, and
// few enough that 2^22 parts fit in 64 bits with a sign.
inline constexpr std::uint64_t kRoomBytes = std::uint64_t{1} << 40;

struct JoinedFooter {
  std::vector<std::byte> bytes;  // up to and with its PAR1
  std::vector<std::string>
      paths;  // of the parts; that of number i has positions from (i + 1) * kRoomBytes on
};

// `footer` is FileMetaData as it stands in the summary, without the length and PAR1 after it. Throws Failure.
JoinedFooter join_footer(ByteView footer);

}  // namespace microparquet::recovery
