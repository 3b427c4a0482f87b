// The rows of a file, drawn into envelopes over time.
#pragma once

#include <optional>
#include <vector>

#include "channel.h"
#include "envelope.h"
#include "log_timing.h"
#include "parquet_file.h"
#include "time_axis.h"
#include "time_window.h"

namespace mpq_tool {

struct Drawing {
  Drawing(std::size_t channels, std::size_t parts) : lines(channels, Envelope(parts)), gaps(parts) {}

  std::vector<Envelope> lines;  // of each channel
  std::vector<bool> gaps;       // of the parts of the lines: whether rows are missing there
  std::uint64_t rows = 0;       // drawn so far
};

// Reads the rows of `window` once, of which `timing` tells; without it, all rows by their numbers. Of rows that are taken
// regularly a line leads from one to the next, but not over gaps. Throws Failure; `drawing`, which is empty before, has the
// rows before the damage then.
void draw_rows(ParquetFile& file, const std::vector<Channel>& channels, const TimeAxis& axis,
               const TimeWindow& window, const std::optional<LogTiming>& timing, Drawing& drawing);

}  // namespace mpq_tool
