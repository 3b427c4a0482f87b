// The notes that a column takes for its index while its values are written: bits of a bloom filter, sizes of
// texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "microparquet/desktop/full_index.h"
#include "microparquet/detail/column_writer.h"
#include "microparquet/span.h"

namespace microparquet::desktop {

// Adds the value, as PLAIN has it, a byte array without its length, to whole blocks.
void add_to_filter(Span<std::byte> filter, Span<const std::byte> value);

// The notes of a NotedColumn on its column in the open row group.
struct NotedColumn::Notes {
  Encoder::Put* put;
  Span<std::byte> filter;
  std::uint64_t open_text_bytes;               // bytes of the byte arrays in the open page
  std::vector<std::uint64_t> page_text_bytes;  // bytes of those in each stored page
  // Begin and end of the filter in the file, from PageNotes::begin.
  std::uint32_t filter_begin;
  std::uint32_t filter_end;

  void forget();
  // The open page is stored.
  void end_page();
};

// Null: its encoder is no NotedColumn.
NotedColumn::Notes* notes_in(const microparquet::detail::ColumnWriter& column);
NotedColumn::Notes* notes_in(const Encoder& encoder);

// Empty: the column has none, whatever memory it was given: of a boolean there are two values, of which a filter would tell
// nothing. `notes`: null, too.
Span<std::byte> filter_of(const NotedColumn::Notes* notes, Type type);

}  // namespace microparquet::desktop
