// Checks of a producer's schema and arrays before their memory is read. The Arrow interface does not give the
// sizes of buffers: they are believed to hold as much as an array's lengths and offsets ask for.
#pragma once

#include <cstdint>
#include <string>

#include "microparquet/desktop/arrow_abi.h"

namespace microparquet::desktop {

// The buffers of a type's arrays: a bitmap of nulls, and the others after it.
struct BufferCount {
  std::int64_t least = 2;
  bool more = false;  // texts of views lie in as many as they like, before their sizes
};

// Throws Failure: it is not the struct of a row, or it or a column is released or not complete.
void check_schema(const ArrowSchema& row);

// Throws Failure, which names the column: it has not `children` parts, or one is released or not complete.
constexpr std::int64_t kAnyChildren = -1;  // any number
void check_parts_of(const std::string& name, const ArrowSchema& schema, std::int64_t children);

// Throws Failure: it is not an array of rows with `columns` columns, or a row is null.
void check_rows(const ArrowArray& rows, std::int64_t columns);

// Throws Failure, which names the column: the array has fewer than `slots` slots, or not the buffers of its type.
void check_column(const std::string& name, const ArrowArray& array, std::int64_t slots, BufferCount buffers);

// Throws Failure, which names the column: the array of a list or struct has fewer than `slots` slots, or not the `buffers` buffers
// or `children` children of its type.
void check_group(const std::string& name, const ArrowArray& array, std::int64_t slots, std::int64_t buffers,
                 std::int64_t children);

// Bit `number` of a bitmap.
bool bit_of(const void* bits, std::int64_t number);

}  // namespace microparquet::desktop
