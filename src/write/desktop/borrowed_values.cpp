#include "write/desktop/borrowed_values.h"

#include <cstring>

#include "base/try.h"
#include "write/page_transform.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::WriterState;

// Returns whether pages of the column could be stored from the caller's values: pages of whole sectors in
// place that nothing changes or lengthens, in a file that gathers parts.
bool may_borrow(const WriterState& state, const ColumnWriter& column) {
  constexpr std::uint32_t kLeastPage = 4096;  // two writes cost more than copying fewer bytes
  if (column.plan->encoder != &kPlainFixed || column.levels != nullptr) return false;
  if (state.plan->transforms != nullptr && compressor_of(state, column) != nullptr) return false;
  if (column.plan->page_bytes < kLeastPage || state.plan->lengthening != nullptr) return false;
  return detail::pads_pages(*state.options) && state.file->abilities().gathers;
}

}  // namespace

bool borrow_rows(const WriterState& state, ColumnWriter& column, const ColumnData& data, std::size_t first,
                 std::uint32_t rows, std::size_t left) {
  const std::size_t width = column.plan->shape.value_bytes;
  if (!are_borrowed(column)) {
    constexpr std::uintptr_t kAlignment = 8;  // pages are aligned to it, and statistics rely on that
    const std::uint32_t free = column.free_bytes();
    if (column.cursor != column.values || width == 0 || left < free / width) return false;
    const std::byte* const values = static_cast<const std::byte*>(data.values) + first * width;
    if (reinterpret_cast<std::uintptr_t>(values) % kAlignment != 0 || !may_borrow(state, column))
      return false;
    column.values = const_cast<std::byte*>(values);  // pages are only read from here on
    column.cursor = column.values;
    column.end = column.values + free;
  }
  column.cursor += rows * width;
  return true;
}

Status store_borrowed(const WriterState& state, const ColumnWriter& column) {
  const auto bytes = static_cast<std::uint32_t>(column.cursor - column.values);
  const std::uint32_t header_bytes = column.sealed_bytes - bytes;
  const std::uint64_t at = column.chunk_begin + column.chunk_bytes;
  MICROPARQUET_TRY(state.file->write_at(at + header_bytes, Span<const std::byte>(column.values, bytes)));
  return state.file->write_at(at, Span<const std::byte>(column.sealed, header_bytes));
}

void give_back(const WriterState& state) {
  for (ColumnWriter& column : columns_of(state)) {
    if (!are_borrowed(column)) continue;
    const auto bytes = static_cast<std::size_t>(column.cursor - column.values);
    const auto space = static_cast<std::size_t>(column.end - column.values);
    std::byte* const to = column.page_state == detail::PageState::kSealed
                              ? column.sealed + (column.sealed_bytes - bytes)
                              : column.page + column.plan->header_bytes;
    std::memcpy(to, column.values, bytes);
    column.values = to;
    column.cursor = to + bytes;
    column.end = to + space;
  }
}

}  // namespace microparquet::write
