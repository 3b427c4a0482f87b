// BYTE_STREAM_SPLIT. The page stays where it is until its last value is taken.
#include "microparquet/decoders.h"

#include <utility>

#include "base/try.h"
#include "microparquet/detail/desktop.h"

namespace microparquet {
namespace {

struct Streams {
  std::uint32_t values;  // bytes of each stream
  std::uint32_t taken;
};

// Streams with a place for the value shown to the caller.
struct NarrowStreams : Streams {
  std::byte value[ByteStreamSplitDecoder::kMostValueBytes];
};
static_assert(sizeof(NarrowStreams) <= ByteStreamSplitDecoder::kStateBytes);
struct WideStreams : Streams {
  Span<std::byte> value;
};
static_assert(sizeof(WideStreams) <= WideByteStreamSplitDecoder::kStateBytes);

// Joins one stream for each byte of a value; the streams lie `stride` bytes apart. Compilers vectorise the
// interleaving in this form.
template <std::size_t... kStream>
void join_streams(std::byte* __restrict out, const std::byte* __restrict first, std::size_t stride,
                  std::size_t count, std::index_sequence<kStream...> /*streams*/) {
  for (std::size_t i = 0; i < count; ++i)
    ((out[sizeof...(kStream) * i + kStream] = first[stride * kStream + i]), ...);
}

// Joins the next `count` values at `out`. `Width`: bytes of a value, 0: as the column says.
template <std::uint32_t Width>
void join(PageInput page, const Streams& state, std::byte* out, std::uint32_t count) {
  const std::byte* const first = page.data() + state.taken;
  if constexpr (detail::kDesktop && Width != 0)
    return join_streams(out, first, state.values, count, std::make_index_sequence<Width>());
  const std::uint32_t width = Width != 0 ? Width : page.width();
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::byte* byte = first + i;
    for (std::uint32_t stream = 0; stream < width; ++stream, byte += state.values) *out++ = *byte;
  }
}

// Passes `count` loaded values, and the page with the last one.
void pass(PageInput page, Streams& state, std::uint32_t count) {
  state.taken += count;
  if (state.taken == state.values) page.take(page.available());
}

Status begin_streams(PageInput page, Streams& state, std::uint32_t values) {
  const std::uint32_t width = page.width();
  const auto bytes = static_cast<std::uint32_t>(page.left());
  if (width == 0 || bytes % width != 0) return Status::kCorrupt;
  const std::uint32_t count = bytes / width;
  if (count > values || (count < values && !page.may_have_nulls())) return Status::kCorrupt;
  state.values = count;
  state.taken = 0;
  return page.load_all();
}

Status read_streams(PageInput page, Streams& state, void* out, std::uint32_t count, std::uint32_t& stored) {
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

Status show_joined(PageInput page, Streams& state, std::byte* value) {
  std::uint32_t stored = 0;
  MICROPARQUET_TRY(read_streams(page, state, value, 1, stored));
  page.show(value, page.width());
  return Status::kOk;
}

Status skip_streams(PageInput page, Streams& state) {
  if (state.taken == state.values) return Status::kCorrupt;
  pass(page, state, 1);
  return Status::kOk;
}

}  // namespace

Status ByteStreamSplitDecoder::begin_page(PageInput page, std::uint32_t values) const {
  if (page.width() > kMostValueBytes) return Status::kUnsupported;
  return begin_streams(page, page.state<NarrowStreams>(), values);
}

Status ByteStreamSplitDecoder::next(PageInput page) const {
  auto& state = page.state<NarrowStreams>();
  return show_joined(page, state, state.value);
}

Status ByteStreamSplitDecoder::read(PageInput page, void* out, std::uint32_t count,
                                    std::uint32_t& stored) const {
  return read_streams(page, page.state<NarrowStreams>(), out, count, stored);
}

Status ByteStreamSplitDecoder::skip(PageInput page) const {
  return skip_streams(page, page.state<NarrowStreams>());
}

Status WideByteStreamSplitDecoder::begin_page(PageInput page, std::uint32_t values) const {
  auto& state = page.state<WideStreams>();
  MICROPARQUET_TRY(begin_streams(page, state, values));
  state.value = {};
  return state.values != 0 ? page.make_room(page.width(), page.width(), state.value) : Status::kOk;
}

Status WideByteStreamSplitDecoder::next(PageInput page) const {
  auto& state = page.state<WideStreams>();
  return show_joined(page, state, state.value.data());
}

Status WideByteStreamSplitDecoder::read(PageInput page, void* out, std::uint32_t count,
                                        std::uint32_t& stored) const {
  return read_streams(page, page.state<WideStreams>(), out, count, stored);
}

Status WideByteStreamSplitDecoder::skip(PageInput page) const {
  return skip_streams(page, page.state<WideStreams>());
}

}  // namespace microparquet
