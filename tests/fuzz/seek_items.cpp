#include "seek_items.h"

#include <vector>

#include "fuzz_input.h"
#include "microparquet/read_all.h"
#include "microparquet/static_nested_reader.h"

namespace {

using namespace microparquet;

constexpr std::uint64_t kMostItems = 2000;

// Columns by the names that the seeds use.
struct Lists {
  List<std::optional<std::int64_t>, 2> numbers;
  std::optional<List<std::optional<Text<4>>, 2>> texts;
};
inline constexpr auto kLists = schema(list("int64_list", &Lists::numbers), list("utf8_list", &Lists::texts));

// Rows that begin from here on to the end of the column, over pages that are corrupt.
struct Rest {
  std::uint64_t rows = 0;
  std::uint64_t missing = 0;
  Status status = Status::kOk;
};
Rest read_rest(Reader& reader, std::size_t i) {
  Rest rest;
  bool at_row = true;
  for (std::uint64_t items = 0; items < kMostItems; ++items) {
    Item item;
    rest.status = reader.next_item(i, item);
    if (rest.status == Status::kCorrupt) {
      std::uint64_t rows = 0;
      if (reader.skip_page_of_items(i, rows) != Status::kOk) return rest;
      rest.missing += rows;
      at_row = true;
      continue;
    }
    if (rest.status != Status::kOk) return rest;
    if (at_row && !item.begins_row()) std::abort();
    at_row = false;
    rest.rows += item.begins_row() ? 1 : 0;
  }
  return rest;
}

// Seeks to a row, and checks that the rows from there on are as many as the row group says.
void seek_in_column(Reader& reader, std::size_t i, std::uint64_t row) {
  const std::uint64_t rows = reader.row_group_rows();
  const Status status = reader.seek_items(i, row);
  if (status == Status::kInvalidArgument && row <= rows) std::abort();
  if (status != Status::kOk) return;
  const Rest rest = read_rest(reader, i);
  if (rest.status == Status::kEnd && rest.rows + rest.missing != rows - row) std::abort();
}

void seek_rows(FuzzInput& file, std::uint32_t buffer_bytes, unsigned first) {
  constexpr std::size_t kMostColumns = 4;
  const ReaderOptions options = options_for_items(buffer_bytes);
  const auto choose = [](Reader& chosen) { return choose_items_of_first(chosen, kMostColumns); };
  std::vector<std::uint64_t> arena(12288);
  Reader reader;
  if (!open_exactly(reader, file, options, arena, choose)) return;
  for (std::uint32_t group = 0; group < reader.row_groups() && group < 3; ++group) {
    for (std::size_t i = 0; i < reader.chosen(); ++i) {
      if (reader.seek_row_group(group) != Status::kOk) return;
      const std::uint64_t rows = reader.row_group_rows();
      seek_in_column(reader, i, rows == 0 ? 0 : first % rows);
    }
  }
}

void read_into_structs(FuzzInput& file, unsigned first) {
  static constexpr ReaderOptions kOptions = [] {
    ReaderOptions options;
    options.decoders = kAllDecoders;
    options.checksum = nullptr;
    return options;
  }();
  static StaticReader<kLists, kOptions, 4> reader;
  if (reader.open(file) != Status::kOk) return;
  Lists row;
  for (unsigned turn = 0; turn < 200; ++turn) {
    const unsigned what = (turn * 7 + first) % 11;
    const Status status = what == 0   ? reader.skip()
                          : what == 1 ? reader.seek_row(0, first % 5)
                          : what < 5  ? reader.more(row)
                                      : reader.next(row);
    if (status == Status::kEnd || status == Status::kCorrupt) return;
    if (row.numbers.size() > 2 || (row.texts && row.texts->size() > 2)) std::abort();
  }
}

}  // namespace

void seek_items_every_way(const std::uint8_t* data, std::size_t size) {
  FuzzInput file(data, size);
  const unsigned first = size != 0 ? data[size / 2] : 0;
  for (const std::uint32_t buffer_bytes : {64U, 4096U}) seek_rows(file, buffer_bytes, first);
  read_into_structs(file, first);
}
