#include "support/file_view.h"

#include <cstring>

namespace view {
namespace {

constexpr char kMagic[] = "PAR1";
constexpr int kBoolean = 0;
constexpr int kByteArray = 6;
constexpr int kFixedLenByteArray = 7;
constexpr std::uint32_t kMiniblocks = 4;  // of a block of differences
constexpr std::uint32_t kMiniblock = 32;  // values

std::uint32_t load32(const std::byte* at) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<std::uint32_t>(at[i]);
  return value;
}

bool magic_at(const std::byte* at) { return std::memcmp(at, kMagic, 4) == 0; }

std::uint32_t width_of(int type, std::uint32_t type_length) {
  constexpr std::uint32_t kWidths[] = {0, 4, 8, 12, 4, 8, 0};
  return type == kFixedLenByteArray ? type_length : kWidths[type];
}

// The CRC of each byte, computed bit by bit once: emulated boards spend much of their time with checksums.
struct CrcsOfBytes {
  constexpr CrcsOfBytes() {
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      of[byte] = byte;
      for (int bit = 0; bit < 8; ++bit) of[byte] = of[byte] >> 1 ^ (0xEDB88320 & (0 - (of[byte] & 1)));
    }
  }
  std::uint32_t of[256] = {};
};
constexpr CrcsOfBytes kCrcs;

}  // namespace

std::uint32_t plain_crc32(const std::byte* data, std::size_t bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (std::size_t i = 0; i < bytes; ++i) {
    crc = crc >> 8 ^ kCrcs.of[(crc ^ static_cast<std::uint32_t>(data[i])) & 0xFF];
  }
  return ~crc;
}

bool File::whole() const {
  const std::size_t size = bytes_.size();
  if (size < 12 || !magic_at(bytes_.data()) || !magic_at(bytes_.data() + size - 4)) return false;
  if (load32(bytes_.data() + size - 8) > size - 12) return false;
  return footer().end() == bytes_.data() + size - 8;
}

std::uint32_t File::footer_begin() const {
  const auto size = static_cast<std::uint32_t>(bytes_.size());
  return size - 8 - load32(bytes_.data() + size - 8);
}

Struct File::footer() const { return Struct(bytes_.data() + footer_begin()); }

Struct File::column(std::uint32_t row_group_index, std::uint32_t column_index) const {
  return row_group(row_group_index).list(id::kColumns).structure(column_index).structure(id::kMetaData);
}

Struct File::statistics(std::uint32_t row_group_index, std::uint32_t column_index) const {
  return column(row_group_index, column_index).structure(id::kStatistics);
}

std::string_view File::key_value(std::string_view key) const {
  const List list = footer().list(id::kKeyValues);
  for (std::uint32_t i = 0; i < list.size(); ++i) {
    if (list.structure(i).text(1) == key) return list.structure(i).text(2);
  }
  return {};
}

bool Deltas::begin(const std::byte*& at, const std::byte* end, std::uint32_t width) {
  if (end - at < 5) return false;
  const std::uint64_t block = varint(at);
  const std::uint64_t miniblocks = varint(at);
  left_ = static_cast<std::uint32_t>(varint(at));
  value_ = static_cast<std::uint64_t>(zigzag(at));
  first_ = true;
  width_ = width;
  miniblock_ = kMiniblocks;
  in_miniblock_ = 0;
  return block == kMiniblocks * kMiniblock && miniblocks == kMiniblocks && left_ != 0 && at <= end &&
         (width == 4 || width == 8);
}

bool Deltas::find_miniblock(const std::byte*& at, const std::byte* end) {
  if (in_miniblock_ != 0) return true;
  if (miniblock_ == kMiniblocks) {
    if (end - at < 1 + static_cast<int>(kMiniblocks)) return false;
    least_ = static_cast<std::uint64_t>(zigzag(at));
    widths_ = at;
    at += kMiniblocks;
    miniblock_ = 0;
  }
  if (at > end) return false;
  bits_ = static_cast<std::uint32_t>(widths_[miniblock_++]);
  in_miniblock_ = kMiniblock;
  bit_ = 0;
  return bits_ <= 8 * width_ && end - at >= static_cast<int>(4 * bits_);
}

// The next number of the miniblock at `at`.
std::uint64_t Deltas::take(const std::byte* at) {
  std::uint64_t number = 0;
  for (std::uint32_t i = 0; i < bits_; ++i, ++bit_)
    number |= static_cast<std::uint64_t>(static_cast<unsigned>(at[bit_ / 8]) >> bit_ % 8 & 1U) << i;
  --in_miniblock_;
  return number;
}

// The miniblock's numbers after the last value are zeros, and the miniblocks after it have none.
bool Deltas::next(const std::byte*& at, const std::byte* end, std::string_view& bytes) {
  if (left_ == 0) return false;
  if (!first_) {
    if (!find_miniblock(at, end)) return false;
    value_ += least_ + take(at);
  }
  first_ = false;
  if (--left_ == 0) {
    while (in_miniblock_ != 0) {
      if (take(at) != 0) return false;
    }
    while (miniblock_ != kMiniblocks) {
      if (widths_[miniblock_++] != std::byte{0}) return false;
    }
  }
  if (in_miniblock_ == 0 && bit_ != 0) {
    at += 4 * bits_;
    bit_ = 0;
  }
  for (std::uint32_t i = 0; i < width_; ++i) plain_[i] = static_cast<std::byte>(value_ >> 8 * i & 0xFF);
  bytes = {reinterpret_cast<const char*>(plain_), width_};
  return true;
}

Column::Column(const File& file, std::uint32_t column) : file_(file), column_(column) {
  const Struct element = file.schema(column);
  type_ = static_cast<int>(element.integer(1));
  width_ = width_of(type_, static_cast<std::uint32_t>(element.integer(2)));
  optional_ = element.integer(3) == 1;
  row_groups_ = file.row_groups();
  if (row_groups_ != 0) next_group_ = file.row_group(0);
}

bool Column::fail() {
  sound_ = false;
  left_ = 0;
  return false;
}

bool Column::next_chunk() {
  if (chunk_left_ != 0 || page_end_ != chunk_end_) return fail();
  if (row_group_ == row_groups_) return false;
  const Struct group = next_group_;
  next_group_ = Struct(group.end());  // they stand one after another: to look each up would be quadratic
  ++row_group_;
  const Struct meta = group.list(id::kColumns).structure(column_).structure(id::kMetaData);
  const auto first_data_page = static_cast<std::uint32_t>(meta.integer(id::kDataPageOffset));
  const auto dictionary = static_cast<std::uint32_t>(meta.integer(id::kDictionaryOffset));
  page_end_ = dictionary != 0 ? dictionary : first_data_page;
  chunk_end_ = page_end_ + static_cast<std::uint32_t>(meta.integer(id::kStoredSize));
  chunk_left_ = meta.integer(id::kNumValues);
  const bool right = page_end_ >= 4 && chunk_end_ <= file_.footer_begin() && chunk_left_ > 0 &&
                     chunk_left_ == group.integer(id::kGroupRows) &&
                     meta.integer(id::kPhysicalType) == type_ &&
                     meta.integer(id::kRawSize) == meta.integer(id::kStoredSize);
  entries_ = 0;
  if (!right) return fail();
  return dictionary == 0 || (take_dictionary() && page_end_ == first_data_page) || fail();
}

// The page at page_end_, which moves past it.
bool Column::take_dictionary() {
  const Struct header(file_.bytes().data() + page_end_);
  const std::byte* const body = header.end();
  const auto bytes = static_cast<std::uint32_t>(header.integer(3));
  dictionary_ = body;
  entries_ = static_cast<std::uint32_t>(header.structure(7).integer(1));
  page_end_ = static_cast<std::uint32_t>(body - file_.bytes().data()) + bytes;
  return header.integer(1) == 2 && header.integer(2) == bytes && header.structure(7).integer(2) == 0 &&
         page_end_ < chunk_end_ && bytes == entries_ * width_ &&
         static_cast<std::uint32_t>(header.integer(4)) == plain_crc32(body, bytes);
}

bool Column::next_page() {
  if (page_end_ == chunk_end_ && !next_chunk()) return false;
  page_begin_ = page_end_;
  header_ = Struct(file_.bytes().data() + page_begin_);
  const Struct data = header_.structure(5);
  const std::byte* const body = header_.end();
  const auto bytes = static_cast<std::uint32_t>(header_.integer(3));
  page_end_ = static_cast<std::uint32_t>(body - file_.bytes().data()) + bytes;
  left_ = static_cast<std::uint32_t>(data.integer(1));
  chunk_left_ -= left_;
  const bool right = header_.integer(1) == 0 && header_.integer(2) == bytes && page_end_ <= chunk_end_ &&
                     left_ != 0 && chunk_left_ >= 0 && data.integer(3) == 3 && data.integer(4) == 3;
  if (!right) return fail();
  if (static_cast<std::uint32_t>(header_.integer(4)) != plain_crc32(body, bytes)) return fail();
  ++pages_;
  values_ = body;
  values_end_ = body + bytes;
  bit_ = 0;
  run_left_ = 0;
  if (optional_) {
    levels_ = body + 4;
    levels_end_ = levels_ + load32(body);
    values_ = levels_end_;
  }
  return (values_ <= values_end_ && begin_values(data.integer(2))) || fail();
}

bool Column::begin_values(std::int64_t encoding) {
  constexpr std::int64_t kPlain = 0;
  constexpr std::int64_t kDeltaBinaryPacked = 5;
  constexpr std::int64_t kRleDictionary = 8;
  constexpr std::byte kBitWidth{8};
  indexed_ = encoding == kRleDictionary;
  packed_values_ = encoding == kDeltaBinaryPacked;
  index_run_ = 0;
  if (packed_values_) return deltas_.begin(values_, values_end_, width_);
  if (!indexed_) return encoding == kPlain;
  if (values_ == values_end_) return false;  // a page of nulls may have an empty dictionary
  const std::byte bit_width = *values_++;
  return bit_width == kBitWidth;
}

bool Column::next_index() {
  if (index_run_ == 0) {
    if (values_end_ - values_ < 2) return fail();
    const auto head = static_cast<std::uint32_t>(varint(values_));
    index_run_ = head >> 1;
    index_ = static_cast<std::uint32_t>(*values_++);
    if ((head & 1) != 0 || index_run_ == 0 || index_ >= entries_) return fail();
  }
  --index_run_;
  return true;
}

// All bytes of the page are used, and the bits that are left over are zero.
bool Column::end_page() {
  if (bit_ != 0) {
    if (static_cast<unsigned>(*values_) >> bit_ != 0) return fail();
    ++values_;
  }
  if (values_ != values_end_ || index_run_ != 0 || (packed_values_ && !deltas_.done())) return fail();
  if (!optional_) return true;
  for (; packed_ && run_left_ % 8 != 0; --run_left_) {
    if ((static_cast<unsigned>(*levels_) >> (8 - run_left_ % 8) & 1U) != 0) return fail();
    if (run_left_ % 8 == 1) ++levels_;
  }
  return (run_left_ == 0 && levels_ == levels_end_) || fail();
}

bool Column::next_level() {
  if (run_left_ == 0) {
    if (levels_ >= levels_end_) return fail();
    const auto head = static_cast<std::uint32_t>(varint(levels_));
    packed_ = (head & 1) != 0;
    run_left_ = packed_ ? (head >> 1) * 8 : head >> 1;
    if (run_left_ == 0) return fail();
    if (!packed_) level_ = *levels_++ != std::byte{0};
  }
  if (packed_) {
    level_ = (static_cast<unsigned>(*levels_) >> ((8 - run_left_ % 8) % 8) & 1U) != 0;
    if (run_left_ % 8 == 1) ++levels_;
  }
  --run_left_;
  return true;
}

bool Column::next(Cell& cell) {
  if (!sound_ || (left_ == 0 && !next_page())) return false;
  --left_;
  cell = {false, {}};
  if (optional_ && !next_level()) return false;
  if (optional_ && !level_) {
    cell.null = true;
  } else if (type_ == kBoolean) {
    if (values_ >= values_end_) return fail();
    boolean_ = static_cast<std::byte>(static_cast<unsigned>(*values_) >> bit_ & 1U);
    cell.bytes = {reinterpret_cast<const char*>(&boolean_), 1};
    bit_ = (bit_ + 1) % 8;
    if (bit_ == 0) ++values_;
  } else if (indexed_) {
    if (!next_index()) return false;
    cell.bytes = {reinterpret_cast<const char*>(dictionary_) + std::size_t{index_} * width_, width_};
  } else if (packed_values_) {
    if (!deltas_.next(values_, values_end_, cell.bytes)) return fail();
  } else {
    std::uint32_t bytes = width_;
    if (type_ == kByteArray) {
      if (values_end_ - values_ < 4) return fail();
      bytes = load32(values_);
      values_ += 4;
    }
    if (static_cast<std::size_t>(values_end_ - values_) < bytes) return fail();
    cell.bytes = {reinterpret_cast<const char*>(values_), bytes};
    values_ += bytes;
  }
  return left_ != 0 || end_page();
}

}  // namespace view
