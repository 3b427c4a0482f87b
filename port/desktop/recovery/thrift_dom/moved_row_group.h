// Where a row group lies, and how it moves to another place.
#pragma once

#include <cstdint>
#include <vector>

#include "byte_views.h"
#include "view.h"

namespace microparquet::recovery {

// Where the column chunks of the RowGroup structure `entry` lie. Throws Failure when it is malformed.
std::vector<Piece> chunks_of(const Bytes& entry);

struct MovedRowGroup {
  Bytes entry;                // at the new place
  std::vector<Piece> pieces;  // what is to be copied there, one after another
};

// The RowGroup structure `entry` with its pages from `to` on. Indexes and Bloom filters are left out. Throws
// Failure when it is malformed.
MovedRowGroup move_row_group(const Bytes& entry, std::uint64_t to);

// The RowGroup structure `entry` where nothing says where its indexes and Bloom filters are. Throws Failure when it is
// malformed.
Bytes without_indexes(const Bytes& entry);

}  // namespace microparquet::recovery
