#include "microparquet/port/posix_file_c.h"

#include "microparquet/c/detail/object_in.h"
#include "microparquet/c/detail/port_door.h"
#include "microparquet/port/posix_file.h"

using PosixFileDoor = microparquet::c::PortDoor<microparquet::PosixFile, mpq_posix_file>;

size_t mpq_posix_bytes() { return sizeof(mpq_posix_file); }

mpq_status mpq_posix_in(void* memory, size_t memory_bytes, mpq_posix_file** port) {
  return microparquet::c::object_in(memory, memory_bytes, port);
}

mpq_status mpq_posix_make(mpq_posix_file* port) { return PosixFileDoor::make(port); }

mpq_status mpq_posix_create(mpq_posix_file* port, const char* path, bool overwrites, mpq_file** file) {
  return PosixFileDoor::create(port, path, overwrites, file);
}

mpq_status mpq_posix_open_for_append(mpq_posix_file* port, const char* path, mpq_file** file) {
  return PosixFileDoor::open_for_append(port, path, file);
}

mpq_status mpq_posix_open_for_reading(mpq_posix_file* port, const char* path, mpq_file** file) {
  return PosixFileDoor::open_for_reading(port, path, file);
}

mpq_status mpq_posix_close(mpq_posix_file* port) { return PosixFileDoor::close_and_release(port); }
