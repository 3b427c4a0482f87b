// Decoders of values that are stored in a dictionary.
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

// Base class of dictionary decoders, derived from as Decoder. The reader gives a chunk's dictionary page,
// decompressed and with its checksum compared, to the decoder of RLE_DICTIONARY for the column's type. The
// dictionary stays until the chunk ends, in the column's buffer, which must hold it beside a window that
// passes pages. A dictionary without space is kOutOfMemory: Reader::needed_bytes() has the size that would
// do, and other columns can be read. Data pages before the dictionary page have no dictionary.
class DictionaryDecoder : public Decoder {
 public:
  // Returns the bytes to keep beside a dictionary of `count` values, for example to store where each begins.
  virtual std::uint64_t index_bytes(std::uint32_t count) const {
    static_cast<void>(count);
    return 0;
  }

  // Checks a new dictionary and fills its index.
  // - kCorrupt: it certainly holds more or fewer values than `count`
  virtual Status begin_dictionary(PageInput column, const Dictionary& dictionary) const = 0;

  Status take_dictionary(detail::ColumnCursor& column, const format::PageHeader& header) const final {
    return detail::take_dictionary(*this, column, header);
  }

 protected:
  // Constructor of Decoder.
  using Decoder::Decoder;
  ~DictionaryDecoder() = default;
};

}  // namespace microparquet
