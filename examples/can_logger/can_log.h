// How frames are logged.
#pragma once

#include <cstddef>
#include <cstdint>

#include "can_frame.h"
#include "can_traffic.h"
#include "microparquet/options.h"
#include "microparquet/rolling.h"
#include "microparquet/row_queue.h"
#include "microparquet/static_writer.h"

#ifndef CAN_PAUSE_MS
#define CAN_PAUSE_MS 500  // the longest pause of an SDXC card by the specification; of SDHC it is 250
#endif
#ifndef CAN_FILE_BYTES
#define CAN_FILE_BYTES (32 << 20)
#endif

// In place: no row waits for a footer, of which each page that is stored writes a piece. In the forward layout all that comes waits
// for the whole of it, and at this pace footers are long. Pages of four sectors take the card a quarter of the commands.
inline constexpr microparquet::Options kCanOptions = [] {
  microparquet::Options options;
  options.page_bytes = 2048;
  options.row_group_bytes = 2 << 20;
  options.checkpoint_ms = 10'000;
  options.max_loss_ms = 10'000;
  return options;
}();

struct CanLog : FrameTimes<kCanDataBytes> {
  using Queued = QueuedFrame<kCanDataBytes>;
  using Writer = microparquet::StaticWriter<kCanSchema<kCanDataBytes>, kCanOptions>;

  static constexpr char kPrefix[] = "CAN";
  // The longest time that a file takes to end and the next one to begin: the pause may come there.
  static constexpr std::uint32_t kBusyMs = 180;
  static constexpr std::uint32_t kDepth =
      microparquet::row_queue_depth(kFramesPerSecond, CAN_PAUSE_MS, kBusyMs);
  // By size, a file ends with a row group. By age it would end within one, whose pages close() first moves together where columns
  // have no fixed width.
  static constexpr microparquet::RollLimits kLimits = {CAN_FILE_BYTES};
};
