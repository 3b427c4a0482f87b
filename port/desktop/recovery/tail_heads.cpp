#include "tail_heads.h"

#include <algorithm>
#include <utility>

#include "format/record_format.h"
#include "microparquet/detail/format/magic.h"
#include "microparquet/detail/sectors.h"
#include "numbers.h"

namespace microparquet::recovery {

namespace {

constexpr std::uint64_t kSector = detail::kSectorBytes;

// Offsets in a head.
enum HeadAt : std::size_t {
  kVersionAt = 4,
  kFileIdAt = 8,
  kSequenceAt = 12,
  kNumberAt = 16,
  kFlagsAt = 20,
  kLivePlaceAt = 22,
  kContinuesAt = 24,
  kFinishedCrcAt = 28,
  kListedBytesAt = 32,
  kListedCrcAt = 36,
  kRowsAt = 40,
  kDescribedRowsAt = 44,
  kTailRowsAt = 48,
  kPagesCrcAt = 56,
  kFormAt = 60,
  kColumnsAt = 64,
};
constexpr std::uint16_t kIsSave = 1;
constexpr std::size_t kColumnBytes = 28;
constexpr std::size_t kForecastBytes = 8;
constexpr std::size_t kLevelsBytes = 36;
constexpr std::size_t kHeadCrcBytes = 4;

std::uint32_t word_at(ByteView bytes, std::size_t at) { return number_at<std::uint32_t>(bytes, at); }

bool is_optional(const Leaf& leaf) { return leaf.element.max_definition_level != 0; }

// Bytes of the columns in a head; those of a schema with levels or byte arrays have forecasts.
std::size_t columns_bytes(const std::vector<Leaf>& leaves, std::size_t forecast) {
  std::size_t bytes = 0;
  for (const Leaf& leaf : leaves) {
    bytes += kColumnBytes + forecast + (is_optional(leaf) ? kLevelsBytes : 0);
  }
  return bytes;
}

class HeadReader {
 public:
  // Without `begin` places may begin anywhere.
  HeadReader(File& file, std::optional<std::uint64_t> begin, std::uint64_t limit,
             const std::vector<Leaf>& leaves)
      : file_(file), begin_(begin), limit_(limit), leaves_(leaves) {}

  // The head at `at`, with pages that may hold.
  bool read(std::uint64_t at, TailHead& head) const {
    const Bytes fixed = read_bytes(file_, at, kColumnsAt);
    if (fixed.empty() || word_at(fixed, 0) != kTailTag ||
        word_at(fixed, kVersionAt) != write::kFormatVersion) {
      return false;
    }
    const std::uint32_t form = word_at(fixed, kFormAt);
    const std::uint64_t place_bytes = (form >> 16) * kSector;
    const std::uint32_t number = word_at(fixed, kNumberAt);
    const std::uint64_t before = number % kTailPlaces * place_bytes;
    if (place_bytes == 0 || at < before || at + place_bytes > limit_ || (begin_ && at != *begin_ + before)) {
      return false;
    }
    head.places = {at - before, kTailPlaces * place_bytes};
    for (const std::size_t forecast : {std::size_t{0}, kForecastBytes}) {
      const std::size_t bytes =
          kColumnsAt + columns_bytes(leaves_, forecast) + (form & 0xFFFF) + kHeadCrcBytes;
      const Bytes whole = bytes <= place_bytes ? read_bytes(file_, at, bytes) : Bytes();
      if (whole.empty() || crc_of(0, ByteView(whole).subspan(0, bytes - kHeadCrcBytes)) !=
                               word_at(whole, bytes - kHeadCrcBytes)) {
        continue;
      }
      take(whole, at, forecast, head);
      return take_pages(whole, place_bytes, head);
    }
    return false;
  }

 private:
  void take(ByteView bytes, std::uint64_t at, std::size_t forecast, TailHead& head) const {
    head.head = {at, (bytes.size() + kSector - 1) / kSector * kSector};
    head.file_id = word_at(bytes, kFileIdAt);
    head.sequence = word_at(bytes, kSequenceAt);
    head.number = word_at(bytes, kNumberAt);
    head.save = (number_at<std::uint16_t>(bytes, kFlagsAt) & kIsSave) != 0;
    head.live_place = number_at<std::uint16_t>(bytes, kLivePlaceAt);
    head.continues = word_at(bytes, kContinuesAt);
    head.finished_crc = word_at(bytes, kFinishedCrcAt);
    head.listed_bytes = word_at(bytes, kListedBytesAt);
    head.listed_crc = word_at(bytes, kListedCrcAt);
    head.rows = word_at(bytes, kRowsAt);
    head.described_rows = word_at(bytes, kDescribedRowsAt);
    head.tail_rows = word_at(bytes, kTailRowsAt);
    std::size_t column = kColumnsAt;
    std::uint64_t page = at + head.head.bytes;
    for (const Leaf& leaf : leaves_) {
      TailColumn& kept = head.columns.emplace_back();
      kept.stored = {word_at(bytes, column) * kSector, word_at(bytes, column + 8)};
      kept.extent_end = kept.stored.begin + word_at(bytes, column + 4);
      kept.first_row = word_at(bytes, column + 12);
      kept.nulls = word_at(bytes, column + 16);
      kept.open = {page, word_at(bytes, column + 20)};
      page += kept.open.bytes;
      column += kColumnBytes + forecast + (is_optional(leaf) ? kLevelsBytes : 0);
    }
    head.place = {at, page - at};
  }

  // False: the head contradicts itself.
  bool take_pages(ByteView bytes, std::uint64_t place_bytes, TailHead& head) const {
    for (const TailColumn& column : head.columns) {
      const bool has_rows = column.first_row != head.rows;
      if (column.first_row > head.rows || has_rows != (column.open.bytes != 0) ||
          column.stored.end() > column.extent_end || (column.first_row != 0) != (column.stored.bytes != 0)) {
        return false;
      }
    }
    if (head.place.bytes > place_bytes) {
      return false;
    }
    const std::uint64_t pages = head.place.bytes - head.head.bytes;
    const Bytes open = read_bytes(file_, head.head.end(), static_cast<std::size_t>(pages));
    head.pages_hold = open.size() == pages && crc_of(0, open) == word_at(bytes, kPagesCrcAt);
    return true;
  }

  File& file_;
  std::optional<std::uint64_t> begin_;
  std::uint64_t limit_;
  const std::vector<Leaf>& leaves_;
};

}  // namespace

std::vector<Leaf> leaves_of(const std::vector<FooterField>& fields) {
  MemoryMedium file;
  Bytes bytes(format::kMagicText.size());
  std::transform(format::kMagicText.begin(), format::kMagicText.end(), bytes.begin(),
                 [](char byte) { return static_cast<std::byte>(byte); });
  append(bytes, build_footer(fields, {}, std::nullopt));
  std::vector<Leaf> leaves;
  OpenFile open;
  if (file.write_at(0, bytes) != Status::kOk || open.open(file) != Status::kOk ||
      open.read_leaves(leaves) != Status::kOk) {
    leaves.clear();
  }
  return leaves;
}

std::vector<TailHead> heads_at(File& file, std::uint64_t begin, std::uint64_t limit,
                               const std::vector<Leaf>& leaves) {
  constexpr std::uint64_t kMostBytes = 4 << 20;  // what is made to cost time
  limit = std::min({limit, begin + kMostBytes, bytes_of(file)});
  const HeadReader reader(file, begin, limit, leaves);
  std::vector<TailHead> heads;
  for (std::uint64_t at = begin; !leaves.empty() && at + kSector <= limit; at += kSector) {
    TailHead head;
    if (reader.read(at, head)) {
      heads.push_back(std::move(head));
    }
  }
  return heads;
}

std::optional<TailHead> head_at(File& file, std::uint64_t at, const std::vector<Leaf>& leaves) {
  TailHead head;
  const HeadReader reader(file, std::nullopt, bytes_of(file), leaves);
  return reader.read(at, head) ? std::optional(std::move(head)) : std::nullopt;
}

}  // namespace microparquet::recovery
