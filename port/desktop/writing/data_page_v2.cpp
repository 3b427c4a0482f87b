// A page as its encoder and its levels left it, of version 1, becomes one of version 2:
//
//   4 bytes  length of the definition levels   is in the header
//   levels                                     stand before all else, as they are
//   values                                     compressed, split into streams of bytes before it, or as they are:
//                                              whichever is smallest
#include "microparquet/desktop/data_page_v2.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "format/desktop/page_header_v2.h"
#include "microparquet/detail/encoding/length_prefix.h"
#include "write/page_transform.h"

namespace microparquet::desktop {

namespace {

using microparquet::detail::ColumnWriter;
using microparquet::detail::SealingPage;
using microparquet::detail::TransformedChunk;
using microparquet::detail::WriterState;

using Bytes = std::vector<std::byte>;
using View = Span<const std::byte>;

constexpr auto kSplit = static_cast<std::uint32_t>(EncodingId::kByteStreamSplit);

// Null: the column's pages are of version 1. Requires: the writer has pages of version 2.
const DataPageV2* v2_of(const Compressor* compressor) {
  return compressor != nullptr && &compressor->transform() == &detail::kV2Pages
             ? static_cast<const DataPageV2*>(compressor)
             : nullptr;
}

// The parts of a page of version 1.
struct Parts {
  View levels;
  View values;
};

Parts parts_of(const ColumnWriter& column) {
  const std::byte* at = column.values;
  std::uint32_t level_bytes = 0;
  if (column.levels != nullptr) {
    std::memcpy(&level_bytes, at, sizeof level_bytes);
    at += encoding::kLengthBytes;
  }
  const std::byte* const values = at + level_bytes;
  return {{at, level_bytes}, {values, static_cast<std::size_t>(column.cursor - values)}};
}

// The first byte of each value, the second of each, and so on.
Bytes split(View values, std::size_t width) {
  Bytes streams(values.size());
  const std::size_t count = values.size() / width;
  for (std::size_t byte = 0; byte < width; ++byte) {
    for (std::size_t i = 0; i < count; ++i) {
      streams[byte * count + i] = values[i * width + byte];
    }
  }
  return streams;
}

Bytes compressed(const DataPageV2& pages, View values, Span<std::byte> scratch) {
  Bytes out(pages.growth().most_bytes(static_cast<std::uint32_t>(values.size())));
  out.resize(pages.compress_page(values, out, scratch));
  return out;
}

// Returns the values as they are stored. A page that was to be split, and is not, is in PLAIN.
Bytes stored_values(const WriterState& state, ColumnWriter& column, const SealingPage& fields,
                    const DataPageV2& pages, View values) {
  const bool may_split = (fields.encoding ^ column.encoding_change) == kSplit;
  Bytes best(values.begin(), values.end());
  bool is_split = false;
  if (pages.compressor() != nullptr && !values.empty()) {
    const Span<std::byte> scratch = write::compressor_memory(state, pages);
    const auto take = [&](Bytes bytes, bool splits) {
      if (bytes.size() < best.size()) {
        best = std::move(bytes);
        is_split = splits;
      }
    };
    take(compressed(pages, values, scratch), false);
    if (may_split) {
      take(compressed(pages, split(values, column.plan->shape.value_bytes), scratch), true);
    }
  }
  if (may_split && !is_split) {
    column.set_encoding(EncodingId::kPlain);
  }
  return best;
}

// Puts the body after its header, for which there is space. Returns the bytes of the header.
std::uint32_t place(const WriterState& state, ColumnWriter& column, const SealingPage& fields, View levels,
                    View values) {
  const std::uint32_t header_bytes = format::page_header_v2_bytes(fields);
  std::byte* const body = write::header_place(state, column) + header_bytes;
  std::memmove(body, levels.data(), levels.size());
  std::copy(values.begin(), values.end(), body + levels.size());
  column.values = body;
  column.cursor = body + fields.stored_bytes;
  return header_bytes;
}

// Notes the page as any compressed page is noted.
void note(WriterState& state, ColumnWriter& column, SealingPage& fields, std::uint32_t header_bytes) {
  TransformedChunk& chunk = write::chunk_of(state, column);
  if (column.chunk_bytes == 0) {
    chunk.saved_bytes = 0;
  }
  note_page_encoding(state, column, fields);
  chunk.saved_bytes += fields.uncompressed_bytes - fields.stored_bytes;
  if (write::has_tails(state, column)) {
    fields.padding = 0;
    return;
  }
  const std::uint32_t end =
      column.chunk_bytes + ((header_bytes + fields.stored_bytes + fields.padding) & ~fields.padding);
  if (column.extent_bytes - end < column.plan->page_bytes) {
    column.extent_bytes = end;
  }
}

std::uint32_t make_v2(WriterState& state, ColumnWriter& column, SealingPage& fields,
                      const DataPageV2& pages) {
  const std::uint32_t planned = format::page_header_bytes(fields.uncompressed_bytes, fields.levels);
  const Parts parts = parts_of(column);
  const Bytes values = stored_values(state, column, fields, pages, parts.values);
  const auto level_bytes = static_cast<std::uint32_t>(parts.levels.size());
  fields.type = static_cast<std::uint32_t>(format::PageType::kDataV2);
  fields.uncompressed_bytes = level_bytes + static_cast<std::uint32_t>(parts.values.size());
  fields.stored_bytes = level_bytes + static_cast<std::uint32_t>(values.size());
  fields.definition_bytes = level_bytes;
  fields.nulls = column.levels != nullptr ? column.levels->nulls : 0;
  const std::uint32_t header_bytes = place(state, column, fields, parts.levels, values);
  note(state, column, fields, header_bytes);
  return header_bytes - planned;
}

}  // namespace

std::uint32_t DataPageV2::compress_page(Span<const std::byte> in, Span<std::byte> out,
                                        Span<std::byte> scratch) const {
  if (compressor_ != nullptr) {
    return compressor_->compress_page(in, out, scratch);
  }
  std::copy(in.begin(), in.end(), out.begin());
  return static_cast<std::uint32_t>(in.size());
}

std::uint32_t detail::transform_v2_page(WriterState& state, ColumnWriter& column, SealingPage& fields) {
  const DataPageV2* const pages = v2_of(write::compressor_of(state, column));
  if (pages != nullptr) {
    return make_v2(state, column, fields, *pages);
  }
  return microparquet::detail::transform_split_page(state, column, fields);
}

}  // namespace microparquet::desktop
