#include "thrift/compact_writer.h"

namespace microparquet::thrift {

template class BasicCompactWriter<WindowSink>;

}  // namespace microparquet::thrift
