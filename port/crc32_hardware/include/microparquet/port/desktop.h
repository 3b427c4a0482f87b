// Settings with which desktops and servers write and read fastest: large pages, and the processor's own CRC-32. Files
// are those that any reader takes.
//
// Fastest are Writer::append_columns() on whole columns, and a MappedPosixFile read by Reader::next_run(), with
// each_value() of run_values.h, or next_batch(). The arena needs no particular contents: new std::byte[bytes] is enough.
#pragma once

#include <cstdint>

#include "microparquet/options.h"
#include "microparquet/port/crc32_hardware.h"
#include "microparquet/read_all.h"
#include "microparquet/reader.h"

namespace microparquet {

// For a Writer. A row group ends after `row_group_rows` rows: those of the whole file, where they are known and there is
// disk space for as many; else a million is a good number. Thread-safe.
constexpr Options desktop_options(std::uint32_t row_group_rows) {
  Options options;
  options.page_bytes = 32 * 1024;  // stays in the processor's nearest caches
  options.row_group_rows = row_group_rows;
  options.checksum = &crc32_hardware;
  return options;
}

// For a Reader: all encodings and compressions that the library reads. A page that
// is compressed, or in a file that is not mapped and encoded, may have a quarter of a megabyte; of larger ones
// Reader::needed_bytes() tells the arena they need. Thread-safe.
constexpr ReaderOptions desktop_reader_options() {
  ReaderOptions options;
  options.buffer_bytes = 256 * 1024;
  options.footer_bytes = 4096;
  options.checksum = &crc32_hardware;
  options.decoders = kAllDecoders;
  options.bit_packed_levels = &read_bit_packed_levels;
  options.decompressors = kAllDecompressors;
  return options;
}

}  // namespace microparquet
