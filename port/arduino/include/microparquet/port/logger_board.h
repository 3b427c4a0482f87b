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
  // Whether files may have names like LOG00001.parquet; else they have eight letters or digits and three, as LOG00001.PQT.
  virtual bool has_long_names() { return false; }
  // `path` begins with a slash, as that of open() does.
  virtual bool exists(const char* path) = 0;
  // Opens a file as it is, or a new one, to be continued. Statuses as those of ports that are opened: file.h.
  virtual Status open(const char* path) = 0;
  // Deletes a closed file of which no row is durable, to begin it again. False: it cannot, and the file stays.
  virtual bool remove(const char* path) {
    static_cast<void>(path);
    return false;
  }
  // Closes what is open, if anything is, and drops what was not synced where that can be done. Whether it fails
  // does not matter.
  virtual void close() = 0;
  // The one that is open: always the same object.
  virtual File& file() = 0;

 protected:
  ~LoggerBoard() = default;
};

}  // namespace microparquet
