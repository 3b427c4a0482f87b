// DELTA_BINARY_PACKED decoder; the numbers are the values.
#include "microparquet/decoders.h"

#include <cstring>
#include <string_view>

#include "base/bytes.h"
#include "base/try.h"
#include "encoding/delta_numbers.h"
#include "encoding/packed_lengths.h"

namespace microparquet {

namespace {

using encoding::DeltaNumbers;

static_assert(sizeof(DeltaNumbers) <= DeltaDecoder::kStateBytes);
static_assert(DeltaNumbers::kMostMiniblocks == DeltaDecoder::kMostMiniblocks);

// Reads values. After a failure it returns those read before; the next call returns the status.
template <typename T>
Status read_numbers(PageInput page, T* out, std::uint32_t count, std::uint32_t& stored) {
  auto& numbers = page.state<DeltaNumbers>();
  MICROPARQUET_TRY(numbers.read(page, out, count, stored));
  std::uint32_t more = 0;
  while (stored < count && numbers.left() != 0 &&
         numbers.read(page, out + stored, count - stored, more) == Status::kOk)
    stored += more;
  return Status::kOk;
}

}  // namespace

Status DeltaDecoder::begin_page(PageInput page, std::uint32_t values) const {
  auto& numbers = page.state<DeltaNumbers>();
  numbers = {};
  page.end_in_padding();
  // Some writers store no header in a page without values.
  if (page.left() == 0) return values == 0 || page.may_have_nulls() ? Status::kOk : Status::kCorrupt;
  MICROPARQUET_TRY(numbers.begin(page));
  const std::uint32_t count = numbers.left();
  return count > values || (count < values && !page.may_have_nulls()) ? Status::kCorrupt : Status::kOk;
}

Status DeltaDecoder::next(PageInput page) const {
  MICROPARQUET_TRY(skip(page));
  page.show(reinterpret_cast<const std::byte*>(&page.state<DeltaNumbers>().value()), page.width());
  return Status::kOk;
}

Status DeltaDecoder::read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const {
  if (page.type() == Type::kInt32) return read_numbers(page, static_cast<std::int32_t*>(out), count, stored);
  return read_numbers(page, static_cast<std::int64_t*>(out), count, stored);
}

// Reads the value to skip it, since all later values depend on it.
Status DeltaDecoder::skip(PageInput page) const {
  std::int64_t value = 0;
  std::uint32_t stored = 0;
  return page.state<DeltaNumbers>().read(page, &value, 1, stored);
}

// DELTA_LENGTH_BYTE_ARRAY: the lengths in DELTA_BINARY_PACKED, then the bytes of all values.
//
// The page stays where it is until its last value is taken.

namespace {

using encoding::PackedLengths;

struct ByteArrays {
  PackedLengths lengths;
  std::uint32_t at;  // place of the next value in the page
};
static_assert(sizeof(ByteArrays) <= DeltaLengthDecoder::kStateBytes);

Span<const std::byte> page_bytes(PageInput page) { return {page.data(), page.available()}; }

// Returns whether the lengths add up to the bytes after them.
bool is_sum(Span<const std::byte> page, PackedLengths lengths, std::uint32_t bytes) {
  std::uint64_t sum = 0;
  std::uint32_t length = 0;
  while (lengths.left() != 0) {
    if (lengths.next(page, length) != Status::kOk) return false;
    const std::uint32_t equal = lengths.equal_run();
    lengths.pass_equal(equal);
    sum += (std::uint64_t{equal} + 1) * length;
    if (sum > bytes) return false;
  }
  return sum == bytes;
}

// Takes the next value, and passes the page with the last one.
Status take_value(PageInput page, std::string_view& value) {
  auto& state = page.state<ByteArrays>();
  std::uint32_t length = 0;
  MICROPARQUET_TRY(state.lengths.next(page_bytes(page), length));
  value = {reinterpret_cast<const char*>(page.data()) + state.at, length};
  state.at += length;
  if (state.lengths.left() == 0) page.take(page.available());
  return Status::kOk;
}

}  // namespace

Status DeltaLengthDecoder::begin_page(PageInput page, std::uint32_t values) const {
  auto& state = page.state<ByteArrays>();
  state = {};
  // Some writers store no header in a page without values.
  if (page.left() == 0) return values == 0 || page.may_have_nulls() ? Status::kOk : Status::kCorrupt;
  MICROPARQUET_TRY(page.load_all());
  const Span<const std::byte> bytes = page_bytes(page);
  MICROPARQUET_TRY(state.lengths.begin(bytes, 0));
  const std::uint32_t count = state.lengths.left();
  if (count > values || (count < values && !page.may_have_nulls())) return Status::kCorrupt;
  MICROPARQUET_TRY(state.lengths.find_end(bytes, state.at));
  if (!is_sum(bytes, state.lengths, page.available() - state.at)) return Status::kCorrupt;
  if (count == 0) page.take(page.available());
  return Status::kOk;
}

Status DeltaLengthDecoder::next(PageInput page) const {
  std::string_view value;
  MICROPARQUET_TRY(take_value(page, value));
  page.show(reinterpret_cast<const std::byte*>(value.data()), static_cast<std::uint32_t>(value.size()));
  return Status::kOk;
}

Status DeltaLengthDecoder::read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const {
  auto* const values = static_cast<std::string_view*>(out);
  for (stored = 0; stored < count; ++stored) {
    const Status status = take_value(page, values[stored]);
    // The next call returns this status, with no values.
    if (status != Status::kOk) return stored != 0 ? Status::kOk : status;
  }
  page.pin();
  return Status::kOk;
}

Status DeltaLengthDecoder::skip(PageInput page) const { return next(page); }

// DELTA_BYTE_ARRAY: the lengths of prefixes and of suffixes, each in DELTA_BINARY_PACKED; then the suffixes'
// bytes.
//
// The page stays where it is until its last value is taken. Values are assembled in memory beside it,
// together with the value before: one after another in a batch, otherwise in its place.

namespace {

using Page = Span<const std::byte>;

struct FrontCoded {
  PackedLengths prefixes;
  PackedLengths suffixes;
  std::uint32_t at;     // place of the next suffix in the page
  std::uint32_t value;  // begin of the last value in the room
  std::uint32_t bytes;  // length of the last value
  Span<std::byte> room;
};
static_assert(sizeof(FrontCoded) <= DeltaByteArrayDecoder::kStateBytes);

Page bytes_of(PageInput page) { return {page.data(), page.available()}; }

// Lengths of all values of a page.
struct Lengths {
  std::uint32_t longest = 0;
  std::uint64_t sum = 0;
  std::uint64_t own = 0;  // bytes of the suffixes alone
};

// Adds up all lengths and checks them. `width` of each value; 0: any.
Status look_through(Page page, PackedLengths prefixes, PackedLengths suffixes, std::uint32_t width,
                    Lengths& lengths) {
  std::uint32_t before = 0;
  std::uint32_t prefix = 0;
  std::uint32_t suffix = 0;
  while (prefixes.left() != 0) {
    MICROPARQUET_TRY(prefixes.next(page, prefix));
    MICROPARQUET_TRY(suffixes.next(page, suffix));
    lengths.own += suffix;
    // No value is longer than the page, since suffixes are bytes of it.
    if (prefix > before || lengths.own > page.size()) return Status::kCorrupt;
    before = prefix + suffix;
    if (width != 0 && before != width) return Status::kCorrupt;
    if (before > lengths.longest) lengths.longest = before;
    lengths.sum += before;
    if (suffix != 0) continue;
    // Count the values equal to this one in one step.
    const std::uint32_t alike = prefixes.equal_run();
    const std::uint32_t equal = alike < suffixes.equal_run() ? alike : suffixes.equal_run();
    prefixes.pass_equal(equal);
    suffixes.pass_equal(equal);
    lengths.sum += std::uint64_t{equal} * before;
  }
  return Status::kOk;
}

// Finds the three parts of the page, and takes memory for its values.
Status begin_values(PageInput page, FrontCoded& state, std::uint32_t values) {
  const Page bytes = bytes_of(page);
  MICROPARQUET_TRY(state.prefixes.begin(bytes, 0));
  const std::uint32_t count = state.prefixes.left();
  if (count > values || (count < values && !page.may_have_nulls())) return Status::kCorrupt;
  std::uint32_t suffixes_at = 0;
  MICROPARQUET_TRY(state.prefixes.find_end(bytes, suffixes_at));
  MICROPARQUET_TRY(state.suffixes.begin(bytes, suffixes_at));
  if (state.suffixes.left() != count) return Status::kCorrupt;
  MICROPARQUET_TRY(state.suffixes.find_end(bytes, state.at));
  Lengths lengths;
  MICROPARQUET_TRY(look_through(bytes, state.prefixes, state.suffixes, page.width(), lengths));
  if (lengths.own != bytes.size() - state.at) return Status::kCorrupt;
  return page.make_room(lengths.longest, page.width() != 0 ? lengths.longest : lengths.sum, state.room);
}

Status begin(PageInput page, std::uint32_t values) {
  auto& state = page.state<FrontCoded>();
  state = {};
  // Some writers store no header in a page without values.
  if (page.left() == 0) return values == 0 || page.may_have_nulls() ? Status::kOk : Status::kCorrupt;
  MICROPARQUET_TRY(page.load_all());
  MICROPARQUET_TRY(begin_values(page, state, values));
  if (state.prefixes.left() == 0) page.take(page.available());
  return Status::kOk;
}

// Assembles the next value at `to` of the room, and sets state.value and state.bytes. It passes the page with
// the last value. kEnd: the value has no space there.
Status take_value(PageInput page, FrontCoded& state, std::uint32_t to) {
  const Page bytes = bytes_of(page);
  FrontCoded next = state;
  std::uint32_t prefix = 0;
  std::uint32_t suffix = 0;
  MICROPARQUET_TRY(next.prefixes.next(bytes, prefix));
  MICROPARQUET_TRY(next.suffixes.next(bytes, suffix));
  if (prefix + suffix > state.room.size() - to) return Status::kEnd;
  std::byte* const value = state.room.data() + to;
  util::move_bytes(value, state.room.data() + state.value, prefix);
  if (suffix != 0) std::memcpy(value + prefix, page.data() + state.at, suffix);
  next.at += suffix;
  next.value = to;
  next.bytes = prefix + suffix;
  state = next;
  if (state.prefixes.left() == 0) page.take(page.available());
  return Status::kOk;
}

// Shows the next value in the memory of the value before.
Status show_value(PageInput page) {
  auto& state = page.state<FrontCoded>();
  MICROPARQUET_TRY(take_value(page, state, 0));
  page.show(state.room.data(), state.bytes);
  return Status::kOk;
}

}  // namespace

Status DeltaByteArrayDecoder::begin_page(PageInput page, std::uint32_t values) const {
  return begin(page, values);
}

Status DeltaByteArrayDecoder::next(PageInput page) const { return show_value(page); }

// Reads a batch. Values already given to the caller stay where they are until the next batch.
Status DeltaByteArrayDecoder::read(PageInput page, void* out, std::uint32_t count,
                                   std::uint32_t& stored) const {
  auto& state = page.state<FrontCoded>();
  auto* const values = static_cast<std::string_view*>(out);
  for (stored = 0; stored < count; ++stored) {
    const Status status = take_value(page, state, page.is_pinned() ? state.value + state.bytes : 0);
    // The next call returns this status, with no values.
    if (status != Status::kOk) return stored != 0 ? Status::kOk : status;
    values[stored] = {reinterpret_cast<const char*>(state.room.data()) + state.value, state.bytes};
    page.pin();
  }
  return Status::kOk;
}

Status DeltaByteArrayDecoder::skip(PageInput page) const { return show_value(page); }

Status DeltaFixedDecoder::begin_page(PageInput page, std::uint32_t values) const {
  return begin(page, values);
}

Status DeltaFixedDecoder::next(PageInput page) const { return show_value(page); }

Status DeltaFixedDecoder::read(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) const {
  auto* to = static_cast<std::byte*>(out);
  for (stored = 0; stored < count; ++stored, to += page.width()) {
    const Status status = show_value(page);
    if (status != Status::kOk) return stored != 0 ? Status::kOk : status;
    std::memcpy(to, page.shown(), page.width());
  }
  return Status::kOk;
}

Status DeltaFixedDecoder::skip(PageInput page) const { return show_value(page); }

}  // namespace microparquet
