#include "microparquet/detail/column_writer.h"

namespace microparquet::detail {

void ColumnWriter::open_page(std::byte* buffer, std::uint32_t row) {
  page = buffer;
  end = buffer + plan->page_bytes;
  values = buffer + plan->header_bytes;
  cursor = values;
  booleans = 0;
  first_row = row;
  if (row == 0) {
    chunk_bytes = 0;
    nulls = 0;
  }
}

std::uint32_t ColumnWriter::prepare_rows(std::uint32_t most) {
  if (page == nullptr || sealed != nullptr) return 0;
  if (levels != nullptr) return plan->levels->prepare_rows(*this, most);
  const std::uint32_t rows = plan->encoding->values_that_fit(*this);
  return rows < most ? rows : most;
}

}  // namespace microparquet::detail
