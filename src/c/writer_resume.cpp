// Resuming and reconnecting. Other programs do not link this file and the parts that read.
#include "c/c_writer.h"

using microparquet::c::CWriter;
using microparquet::c::from_c;
using microparquet::c::to_c;

mpq_status mpq_writer_resume(mpq_writer* writer, mpq_file* file, const mpq_setup* setup) {
  const mpq_status status = microparquet::c::begin(writer, file, setup);
  if (status != MPQ_OK) return status;
  CWriter& here = from_c(*writer);
  return to_c(here.writer.resume(from_c(*file), here.schema(), here.options(), here.arena));
}

mpq_status mpq_writer_reconnect(mpq_writer* writer, mpq_file* file) {
  if (writer == nullptr || file == nullptr) return MPQ_INVALID_ARGUMENT;
  return to_c(from_c(*writer).writer.reconnect(from_c(*file)));
}
