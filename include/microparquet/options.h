// The settings of a writer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "microparquet/crc32.h"
#include "microparquet/layout.h"
#include "microparquet/span.h"

namespace microparquet {

// A column by which the rows of a row group are sorted (parquet.thrift, SortingColumn).
struct SortingColumn {
  std::uint32_t column = 0;  // index in the schema
  bool descending = false;   // the largest value first
  bool nulls_first = false;  // nulls come before values
};

class SortChecker;  // sorting.h

// The order in which rows arrive, according to the caller. Made by sorted_by() of sorting.h. Each row group is
// checked while it is written, and one that breaks the order is not marked as sorted.
struct SortOrder {
  Span<const SortingColumn> columns;     // the caller's, which must stay; the first counts most
  const SortChecker* checker = nullptr;  // compares the rows
};

// A pair of texts of a file's footer (parquet.thrift, KeyValue).
struct KeyValue {
  std::string_view key;    // in UTF-8
  std::string_view value;  // in UTF-8
};

// All members have defaults. Sizes are in bytes.
struct Options {
  // Size of a page with its header. Each column has a buffer of this size, which is most of the memory. At least
  // 128, and a multiple of 8; with whole_sectors a multiple of 512. Each page has a header of about 26 bytes,
  // which small pages spend more often.
  std::uint32_t page_bytes = 512;

  // In place only: pages begin and end on 512-byte sectors, so that a card never reads a sector to change
  // a part of it. Costs the space that the last page of each column in a row group leaves empty.
  bool whole_sectors = true;

  // Where row groups lie until they are whole: in segments of the file, or in the arena. See layout.h.
  const Layout* layout = &kInPlace;

  // A row group ends after this many rows; 0: no such limit.
  std::uint32_t row_group_rows = 0;

  // In place: about the size of a row group in the file, at most 1 GiB. 0: 24 KiB, which grow to 72 KiB by the
  // time the rows take 768 KiB, plus a 32nd of what the rows take, which is at most 64 MiB. Forward: the memory
  // for a row group's pages, part of required_bytes; at least two pages a column.
  std::uint32_t row_group_bytes = 0;

  // tick() ends a row group that is this old; 0: no such limit.
  std::uint32_t row_group_ms = 0;

  // Durability: tick() makes a checkpoint when this time has passed since the last one and the bytes stored
  // since are `checkpoint_ratio` times what a checkpoint costs; at the latest after `max_loss_ms`. 0:
  // checkpoints are made on request only. See durability.h for what a power cut can cost.
  std::uint32_t checkpoint_ms = 60'000;
  // See checkpoint_ms. The same as checkpoint_ms: then a checkpoint comes each time that has passed, whatever it costs.
  std::uint32_t max_loss_ms = 600'000;
  // See checkpoint_ms. Bytes on the file count: rows of half the size have twice the time until one is due.
  std::uint16_t checkpoint_ratio = 32;

  // Forward, for a sink that cannot be read back: how many row groups the arena can remember, each of
  // record_bytes(schema) bytes. 0: the sink can be read. Only a new file can be written so: resume() of one
  // that has bytes is kUnsupported.
  std::uint16_t max_row_groups_in_memory = 0;

  // Bounds of binary columns are shortened to this, 1 to 64. Costs three times as much for each such column.
  std::uint8_t max_bound_bytes = 32;

  // The most key-values that set_key_value() and FileStart can give a file.
  std::uint8_t max_key_values = 4;

  // How many bytes around a write a power cut may destroy: 512, 1,024, 2,048 or 4,096. On an SD card that is one
  // sector. On flash it is the block that is erased first, unless the file system copies it, as ESP-IDF's FAT
  // with 4 KiB sectors does not. What a footer describes then never shares a block with what is written later.
  // Not less than FileAbilities::block_bytes. Above 512 it costs space: each row group, each of its columns,
  // and at a checkpoint each column again, begins a new block. See max_checkpoint_sectors().
  std::uint16_t block_bytes = 512;

  // The order rows arrive in, if they do; see sorting.h.
  SortOrder sorting = {};

  // Distinguishes this file from remains of others on the same medium. Use a different number for each file:
  // a random number, a time, a session counter. roll() adds 1 for each next file, so leave gaps: session x
  // 1000, say. FileStart::file_id is for a number that is known at run time only.
  std::uint32_t file_id = 0;

  // The checksum of pages, records and footers.
  Crc32 checksum = &crc32_portable;
};

}  // namespace microparquet
