#include "support/volume.h"

#include <vector>

namespace filesystems {

void Volume::mount(RamDisk& disk) {
  unmount();
  disk.front().settle();
  disk.front().lose();
  RamDisk::insert(&disk);
  result_ = f_mount(&fatfs_, "", 1);
}

void Volume::unmount() {
  f_mount(nullptr, "", 0);
  RamDisk::insert(nullptr);
}

std::uint32_t Volume::free_clusters() {
  fatfs_.free_clst = 0xFFFFFFFF;  // counted, not taken from what FSINFO says
  DWORD clusters = 0;
  FATFS* volume = nullptr;
  return f_getfree("", &clusters, &volume) == FR_OK ? clusters : 0;
}

bool format(RamDisk& disk, const Format& format) {
  RamDisk::insert(&disk);
  std::vector<BYTE> work(64 << 10);
  const MKFS_PARM parameters = {static_cast<BYTE>(format.type | FM_SFD), format.tables, 0, 0,
                                format.cluster_bytes};
  if (f_mkfs("", &parameters, work.data(), static_cast<UINT>(work.size())) != FR_OK) return false;
  const Volume volume(disk);
  FIL other;
  UINT written = 0;
  return volume.result() == FR_OK && f_open(&other, "OTHER.TXT", FA_WRITE | FA_CREATE_NEW) == FR_OK &&
         f_write(&other, work.data(), 20000, &written) == FR_OK && f_close(&other) == FR_OK;
}

bool lengthen(const std::string& path, std::size_t bytes) {
  const std::vector<std::byte> data(bytes, std::byte{0xA5});
  FIL file;
  UINT written = 0;
  return f_open(&file, path.c_str(), FA_OPEN_APPEND | FA_WRITE) == FR_OK &&
         f_write(&file, data.data(), static_cast<UINT>(bytes), &written) == FR_OK && written == bytes &&
         f_close(&file) == FR_OK;
}

}  // namespace filesystems
