// The two words that the program was started with.
#pragma once

#include "microparquet/span.h"

// Reads the command line into `text`, where `in` and `out` then point, each ending in '\0'. Returns false
// unless there are just two words after the program's own name, without spaces in them.
bool split_arguments(microparquet::Span<char> text, const char*& in, const char*& out);
