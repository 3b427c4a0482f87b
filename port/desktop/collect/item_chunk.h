// A column of rows with lists, as pages of a new file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "byte_views.h"
#include "microparquet/compressor.h"
#include "microparquet/reader.h"
#include "thrift_dom/row_group_parts.h"
#include "thrift_dom/thrift_value.h"
#include "value_summary.h"

namespace mpq_tool {

// The pages of a chunk, and what the footer says of it.
struct MadeChunk {
  microparquet::recovery::Bytes pages;
  microparquet::recovery::FoundChunk found;        // offsets begin at 0
  microparquet::recovery::ThriftValue statistics;  // Statistics
};

// Items become data pages of version 1: indices into a dictionary while that is short, PLAIN from then on.
class ItemChunk {
 public:
  // `compressor` null: none.
  ItemChunk(const microparquet::SchemaElement& element, const microparquet::Compressor* compressor);

  void add(const microparquet::Item& item);
  // Bytes of memory that the added items take.
  std::uint64_t bytes() const { return pages_.size() + page_bytes(); }
  // Ends the chunk of the items that were added since the last call.
  MadeChunk take();

 private:
  std::size_t page_bytes() const;
  void add_value(std::string_view value);
  bool find_entry(std::string_view value, std::uint16_t& entry);
  void end_page();
  void append_values(microparquet::recovery::Bytes& body) const;
  void append_page(microparquet::recovery::ThriftValue header, const microparquet::recovery::Bytes& body,
                   microparquet::recovery::Bytes& out);

  microparquet::SchemaElement element_;
  const microparquet::Compressor* compressor_;
  microparquet::recovery::ValueSummary summary_;
  std::uint64_t items_ = 0;
  std::uint64_t nulls_ = 0;
  std::uint64_t uncompressed_bytes_ = 0;
  std::uint32_t encodings_ = 0;
  microparquet::recovery::Bytes pages_;

  // The open page.
  std::vector<std::uint8_t> definition_;
  std::vector<std::uint8_t> repetition_;
  std::vector<std::uint16_t> entries_;    // entry of each value in the dictionary
  microparquet::recovery::Bytes values_;  // values in PLAIN, but a byte for each boolean

  bool has_room_;                                             // the dictionary has space
  std::map<std::string, std::uint16_t, std::less<>> places_;  // places of values in the dictionary
  microparquet::recovery::Bytes dictionary_;                  // entries in PLAIN
};

}  // namespace mpq_tool
