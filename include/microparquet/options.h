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

// The order in which the caller says rows arrive. Made by sorted_by() of sorting.h. Each row group is checked
// while it is written, and one that breaks the order is not marked as sorted.
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
  // Size of a page with its header. One buffer of it for each column: it is most of the memory. At least
  // 128, a multiple of 8; with whole sectors a multiple of 512. Small pages cost about 26 bytes of header
  // each.
  std::uint32_t page_bytes = 512;

  // In place only: pages begin and end on 512-byte sectors, so that a card never reads a sector to change
  // a part of it. Costs what the last page of a column in a row group leaves empty.
  bool whole_sectors = true;

  // Where row groups lie until they are whole: in segments of the file, or in the arena. See layout.h.
  const Layout* layout = &kInPlace;

  // A row group ends after this many rows; 0: no such limit.
  std::uint32_t row_group_rows = 0;

  // In place: a row group's size on the file is about this; 0: 24 KiB, which grow to 72 while the rows come to
  // take 768, and a 32nd of what they take, up to 64 MiB. At most 1 GiB. Forward: the memory for a row group's
  // pages, part of required_bytes; at least two pages a column.
  std::uint32_t row_group_bytes = 0;

  // A row group ends when it is this old by tick(); 0: no such limit.
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

  // How many key-values set_key_value() and FileStart have space for.
  std::uint8_t max_key_values = 4;

  // What a power cut in the middle of a write may take: 512, 1,024, 2,048 or 4,096 bytes around it. An SD
  // card tears no more than a sector; flash below a file system without copies, as ESP-IDF's with sectors of
  // 4 KiB, tears the block that it erases first. What a footer describes then shares no block with what is
  // written after it. Not less than FileAbilities::block_bytes. Above 512 it costs space: each row group,
  // each column of it, and at a checkpoint each column again, continue at the next block. See
  // max_checkpoint_sectors().
  std::uint16_t block_bytes = 512;

  // The order rows arrive in, if they do; see sorting.h.
  SortOrder sorting = {};

  // Distinguishes this file from remains of others on the same medium. Use a different number for each file:
  // a random number, a time, a session counter. roll() adds 1 for each next file, so leave gaps: session x
  // 1000, say. FileStart::file_id is for a number that is known at run time only.
  std::uint32_t file_id = 0;

  // The checksum of pages, records and footers.
  Crc32 checksum = &crc32;
};

}  // namespace microparquet
