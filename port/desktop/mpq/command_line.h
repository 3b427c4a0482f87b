// The command line of mpq.
#pragma once

namespace mpq_tool {

// Does what the command line asks for, and returns the exit code. Throws Failure.
int run(int argc, char** argv);

}  // namespace mpq_tool
