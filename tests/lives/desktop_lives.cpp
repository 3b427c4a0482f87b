// Lives of programs on a computer: all encodings, compressions and data pages that it writes, each with each, in files that
// other versions of the program continue with other options. Its arguments: program.h.
#include "desktop_options.h"
#include "program.h"
#include "remains.h"

namespace {

std::unique_ptr<lives::Store> make_card(const lives::Plan& plan) {
  return lives::make_card(plan, &lives::unpack_page);
}

}  // namespace

int main(int argc, char** argv) {
  return lives::run_program(argc, argv,
                            {lives::Where::kCard, make_card, {}, &lives::vary_options, &lives::unpack_page});
}
