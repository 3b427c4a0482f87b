// What a repeated column has beside what any column has, while it is read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/detail/column_cursor.h"
#include "microparquet/detail/schema_tree.h"
#include "microparquet/type.h"
#include "microparquet/type_set.h"

namespace microparquet::detail {

inline constexpr std::uint64_t kUnknownRows = ~std::uint64_t{0};

// The definition levels, which any column has, with all that repetition adds.
struct RepeatedLevels : LevelDecoder {
  LevelDecoder repetition;
  std::uint64_t rows_left;        // that have not begun, in the chunk
  std::uint64_t rows_after_page;  // at the page's end, as its header says; kUnknownRows: it does not
  std::uint64_t rows_after_next;  // the same of a page that is being begun
  std::uint64_t items_left;       // in the chunk; another number than the column's: the chunk begins again
  std::uint32_t row_group;        // of the chunk
  std::uint8_t last_definition;   // of the item before; 0: the chunk begins
  // Of the repeated nodes down to the column, from the outermost on: the definition level that an item has, or
  // more, if the list has an element there.
  std::uint8_t element_levels[SchemaTree::kMaxDepth];
};

// A type that no decoder reads: that of a repeated column, but while its items are read. So no call for rows
// takes an item for one.
inline constexpr Type kTypeOfItems = static_cast<Type>(31);
static_assert(!TypeSet(Type::kBoolean, Type::kInt32, Type::kInt64, Type::kInt96, Type::kFloat, Type::kDouble,
                       Type::kByteArray, Type::kFixedLenByteArray)
                   .contains(kTypeOfItems));

// Of one chosen column that is repeated, beyond that of any column.
inline constexpr std::size_t kRepeatedColumnBytes = sizeof(RepeatedLevels) - sizeof(LevelDecoder);
static_assert(sizeof(RepeatedLevels) % 8 == 0);

}  // namespace microparquet::detail
