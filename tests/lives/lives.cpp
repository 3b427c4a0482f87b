// Lives a program by chance, again and again, on a simulated card. Its arguments: program.h.
#include "program.h"
#include "remains.h"

int main(int argc, char** argv) {
  return lives::run_program(
      argc, argv, {lives::Where::kCard, [](const lives::Plan& plan) { return lives::make_card(plan); }});
}
