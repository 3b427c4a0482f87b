#include "microparquet/detail/column_writer.h"

namespace microparquet::detail {
namespace {

// Moves the values so that the levels have `bytes` bytes to grow into.
void set_gap(ColumnWriter& column, std::uint32_t bytes) {
  std::byte* const to = column.levels->cursor + bytes;
  const auto size = static_cast<std::size_t>(column.cursor - column.values);
  if (to != column.values) std::memmove(to, column.values, size);
  column.values = to;
  column.cursor = to + size;
}

}  // namespace

// The buffer of a page while it grows:
//
//   required   | header's room | values ->                        |
//   optional   | header's room | 4 | levels -> | gap | values ->  |
//
// The final size of the levels is not known until the page is sealed: whenever rows are promised, the gap is
// set to what their levels need at the most, and sealing moves the values once more, to their final place.
void ColumnWriter::open_page(std::byte* buffer, std::uint32_t row) {
  page = buffer;
  end = buffer + page_bytes;
  values = buffer + header_bytes;
  if (levels != nullptr) {
    values += 4;
    levels->begin_page(values);
  }
  cursor = values;
  booleans = 0;
  first_row = row;
}

std::uint32_t ColumnWriter::prepare_rows(std::uint32_t most) {
  if (page == nullptr || sealed != nullptr) return 0;
  if (levels == nullptr) {
    const std::uint32_t rows = field->encoding->values_that_fit(*this);
    return rows < most ? rows : most;
  }
  const auto used = static_cast<std::uint32_t>(levels->cursor - page) +
                    static_cast<std::uint32_t>(cursor - values) + kLevelRoom;
  if (used >= page_bytes) return 0;
  const std::uint32_t free = page_bytes - used;
  std::uint32_t rows = 0;
  if (shape.value_bytes != 0) {
    rows = free / (shape.value_bytes + 1);
  } else {
    constexpr std::uint32_t kAtOnce = 16;  // keeps the gap, which strings cannot use, small
    rows = free < kAtOnce ? (free < 5 ? 0 : 1) : kAtOnce;
  }
  if (rows > most) rows = most;
  if (rows != 0) set_gap(*this, rows + kLevelRoom);
  return rows;
}

void ColumnWriter::put(const void* value, std::uint8_t definition_level, std::uint8_t repetition_level) {
  static_cast<void>(repetition_level);  // no field repeats yet
  if (levels != nullptr) {
    levels->put(definition_level);
    if (definition_level == 0) {
      ++levels->nulls;
      return;
    }
  }
  field->encoding->put(*this, value, 1);
}

}  // namespace microparquet::detail
