#include "item_file.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "item_pages.h"
#include "lake.h"
#include "microparquet/codec_id.h"
#include "microparquet/detail/format/magic.h"

namespace mpq_tool {

namespace {

namespace mpq = microparquet;
namespace format = mpq::format;
namespace rec = mpq::recovery;
using rec::ThriftValue;

constexpr std::uint64_t kMostRowsOfGroup = 1 << 20;
constexpr std::uint64_t kMostBytesOfGroup = 32 << 20;  // they lie in memory

}  // namespace

ItemFile::ItemFile(std::string path, const std::vector<rec::Leaf>& leaves, const rec::Bytes& model,
                   const mpq::Compressor* compressor)
    : path_(std::move(path)), model_(parse_row_group(model)), compressor_(compressor) {
  for (const rec::Leaf& leaf : leaves) {
    chunks_.emplace_back(leaf.element, compressor);
  }
  if (column_chunks(model_).size() != chunks_.size()) {
    throw Failure("a row group has other columns than the schema");
  }
  if (file_.open(path_, false) != mpq::Status::kOk) {
    throw lake_failure(path_, file_.error());
  }
  const auto* const magic = reinterpret_cast<const std::byte*>(format::kMagicText.data());
  write(rec::Bytes(magic, magic + format::kMagicBytes));
}

void ItemFile::write(const rec::Bytes& bytes) {
  if (file_.write_at(at_, bytes) != mpq::Status::kOk) {
    throw lake_failure(path_, file_.error());
  }
  at_ += bytes.size();
}

void ItemFile::end_rows(std::uint64_t rows) {
  rows_ += rows;
  const std::uint64_t bytes =
      std::accumulate(chunks_.begin(), chunks_.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const ItemChunk& chunk) { return sum + chunk.bytes(); });
  if (rows_ >= kMostRowsOfGroup || bytes >= kMostBytesOfGroup) {
    end_row_group();
  }
}

void ItemFile::end_row_group() {
  std::vector<rec::FoundChunk> found;
  std::vector<ThriftValue> statistics;
  for (ItemChunk& chunk : chunks_) {
    MadeChunk made = chunk.take();
    made.found.begin = at_;
    made.found.data_begin += at_;
    made.found.end += at_;
    write(made.pages);
    found.push_back(made.found);
    statistics.push_back(std::move(made.statistics));
  }
  ThriftValue entry = parse_row_group(rec::describe_row_group(model_, found, rows_));
  const mpq::CodecId codec = compressor_ != nullptr ? compressor_->id() : mpq::CodecId::kUncompressed;
  std::vector<ThriftValue>& columns = column_chunks(entry);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    set_chunk_facts(columns[i], codec, std::move(statistics[i]));
  }
  entries_.push_back(entry.serialise());
  rows_ = 0;
}

std::uint64_t ItemFile::finish(const std::vector<rec::FooterField>& fields) {
  if (rows_ != 0) {
    end_row_group();
  }
  const std::uint64_t pages = at_ - format::kMagicBytes;
  write(rec::build_footer(fields, entries_, std::nullopt));
  return pages;
}

namespace {

namespace rec = microparquet::recovery;
using microparquet::Item;
using microparquet::Status;

constexpr std::uint32_t kItemColumnBytes = 64 << 10;
constexpr std::uint64_t kSomeRows = 4096;

}  // namespace

Status ItemRows::read(microparquet::File& file, ItemFile& out) {
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
    status = read_row_group(open.reader(), out);
  }
  return status == Status::kEnd ? Status::kOk : status;
}

// Some rows of each column in turn, so that a row group of `out` may end before that of the file.
Status ItemRows::read_row_group(microparquet::Reader& reader, ItemFile& out) {
  Status status = Status::kOk;
  for (std::uint64_t left = reader.row_group_rows(); left != 0 && status == Status::kOk;) {
    const std::uint64_t rows = std::min(left, kSomeRows);
    for (std::size_t i = 0; i < columns_.size() && status == Status::kOk; ++i) {
      status = read_rows(reader, i, rows, out);
    }
    if (status == Status::kOk) {
      out.end_rows(rows);
    }
    left -= rows;
  }
  return status;
}

// Knows that a row has ended only when the next one begins, or the row group ends.
Status ItemRows::read_rows(microparquet::Reader& reader, std::size_t i, std::uint64_t rows, ItemFile& out) {
  Column& column = columns_[i];
  const std::uint64_t end = column.rows + rows;
  while (true) {
    if (!column.has_item) {
      const Status status = buffers_.with_buffer(reader, i, [&] { return reader.next_item(i, column.item); });
      if (status != Status::kOk) {
        return status != Status::kEnd ? status : column.rows == end ? Status::kOk : Status::kCorrupt;
      }
    }
    column.has_item = column.item.begins_row() && column.rows == end;
    if (column.has_item) {
      return Status::kOk;
    }
    add(column, column.item);
    out.add(i, column.item);
  }
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
