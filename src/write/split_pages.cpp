// Pages whose values are split into streams of bytes before they are compressed, or not: linked with the first
// encoder that names it.
//
//   in the page        levels, values in PLAIN
//   in page_memory()   levels, the first byte of each value, the second of each ...: compressed from there into
//                      the page
//
// Which form is smaller follows from what the values are, and does not change often. So each 16th page is
// compressed in the other form as well, and those after it have that form if it was smaller by a 32nd: less
// is chance.
#include "base/bytes.h"
#include "base/endian.h"
#include "format/page_header_writer.h"
#include "microparquet/detail/encoding/length_prefix.h"
#include "write/page_transform.h"

namespace microparquet::detail {
namespace {

constexpr std::uint32_t kPagesPerTrial = 16;
constexpr std::uint32_t kLeastGain = 32;  // a part of the page

// The even bytes of a word; the odd ones are the others.
constexpr std::uint32_t kEvenBytes = 0x00FF00FF;

// Four streams of `count` bytes each, of words that lie `stride` bytes from each other. A function of its own, so that
// what it keeps on the stack is gone while the page is compressed.
[[gnu::noinline]] void split_words(std::byte* to, const std::byte* from, std::uint32_t count,
                                   std::uint32_t stride) {
  std::byte* const streams[] = {to, to + count, to + std::size_t{2} * count, to + std::size_t{3} * count};
  std::uint32_t i = 0;
  for (; i + 4 <= count; i += 4, from += std::size_t{4} * stride) {
    const auto a = util::load_aligned<std::uint32_t>(from);
    const auto b = util::load_aligned<std::uint32_t>(from + stride);
    const auto c = util::load_aligned<std::uint32_t>(from + std::size_t{2} * stride);
    const auto d = util::load_aligned<std::uint32_t>(from + std::size_t{3} * stride);
    const std::uint32_t even_ab = (a & kEvenBytes) | (b & kEvenBytes) << 8;  // a0 b0 a2 b2
    const std::uint32_t even_cd = (c & kEvenBytes) | (d & kEvenBytes) << 8;
    const std::uint32_t odd_ab = (a >> 8 & kEvenBytes) | (b & ~kEvenBytes);  // a1 b1 a3 b3
    const std::uint32_t odd_cd = (c >> 8 & kEvenBytes) | (d & ~kEvenBytes);
    util::store(streams[0] + i, (even_ab & 0xFFFF) | even_cd << 16);
    util::store(streams[1] + i, (odd_ab & 0xFFFF) | odd_cd << 16);
    util::store(streams[2] + i, even_ab >> 16 | (even_cd & 0xFFFF0000));
    util::store(streams[3] + i, odd_ab >> 16 | (odd_cd & 0xFFFF0000));
  }
  for (; i < count; ++i, from += stride) {
    for (unsigned byte = 0; byte < 4; ++byte) streams[byte][i] = from[byte];
  }
}

// A page that is compressed: in which form is to be seen.
class SplitPage {
 public:
  SplitPage(const WriterState& state, ColumnWriter& column, const SealingPage& fields,
            const Compressor& compressor)
      : state_(state),
        column_(column),
        compressor_(compressor),
        copy_(write::page_memory(state, compressor)),
        bytes_(fields.uncompressed_bytes),
        levels_(fields.levels),
        prefix_(column.levels != nullptr ? encoding::kLengthBytes + util::load<std::uint32_t>(column.values)
                                         : 0),
        width_(column.plan->shape.value_bytes),
        count_((bytes_ - prefix_) / width_) {}

  // Whether it has no values: all of its rows are null.
  bool is_empty() const { return count_ == 0; }

  // Bytes of the page in PLAIN; the page stays as it is.
  std::uint32_t whole_bytes() const {
    return static_cast<std::uint32_t>(
        write::compress(state_, compressor_, Span<const std::byte>(column_.values, bytes_)).size());
  }

  // Compresses it in streams into the page, of which nothing else is left. Returns the bytes.
  std::uint32_t split() {
    const std::byte* from = column_.values;
    util::move_bytes(copy_, from, prefix_);
    std::byte* to = copy_ + prefix_;
    from += prefix_;
    for (std::uint32_t byte = 0; byte < width_; byte += 4, from += 4, to += std::size_t{4} * count_)
      split_words(to, from, count_, width_);
    const Span<std::byte> output(place(), compressor_.growth().most_bytes(bytes_));
    return compressor_.compress(Span<const std::byte>(copy_, bytes_), output,
                                write::compressor_memory(state_, compressor_));
  }

  // After split(): the page as it was.
  void join() {
    std::byte* to = column_.values;
    util::move_bytes(to, copy_, prefix_);
    to += prefix_;
    for (std::uint32_t i = 0; i < count_; ++i) {
      for (const std::byte *byte = copy_ + prefix_ + i, *const end = copy_ + bytes_; byte < end;
           byte += count_)
        *to++ = *byte;
    }
  }

  // After split(): that is the page.
  void take(std::uint32_t bytes, SealingPage& fields) {
    column_.values = place();
    fields.stored_bytes = bytes;
  }

 private:
  // Of the compressed page: there is space for it, since what it may grow by is kept free.
  std::byte* place() const {
    return write::header_place(state_, column_) +
           format::page_header_bytes(compressor_.growth().most_bytes(bytes_), levels_);
  }

  const WriterState& state_;
  ColumnWriter& column_;
  const Compressor& compressor_;
  std::byte* copy_;
  std::uint32_t bytes_;  // of the page as it was
  std::uint32_t levels_;
  std::uint32_t prefix_;  // of these the levels
  std::uint32_t width_;
  std::uint32_t count_;
};

// Compresses the page in the form that it shall have. Returns whether that is split; if not, it is as it was.
bool split_page(WriterState& state, ColumnWriter& column, SealingPage& fields, const Compressor& compressor) {
  auto& chunk = static_cast<SplitChunk&>(write::chunk_of(state, column));
  SplitPage page(state, column, fields, compressor);
  if (page.is_empty()) return false;
  const bool tries = chunk.pages_until_trial == 0;
  chunk.pages_until_trial = (tries ? kPagesPerTrial : chunk.pages_until_trial) - 1;
  const bool splits = !chunk.stays_whole;
  if (!splits && !tries) return false;
  const std::uint32_t whole = tries ? page.whole_bytes() : 0;
  const std::uint32_t split = page.split();
  if (tries) {
    const std::uint32_t now = splits ? split : whole;
    const std::uint32_t other = splits ? whole : split;
    if (other < now - now / kLeastGain) chunk.stays_whole = splits;
  }
  if (splits) {
    page.take(split, fields);
  } else {
    page.join();
  }
  return splits;
}

}  // namespace

std::uint32_t transform_split_page(WriterState& state, ColumnWriter& column, SealingPage& fields) {
  constexpr auto kSplit = static_cast<std::uint32_t>(EncodingId::kByteStreamSplit);
  if ((fields.encoding ^ column.encoding_change) != kSplit) return transform_page(state, column, fields);
  const Compressor* const compressor = write::compressor_of(state, column);
  if (compressor != nullptr && split_page(state, column, fields, *compressor))
    return write::place_transformed(state, column, fields);
  column.set_encoding(EncodingId::kPlain);
  return transform_page(state, column, fields);
}

}  // namespace microparquet::detail
