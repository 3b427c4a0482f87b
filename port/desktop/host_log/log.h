// The writer of the log, with its memory.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "host_settings.h"
#include "microparquet/file.h"
#include "microparquet/writer.h"
#include "sample.h"

namespace host_log {

// The columns are those of Sample, encoded as the settings say.
class Log : public microparquet::Writer {
 public:
  explicit Log(const Settings& settings);

  // What is wrong with the settings, for people; empty: nothing is, and the others may be called.
  const std::string& fault() const { return fault_; }
  // As Writer::resume(). A new file says which `host` it is of, and what its columns count; `host` must stay, and is empty
  // for a file that there is.
  microparquet::Status resume(microparquet::File& file, std::string_view host);
  // As Writer::append().
  microparquet::Status append(const Sample& sample);

  std::size_t memory_bytes() const { return sizeof *this + arena_bytes_; }

 private:
  decltype(kSchema.fields) fields_;
  FileIndex index_;  // whose layout the options name, if pages are to have one
  microparquet::Options options_;
  std::string fault_;
  std::size_t arena_bytes_;
  std::unique_ptr<std::byte[]> arena_;
};

}  // namespace host_log
