// The inside of a Writer, for the layers of this library.
#pragma once

#include "microparquet/writer.h"

namespace microparquet::detail {

// The calls take what Writer's of the same name take when schema and options have been checked and planned.
struct WriterAccess {
  static WriterState& state(Writer& writer) { return writer.state_; }

  template <typename... Arguments>
  static Status open(Writer& writer, Arguments&&... arguments) {
    return writer.open_planned(arguments...);
  }
  static Status reconnect(Writer& writer, File& file, ReconnectLayout reconnect_layout) {
    return writer.reconnect_planned(file, reconnect_layout);
  }
};

}  // namespace microparquet::detail
