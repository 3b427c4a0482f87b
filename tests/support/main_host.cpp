// The unit tests as a program of the host: unit_tests [PART OF A NAME OR FILE]
#include <cstdio>

#include "support/check.h"

namespace check {

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

}  // namespace check

int main(int argc, char** argv) { return check::run_tests(argc > 1 ? argv[1] : ""); }
