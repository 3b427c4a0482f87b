// A stack of the program's own, so that exceptions have the one it began with for themselves; and how much
// of that one they took.
#pragma once

#include <cstddef>
#include <cstdint>

namespace own_stack {

// Calls the function on the stack whose end is `top`, and does not return; nor may the function.
[[noreturn]] void run(std::uint64_t* top, void (*function)());

// Paints what is free of the stack of exceptions. To be called before run(), on that stack.
void paint();

// Bytes that were touched since: the deepest that exceptions, those in an exception included, have gone.
std::size_t touched_bytes();

}  // namespace own_stack
