// Settings of a writer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/crc32.h"
#include "microparquet/layout.h"
#include "microparquet/span.h"

namespace microparquet {

// Column by which the rows of a row group are sorted (parquet.thrift, SortingColumn).
struct SortingColumn {
  std::uint32_t column = 0;  // index in the schema
  bool descending = false;   // the largest value first
  bool nulls_first = false;  // nulls come before values
};

class SortChecker;  // sorting.h

// Order in which rows arrive, according to the caller. sorted_by() of sorting.h makes it. The writer checks
// each row group while it is written, and does not mark one that breaks the order as sorted.
struct SortOrder {
  Span<const SortingColumn> columns;     // the caller's, which must stay; the first one counts most
  const SortChecker* checker = nullptr;  // compares the rows
};

// Pair of texts in a file's footer (parquet.thrift, KeyValue).
struct KeyValue {
  std::string_view key;    // text in UTF-8
  std::string_view value;  // text in UTF-8
};

// Settings with defaults. Sizes are in bytes.
struct Options {
  // Size of a page with its header. In place each column has a buffer of this size, which is most of the memory;
  // forward it is the largest page in the memory that row_group_bytes gives. At least 128, and a multiple of 8;
  // in place with whole_sectors a multiple of 512. Each page has a header of about 26 bytes, which small pages
  // spend more often.
  std::uint32_t page_bytes = 512;

  // Writes whole 512-byte sectors: a card then never reads a sector to change a part of it. In place, pages begin
  // and end on sectors, which costs the unused space in the last page of each column in a row group. Forward,
  // less than a sector waits in memory for the next row group, and footers end on a sector; row groups end on the
  // largest power of two that row_group_bytes is a multiple of, less than a sector apart, where that takes few zeros. A
  // file that cannot be read back, or gathers writes, gets bytes as they come.
  bool whole_sectors = true;

  // Alignment of all memory that goes to the File in whole sectors: 8, 16, 32, 64 or 128. A driver with DMA
  // wants 4, and the line of a data cache where the core has one: 32 on a Cortex-M7. See port/drivers.md. The
  // arena must begin on it; a StaticWriter sees to that itself.
  std::uint8_t transfer_align = 8;

  // Place of row groups until they are complete: in segments of the file, or in the arena. See layout.h.
  const Layout* layout = &kInPlace;

  // Largest number of rows in a row group; 0: no such limit.
  std::uint32_t row_group_rows = 0;

  // Size of a row group. In place: about the bytes in the file, at most 1 GiB; 0: 24 KiB, which grow to 72
  // KiB by the time the rows take 768 KiB, plus a 32nd of what the rows take, at most 64 MiB. Forward: the
  // memory for a row group, its record and what waits to be written, part of required_bytes; 0: space for two
  // pages a column. Less than some values of each column of a fixed width, and a page of each other one, becomes that.
  std::uint32_t row_group_bytes = 0;

  // Age at which tick() ends a row group; 0: no such limit.
  std::uint32_t row_group_ms = 0;

  // Time between checkpoints. tick() makes one after this time if the bytes stored meanwhile are
  // `checkpoint_ratio` times the cost of a checkpoint, and in any case after `max_loss_ms`. 0: only the
  // program makes checkpoints. durability.h computes what a power cut can cost.
  std::uint32_t checkpoint_ms = 60'000;
  // Longest time between checkpoints. If it equals checkpoint_ms, each checkpoint comes after that time,
  // whatever it costs.
  std::uint32_t max_loss_ms = 600'000;
  // Longest time without a save, with kInPlaceSaving and kForwardSaving: tick() calls Writer::save() after it, if
  // there are new rows. It bounds the rows that a power cut can cost, as the next resume() finds them;
  // max_loss_ms bounds those that any reader lacks. 0: only the program saves.
  std::uint32_t save_ms = 0;

  // Bytes in the file for each byte of a checkpoint, see checkpoint_ms: with rows of half the size it is due
  // half as often.
  std::uint16_t checkpoint_ratio = 32;

  // Number of row groups that the arena can remember, each of record_bytes(schema) bytes; for a forward sink
  // that cannot be read back. 0: the sink can be read. It is for new files only: resume() of a file with
  // bytes is kUnsupported.
  std::uint16_t max_row_groups_in_memory = 0;

  // Length to which bounds of binary columns are shortened, 1 to 64. Each such column takes three times as
  // much memory.
  std::uint8_t max_bound_bytes = 32;

  // Largest number of key-values that set_key_value() and FileStart can give a file.
  std::uint8_t max_key_values = 4;

  // Bytes around a write that a power cut may destroy: a power of two from 512 to 4,096, forward to 32,768. On
  // an SD card this is one sector. On flash it is the block that is erased first, unless the file system copies
  // it, as ESP-IDF's FAT with 4 KiB sectors does not. The writer then never puts later bytes into a block with bytes that a footer
  // describes. Not less than FileAbilities::block_bytes. Above 512 it costs space: each row group, each of
  // its columns, and at a checkpoint each column again, begins a new block. See max_checkpoint_sectors().
  std::uint16_t block_bytes = 512;

  // Order in which rows arrive, if they do in one; see sorting.h.
  SortOrder sorting = {};

  // Distinguishes this file from remains of others on the same medium. Use a different number for each file:
  // a random number, a time, a session counter. roll() adds 1 for each next file, so leave gaps: session x
  // 1000, say. FileStart::file_id is for a number that is known only at run time.
  std::uint32_t file_id = 0;

  // Checksum of pages, records and footers.
  Crc32 checksum = &crc32_portable;
};

}  // namespace microparquet
