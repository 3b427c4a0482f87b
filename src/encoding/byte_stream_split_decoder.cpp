// BYTE_STREAM_SPLIT: the page stays where it is until its last value is taken.
#include "microparquet/byte_stream_split_decoder.h"

#include "base/try.h"

namespace microparquet {
namespace {

struct Streams {
  std::uint32_t values;  // bytes of each stream
  std::uint32_t taken;
  std::byte value[ByteStreamSplitDecoder::kMostValueBytes];
};
static_assert(sizeof(Streams) <= ByteStreamSplitDecoder::kStateBytes);

// Puts the next `count` values together at `out`; `Width`: bytes of one, 0: as the column says.
template <std::uint32_t Width>
void join(PageInput page, const Streams& state, std::byte* out, std::uint32_t count) {
  const std::uint32_t width = Width != 0 ? Width : page.width();
  const std::byte* const first = page.data() + state.taken;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::byte* byte = first + i;
    for (std::uint32_t stream = 0; stream < width; ++stream, byte += state.values) *out++ = *byte;
  }
}

// Passes values that are there; with the last one the page.
void pass(PageInput page, Streams& state, std::uint32_t count) {
  state.taken += count;
  if (state.taken == state.values) page.take(page.available());
}

}  // namespace

Status ByteStreamSplitDecoder::begin_page(PageInput page, std::uint32_t values) const {
  Streams& state = page.state<Streams>();
  const std::uint32_t width = page.width();
  if (width > kMostValueBytes) return Status::kUnsupported;
  const auto bytes = static_cast<std::uint32_t>(page.left());
  if (width == 0 || bytes % width != 0) return Status::kCorrupt;
  const std::uint32_t count = bytes / width;
  if (count > values || (count < values && !page.may_have_nulls())) return Status::kCorrupt;
  state.values = count;
  state.taken = 0;
  return page.load_all();
}

Status ByteStreamSplitDecoder::next(PageInput page) const {
  Streams& state = page.state<Streams>();
  std::uint32_t stored = 0;
  MICROPARQUET_TRY(read(page, state.value, 1, stored));
  page.show(state.value, page.width());
  return Status::kOk;
}

Status ByteStreamSplitDecoder::read(PageInput page, void* out, std::uint32_t count,
                                    std::uint32_t& stored) const {
  Streams& state = page.state<Streams>();
  const std::uint32_t left = state.values - state.taken;
  if (left == 0) return Status::kCorrupt;
  stored = count < left ? count : left;
  auto* const values = static_cast<std::byte*>(out);
  switch (page.width()) {
    case 4: join<4>(page, state, values, stored); break;
    case 8: join<8>(page, state, values, stored); break;
    default: join<0>(page, state, values, stored);
  }
  pass(page, state, stored);
  return Status::kOk;
}

Status ByteStreamSplitDecoder::skip(PageInput page) const {
  Streams& state = page.state<Streams>();
  if (state.taken == state.values) return Status::kCorrupt;
  pass(page, state, 1);
  return Status::kOk;
}

}  // namespace microparquet
