// A table of pauses in a file of the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/port/semihosting_file.h"
#include "stall_trace.h"

namespace stalls {

// Reads the table, of 4 KiB at most. False: there is none.
inline bool read_trace(const char* path, StallTrace& trace) {
  static std::byte text[4096];
  microparquet::SemihostingFile file;
  std::uint64_t bytes = 0;
  if (file.open_for_reading(path) != microparquet::Status::kOk ||
      file.size(bytes) != microparquet::Status::kOk)
    return false;
  if (bytes > sizeof text) return false;
  const auto size = static_cast<std::size_t>(bytes);
  if (file.read_at(0, microparquet::Span<std::byte>(text, size)) != microparquet::Status::kOk) return false;
  return trace.read(std::string_view(reinterpret_cast<const char*>(text), size)) &&
         file.close() == microparquet::Status::kOk;
}

}  // namespace stalls
