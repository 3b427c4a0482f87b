// Settings with which desktops and servers write and read fastest: large pages, and the processor's own
// CRC-32. Any reader takes the files.
//
// The fastest calls are Writer::append_columns() on whole columns, and Reader::next_run() with each_value()
// of run_values.h, or next_batch(), on a MappedPosixFile. The arena needs no particular contents: new
// std::byte[bytes] is enough.
#pragma once

#include <cstdint>

#include "microparquet/options.h"
#include "microparquet/port/crc32_hardware.h"
#include "microparquet/read_all.h"
#include "microparquet/reader.h"

namespace microparquet {

// Returns options for a Writer. A row group ends after `row_group_rows` rows: give the rows of the whole file
// if they are known and the disk has space for as many; otherwise a million is a good number. Thread-safe.
constexpr Options desktop_options(std::uint32_t row_group_rows) {
  Options options;
  options.page_bytes = 32 * 1024;  // fits the processor's nearest caches
  options.row_group_rows = row_group_rows;
  options.checksum = &crc32_hardware;
  return options;
}

// Returns options for a Reader, with all encodings and compressions of the library. A page may have a quarter
// of a megabyte if it is compressed, or encoded in a file that is not mapped; for larger ones
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
