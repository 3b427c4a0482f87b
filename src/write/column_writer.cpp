#include "microparquet/detail/column_writer.h"

namespace microparquet::detail {

void ColumnWriter::open_page() {
  values = page + plan->header_bytes;
  cursor = values;
  page_state = PageState::kOpen;
  if (plan->encoder->begin_page != nullptr) plan->encoder->begin_page(*this);
}

std::uint32_t ColumnWriter::prepare_rows(std::uint32_t most) {
  if (page_state != PageState::kOpen) return 0;
  if (levels != nullptr) return plan->levels->prepare_rows(*this, most);
  const std::uint32_t rows = plan->encoder->values_that_fit(*this, free_bytes(), 0);
  return rows < most ? rows : most;
}

}  // namespace microparquet::detail
