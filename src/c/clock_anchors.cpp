// Functions of clock anchors, for C.
#include "microparquet/c/clock_anchors.h"

#include "c/c_writer.h"
#include "c/convert.h"
#include "microparquet/clock_anchors.h"

namespace microparquet::c {

namespace {

// Contents of an mpq_clock_anchors. All zeros is one that has not begun.
struct CClockAnchors {
  ClockAnchors anchors;
  bool has_begun;
};
static_assert(sizeof(CClockAnchors) <= sizeof(mpq_clock_anchors) &&
              alignof(CClockAnchors) <= alignof(mpq_clock_anchors));

CClockAnchors& anchors_of(mpq_clock_anchors& anchors) { return reinterpret_cast<CClockAnchors&>(anchors); }

}  // namespace

}  // namespace microparquet::c

mpq_status mpq_clock_anchors_begin(mpq_clock_anchors* anchors, const mpq_writer* writer,
                                   uint32_t ticks_per_second) {
  if (anchors == nullptr || writer == nullptr || ticks_per_second == 0) return MPQ_INVALID_ARGUMENT;
  microparquet::c::CClockAnchors& here = microparquet::c::anchors_of(*anchors);
  here.anchors.begin(microparquet::c::from_c(*writer).writer, ticks_per_second);
  here.has_begun = true;
  return MPQ_OK;
}

mpq_status mpq_clock_anchors_add(mpq_clock_anchors* anchors, mpq_writer* writer, int64_t tick,
                                 int64_t utc_ms) {
  if (anchors == nullptr || writer == nullptr) return MPQ_INVALID_ARGUMENT;
  microparquet::c::CClockAnchors& here = microparquet::c::anchors_of(*anchors);
  if (!here.has_begun) return MPQ_WRONG_STATE;
  return microparquet::c::to_c(here.anchors.add(microparquet::c::from_c(*writer).writer, tick, utc_ms));
}

mpq_status mpq_clock_anchors_update(mpq_clock_anchors* anchors, mpq_writer* writer) {
  if (anchors == nullptr || writer == nullptr) return MPQ_INVALID_ARGUMENT;
  microparquet::c::CClockAnchors& here = microparquet::c::anchors_of(*anchors);
  return microparquet::c::to_c(here.anchors.update(microparquet::c::from_c(*writer).writer));
}
