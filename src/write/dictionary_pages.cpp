// Dictionary pages: linked with the first encoder of a
// dictionary that a program names.
//
//   in place   [ head of the extent: dead bytes, dictionary page ][ data pages ... ]
//   forward    [ dictionary page ][ data pages ... ]
//
// What the dictionary holds is known after pages that follow it are stored. So its page stands at the end of
// its head, under a header that is not lengthened: some readers take no other before a dictionary.
#include "base/try.h"
#include "format/page_header_writer.h"
#include "write/page.h"
#include "write/page_transform.h"
#include "write/record.h"

namespace microparquet::detail {
namespace {

using thrift::WindowSink;
using write::chunk_of;

const EncoderDictionary* dictionary_of(const ColumnWriter& column) {
  return column.plan->encoder->dictionary;
}

// A dictionary on its way to the file.
struct DictionaryPage {
  Span<const std::byte> body;
  format::DictionaryPageFields header;

  std::uint32_t bytes() const { return format::dictionary_page_header_bytes(header) + header.stored_bytes; }
};

DictionaryPage freeze(const WriterState& state, ColumnWriter& column) {
  const DictionaryEntries entries = dictionary_of(column)->freeze(column);
  Span<const std::byte> body(entries.values, entries.bytes);
  const Compressor* const compressor = write::compressor_of(state, column);
  if (compressor != nullptr) body = write::compress(state, *compressor, body);
  return {body,
          {entries.bytes, static_cast<std::uint32_t>(body.size()),
           state.options->checksum(0, body.data(), body.size()), entries.count}};
}

// Right before the chunk's first data page. What shares the page's first sector is dead, and written too: no
// medium has to read a sector for it.
Status write_page(WriterState& state, const ColumnWriter& column, const DictionaryPage& page) {
  const std::uint64_t begin = column.chunk_begin - page.bytes();
  const auto dead_bytes =
      state.options->layout->in_place ? static_cast<std::uint32_t>(begin % kSectorBytes) : 0;
  WindowSink sink = write::sink_at(state, begin - dead_bytes);
  sink.put_zeros(dead_bytes);
  format::write_dictionary_page_header(sink, page.header);
  sink.put(page.body);
  return sink.flush();
}

std::uint32_t head_bytes(const WriterState& state, const ColumnWriter& column) {
  if (dictionary_of(column) == nullptr) return 0;
  return dictionary_head_bytes(*column.plan->encoder, write::compressor_of(state, column),
                               state.options->block_bytes);
}

std::uint32_t stored_bytes(const WriterState& state, const ColumnWriter& column) {
  const std::uint32_t bytes = chunk_of(state, column).dictionary_bytes;
  return bytes != kOpenDictionary ? bytes : 0;
}

void drop(const WriterState& state, ColumnWriter& column) {
  chunk_of(state, column).dictionary_bytes = 0;
  dictionary_of(column)->drop(column);
}

// What an interrupted row group has left of its extents may be too short for a dictionary.
void begin(WriterState& state) {
  for (ColumnWriter& column : columns_of(state)) {
    if (dictionary_of(column) == nullptr) continue;
    chunk_of(state, column).dictionary_bytes = kOpenDictionary;
    if (!state.options->layout->in_place) continue;
    const std::uint32_t head = head_bytes(state, column);
    if (column.extent_bytes < head + column.plan->page_bytes) {
      drop(state, column);
      continue;
    }
    column.chunk_begin += head;
    column.extent_bytes -= head;
  }
}

// Of a chunk that has pages. One without indices needs none.
Status end_dictionary(WriterState& state, ColumnWriter& column) {
  TransformedChunk& chunk = chunk_of(state, column);
  if ((chunk.encodings >> static_cast<unsigned>(EncodingId::kRleDictionary) & 1) == 0) {
    drop(state, column);
    return Status::kOk;
  }
  const DictionaryPage page = freeze(state, column);
  if (state.options->layout->in_place) {
    MICROPARQUET_TRY(write_page(state, column, page));
    state.footer.now.pages_sum +=
        write::page_sum(page.header.crc, 0) +
        write::form_sum(
            write::page_form(page.header.uncompressed_bytes, static_cast<std::uint32_t>(EncodingId::kPlain)),
            0);
  }
  chunk.dictionary_bytes = page.bytes();
  chunk.encodings |= 1U << static_cast<unsigned>(EncodingId::kPlain);  // of the dictionary itself
  chunk.saved_bytes += std::uint64_t{page.header.uncompressed_bytes} - page.header.stored_bytes;
  return Status::kOk;
}

Status end(WriterState& state) {
  for (ColumnWriter& column : columns_of(state)) {
    const bool open =
        dictionary_of(column) != nullptr && chunk_of(state, column).dictionary_bytes == kOpenDictionary;
    if (open && column.first_row != 0) MICROPARQUET_TRY(end_dictionary(state, column));
  }
  return Status::kOk;
}

Status write(WriterState& state, ColumnWriter& column) {
  if (stored_bytes(state, column) == 0) return Status::kOk;
  return write_page(state, column, freeze(state, column));
}

}  // namespace

const DictionaryPages kDictionaryPages{&begin, &end, &write, &stored_bytes, &head_bytes};

}  // namespace microparquet::detail
