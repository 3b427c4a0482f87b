// Random lives in flash, through littlefs; tests/lives says what they are like. Its arguments: program.h.
#include "flash_store.h"
#include "program.h"

int main(int argc, char** argv) {
  return lives::run_program(argc, argv, {lives::Where::kLittleFs, [](const lives::Plan& plan) {
                                           return std::make_unique<filesystems::FlashStore>(plan);
                                         }});
}
