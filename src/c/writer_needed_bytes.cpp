// Memory that a writer needs. Few programs ask at run time, and others do not link this file.
#include "c/c_writer.h"

size_t mpq_writer_needed_bytes(const mpq_writer* writer) {
  if (writer == nullptr || microparquet::c::from_c(*writer).setup == nullptr) return 0;
  const microparquet::c::CWriter& here = microparquet::c::from_c(*writer);
  return here.head_bytes() +
         (here.fields != nullptr ? microparquet::Writer::required_bytes(here.schema(), here.options()) : 0);
}
