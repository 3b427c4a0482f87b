#include "merged_rows.h"

#include <algorithm>
#include <string_view>

#include "microparquet/schema.h"
#include "read_failure.h"

namespace mpq_tool {

namespace {

namespace mpq = microparquet;
using mpq::Status;

constexpr std::uint64_t kMostBlockRows = 8192;
// A Writer asks all columns again how many rows they take, whenever the page of one is full.
constexpr std::uint64_t kMostBlockValues = 65'536;
constexpr std::uint64_t kMostBlockBytes = 8 << 20;
constexpr std::uint64_t kMostReaderBytes = 16 << 20;  // of the columns that are read

std::uint64_t bytes_in_memory(const MergedColumn& column) {
  const std::uint32_t width = mpq::value_bytes(column.element.type, column.element.type_length);
  return width != 0 ? width : sizeof(std::string_view);
}

}  // namespace

std::size_t rows_at_once(const MergeInput& input, const MergedColumns* columns) {
  std::uint64_t bytes = 0;
  if (columns != nullptr) {
    for (const MergedColumn& column : columns->all()) {
      bytes += bytes_in_memory(column);
    }
  }
  const std::uint64_t fitting = kMostBlockBytes / std::max<std::uint64_t>({input.row_bytes, bytes, 1});
  const std::size_t width =
      std::max(input.schema->columns.size(), columns != nullptr ? columns->all().size() : 1);
  const std::uint64_t asked = kMostBlockValues / std::max<std::size_t>(width, 1);
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(std::min(fitting, asked), 1, kMostBlockRows));
}

InputRows::InputRows(const MergeInput& input) : file_(*input.file) {
  const std::vector<Column>& columns = file_.columns();
  const bool are_the_same =
      std::equal(columns.begin(), columns.end(), input.schema->columns.begin(), input.schema->columns.end(),
                 [](const Column& a, const Column& b) {
                   return a.name == b.name && a.element.type == b.element.type &&
                          a.element.type_length == b.element.type_length &&
                          a.element.max_definition_level == b.element.max_definition_level;
                 });
  if (!are_the_same || file_.reader().rows() < input.rows) {
    throw Failure(file_.name() + ": it has changed while it was read; merge again");
  }
  file_.limit_memory(kMostReaderBytes);
  file_.choose(columns);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    blocks_.emplace_back(columns[i].element, i);
  }
  data_.resize(columns.size());
}

std::size_t InputRows::next(std::size_t most) {
  while (left_ == 0) {
    if (!file_.next_row_group()) {
      return 0;
    }
    left_ = file_.reader().row_group_rows();
  }
  const auto rows = static_cast<std::size_t>(std::min<std::uint64_t>({left_, most, fitting_}));
  while (!file_.take_read(read(rows), file_.reader().row_group(), rows)) {
  }
  left_ -= rows;
  note_bytes(rows);
  return rows;
}

// A text in a dictionary may come again in every row, which no size in the footer tells.
void InputRows::note_bytes(std::size_t rows) {
  constexpr std::uint64_t kGrowth = 8;
  std::uint64_t bytes = 0;
  for (const ColumnBlock& block : blocks_) {
    bytes += block.text_bytes();
  }
  const std::uint64_t each = std::max<std::uint64_t>(bytes / rows, 1);
  fitting_ = std::clamp<std::uint64_t>(kMostBlockBytes / each, 1, kGrowth * fitting_);
}

Status InputRows::read(std::size_t rows) {
  Status status = Status::kOk;
  for (std::size_t i = 0; i < blocks_.size() && status == Status::kOk; ++i) {
    status = blocks_[i].read(file_.reader(), file_.buffers(), rows, nullptr);
    data_[i] = blocks_[i].data();
  }
  return status;
}

MergedRows::MergedRows(const MergedColumns& columns, const MergeInput& input, std::size_t most)
    : sources_(columns.sources_in(input)), data_(sources_.size()), invalid_(most) {
  std::uint64_t widest = 0;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    widest = std::max(widest, sources_[i] ? 0 : bytes_in_memory(columns.all()[i]));
  }
  zeros_.resize(static_cast<std::size_t>(most * widest / sizeof zeros_[0] + 1));
}

const std::vector<mpq::ColumnData>& MergedRows::convert(const std::vector<mpq::ColumnData>& from,
                                                        std::size_t rows) {
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const std::optional<ColumnSource>& source = sources_[i];
    data_[i] = !source              ? mpq::ColumnData{zeros_.data(), invalid_.data()}
               : source->conversion ? source->conversion(from[source->number], rows)
                                    : from[source->number];
  }
  return data_;
}

}  // namespace mpq_tool
