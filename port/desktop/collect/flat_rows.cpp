#include "flat_rows.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace mpq_tool {

namespace {

namespace rec = microparquet::recovery;
using microparquet::Status;

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
      status = blocks_[i].read(reader, buffers_, rows, digest_);
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

// How many rows to read next: up to a mark, or a block.
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
