// Resuming and reconnecting: apart, since what they read is linked with them.
#include "c/c_writer.h"

namespace microparquet::c {
namespace {

Status resume(CWriter& writer, File& file) {
  return writer.writer.resume(file, writer.schema(), writer.options(), writer.arena());
}

}  // namespace
}  // namespace microparquet::c

mpq_status mpq_writer_resume(mpq_writer* writer, mpq_file* file, const mpq_setup* setup) {
  return microparquet::c::begin(writer, file, setup, &microparquet::c::resume);
}

mpq_status mpq_writer_reconnect(mpq_writer* writer, mpq_file* file) {
  if (writer == nullptr || file == nullptr) return MPQ_INVALID_ARGUMENT;
  return microparquet::c::to_c(
      microparquet::c::from_c(*writer).writer.reconnect(microparquet::c::from_c(*file)));
}
