// Choosing columns with a buffer size for each.
#include "microparquet/reader.h"
#include "read/choose.h"

namespace microparquet {

Status Reader::choose(Span<const ColumnChoice> columns) {
  detail::ReaderState& state = state_;
  if (state.file == nullptr) return Status::kWrongState;
  const std::uint32_t own = read::own_bytes(state);
  return read::choose_with_buffers<false>(
      state, columns, [own](std::uint32_t) { return own; },
      [&state, own](std::uint32_t column, std::byte* memory, std::size_t bytes) {
        read::make_column(state, column, memory, bytes, own);
      });
}

}  // namespace microparquet
