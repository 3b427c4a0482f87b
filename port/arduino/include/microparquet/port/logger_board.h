// Board of a log.
#pragma once

#include <cstdint>

#include "microparquet/file.h"
#include "microparquet/port/numbered_path.h"
#include "microparquet/status.h"

namespace microparquet {

// Clock, and a volume with at most one open file. Calls come one at a time.
class LoggerBoard {
 public:
  // Returns milliseconds from any start; they may wrap.
  virtual std::uint32_t now_ms() = 0;
  // Makes the card usable, at the start and each time after it has failed. Returns false if there is none.
  virtual bool start() = 0;
  // Returns whether files may have names like LOG00001.parquet; otherwise they have eight letters or digits
  // and three, as LOG00001.PQT.
  virtual bool has_long_names() { return false; }
  // Returns whether a file exists. `path` begins with a slash, as that of open() does.
  virtual bool exists(const char* path) = 0;
  // Finds the newest of the log's files in a list of the volume: of the largest number; 0: there is none. `has_first`: the file of
  // number 1 is there, so that names can be asked for as well. Returns false if the volume makes no list, or makes it slowly
  // and that is not needed.
  virtual bool find_newest(NumberedPath& newest, bool has_first) {
    static_cast<void>(newest), static_cast<void>(has_first);
    return false;
  }
  // Returns whether find_newest() always makes a list, so that names may have dates.
  virtual bool lists_names() { return false; }
  // Opens a file to be continued, as it is or a new one. Statuses as those of ports with an open call:
  // file.h.
  virtual Status open(const char* path) = 0;
  // Deletes a closed file without durable rows, to begin it again. Returns false if it cannot; then the file
  // stays.
  virtual bool remove(const char* path) {
    static_cast<void>(path);
    return false;
  }
  // Closes the open file, if there is one, and drops unsynced bytes if that is possible. A failure does not
  // matter.
  virtual void close() = 0;
  // Returns the open file: always the same object.
  virtual File& file() = 0;
  // Returns the largest size of the open file, in bytes: the next file begins before. The default is that of
  // a file with positions of 32 bits and a sign.
  virtual std::uint64_t max_file_bytes() { return 0x7FFFFFFF; }

 protected:
  ~LoggerBoard() = default;
};

}  // namespace microparquet
