#include "microparquet/decoding.h"

namespace microparquet {

Status Decoder::lend(detail::ColumnCursor&, std::uint32_t, std::uint32_t&) const {
  return Status::kUnsupported;
}

}  // namespace microparquet
