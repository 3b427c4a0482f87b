// Dictionary pages, and what each dictionary brought.
//
//   in place   [ head of the extent: dead bytes, dictionary page ][ data pages ... ]
//   forward    [ dictionary page ][ data pages ... ]
//
// The dictionary is complete only after the data pages are stored. Its page therefore ends at the end of its
// head, and its header is not lengthened: some readers accept no other bytes between a dictionary and the
// data.
#include "base/try.h"
#include "format/page_header_writer.h"
#include "format/row_group.h"
#include "microparquet/detail/array_encoder.h"
#include "microparquet/writer.h"
#include "write/dictionary_proof.h"
#include "write/footer.h"
#include "write/in_place/in_place_layout.h"
#include "write/layout_ops.h"
#include "write/page.h"
#include "write/page_transform.h"

namespace microparquet::detail {

namespace {

using thrift::WindowSink;
using write::dictionary_chunk_of;

const EncoderDictionary* dictionary_of(const ColumnWriter& column) {
  return column.plan->encoder->dictionary;
}

constexpr auto kPlain = static_cast<std::uint32_t>(EncodingId::kPlain);

// A dictionary page while it is written.
struct DictionaryPage {
  const std::byte* body;
  format::DictionaryPageFields fields;
  bool has_overflowed;
  std::uint32_t header_bytes;
  std::byte header[format::kMostDictionaryPageHeader];

  std::uint32_t bytes() const { return header_bytes + fields.stored_bytes; }
};

void freeze(const WriterState& state, ColumnWriter& column, DictionaryPage& page) {
  const DictionaryEntries entries = dictionary_of(column)->freeze(column);
  page.has_overflowed = entries.has_overflowed;
  Span<const std::byte> body(entries.values, entries.bytes);
  CompressDictionary* const compress = state.plan->transforms->functions->compress_dictionary;
  if (compress != nullptr) compress(state, column, body);
  page.body = body.data();
  const auto stored_bytes = static_cast<std::uint32_t>(body.size());
  page.fields = {static_cast<std::uint32_t>(format::PageType::kDictionary), entries.bytes, stored_bytes,
                 state.options->checksum(0, page.body, stored_bytes),       entries.count, kPlain};
  const std::byte* const end = format::write_dictionary_page_header(page.header, page.fields);
  page.header_bytes = static_cast<std::uint32_t>(end - page.header);
}

// Writes the page directly before the chunk's first data page. The bytes before it in its first sector are
// dead and are written too, so that no medium must read a sector first.
Status write_page(WriterState& state, const ColumnWriter& column, const DictionaryPage& page) {
  const std::uint64_t begin = column.chunk_begin - page.bytes();
  const auto dead_bytes =
      state.options->layout->in_place ? static_cast<std::uint32_t>(begin % kSectorBytes) : 0;
  WindowSink sink = write::sink_at(state, begin - dead_bytes);
  sink.put_zeros(dead_bytes);
  sink.put(page.header, page.header_bytes);
  sink.put(page.body, page.fields.stored_bytes);
  return sink.flush();
}

// Returns the head for the next row group.
std::uint32_t head_bytes(const WriterState& state, const ColumnWriter& column) {
  const EncoderDictionary* const dictionary = dictionary_of(column);
  if (dictionary == nullptr || dictionary_chunk_of(state, column).row_groups_without != 0) return 0;
  return block_of(state).round_up(dictionary_page_bytes(*dictionary, write::compressor_of(state, column)));
}

std::uint32_t stored_bytes(const WriterState& state, const ColumnWriter& column) {
  const std::uint32_t bytes = dictionary_chunk_of(state, column).dictionary_bytes;
  return bytes != kOpenDictionary ? bytes : 0;
}

void drop(ColumnWriter& column, DictionaryChunk& chunk) {
  chunk.dictionary_bytes = 0;
  dictionary_of(column)->drop(column);
}

// Takes the head off the extent. Returns false if the extent, perhaps inherited from an interrupted row
// group, has no space for a dictionary.
bool takes_head(const WriterState& state, ColumnWriter& column) {
  if (!state.options->layout->in_place) return true;
  const std::uint32_t head = head_bytes(state, column);
  if (column.extent_bytes < head + column.plan->page_bytes) return false;
  column.chunk_begin += head;
  column.extent_bytes -= head;
  return true;
}

void begin(WriterState& state) {
  state.dictionaries_crc = 0;
  for (ColumnWriter& column : columns_of(state)) {
    const EncoderDictionary* const dictionary = dictionary_of(column);
    if (dictionary == nullptr) continue;
    DictionaryChunk& chunk = dictionary_chunk_of(state, column);
    if (write::falls_back(chunk)) ++chunk.fallbacks;
    chunk.encodings = 0;
    const bool backs_off = chunk.row_groups_without != 0;
    if (backs_off) --chunk.row_groups_without;
    if (backs_off || !takes_head(state, column)) {
      ++chunk.left_out;
      drop(column, chunk);
    } else {
      chunk.dictionary_bytes = kOpenDictionary;
      if (dictionary->expect != nullptr) dictionary->expect(column, chunk.entries);
    }
  }
}

// Skips dictionaries after one that overflowed: for 1, 2, 4 ... 64 row groups.
[[gnu::noinline]] void back_off(DictionaryChunk& chunk, bool has_overflowed) {
  constexpr unsigned kMostWithout = 64;
  unsigned next = 1;
  if (has_overflowed) {
    const unsigned without = chunk.next_without != 0 ? chunk.next_without : 1;
    chunk.row_groups_without = static_cast<std::uint8_t>(without);
    next = without < kMostWithout ? 2 * without : without;
  }
  chunk.next_without = static_cast<std::uint8_t>(next);
}

// Ends the dictionary of a chunk with pages. A chunk without indices needs none.
Status end_dictionary(WriterState& state, ColumnWriter& column, DictionaryChunk& chunk) {
  if ((chunk.encodings >> static_cast<unsigned>(EncodingId::kRleDictionary) & 1) == 0) {
    back_off(chunk, true);
    ++chunk.fallbacks;
    drop(column, chunk);
    return Status::kOk;
  }
  DictionaryPage page;
  freeze(state, column, page);
  if (state.options->layout->in_place) {
    MICROPARQUET_TRY(write_page(state, column, page));
    const std::uint32_t form = write::page_form(page.fields.uncompressed_bytes, kPlain);
    state.footer.now.pages_sum += write::page_sum(page.fields.crc, 0) + write::form_sum(form, 0);
  } else if (write::falls_back(chunk)) {
    page.has_overflowed = true;  // pages without extents change to PLAIN before the dictionary is full
  }
  chunk.dictionary_bytes = page.bytes();
  state.dictionaries_crc =
      state.options->checksum(state.dictionaries_crc, &page.fields.crc, sizeof page.fields.crc);
  chunk.entries = page.fields.values;
  back_off(chunk, page.has_overflowed);
  if (state.plan->transforms->functions->compress_dictionary != nullptr) {
    static_cast<TransformedChunk&>(chunk).saved_bytes +=
        std::uint64_t{page.fields.uncompressed_bytes} - page.fields.stored_bytes;
  }
  return Status::kOk;
}

Status end(WriterState& state) {
  for (ColumnWriter& column : columns_of(state)) {
    if (dictionary_of(column) == nullptr || column.first_row == 0) continue;
    DictionaryChunk& chunk = dictionary_chunk_of(state, column);
    if (chunk.dictionary_bytes == kOpenDictionary) MICROPARQUET_TRY(end_dictionary(state, column, chunk));
  }
  return Status::kOk;
}

Status write(WriterState& state, ColumnWriter& column) {
  if (stored_bytes(state, column) == 0) return Status::kOk;
  DictionaryPage page;
  freeze(state, column, page);
  return write_page(state, column, page);
}

}  // namespace

std::uint64_t describe_dictionary(const WriterState& state, const ColumnWriter& column, ChunkForm& form) {
  form.add_dictionary(dictionary_chunk_of(state, column).dictionary_bytes);
  return 0;
}

std::uint32_t write_row_group_with_dictionaries(WindowSink& sink, const WriterState& state) {
  return write::put_proof(sink, state, write_encoded_row_group(sink, state));
}

std::uint32_t write_array_row_group_with_dictionaries(WindowSink& sink, const WriterState& state) {
  return write::put_proof(sink, state, write_encoded_array_row_group(sink, state));
}

const DictionaryPages kDictionaryPages{&begin, &end, &write, &stored_bytes, &head_bytes};

}  // namespace microparquet::detail

namespace microparquet {

DictionaryCounts Writer::dictionary_counts(std::uint32_t column) const {
  const detail::WriterPlan* const plan = state_.plan;
  if (plan == nullptr || plan->columns[column].encoder->dictionary == nullptr) return {};
  const detail::DictionaryChunk& chunk = write::dictionary_chunk_of(state_, state_.columns[column]);
  return {chunk.fallbacks + (write::falls_back(chunk) ? 1U : 0U), chunk.left_out};
}

}  // namespace microparquet
