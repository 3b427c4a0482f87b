// Pages with other encodings than their neighbours, the row group's list of encodings, and compressed and
// split pages.
#include "write/page_transform.h"

#include "base/bytes.h"
#include "base/endian.h"
#include "format/desktop/page_header_v2.h"
#include "format/page_header_writer.h"
#include "format/row_group.h"
#include "microparquet/detail/encoding/length_prefix.h"
#include "write/encoded_chunks.h"
#include "write/page.h"

namespace microparquet::detail {

std::uint32_t note_page_encoding(WriterState& state, ColumnWriter& column, SealingPage& fields) {
  EncodedChunk& chunk = write::encodings_of(state, column);
  if (column.chunk_bytes == 0) chunk.encodings = 0;
  fields.encoding ^= column.encoding_change;
  column.encoding_change = 0;
  chunk.encodings |= 1U << fields.encoding;
  const std::uint32_t form = write::page_form(fields.uncompressed_bytes, fields.encoding);
  chunk.sealed_sum = write::form_sum(form + write::version_form(format::is_v2(fields)), column.first_row);
  state.footer.now.pages_sum += chunk.sealed_sum;
  return 0;
}

std::uint32_t write_encoded_row_group(thrift::WindowSink& sink, const WriterState& state) {
  return format::write_row_group_of(sink, state, write::EncodedChunks{state});
}

// Compressed pages.

using write::chunk_of;
using write::compressor_of;

std::uint32_t transform_page(WriterState& state, ColumnWriter& column, SealingPage& fields) {
  const Compressor* const compressor = compressor_of(state, column);
  if (compressor == nullptr) return note_page_encoding(state, column, fields);
  const std::byte* const body = column.values;
  column.values = write::page_memory(state, *compressor);
  fields.stored_bytes = write::compress(state, *compressor, body, fields.uncompressed_bytes, column.values);
  return write::place_transformed(state, column, fields);
}

std::uint64_t describe_transformed(const WriterState& state, const ColumnWriter& column, ChunkForm& form) {
  const Compressor* const compressor = compressor_of(state, column);
  if (compressor != nullptr) form.codec = static_cast<std::uint32_t>(compressor->id());
  const TransformedChunk& chunk = chunk_of(state, column);
  form.add_dictionary(chunk.dictionary_bytes);
  return chunk.saved_bytes;
}

std::uint32_t least_compressed_page(const WriterState& state, const ColumnWriter& column) {
  if (compressor_of(state, column) == nullptr) return 0;
  return write::has_tails(state, column) ? write::kLeastTailedPage : column.plan->page_bytes;
}

void compress_dictionary(const WriterState& state, const ColumnWriter& column, Span<const std::byte>& body) {
  const Compressor* const compressor = compressor_of(state, column);
  if (compressor == nullptr) return;
  std::byte* const to = write::page_memory(state, *compressor);
  body = {to, write::compress(state, *compressor, body.data(), static_cast<std::uint32_t>(body.size()), to)};
}

}  // namespace microparquet::detail

namespace microparquet::write {

namespace {

// Gives up the rest of an extent if it is shorter than a page: it may be too short for the growth of a page.
// In forward mode columns have no extents.
void give_up_short_page(detail::ColumnWriter& column, std::uint32_t bytes) {
  const std::uint32_t end = column.chunk_bytes + bytes;
  if (column.extent_bytes - end < column.plan->page_bytes) column.extent_bytes = end;
}

}  // namespace

std::uint32_t compress(const detail::WriterState& state, const Compressor& compressor, const std::byte* body,
                       std::uint32_t bytes, std::byte* to) {
  return compressor.compress_page({body, bytes}, {to, compressor.growth().most_bytes(bytes)},
                                  compressor_memory(state, compressor));
}

std::byte* header_place(const detail::WriterState& state, const detail::ColumnWriter& column) {
  return has_tails(state, column) ? buffer_of(column) + tail_of(column) : column.page;
}

std::uint32_t header_bytes(const detail::SealingPage& fields, std::uint32_t body_bytes) {
  return format::page_header_bytes(body_bytes, fields.levels);
}

// Places the body in the page, which always has space: room for the compressor's growth is kept free. A chunk
// begins with its first data page.
std::uint32_t place_transformed(detail::WriterState& state, detail::ColumnWriter& column,
                                detail::SealingPage& fields) {
  const std::uint32_t before = fields.uncompressed_bytes;
  const std::uint32_t bytes = fields.stored_bytes;
  // Only one of the header's two sizes has changed.
  const std::uint32_t natural = header_bytes(fields, before);
  const std::int32_t longer = static_cast<std::int32_t>(header_bytes(fields, bytes) - natural) / 2;
  const std::uint32_t header = natural + static_cast<std::uint32_t>(longer);
  std::byte* const body = header_place(state, column) + header;
  if (body != column.values) util::move_bytes(body, column.values, bytes);
  column.values = body;
  column.cursor = body + bytes;
  detail::TransformedChunk& chunk = chunk_of(state, column);
  if (column.chunk_bytes == 0) chunk.saved_bytes = 0;
  detail::note_page_encoding(state, column, fields);
  chunk.saved_bytes += std::uint64_t{before} - bytes;
  if (has_tails(state, column)) {
    fields.padding = 0;
  } else {
    give_up_short_page(column, (header + bytes + fields.padding) & ~fields.padding);
  }
  return static_cast<std::uint32_t>(longer);
}

}  // namespace microparquet::write

namespace microparquet::detail {

// Pages whose values may be split into streams of bytes before compression. The first encoder that names this
// links it.
//
//   in the page        levels, values in PLAIN
//   in page_memory()   levels, the first byte of each value, the second of each ...: compressed from there into
//                      the page
//
// The values decide which form is smaller, and that seldom changes. Each 16th page is therefore compressed in
// the other form as well, and the pages after it have that form if it was smaller by a 32nd: a smaller gain
// is chance.

namespace {

constexpr std::uint32_t kPagesPerTrial = 16;
constexpr std::uint32_t kLeastGain = 32;  // a gain of one part in this many

// Selects the even bytes of a word.
constexpr std::uint32_t kEvenBytes = 0x00FF00FF;

// Splits `count` words, `stride` bytes apart, into four streams of `count` bytes. noinline: its variables are
// off the stack while the page is compressed.
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

// Returns the number of values of a page. It is computed again whenever needed, to keep the stack short while a page
// is compressed.
[[gnu::noinline]] std::uint32_t values_of(const ColumnWriter& column, const SealingPage& fields) {
  const std::uint32_t nulls = column.levels != nullptr ? column.levels->nulls : 0;
  return fields.levels - nulls;
}

// Copies the page with its values split into streams.
[[gnu::noinline]] void copy_split(std::byte* to, const ColumnWriter& column, const SealingPage& fields) {
  const std::byte* from = column.values;
  const std::uint32_t count = values_of(column, fields);
  const std::uint32_t width = column.plan->shape.value_bytes;
  const std::uint32_t levels = fields.uncompressed_bytes - count * width;
  util::move_bytes(to, from, levels);
  to += levels;
  from += levels;
  for (std::uint32_t byte = 0; byte < width; byte += 4, from += 4, to += std::size_t{4} * count)
    split_words(to, from, count, width);
}

// Restores the page from such a copy.
[[gnu::noinline]] void join(const ColumnWriter& column, const SealingPage& fields, const std::byte* copy) {
  const std::uint32_t count = values_of(column, fields);
  const std::uint32_t levels = fields.uncompressed_bytes - count * column.plan->shape.value_bytes;
  const std::byte* const end = copy + fields.uncompressed_bytes;
  std::byte* to = column.values;
  util::move_bytes(to, copy, levels);
  to += levels;
  copy += levels;
  for (const std::byte* const first_end = copy + count; copy < first_end; ++copy) {
    for (const std::byte* byte = copy; byte < end; byte += count) *to++ = *byte;
  }
}

// Returns the address for the compressed body. The page has space for it, since room for the compressor's
// growth is kept free.
std::byte* body_place(const WriterState& state, const ColumnWriter& column, const SealingPage& fields,
                      const Compressor& compressor) {
  return write::header_place(state, column) +
         write::header_bytes(fields, compressor.growth().most_bytes(fields.uncompressed_bytes));
}

// Compresses the page in its current form. Returns true if that is the split form, which then lies in its
// place; otherwise the page is unchanged.
bool split_page(WriterState& state, ColumnWriter& column, SealingPage& fields, const Compressor& compressor) {
  if (values_of(column, fields) == 0) return false;
  auto& chunk = static_cast<SplitChunk&>(write::chunk_of(state, column));
  const bool tries = chunk.pages_until_trial == 0;
  chunk.pages_until_trial = (tries ? kPagesPerTrial : chunk.pages_until_trial) - 1;
  const bool splits = !chunk.stays_whole;
  if (!splits && !tries) return false;
  std::byte* const copy = write::page_memory(state, compressor);
  const std::uint32_t bytes = fields.uncompressed_bytes;
  const std::uint32_t whole = tries ? write::compress(state, compressor, column.values, bytes, copy) : 0;
  copy_split(copy, column, fields);
  std::byte* const body = body_place(state, column, fields, compressor);
  const std::uint32_t split = write::compress(state, compressor, copy, bytes, body);
  if (tries) {
    const std::uint32_t now = splits ? split : whole;
    const std::uint32_t other = splits ? whole : split;
    if (other < now - now / kLeastGain) chunk.stays_whole = splits;
  }
  if (splits) {
    column.values = body;
    fields.stored_bytes = split;
  } else {
    join(column, fields, copy);
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

namespace microparquet::write {

// Notes on chunks whose pages are transformed, and the test for tails. A program whose own columns transform
// nothing links them too if it asks about pages.

detail::EncodedChunk& encodings_of(const detail::WriterState& state, const detail::ColumnWriter& column) {
  std::byte* const at =
      transform_memory(state) + index_of(state, column) * state.plan->transforms->functions->chunk_bytes;
  return *reinterpret_cast<detail::EncodedChunk*>(at);
}

bool has_tails(const detail::WriterState& state, const detail::ColumnWriter& column) {
  return detail::has_tails(compressor_of(state, column), state.plan->page_padding != 0,
                           column.plan->page_bytes);
}

}  // namespace microparquet::write
