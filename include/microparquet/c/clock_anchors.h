/* Dates for rows that were taken before the device knew the time, for C: ClockAnchors in microparquet/clock_anchors.h,
   call by call, which describes the key-value that it keeps.

     static mpq_clock_anchors anchors;

     mpq_status status = mpq_writer_resume(&writer, file, &setup);
     if (status == MPQ_OK) status = mpq_clock_anchors_begin(&anchors, &writer, 1000);
     ...
     status = mpq_clock_anchors_add(&anchors, &writer, tick, utc_ms);
*/
#ifndef MICROPARQUET_C_CLOCK_ANCHORS_H
#define MICROPARQUET_C_CLOCK_ANCHORS_H

#include <stdint.h>

#include "microparquet/c/status.h"
#include "microparquet/c/writer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Anchors of one writer; their memory is the caller's, and must stay as long as the writer, which reads their text. Zero
   it before its first call, as static objects are. */
typedef struct mpq_clock_anchors {
  uint64_t storage[29]; /* the library's */
} mpq_clock_anchors;

/* Begins a boot: its first row is the writer's next one. Call it after each mpq_writer_open() and mpq_writer_resume().
   - MPQ_INVALID_ARGUMENT: a pointer is null, here and below, or there are no ticks in a second */
mpq_status mpq_clock_anchors_begin(mpq_clock_anchors* anchors, const mpq_writer* writer,
                                   uint32_t ticks_per_second);

/* Adds an anchor: at `tick` of the device's clock it was `utc_ms` milliseconds after the start of 1970 in UTC.
   - MPQ_INVALID_ARGUMENT: also a time before 1980 or after 2286
   - MPQ_OUT_OF_MEMORY: the file has no place for a further key-value. The next file takes anchors again.
   - MPQ_WRONG_STATE: mpq_clock_anchors_begin() has not been called */
mpq_status mpq_clock_anchors_add(mpq_clock_anchors* anchors, mpq_writer* writer, int64_t tick,
                                 int64_t utc_ms);

/* Notes which rows the anchors are of: call it right before each tick, checkpoint and close. It does nothing without an
   anchor. */
mpq_status mpq_clock_anchors_update(mpq_clock_anchors* anchors, mpq_writer* writer);

#ifdef __cplusplus
}
#endif

#endif
