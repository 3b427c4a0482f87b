#include "item_file.h"

#include <numeric>
#include <utility>

#include "item_pages.h"
#include "lake_failure.h"
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

}  // namespace mpq_tool
