// State of a repeated column beyond that of any column, while it is read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/column_cursor.h"
#include "microparquet/detail/schema_tree.h"
#include "microparquet/type.h"
#include "microparquet/type_set.h"

namespace microparquet::detail {

inline constexpr std::uint64_t kUnknownRows = ~std::uint64_t{0};

// Definition levels, as in any column, with everything that repetition adds.
struct RepeatedLevels : LevelDecoder {
  LevelDecoder repetition;
  std::uint64_t rows_left;        // rows of the chunk that have not begun
  std::uint64_t rows_after_page;  // rows left at the page's end, by its header; kUnknownRows: the header does
                                  // not tell
  std::uint64_t rows_after_next;  // rows left after a page that is being begun
  std::uint64_t items_left;       // items left in the chunk; another number than the column's means that the
                                  // chunk begins again
  std::uint32_t row_group;        // row group of the chunk
  std::uint8_t last_definition;   // level of the last item; 0: the chunk begins
  // Definition levels for the repeated nodes down to the column, from the outermost on: an item with at least
  // this level has an element in the list.
  std::uint8_t element_levels[SchemaTree::kMaxDepth];
};

// Type of a repeated column unless its items are being read. No decoder reads it, so no call for rows takes
// an item for a row.
inline constexpr Type kTypeOfItems = static_cast<Type>(31);
static_assert(!TypeSet(Type::kBoolean, Type::kInt32, Type::kInt64, Type::kInt96, Type::kFloat, Type::kDouble,
                       Type::kByteArray, Type::kFixedLenByteArray)
                   .contains(kTypeOfItems));

// Memory of a chosen repeated column beyond that of any column.
inline constexpr std::size_t kRepeatedColumnBytes = sizeof(RepeatedLevels) - sizeof(LevelDecoder);
static_assert(sizeof(RepeatedLevels) % 8 == 0);

}  // namespace microparquet::detail
