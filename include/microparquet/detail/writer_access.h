// Access to the private parts of a Writer, for the layers of this library.
#pragma once

#include "microparquet/writer.h"

namespace microparquet::detail {

// Functions with the arguments of Writer's functions of the same name, after schema and options have been
// checked and planned.
struct WriterAccess {
  static WriterState& state(Writer& writer) { return writer.state_; }
  static const WriterState& state(const Writer& writer) { return writer.state_; }

  template <typename... Arguments>
  static Status open(Writer& writer, Arguments&&... arguments) {
    return writer.open_planned(arguments...);
  }
  static Status reconnect(Writer& writer, File& file, ReconnectLayout reconnect_layout) {
    return writer.reconnect_planned(file, reconnect_layout);
  }
  static Status save(Writer& writer, SaveRows save_rows) { return writer.save_planned(save_rows); }
};

}  // namespace microparquet::detail
