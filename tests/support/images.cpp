#include "support/images.h"

#include <cstdio>
#include <cstdlib>

namespace filesystems {
namespace {

const char* to_string(Left left) {
  switch (left) {
    case Left::kCut: return "cut";
    case Left::kResumed: return "resumed";
    case Left::kClosed: return "closed";
  }
  return "";
}

}  // namespace

bool keep(const std::string& file, Left left, const History& rows,
          const std::function<bool(const std::string& path)>& save) {
  const char* const folder = std::getenv("MICROPARQUET_IMAGES");
  if (folder == nullptr) return true;
  if (!save(std::string(folder) + "/" + file)) return false;
  std::FILE* const manifest = std::fopen((std::string(folder) + "/manifest.txt").c_str(), "a");
  if (manifest == nullptr) return false;
  std::fprintf(manifest, "%s %s", file.c_str(), to_string(left));
  for (const Logged& logged : rows) std::fprintf(manifest, " %u:%u", logged.boot, logged.rows);
  std::fputc('\n', manifest);
  return std::fclose(manifest) == 0;
}

}  // namespace filesystems
