// Whether a file has the rows that were written, as the reader with all decoders has them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/port/memory_file.h"
#include "microparquet/read_all.h"
#include "microparquet/reader.h"
#include "written_file.h"

namespace written {

constexpr microparquet::ReaderOptions reading_all(
    microparquet::Span<const microparquet::Decompressor* const> decompressors = {}) {
  microparquet::ReaderOptions options;
  options.buffer_bytes = 4096;
  options.decoders = microparquet::kAllDecoders;
  options.decompressors = decompressors;
  return options;
}

// `holds(reader, n)`: whether the n-th row is right. The reader has `kArenaBytes`: small boards have no more.
template <std::size_t kArenaBytes, typename Holds>
bool has_rows(microparquet::Span<const std::byte> contents, std::uint32_t count, const Holds& holds,
              const microparquet::ReaderOptions& options = reading_all()) {
  using microparquet::Status;
  alignas(8) static std::byte arena[kArenaBytes];  // NOLINT(*-dynamic-static-initializers)
  microparquet::MemoryFile file({const_cast<std::byte*>(contents.data()), contents.size()}, contents.size());
  microparquet::Reader reader;
  if (reader.open(file, options, arena) != Status::kOk || reader.choose_all() != Status::kOk) return false;
  std::uint32_t row = 0;
  Status status = Status::kOk;
  for (; (status = reader.next_row()) == Status::kOk; ++row) {
    if (!holds(reader, row)) return false;
  }
  return status == Status::kEnd && row == count;
}

}  // namespace written
