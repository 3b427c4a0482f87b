// The mutex that FatFs asks of the system with FF_FS_REENTRANT. One of the two tasks interrupts the other
// here, and a flag is enough: the task that interrupts cannot wait, because the other one would never release
// the volume. FatFs answers it FR_TIMEOUT at once, and it runs again when the volume is free.
#include "ff.h"
#include "pended_call.h"

namespace {

volatile bool is_taken[FF_VOLUMES + 1];
volatile bool was_refused = false;

}  // namespace

extern "C" int ff_mutex_create(int) { return 1; }

extern "C" void ff_mutex_delete(int) {}

// An interruption between the two lines ends with the volume given back.
extern "C" int ff_mutex_take(int id) {
  if (is_taken[id]) {
    was_refused = true;
    return 0;
  }
  is_taken[id] = true;
  return 1;
}

extern "C" void ff_mutex_give(int id) {
  is_taken[id] = false;
  if (!was_refused) return;
  was_refused = false;
  pended_call::pend();
}
