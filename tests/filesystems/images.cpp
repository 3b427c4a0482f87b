#include "images.h"

#include <cstdio>
#include <cstdlib>

namespace filesystems {
namespace {

#ifdef FATFS_SMALL
constexpr char kProgram[] = "small_";
#else
constexpr char kProgram[] = "full_";
#endif

const char* to_string(Left left) {
  switch (left) {
    case Left::kCut: return "cut";
    case Left::kResumed: return "resumed";
    case Left::kClosed: return "closed";
  }
  return "";
}

}  // namespace

bool keep_image(const RamDisk& disk, const std::string& name, Left left, const History& rows) {
  const char* const folder = std::getenv("MICROPARQUET_IMAGES");
  if (folder == nullptr) return true;
  const std::string file = kProgram + name + ".img";
  if (!disk.save(std::string(folder) + "/" + file)) return false;
  std::FILE* const manifest = std::fopen((std::string(folder) + "/manifest.txt").c_str(), "a");
  if (manifest == nullptr) return false;
  std::fprintf(manifest, "%s %s", file.c_str(), to_string(left));
  for (const Logged& logged : rows) std::fprintf(manifest, " %u:%u", logged.boot, logged.rows);
  std::fputc('\n', manifest);
  return std::fclose(manifest) == 0;
}

}  // namespace filesystems
