// Dictionary pages. The first decoder of dictionaries that a program names links this file.
#include "base/bytes.h"
#include "base/try.h"
#include "microparquet/detail/encoding/plain.h"
#include "microparquet/dictionary_decoder.h"
#include "microparquet/reader.h"
#include "read/page.h"

namespace microparquet::detail {

namespace {

constexpr std::uint64_t kHeadBytes = align8(sizeof(Dictionary));

// Divides the column's memory into dictionary and window, and continues at `position` in the file.
void divide(ColumnCursor& column, std::uint32_t dictionary_bytes, std::uint64_t position) {
  column.dictionary_bytes = dictionary_bytes;
  column.page_bytes = 0;
  Window& window = column.window;
  window.base = column.memory + dictionary_bytes;
  window.capacity = column.window_bytes();
  window.restart_at(position, window.limit);
  column.drop_body();
}

// Returns the smallest window beside a dictionary: the data pages must still pass through it.
std::uint64_t window_needed(const ColumnCursor& column) {
  return std::uint64_t{column.width} * 2 + kMinWindow;
}

Status out_of_memory(ColumnCursor& column, std::uint64_t needed) {
  column.reader->needed_bytes = needed;
  return Status::kOutOfMemory;
}

}  // namespace

Status take_dictionary(const DictionaryDecoder& decoder, ColumnCursor& column,
                       const format::PageHeader& header) {
  MICROPARQUET_TRY(read::begin_body(column, header));
  column.reason = FailureReason::kDictionaryPage;
  const std::uint64_t bytes = column.available() + std::uint64_t{column.body_beyond};
  // A chunk has at most one dictionary. A second one would find the memory already divided and report too few
  // needed bytes.
  if (column.dictionary_bytes != 0 ||
      bytes < encoding::least_plain_bytes(column.type, column.width, header.values))
    return Status::kCorrupt;
  const std::uint64_t kept = (bytes + 7) & ~std::uint64_t{7};
  const std::uint64_t index_bytes = decoder.index_bytes(header.values);
  const std::uint64_t whole = (kHeadBytes + kept + index_bytes + 7) & ~std::uint64_t{7};
  const std::uint64_t needed = whole + window_needed(column);
  if (column.body_beyond != 0 || index_bytes > column.memory_bytes || needed > column.memory_bytes)
    return out_of_memory(column, needed);

  const std::uint64_t page_end = column.window.position() + header.compressed_bytes;
  std::byte* const head = column.memory + kHeadBytes;
  Dictionary dictionary;
  dictionary.values = Span<const std::byte>(head, static_cast<std::size_t>(bytes));
  dictionary.index = Span<std::byte>(head + kept, static_cast<std::size_t>(index_bytes));
  dictionary.count = header.values;
  util::move_bytes(head, column.cursor, static_cast<std::size_t>(bytes));
  *reinterpret_cast<Dictionary*>(column.memory) = dictionary;
  const std::uint64_t page_begin = column.next_page;
  divide(column, static_cast<std::uint32_t>(whole), page_end);
  const Status status = decoder.begin_dictionary(PageInput(column), dictionary);
  if (status != Status::kOk) divide(column, 0, page_begin);
  return status;
}

}  // namespace microparquet::detail
