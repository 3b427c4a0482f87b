// Size statistics of pages. Both parts of a page index hold some of them, as lists over all pages.
#include "base/try.h"
#include "format/page_index_reader.h"
#include "microparquet/detail/reader_access.h"
#include "microparquet/size_statistics.h"
#include "read/index_places.h"
#include "read/listed_numbers.h"

namespace microparquet {

namespace {

using Pages = Span<SizeStatistics>;
using Numbers = Span<std::uint64_t>;

// Reads the byte counts of byte arrays. `memory` has at least one number for each page.
void read_text_bytes(thrift::CompactReader& in, Numbers memory, Pages pages) {
  format::read_text_bytes(in, [&](std::uint32_t size) {
    const Numbers bytes = memory.subspan(0, pages.size());
    if (!read::take_numbers(in, size, bytes)) return;
    for (std::size_t page = 0; page < pages.size(); ++page) {
      pages[page].has_byte_array_bytes = true;
      pages[page].byte_array_bytes = bytes[page];
    }
  });
}

// Returns a function that reads the next numbers of an index into `numbers`, page after page, and sets
// `levels` of each page to its share.
auto take_levels(thrift::CompactReader& in, Numbers numbers, Pages pages,
                 Span<const std::uint64_t> SizeStatistics::* levels) {
  return [&in, numbers, pages, levels](std::uint32_t size) {
    if (!read::take_numbers(in, size, numbers)) return;
    const std::size_t count = numbers.size() / pages.size();
    for (std::size_t page = 0; page < pages.size(); ++page)
      pages[page].*levels = Span<const std::uint64_t>(numbers.data() + page * count, count);
  };
}

void forget(Pages pages) {
  for (SizeStatistics& page : pages) page = {};
}

}  // namespace

Status page_size_statistics(Reader& reader, std::uint32_t column, Span<std::uint64_t> memory,
                            Span<SizeStatistics> result) {
  forget(result);
  detail::ReaderState& state = detail::ReaderAccess::state(reader);
  format::IndexPlaces places;
  MICROPARQUET_TRY(read::find_index_places(state, column, places));
  if (result.empty()) return Status::kOk;
  const std::uint64_t pages = result.size();
  const std::uint64_t all_definition = pages * (state.leaves[column].max_definition + 1U);
  const std::uint64_t all_repetition = pages * (state.leaves[column].max_repetition + 1U);
  state.needed_bytes = (all_definition + all_repetition) * sizeof(std::uint64_t);
  if (memory.size() < all_definition + all_repetition) return Status::kOutOfMemory;
  const auto definition = static_cast<std::size_t>(all_definition);
  const auto repetition = static_cast<std::size_t>(all_repetition);
  Status status = Status::kOk;
  if (read::enter_index(state, places.offset_index)) {
    thrift::CompactReader in(state.footer);
    read_text_bytes(in, memory, result);
    status = in.status();
  }
  if (status == Status::kOk && read::enter_index(state, places.column_index)) {
    thrift::CompactReader in(state.footer);
    format::read_level_counts(
        in, take_levels(in, memory.subspan(0, definition), result, &SizeStatistics::definition),
        take_levels(in, memory.subspan(definition, repetition), result, &SizeStatistics::repetition));
    status = in.status();
  }
  if (status != Status::kOk) forget(result);
  status = read::as_no_index(status);
  return status == Status::kEnd ? Status::kOk : status;
}

}  // namespace microparquet
