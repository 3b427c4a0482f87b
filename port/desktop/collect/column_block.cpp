#include "column_block.h"

#include <algorithm>
#include <cstring>

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
                         std::size_t rows, RowsDigest& digest) {
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
    digest.add_texts(column_, texts_.data(), values_);
  } else {
    digest.add_values(column_, numbers_.data(), values_ * width_);
  }
  if (optional_) {
    digest.add_validity(column_, valid_.data(), rows_);
    spread_values();
  }
  return Status::kOk;
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

// Their bytes lie in the reader until its next call.
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

}  // namespace mpq_tool
