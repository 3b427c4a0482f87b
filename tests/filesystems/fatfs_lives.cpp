// Random lives on FAT volumes, through FatFs; tests/lives says what they are like. Its arguments: program.h.
#include <cstdio>

#include "fat_store.h"
#include "program.h"

int main(int argc, char** argv) {
  filesystems::FatLosses losses;
  return lives::run_program(
      argc, argv,
      {lives::Where::kFat,
       [&](const lives::Plan& plan) { return std::make_unique<filesystems::FatStore>(plan, losses); },
       [&] {
         std::printf("clusters_lost_by_fat %llu\nvolumes_that_lost_clusters %llu\n",
                     static_cast<unsigned long long>(losses.clusters),
                     static_cast<unsigned long long>(losses.volumes));
       }});
}
