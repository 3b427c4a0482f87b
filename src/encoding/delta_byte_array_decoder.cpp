// DELTA_BYTE_ARRAY: the lengths of prefixes and of suffixes, each in DELTA_BINARY_PACKED; then the suffixes'
// bytes.
//
// The page stays where it is until its last value is taken. Values are assembled in memory beside it,
// together with the value before: one after another in a batch, otherwise in its place.
#include "microparquet/delta_byte_array_decoder.h"

#include <cstring>
#include <string_view>

#include "base/bytes.h"
#include "base/try.h"
#include "encoding/packed_lengths.h"

namespace microparquet {
namespace {

using encoding::PackedLengths;
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
