// A program that lives lives, wherever their files lie.
//
//   PROGRAM [--first N] [--step N] [--lives N] [--least N] [--seconds S] [--boots N] [--stop]
//       that many lives, from the one of number N on, each step-th; no more when S seconds of CPU are
//       over, but at least that many; of that many boots instead of 20 to 60; or until one fails
//   PROGRAM --images FOLDER EVERY ...
//       keeps every so-many-th file that was found right, with the ids of its rows; its name ends in the
//       bytes of a block and the length of bounds
//   PROGRAM --replay N
//       one of them, with all its calls
//
// The last line is "N passed, N failed".
#pragma once

#include <functional>
#include <memory>

#include "plan.h"
#include "small_reader.h"
#include "store.h"

namespace lives {

// The ground that the files of the lives lie on.
struct Ground {
  Where where = Where::kCard;
  std::function<std::unique_ptr<Store>(const Plan&)> make_store;
  std::function<void()> print_more = {};  // counts of its own
  Vary vary = nullptr;                    // see there
  small::Unpack unpack = nullptr;         // codecs that it has
};

// Returns what main() does.
int run_program(int argc, char** argv, const Ground& ground);

}  // namespace lives
