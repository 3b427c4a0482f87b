// Reading many items of a page in memory, on desktops: first the levels of all, then their values.
#include "base/marks.h"
#include "microparquet/decoder.h"
#include "microparquet/detail/repeated_levels.h"
#include "microparquet/reader.h"
#include "read/items.h"
#include "read/rows.h"

namespace microparquet::read {

namespace {

using detail::ColumnCursor;
using detail::LevelDecoder;
using detail::RepeatedLevels;

// The two levels of a number of items.
struct ItemLevels {
  std::uint8_t* definition;
  std::uint8_t* repetition;
  std::uint32_t items;
};

// Reads the levels, and counts the items that have a value. Returns false if some levels are missing.
bool read_levels(RepeatedLevels& from, const ItemLevels& levels, std::uint32_t& present) {
  std::uint32_t read = levels.items;
  if (from.read(levels.definition, read, present) != Status::kOk || read != levels.items) return false;
  std::uint32_t innermost = 0;
  return from.repetition.read(levels.repetition, read, innermost) == Status::kOk && read == levels.items;
}

// Checks the same as ItemsOf::check() for many items of lists that are not nested. It has no branches, and
// compilers vectorise it.
bool lists_continue(const ItemLevels& levels, std::uint8_t last_definition, std::uint8_t element) {
  const std::uint8_t* const definition = levels.definition;
  const std::uint8_t* const repetition = levels.repetition;
  unsigned wrong = repetition[0] != 0 && (definition[0] < element || last_definition < element) ? 1 : 0;
  std::uint8_t wrong_after = 0;
  for (std::uint32_t i = 1; i < levels.items; ++i) {
    const bool none = (definition[i] < element) | (definition[i - 1] < element);
    wrong_after = static_cast<std::uint8_t>(wrong_after | (repetition[i] & (none ? 1 : 0)));
  }
  return (wrong | wrong_after) == 0;
}

// Checks the same for lists of any depth.
bool nested_lists_continue(const ItemLevels& levels, std::uint8_t last_definition,
                           const std::uint8_t* elements) {
  std::uint8_t before = last_definition;
  for (std::uint32_t i = 0; i < levels.items; ++i) {
    const std::uint8_t definition = levels.definition[i];
    if (levels.repetition[i] != 0) {
      const std::uint8_t element = elements[levels.repetition[i] - 1];
      if (definition < element || before < element) return false;
    }
    before = definition;
  }
  return true;
}

// Reads up to `count` values, and returns the number read.
std::uint32_t read_values(ColumnCursor& column, std::byte* out, std::uint32_t count) {
  std::uint32_t read = 0;
  Status status = Status::kOk;
  while (read < count && status == Status::kOk) {
    std::uint32_t more = 0;
    status = column.decoder->read(PageInput(column), out + read * batch_stride(column), count - read, more);
    if (status == Status::kOk) read += more;
  }
  return read;
}

// Returns how many items come before value number `values`.
std::uint32_t items_of_values(const ItemLevels& levels, std::uint8_t maximum, std::uint32_t values) {
  for (std::uint32_t i = 0; i < levels.items; ++i) {
    if (levels.definition[i] != maximum) continue;
    if (values == 0) return i;
    --values;
  }
  return levels.items;
}

}  // namespace

bool ItemsOf::read_many(std::uint32_t most, AnyBatch& batch) {
  if (!repeated_) return false;
  RepeatedLevels& from = repeated_levels(column_);
  if (from.bytes.file != nullptr || from.repetition.bytes.file != nullptr) return false;
  const LevelDecoder definition = from;
  const LevelDecoder repetition = from.repetition;
  const auto go_back = [&] {
    static_cast<LevelDecoder&>(from) = definition;
    from.repetition = repetition;
    return false;
  };
  ItemLevels levels = {batch.definition_levels + batch.level_count,
                       batch.repetition_levels + batch.level_count,
                       column_.page_rows < most ? column_.page_rows : most};
  std::uint32_t present = 0;
  if (!read_levels(from, levels, present)) return go_back();
  const bool nested = from.repetition.maximum > 1;
  if (nested ? !nested_lists_continue(levels, from.last_definition, from.element_levels)
             : !lists_continue(levels, from.last_definition, from.element_levels[0]))
    return go_back();
  std::size_t rows = levels.items - util::count_marks(levels.repetition, levels.items);
  if (rows > from.rows_left) return go_back();

  std::byte* const values = static_cast<std::byte*>(batch.values) + batch.value_count * batch_stride(column_);
  const std::uint32_t read = read_values(column_, values, present);
  if (read < present) {  // keep the items before the first missing value
    levels.items = items_of_values(levels, from.maximum, read);
    go_back();
    if (levels.items == 0 || !read_levels(from, levels, present)) return false;
    rows = levels.items - util::count_marks(levels.repetition, levels.items);
  }
  batch.value_count += read;
  batch.level_count += levels.items;
  column_.page_rows -= levels.items;
  from.items_left -= levels.items;
  from.rows_left -= rows;
  from.last_definition = levels.definition[levels.items - 1];
  return true;
}

}  // namespace microparquet::read
