#include "microparquet/port/fatfs_file_c.h"

#include "microparquet/c/detail/port_door.h"
#include "microparquet/port/fatfs_file.h"

using FatFsFileDoor = microparquet::c::PortDoor<microparquet::FatFsFile, mpq_fatfs_file>;

mpq_status mpq_fatfs_make(mpq_fatfs_file* port, DWORD* link_map, size_t link_map_words) {
  return FatFsFileDoor::make(port, microparquet::Span<DWORD>(link_map, link_map_words));
}

mpq_status mpq_fatfs_create(mpq_fatfs_file* port, const TCHAR* path, bool overwrites, mpq_file** file) {
  return FatFsFileDoor::create(port, path, overwrites, file);
}

mpq_status mpq_fatfs_open_for_append(mpq_fatfs_file* port, const TCHAR* path, mpq_file** file) {
  return FatFsFileDoor::open_for_append(port, path, file);
}

mpq_status mpq_fatfs_open_for_reading(mpq_fatfs_file* port, const TCHAR* path, mpq_file** file) {
  return FatFsFileDoor::open_for_reading(port, path, file);
}

bool mpq_fatfs_limit_reached(const mpq_fatfs_file* port) { return FatFsFileDoor::limit_reached(port); }

mpq_status mpq_fatfs_remove(const TCHAR* path) {
  if (path == nullptr) return MPQ_INVALID_ARGUMENT;
  return static_cast<mpq_status>(microparquet::FatFsFile::remove(path));
}

mpq_status mpq_fatfs_close(mpq_fatfs_file* port) { return FatFsFileDoor::close(port); }

bool mpq_fatfs_mend(const TCHAR* path) { return path != nullptr && microparquet::FatFsFile::mend(path); }

FRESULT mpq_fatfs_make_folder(const TCHAR* path) {
  return path != nullptr ? microparquet::FatFsFile::make_folder(path) : FR_INVALID_NAME;
}

bool mpq_fatfs_is_mended(const mpq_fatfs_file* port) {
  const microparquet::FatFsFile* const file = FatFsFileDoor::find(port);
  return file != nullptr && file->is_mended();
}
