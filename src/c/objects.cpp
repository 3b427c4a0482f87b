// Version, sizes and objects for other languages.
#include "microparquet/c/objects.h"

#include "microparquet/c/detail/object_in.h"
#include "microparquet/version.h"

using microparquet::c::object_in;

const char* mpq_version() { return microparquet::kVersion; }

std::size_t mpq_writer_bytes() { return sizeof(mpq_writer); }
mpq_status mpq_writer_in(void* memory, std::size_t memory_bytes, mpq_writer** writer) {
  return object_in(memory, memory_bytes, writer);
}

std::size_t mpq_reader_bytes() { return sizeof(mpq_reader); }
mpq_status mpq_reader_in(void* memory, std::size_t memory_bytes, mpq_reader** reader) {
  return object_in(memory, memory_bytes, reader);
}

std::size_t mpq_rolling_bytes() { return sizeof(mpq_rolling); }
mpq_status mpq_rolling_in(void* memory, std::size_t memory_bytes, mpq_rolling** log) {
  return object_in(memory, memory_bytes, log);
}

std::size_t mpq_clock_anchors_bytes() { return sizeof(mpq_clock_anchors); }
mpq_status mpq_clock_anchors_in(void* memory, std::size_t memory_bytes, mpq_clock_anchors** anchors) {
  return object_in(memory, memory_bytes, anchors);
}

std::size_t mpq_function_file_bytes() { return sizeof(mpq_function_file); }
mpq_status mpq_function_file_in(void* memory, std::size_t memory_bytes, mpq_function_file** file) {
  return object_in(memory, memory_bytes, file);
}
