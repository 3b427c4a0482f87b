// What a log needs of its board.
#pragma once

#include <cstdint>

#include "microparquet/file.h"
#include "microparquet/status.h"

namespace microparquet {

// A clock, and a volume of which one file at most is open. Calls come one at a time.
class LoggerBoard {
 public:
  // Milliseconds from any start; they may wrap.
  virtual std::uint32_t now_ms() = 0;
  // Makes the card usable: at the start, and again each time after it has failed. False: there is none.
  virtual bool start() = 0;
  // `path` begins with a slash, as that of open() does.
  virtual bool exists(const char* path) = 0;
  // Opens a file as it is, or a new one, to be continued. Statuses as those of ports that are opened: file.h.
  virtual Status open(const char* path) = 0;
  // Closes what is open, if anything is, and drops what was not synced where that can be done. Whether it fails
  // does not matter.
  virtual void close() = 0;
  // The one that is open: always the same object.
  virtual File& file() = 0;

 protected:
  ~LoggerBoard() = default;
};

}  // namespace microparquet
