#include "leaf_items.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string_view>

#include "microparquet/desktop/failure.h"

namespace microparquet::desktop {

namespace {

constexpr std::size_t kMostAtOnce = 16384;

}  // namespace

Status LeafItems::read(Reader& reader, ColumnBuffers& buffers, std::uint64_t rows) {
  size_ = begun_ = looked_at_ = 0;
  const bool repeated = reader.max_repetition_level(reader.chosen_column(place_)) != 0;
  bool ended = false;
  while (true) {
    find_end(rows);
    if (size_ != 0 || (begun_ == rows && (ended || !repeated))) {
      break;
    }
    if (ended) {
      return Status::kCorrupt;
    }
    const std::uint64_t missing = repeated ? kMostAtOnce : rows - begun_;
    const Status status =
        read_some(reader, buffers, static_cast<std::size_t>(std::min<std::uint64_t>(missing, kMostAtOnce)));
    ended = status == Status::kEnd;
    if (status != Status::kOk && !ended) {
      return status;
    }
  }
  size_ = size_ != 0 ? size_ : definition_.size();
  return Status::kOk;
}

// Sets size() where an item begins one row more.
void LeafItems::find_end(std::uint64_t rows) {
  for (; looked_at_ < repetition_.size(); ++looked_at_) {
    if (repetition_[looked_at_] != 0) {
      continue;
    }
    if (begun_ == rows) {
      size_ = looked_at_;
      return;
    }
    ++begun_;
  }
}

Status LeafItems::read_some(Reader& reader, ColumnBuffers& buffers, std::size_t most) {
  const std::size_t items = definition_.size();
  const std::size_t bytes = values_.size();
  definition_.resize(items + most);
  repetition_.resize(items + most);
  AnyBatch batch;
  batch.places = most;
  batch.definition_levels = definition_.data() + items;
  batch.repetition_levels = repetition_.data() + items;
  const Status status = buffers.with_buffer(reader, place_, [&] {
    if (node_.file_width == 0) {
      return read_texts(reader, batch, most);
    }
    values_.resize(bytes + most * node_.file_width);
    batch.values = values_.data() + bytes;
    return reader.next_items(place_, batch);
  });
  const std::size_t came = status == Status::kOk ? batch.level_count : 0;
  definition_.resize(items + came);
  repetition_.resize(items + came);
  if (node_.file_width != 0) {
    values_.resize(bytes + (came == 0 ? 0 : batch.value_count * node_.file_width));
  }
  return status;
}

// Reads texts, whose bytes lie in the reader until its next call.
Status LeafItems::read_texts(Reader& reader, AnyBatch& batch, std::size_t most) {
  std::vector<std::string_view> texts(most);
  batch.values = texts.data();
  const Status status = reader.next_items(place_, batch);
  if (status != Status::kOk) {
    return status;
  }
  for (std::size_t i = 0; i < batch.value_count; ++i) {
    const auto* const begin = reinterpret_cast<const std::byte*>(texts[i].data());
    values_.insert(values_.end(), begin, begin + texts[i].size());
    ends_.push_back(values_.size());
  }
  return status;
}

void LeafItems::drop() {
  const auto whole = static_cast<std::size_t>(std::count(
      definition_.begin(), definition_.begin() + static_cast<std::ptrdiff_t>(size_), node_.definition));
  const auto erase = [](auto& from, std::size_t count) {
    from.erase(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(count));
  };
  std::size_t bytes = whole * node_.file_width;
  if (node_.file_width == 0) {
    bytes = whole == 0 ? 0 : static_cast<std::size_t>(ends_[whole - 1]);
    erase(ends_, whole);
    for (std::uint64_t& end : ends_) {
      end -= bytes;
    }
  }
  erase(values_, bytes);
  erase(definition_, size_);
  erase(repetition_, size_);
  size_ = 0;
}

namespace {

// The levels that the leaves below a node have in common: lower ones tell of the node and what is around it.
struct SharedLevels {
  std::uint8_t repetition = 0;
  std::uint8_t definition = 0;
};

class Agreement {
 public:
  explicit Agreement(const std::vector<LeafItems>& leaves) : leaves_(leaves) {}

  // Compares each leaf with the one before it where they part. Both agree with the ones around them then,
  // since a node's levels contain those of the nodes that it stands in.
  std::size_t first_disagreeing(const ArrowNode& node, SharedLevels shared) const {
    if (node.kind == ArrowNode::Kind::kStruct) {
      shared.definition = node.definition;
    } else if (node.kind != ArrowNode::Kind::kValue) {
      shared = {node.repetition, node.element_definition};
    }
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const std::size_t leaf = node.children[i].leaf;
      if (i != 0 && !agree(leaves_[node.children[i - 1].leaf], leaves_[leaf], shared)) {
        return leaf;
      }
      const std::size_t below = first_disagreeing(node.children[i], shared);
      if (below != leaves_.size()) {
        return below;
      }
    }
    return leaves_.size();
  }

 private:
  // The items that say nothing of what is shared continue lists further in.
  static bool find_shared(const LeafItems& items, const SharedLevels& shared, std::size_t& at) {
    while (at < items.size() && items.repetition(at) > shared.repetition) {
      ++at;
    }
    return at < items.size();
  }

  static bool agree(const LeafItems& left, const LeafItems& right, const SharedLevels& shared) {
    if (shared.repetition == 0 && shared.definition == 0) {
      return true;  // the row alone, and each leaf has been read up to the end of the same row
    }
    for (std::size_t l = 0, r = 0;; ++l, ++r) {
      const bool more = find_shared(left, shared, l);
      if (more != find_shared(right, shared, r)) {
        return false;
      }
      if (!more) {
        return true;
      }
      if (left.repetition(l) != right.repetition(r) || std::min(left.definition(l), shared.definition) !=
                                                           std::min(right.definition(r), shared.definition)) {
        return false;
      }
    }
  }

  const std::vector<LeafItems>& leaves_;
};

}  // namespace

std::size_t first_disagreeing(const ArrowNode& row, const std::vector<LeafItems>& leaves) {
  return Agreement(leaves).first_disagreeing(row, {});
}

namespace {

using Bytes = std::vector<std::byte>;

// Calls `convert(value, place)` for each value that is there, with the place for it.
template <typename Convert>
Bytes spaced(const ArrowNode& node, const LeafItems& items, const Slots& slots, Convert convert) {
  Bytes out(slots.size() * node.width);
  const std::byte* value = items.values().data();
  std::byte* place = out.data();
  for (const std::uint8_t slot : slots) {
    if (slot != 0) {
      convert(value, place);
      value += node.file_width;
    }
    place += node.width;
  }
  return out;
}

Bytes same(const ArrowNode& node, const LeafItems& items, const Slots& slots) {
  const bool no_nulls = std::find(slots.begin(), slots.end(), 0) == slots.end();
  if (no_nulls) {
    const auto begin = items.values().begin();
    return {begin, begin + static_cast<std::ptrdiff_t>(slots.size() * node.width)};
  }
  return spaced(node, items, slots,
                [&](const std::byte* value, std::byte* place) { std::memcpy(place, value, node.width); });
}

Bytes bits(const LeafItems& items, const Slots& slots) {
  Bytes out((slots.size() + 7) / 8);
  const std::byte* value = items.values().data();
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i] != 0) {
      out[i / 8] |= *value++ << (i % 8);
    }
  }
  return out;
}

// The rest of a number of `width` bytes whose lowest `bytes` are at `place`.
void extend_sign(std::byte* place, std::size_t bytes, std::size_t width) {
  const bool negative = (place[bytes - 1] & std::byte{0x80}) != std::byte{0};
  std::memset(place + bytes, negative ? 0xFF : 0, width - bytes);
}

// A number in two's complement, the highest byte first; `place` has the lowest first.
void reverse(const ArrowNode& node, const std::byte* value, std::size_t bytes, std::byte* place) {
  if (bytes == 0) {
    return;  // zero
  }
  const std::byte sign = (value[0] & std::byte{0x80}) != std::byte{0} ? std::byte{0xFF} : std::byte{0};
  for (; bytes > node.width; --bytes, ++value) {
    if (value[0] != sign) {
      throw Failure("a decimal of column " + node.name + " is too long for its type");
    }
  }
  std::reverse_copy(value, value + bytes, place);
  extend_sign(place, bytes, node.width);
}

Bytes big_endian(const ArrowNode& node, const LeafItems& items, const Slots& slots) {
  if (node.file_width != 0) {
    return spaced(node, items, slots, [&](const std::byte* value, std::byte* place) {
      reverse(node, value, node.file_width, place);
    });
  }
  Bytes out(slots.size() * node.width);
  std::size_t number = 0;
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i] != 0) {
      const std::uint64_t end = items.ends()[number++];
      reverse(node, items.values().data() + begin, static_cast<std::size_t>(end - begin),
              out.data() + i * node.width);
      begin = end;
    }
  }
  return out;
}

// Wraps where 64 bits do not hold it, as other readers do: years before 1678 or after 2261.
void convert_int96(const std::byte* value, std::byte* place) {
  constexpr std::uint64_t kDayNanos = 86'400'000'000'000;
  constexpr std::uint64_t kJulianDayOf1970 = 2'440'588;
  std::uint64_t nanos = 0;
  std::uint32_t day = 0;
  std::memcpy(&nanos, value, sizeof nanos);
  std::memcpy(&day, value + sizeof nanos, sizeof day);
  nanos += (day - kJulianDayOf1970) * kDayNanos;
  std::memcpy(place, &nanos, sizeof nanos);
}

void add_bytes(const LeafItems& items, const Slots& slots, std::deque<Bytes>& buffers) {
  Bytes offsets((slots.size() + 1) * sizeof(std::uint64_t));
  std::size_t number = 0;
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    end = slots[i] != 0 ? items.ends()[number++] : end;
    std::memcpy(offsets.data() + (i + 1) * sizeof end, &end, sizeof end);
  }
  buffers.push_back(std::move(offsets));
  const auto begin = items.values().begin();
  buffers.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(end));
}

// A number in two's complement of `bytes` bytes, the lowest first.
double wide_number(const std::byte* place, std::size_t bytes) {
  const bool has_sign = (place[bytes - 1] & std::byte{0x80}) != std::byte{0};
  const std::byte rest = has_sign ? std::byte{0xFF} : std::byte{0};
  std::int64_t low = 0;
  std::memcpy(&low, place, sizeof low);
  const bool is_short = (low < 0) == has_sign && std::all_of(place + sizeof low, place + bytes,
                                                             [rest](std::byte b) { return b == rest; });
  if (is_short) {
    return static_cast<double>(low);
  }
  double number = static_cast<double>(static_cast<std::int8_t>(place[bytes - 1]));
  for (std::size_t i = bytes - 1; i-- > 0;) {
    number = number * 256 + static_cast<double>(std::to_integer<unsigned>(place[i]));
  }
  return number;
}

template <typename T>
double number_at(const std::byte* place) {
  T number;
  std::memcpy(&number, place, sizeof number);
  return static_cast<double>(number);
}

double half_at(const std::byte* place) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, place, sizeof bits);
  const int exponent = bits >> 10 & 0x1F;
  const double fraction = bits & 0x3FF;
  const double size = exponent == 0      ? std::ldexp(fraction, -24)
                      : exponent != 0x1F ? std::ldexp(fraction + 1024, exponent - 25)
                      : fraction == 0    ? std::numeric_limits<double>::infinity()
                                         : std::numeric_limits<double>::quiet_NaN();
  return bits >> 15 != 0 ? -size : size;
}

// The number in slot `i` of an array of this format.
double number_in(const UnitConversion& stored, const Bytes& values, std::size_t i) {
  const std::byte* const place = values.data() + i * stored.width;
  switch (stored.format.front()) {
    case 'b': return std::to_integer<int>(values[i / 8] >> (i % 8) & std::byte{1});
    case 'c': return number_at<std::int8_t>(place);
    case 'C': return number_at<std::uint8_t>(place);
    case 's': return number_at<std::int16_t>(place);
    case 'S': return number_at<std::uint16_t>(place);
    case 'i': return number_at<std::int32_t>(place);
    case 'I': return number_at<std::uint32_t>(place);
    case 'l': return number_at<std::int64_t>(place);
    case 'L': return number_at<std::uint64_t>(place);
    case 'e': return half_at(place);
    case 'f': return number_at<float>(place);
    case 'g': return number_at<double>(place);
    default: return wide_number(place, stored.width);
  }
}

// 10 to the power of a decimal's digits after the point, "d:9,2"; 1 of what is none.
double divisor_of(const std::string& format) {
  const std::size_t comma = format.find(',');
  return comma == format.npos ? 1 : std::pow(10, std::atoi(format.c_str() + comma + 1));
}

Bytes in_unit(const UnitConversion& stored, const Bytes& values, const Slots& slots) {
  Bytes out(slots.size() * sizeof(double));
  const double divisor = divisor_of(stored.format);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i] != 0) {
      const double value = number_in(stored, values, i) / divisor * stored.scale + stored.offset;
      std::memcpy(out.data() + i * sizeof value, &value, sizeof value);
    }
  }
  return out;
}

}  // namespace

void add_values(const ArrowNode& node, const LeafItems& items, const Slots& slots,
                std::deque<Bytes>& buffers) {
  if (node.stored) {
    ArrowNode plain = node;
    plain.stored.reset();
    plain.format = node.stored->format;
    plain.width = node.stored->width;
    add_values(plain, items, slots, buffers);
    buffers.back() = in_unit(*node.stored, buffers.back(), slots);
    return;
  }
  switch (node.conversion) {
    case Conversion::kNone: return;
    case Conversion::kBits: buffers.push_back(bits(items, slots)); return;
    case Conversion::kSame: buffers.push_back(same(node, items, slots)); return;
    case Conversion::kBytes: add_bytes(items, slots, buffers); return;
    case Conversion::kBigEndian: buffers.push_back(big_endian(node, items, slots)); return;
    case Conversion::kNarrow:
      buffers.push_back(spaced(node, items, slots, [&](const std::byte* value, std::byte* place) {
        std::memcpy(place, value, node.width);
      }));
      return;
    case Conversion::kDecimal:
      buffers.push_back(spaced(node, items, slots, [&](const std::byte* value, std::byte* place) {
        std::memcpy(place, value, node.file_width);
        extend_sign(place, node.file_width, node.width);
      }));
      return;
    case Conversion::kInt96: buffers.push_back(spaced(node, items, slots, &convert_int96)); return;
  }
}

}  // namespace microparquet::desktop
