#include "array_check.h"

#include <cstddef>
#include <cstring>

#include "microparquet/desktop/failure.h"
#include "microparquet/schema.h"

namespace microparquet::desktop {

namespace {

// No memory has as many values, and products with their widths do not overflow.
constexpr std::int64_t kMostSlots = std::int64_t{1} << 39;

bool has_children(std::int64_t count, const void* const* children) {
  if (count != 0 && children == nullptr) {
    return false;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    if (children[i] == nullptr) {
      return false;
    }
  }
  return true;
}

// Names the fault of an array of any type; null: it has none.
const char* wrong_with(const ArrowArray& array) {
  if (array.release == nullptr) {
    return "is released already";
  }
  if (array.length < 0 || array.offset < 0 || array.length > kMostSlots || array.offset > kMostSlots) {
    return "has a length or an offset that no array has";
  }
  if (array.null_count < -1 || array.null_count > array.length) {
    return "has more nulls than values";
  }
  if (array.n_buffers < 0 || (array.n_buffers != 0 && array.buffers == nullptr)) {
    return "has no buffers";
  }
  return nullptr;
}

bool is_whole(const ArrowSchema& column) {
  return column.release != nullptr && column.format != nullptr &&
         (column.dictionary == nullptr || column.dictionary->format != nullptr);
}

// Names the fault of an array that has `slots` slots of a type with `buffers`; null: it has none.
const char* wrong_with(const ArrowArray& array, std::int64_t slots, BufferCount buffers) {
  if (const char* const wrong = wrong_with(array); wrong != nullptr) {
    return wrong;
  }
  if (slots > array.length) {
    return "is shorter than the array that it is a column of";
  }
  if (buffers.more ? array.n_buffers < buffers.least : array.n_buffers != buffers.least) {
    return "has not the buffers of its type";
  }
  return array.null_count > 0 && array.buffers[0] == nullptr ? "has nulls, and does not say which" : nullptr;
}

}  // namespace

bool bit_of(const void* bits, std::int64_t number) {
  const auto byte = std::to_integer<unsigned>(static_cast<const std::byte*>(bits)[number / 8]);
  return (byte >> (number % 8) & 1) != 0;
}

void check_schema(const ArrowSchema& row) {
  if (row.release == nullptr || row.format == nullptr) {
    throw Failure("the stream has no schema");
  }
  if (std::strcmp(row.format, "+s") != 0 || row.n_children <= 0) {
    throw Failure("the stream has no columns");
  }
  if (!has_children(row.n_children, reinterpret_cast<const void* const*>(row.children))) {
    throw Failure("the stream's schema says of more columns than it has");
  }
  if (row.n_children > std::int64_t{kMaxColumns}) {
    throw Failure("the stream has " + std::to_string(row.n_children) + " columns, and a file has up to " +
                  std::to_string(kMaxColumns));
  }
  for (std::int64_t i = 0; i < row.n_children; ++i) {
    if (!is_whole(*row.children[i])) {
      throw Failure("column " + std::to_string(i + 1) +
                    " of the stream's schema has no type, or is released");
    }
  }
}

void check_rows(const ArrowArray& rows, std::int64_t columns) {
  if (const char* const wrong = wrong_with(rows); wrong != nullptr) {
    throw Failure(std::string("an array of the stream ") + wrong);
  }
  if (rows.n_children != columns) {
    throw Failure("the stream gives an array of another type than it says");
  }
  if (!has_children(columns, reinterpret_cast<const void* const*>(rows.children))) {
    throw Failure("an array of the stream says of more columns than it has");
  }
  if (rows.null_count == 0 || rows.n_buffers == 0 || rows.buffers[0] == nullptr) {
    return;
  }
  for (std::int64_t row = 0; row < rows.length; ++row) {
    if (!bit_of(rows.buffers[0], rows.offset + row)) {
      throw Failure("row " + std::to_string(row + 1) +
                    " of an array of the stream is null, which no row of a file can be");
    }
  }
}

void check_parts_of(const std::string& name, const ArrowSchema& schema, std::int64_t children) {
  const bool right = children == kAnyChildren ? schema.n_children >= 0 : schema.n_children == children;
  if (!right || !has_children(schema.n_children, reinterpret_cast<const void* const*>(schema.children))) {
    throw Failure("column " + name + " of the stream's schema has not the parts of its type");
  }
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    if (!is_whole(*schema.children[i])) {
      throw Failure("a part of column " + name + " of the stream's schema has no type, or is released");
    }
  }
}

void check_group(const std::string& name, const ArrowArray& array, std::int64_t slots, std::int64_t buffers,
                 std::int64_t children) {
  const char* wrong = wrong_with(array, slots, {buffers, false});
  if (wrong == nullptr && (array.n_children != children ||
                           !has_children(children, reinterpret_cast<const void* const*>(array.children)))) {
    wrong = "has not the parts of its type";
  }
  if (wrong != nullptr) {
    throw Failure("column " + name + " of the stream " + wrong);
  }
}

void check_column(const std::string& name, const ArrowArray& array, std::int64_t slots, BufferCount buffers) {
  const char* wrong = wrong_with(array, slots, buffers);
  if (wrong == nullptr && slots != 0 && array.buffers[1] == nullptr) {
    wrong = "has no values";
  }
  if (wrong != nullptr) {
    throw Failure("column " + name + " of the stream " + wrong);
  }
}

}  // namespace microparquet::desktop
