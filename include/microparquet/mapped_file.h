// A file that lies in memory: mapped by the system, in flash that is executed in place, or in an array.
#pragma once

#include <cstddef>

#include "microparquet/file.h"
#include "microparquet/span.h"

namespace microparquet {

// A port whose medium is memory derives from this rather than from File. Reader::open() reads such a file
// without copying.
class MappedFile : public File {
 public:
  // All of the file's bytes as they are now. They must stay where they are, and as they are, until the last
  // call of a reader that has opened it. Empty: it cannot be shown just now, and is read by read_at().
  virtual Span<const std::byte> view() = 0;

 protected:
  ~MappedFile() = default;
};

}  // namespace microparquet
