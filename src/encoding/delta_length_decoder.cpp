// DELTA_LENGTH_BYTE_ARRAY: the lengths in DELTA_BINARY_PACKED, then the bytes of all values.
//
// The page stays where it is until its last value is taken.
#include "microparquet/delta_length_decoder.h"

#include <string_view>

#include "base/try.h"
#include "encoding/packed_lengths.h"

namespace microparquet {
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

}  // namespace microparquet
