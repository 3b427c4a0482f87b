// A call that waits until no interrupt is being served, and interrupts the program: the exception PendSV, of the
// lowest priority. What is to run is the program's:
//
//   extern "C" void PendSV_Handler() { ... }
#pragma once

namespace pended_call {

// Call it before the first pend(): every interrupt then comes before the call, and into it.
void start();

// Asks for the call, from an interrupt or the program: it comes once, however often it is asked for before it
// begins; and once more if it is asked for while it runs.
void pend();

}  // namespace pended_call
