#include "microparquet/port/littlefs_file_c.h"

#include "microparquet/c/detail/port_door.h"
#include "microparquet/port/littlefs_file.h"

using LittleFsFileDoor = microparquet::c::PortDoor<microparquet::LittleFsFile, mpq_littlefs_file>;

mpq_status mpq_littlefs_make(mpq_littlefs_file* port, lfs_t* volume, void* caches, size_t caches_bytes) {
  if (volume == nullptr || caches == nullptr) return MPQ_INVALID_ARGUMENT;
  return LittleFsFileDoor::make(port, *volume,
                                microparquet::Span<std::byte>(static_cast<std::byte*>(caches), caches_bytes));
}

mpq_status mpq_littlefs_create(mpq_littlefs_file* port, const char* path, bool overwrites, mpq_file** file) {
  return LittleFsFileDoor::create(port, path, overwrites, file);
}

mpq_status mpq_littlefs_open_for_append(mpq_littlefs_file* port, const char* path, mpq_file** file) {
  return LittleFsFileDoor::open_for_append(port, path, file);
}

mpq_status mpq_littlefs_open_for_reading(mpq_littlefs_file* port, const char* path, mpq_file** file) {
  return LittleFsFileDoor::open_for_reading(port, path, file);
}

mpq_status mpq_littlefs_close(mpq_littlefs_file* port) { return LittleFsFileDoor::close(port); }
