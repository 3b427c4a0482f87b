#include "item_rows.h"

#include <numeric>

namespace mpq_tool {

namespace {

namespace rec = microparquet::recovery;
using microparquet::Item;
using microparquet::Status;

constexpr std::uint32_t kItemColumnBytes = 64 << 10;

}  // namespace

Status ItemRows::read(microparquet::File& file) {
  buffers_.clear();
  rec::OpenFile open;
  Status status = open.open(file);
  std::vector<microparquet::ColumnChoice> choices;
  for (std::uint32_t i = 0; i < columns_.size(); ++i) {
    choices.push_back({i, 0});
  }
  if (status == Status::kOk) {
    status = open.choose_items(choices, kItemColumnBytes);
  }
  while (status == Status::kOk && (status = open.reader().next_row_group()) == Status::kOk) {
    for (std::size_t i = 0; i < columns_.size() && status == Status::kOk; ++i) {
      status = read_column(open.reader(), i);
    }
  }
  return status == Status::kEnd ? Status::kOk : status;
}

Status ItemRows::read_column(microparquet::Reader& reader, std::size_t i) {
  Item item;
  Status status = Status::kOk;
  while ((status = buffers_.with_buffer(reader, i, [&] { return reader.next_item(i, item); })) ==
         Status::kOk) {
    add(columns_[i], item);
  }
  return status == Status::kEnd ? Status::kOk : status;
}

// A row ends where the next one begins.
void ItemRows::add(Column& column, const Item& item) {
  if (item.begins_row()) {
    if (column.rows != 0 && (column.rows & (column.rows - 1)) == 0) {
      column.sums.push_back(column.digest.sum());
    }
    ++column.rows;
  }
  const std::uint8_t levels[] = {item.definition, item.repetition};
  column.digest.add_validity(0, levels, sizeof levels);
  if (!item.cell.null()) {
    const std::string_view text = item.cell.text();
    column.digest.add_texts(0, &text, 1);
  }
}

std::vector<RowsMark> ItemRows::marks() const {
  std::vector<RowsMark> marks;
  const std::uint64_t rows = columns_.empty() ? 0 : columns_.front().rows;
  const auto sum_of = [&](auto sum_of_column) {
    std::uint32_t sum = 0;
    for (const Column& column : columns_) {
      const std::uint32_t part = sum_of_column(column);
      sum = microparquet::crc32_hardware(sum, &part, sizeof part);
    }
    return sum;
  };
  std::uint64_t power = 1;
  for (std::size_t i = 0; power < rows; ++i, power *= 2) {
    marks.push_back({power, sum_of([i](const Column& column) { return column.sums[i]; })});
  }
  if (rows != 0) {
    marks.push_back({rows, sum_of([](const Column& column) { return column.digest.sum(); })});
  }
  return marks;
}

}  // namespace mpq_tool
