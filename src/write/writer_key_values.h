// Key-values of the file that is written.
#pragma once

#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Writer::set_key_value(), whatever the phase.
Status put_key_value(detail::WriterState& state, const KeyValue& pair);

}  // namespace microparquet::write
