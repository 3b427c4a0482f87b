// Thrift's compact protocol, written through a WindowSink.
#pragma once

#include "io/window_sink.h"
#include "microparquet/detail/compact_writer.h"

namespace microparquet::thrift {

extern template class BasicCompactWriter<WindowSink>;

class CompactWriter final : public BasicCompactWriter<WindowSink> {
 public:
  using BasicCompactWriter::BasicCompactWriter;
};

}  // namespace microparquet::thrift
