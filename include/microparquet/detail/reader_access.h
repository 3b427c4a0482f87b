// Access to the private parts of a Reader, for the layers of this library.
#pragma once

#include "microparquet/reader.h"

namespace microparquet::detail {

struct ReaderAccess {
  static ReaderState& state(Reader& reader) { return reader.state_; }
};

}  // namespace microparquet::detail
