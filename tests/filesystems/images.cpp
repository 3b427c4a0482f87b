#include "images.h"

#include <cstdio>
#include <cstdlib>

namespace filesystems {

bool keep_image(const RamDisk& disk, const std::string& name, Left left, const History& rows) {
  const char* const folder = std::getenv("MICROPARQUET_IMAGES");
  if (folder == nullptr) return true;
  const std::string path = std::string(folder) + "/" + name + ".img";
  if (!disk.save(path)) return false;
  std::FILE* const manifest = std::fopen((std::string(folder) + "/manifest.txt").c_str(), "a");
  if (manifest == nullptr) return false;
  std::fprintf(manifest, "%s.img %s", name.c_str(), left == Left::kCut ? "cut" : "closed");
  for (const Logged& logged : rows) std::fprintf(manifest, " %u:%u", logged.boot, logged.rows);
  std::fputc('\n', manifest);
  return std::fclose(manifest) == 0;
}

}  // namespace filesystems
