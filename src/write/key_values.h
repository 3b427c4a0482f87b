// Key-values of the file that is written.
#pragma once

#include <string_view>

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Writer::set_key_value(), whatever the phase.
Status put_key_value(detail::WriterState& state, std::string_view key, std::string_view value);

}  // namespace microparquet::write
