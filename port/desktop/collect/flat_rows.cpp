#include "flat_rows.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace mpq_tool {

namespace {

using microparquet::AnyBatch;
using microparquet::Status;

}  // namespace

ColumnBlock::ColumnBlock(const microparquet::SchemaElement& element, std::size_t column)
    : column_(column),
      width_(microparquet::value_bytes(element.type, element.type_length)),
      optional_(element.max_definition_level != 0) {}

Status ColumnBlock::read(microparquet::Reader& reader, microparquet::desktop::ColumnBuffers& buffers,
                         std::size_t rows, RowsDigest* digest) {
  rows_ = values_ = 0;
  characters_.clear();
  ends_.clear();
  valid_.resize(rows);
  texts_.resize(width_ == 0 ? rows : 0);
  numbers_.resize(rows * width_ / sizeof numbers_[0] + 1);
  while (rows_ < rows) {
    const Status status = read_some(reader, buffers, rows);
    if (status != Status::kOk) {
      return status == Status::kEnd ? Status::kCorrupt : status;
    }
  }
  if (width_ == 0) {
    view_texts();
  }
  if (digest != nullptr) {
    add_to(*digest);
  }
  if (optional_) {
    spread_values();
  }
  return Status::kOk;
}

void ColumnBlock::add_to(RowsDigest& digest) const {
  if (width_ == 0) {
    digest.add_texts(column_, texts_.data(), values_);
  } else {
    digest.add_values(column_, numbers_.data(), values_ * width_);
  }
  if (optional_) {
    digest.add_validity(column_, valid_.data(), rows_);
  }
}

Status ColumnBlock::read_some(microparquet::Reader& reader, microparquet::desktop::ColumnBuffers& buffers,
                              std::size_t rows) {
  AnyBatch batch;
  batch.places = rows - rows_;
  batch.definition_levels = optional_ ? valid_.data() + rows_ : nullptr;
  batch.values = width_ == 0 ? static_cast<void*>(texts_.data())
                             : reinterpret_cast<std::byte*>(numbers_.data()) + values_ * width_;
  const Status status =
      buffers.with_buffer(reader, column_, [&] { return reader.next_batch(column_, batch); });
  if (status != Status::kOk) {
    return status;
  }
  if (width_ == 0) {
    take_texts(batch.value_count);
  }
  rows_ += batch.level_count;
  values_ += batch.value_count;
  return Status::kOk;
}

// Takes texts, whose bytes lie in the reader until its next call.
void ColumnBlock::take_texts(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    characters_.insert(characters_.end(), texts_[i].begin(), texts_[i].end());
    ends_.push_back(characters_.size());
  }
}

void ColumnBlock::view_texts() {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < values_; ++i) {
    texts_[i] = {characters_.data() + begin, ends_[i] - begin};
    begin = ends_[i];
  }
}

// Values move to the places of their rows, the last first.
template <typename T>
void ColumnBlock::spread(T* values) const {
  std::size_t value = values_;
  for (std::size_t row = rows_; row-- != 0;) {
    values[row] = valid_[row] != 0 ? values[--value] : T();
  }
}

void ColumnBlock::spread_values() {
  if (values_ == rows_) {
    return;
  }
  switch (width_) {
    case 0: spread(texts_.data()); return;
    case 1: spread(reinterpret_cast<std::uint8_t*>(numbers_.data())); return;
    case sizeof(std::uint32_t): spread(reinterpret_cast<std::uint32_t*>(numbers_.data())); return;
    case sizeof(std::uint64_t): spread(numbers_.data()); return;
    default: break;
  }
  auto* const values = reinterpret_cast<std::byte*>(numbers_.data());
  std::size_t value = values_;
  for (std::size_t row = rows_; row-- != 0;) {
    if (valid_[row] != 0) {
      std::memmove(values + row * width_, values + --value * width_, width_);
    }
  }
}

microparquet::ColumnData ColumnBlock::data() const {
  return {width_ == 0 ? static_cast<const void*>(texts_.data()) : numbers_.data(),
          optional_ ? valid_.data() : nullptr};
}

namespace {

namespace rec = microparquet::recovery;

constexpr std::uint64_t kRowsAtOnce = 8192;
constexpr std::uint32_t kBlockColumnBytes = 64 << 10;

bool is_power_of_two(std::uint64_t number) { return (number & (number - 1)) == 0; }

}  // namespace

FlatRows::FlatRows(const std::vector<rec::Leaf>& leaves, std::set<std::uint64_t> marked)
    : marked_(std::move(marked)), digest_(leaves.size()) {
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    blocks_.emplace_back(leaves[i].element, i);
  }
  data_.resize(leaves.size());
}

Status FlatRows::read(microparquet::File& file, const Take& take) {
  buffers_.clear();
  rec::OpenFile open;
  std::vector<std::uint32_t> columns(blocks_.size());
  std::iota(columns.begin(), columns.end(), 0);
  Status status = open.open(file);
  if (status == Status::kOk) {
    status = open.choose(columns, kBlockColumnBytes);
  }
  while (status == Status::kOk && (status = open.reader().next_row_group()) == Status::kOk) {
    status = read_row_group(open.reader(), take);
  }
  return status == Status::kEnd ? Status::kOk : status;
}

Status FlatRows::read_row_group(microparquet::Reader& reader, const Take& take) {
  std::uint64_t left = reader.row_group_rows();
  Status status = Status::kOk;
  while (left != 0 && status == Status::kOk) {
    const std::size_t rows = rows_to_mark(left);
    for (std::size_t i = 0; i < blocks_.size() && status == Status::kOk; ++i) {
      status = blocks_[i].read(reader, buffers_, rows, &digest_);
      data_[i] = blocks_[i].data();
    }
    if (status == Status::kOk) {
      status = take(data_, rows);
    }
    left -= rows;
    rows_ += rows;
    if (is_power_of_two(rows_) || marked_.count(rows_) != 0) {
      mark();
    }
  }
  return status;
}

// Number of rows to read next: up to a mark, or a block.
std::size_t FlatRows::rows_to_mark(std::uint64_t left) const {
  std::uint64_t power = 1;
  while (power <= rows_) {
    power *= 2;
  }
  std::uint64_t rows = std::min({kRowsAtOnce, left, power - rows_});
  if (const auto next = marked_.upper_bound(rows_); next != marked_.end()) {
    rows = std::min(rows, *next - rows_);
  }
  return static_cast<std::size_t>(rows);
}

void FlatRows::mark() { marks_.push_back({rows_, digest_.sum()}); }

std::vector<RowsMark> FlatRows::marks() const {
  std::vector<RowsMark> marks = marks_;
  if (rows_ != 0 && (marks.empty() || marks.back().rows != rows_)) {
    marks.push_back({rows_, digest_.sum()});
  }
  return marks;
}

}  // namespace mpq_tool
