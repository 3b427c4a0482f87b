#include "microparquet/size_statistics.h"

#include "base/try.h"
#include "format/row_group_reader.h"
#include "format/size_statistics_reader.h"
#include "microparquet/detail/reader_access.h"
#include "read/index_places.h"
#include "read/listed_numbers.h"

namespace microparquet {

namespace {

using Levels = Span<std::uint64_t>;

// Reads each list of numbers, if it has one number for each level.
struct PartsOfSizes {
  thrift::CompactReader& in;
  Levels definition_places;
  Levels repetition_places;
  SizeStatistics& result;

  void byte_array_bytes(std::uint64_t bytes) const {
    result.has_byte_array_bytes = true;
    result.byte_array_bytes = bytes;
  }
  void definition(std::uint32_t size) const { take(size, definition_places, result.definition); }
  void repetition(std::uint32_t size) const { take(size, repetition_places, result.repetition); }

 private:
  void take(std::uint32_t size, Levels places, Span<const std::uint64_t>& levels) const {
    if (read::take_numbers(in, size, places)) levels = Span<const std::uint64_t>(places.data(), size);
  }
};

}  // namespace

Status size_statistics(Reader& reader, std::uint32_t column, Span<std::uint64_t> memory,
                       SizeStatistics& result) {
  result = {};
  detail::ReaderState& state = detail::ReaderAccess::state(reader);
  MICROPARQUET_TRY(read::enter_entry(state, column));
  const std::uint32_t definition = state.leaves[column].max_definition + 1U;
  const std::uint32_t repetition = state.leaves[column].max_repetition + 1U;
  state.needed_bytes = (definition + repetition) * sizeof(std::uint64_t);
  if (memory.size() < definition + repetition) return Status::kOutOfMemory;
  thrift::CompactReader in(state.footer);
  const PartsOfSizes parts = {in, memory.subspan(0, definition), memory.subspan(definition, repetition),
                              result};
  format::read_size_statistics(in, parts);
  if (!in.ok()) result = {};
  const Status status = read::as_no_index(in.status());
  return status == Status::kEnd ? Status::kOk : status;
}

}  // namespace microparquet
