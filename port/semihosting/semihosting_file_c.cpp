#include "microparquet/port/semihosting_file_c.h"

#include "microparquet/c/detail/port_door.h"
#include "microparquet/port/semihosting_file.h"

using SemihostingFileDoor = microparquet::c::PortDoor<microparquet::SemihostingFile, mpq_semihosting_file>;

mpq_status mpq_semihosting_make(mpq_semihosting_file* port) { return SemihostingFileDoor::make(port); }

mpq_status mpq_semihosting_create(mpq_semihosting_file* port, const char* path, bool overwrites,
                                  mpq_file** file) {
  return SemihostingFileDoor::create(port, path, overwrites, file);
}

mpq_status mpq_semihosting_open_for_append(mpq_semihosting_file* port, const char* path, mpq_file** file) {
  return SemihostingFileDoor::open_for_append(port, path, file);
}

mpq_status mpq_semihosting_open_for_reading(mpq_semihosting_file* port, const char* path, mpq_file** file) {
  return SemihostingFileDoor::open_for_reading(port, path, file);
}

mpq_status mpq_semihosting_close(mpq_semihosting_file* port) { return SemihostingFileDoor::close(port); }
