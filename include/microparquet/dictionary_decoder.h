// Decoders whose values stand in a dictionary.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/decoder.h"
#include "microparquet/page_input.h"
#include "microparquet/status.h"

namespace microparquet {

class DictionaryDecoder;

namespace detail {
// Takes the dictionary page that is next in the column's window into the head of the column's memory.
Status take_dictionary(const DictionaryDecoder& decoder, ColumnCursor& column,
                       const format::PageHeader& header);
}  // namespace detail

// To derive from, as Decoder. The one that decodes RLE_DICTIONARY of a column's type is given the dictionary
// page of each of its chunks, decompressed and its checksum compared. The dictionary stays until the chunk
// ends, in the column's buffer, which must hold it beside a window that passes pages. One that finds no space
// is kOutOfMemory: Reader::needed_bytes() says what would do, and other columns can be read. Data pages that
// come before any dictionary page see none.
class DictionaryDecoder : public Decoder {
 public:
  // Bytes that the decoder wants to keep beside a dictionary of `count` values, such as where each begins.
  virtual std::uint64_t index_bytes(std::uint32_t count) const {
    static_cast<void>(count);
    return 0;
  }

  // Looks through a new dictionary, and fills its index.
  // - kCorrupt: it surely holds more or less than its `count` values
  virtual Status begin_dictionary(PageInput column, const Dictionary& dictionary) const = 0;

  Status take_dictionary(detail::ColumnCursor& column, const format::PageHeader& header) const final {
    return detail::take_dictionary(*this, column, header);
  }

 protected:
  // As Decoder's.
  using Decoder::Decoder;
  ~DictionaryDecoder() = default;
};

}  // namespace microparquet
