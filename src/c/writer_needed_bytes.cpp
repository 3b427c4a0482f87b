// Apart: only few programs ask at run time, and those that do not link nothing of it.
#include "c/c_writer.h"

size_t mpq_writer_needed_bytes(const mpq_writer* writer) {
  if (writer == nullptr || microparquet::c::from_c(*writer).setup == nullptr) return 0;
  const microparquet::c::CWriter& here = microparquet::c::from_c(*writer);
  return here.head_bytes() +
         (here.fields != nullptr ? microparquet::Writer::required_bytes(here.schema(), here.options()) : 0);
}
