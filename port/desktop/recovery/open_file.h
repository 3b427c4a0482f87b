// A file as recovery reads it: with all decoders and decompressors, the hardware's CRC-32, and memory that
// grows as it needs.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "byte_views.h"
#include "microparquet/desktop/growing_reader.h"
#include "microparquet/reader.h"

namespace microparquet::recovery {

// A group that leaves lie in.
struct LeafGroup {
  std::uint32_t node;  // its place among the schema's elements
  std::uint8_t definition;
  std::uint8_t repetition;
};

// A leaf of a schema.
struct Leaf {
  std::string name;  // with the groups it lies in, joined by dots
  SchemaElement element;
  std::uint32_t node = 0;         // its place among the schema's elements
  std::vector<LeafGroup> groups;  // from the outermost one on, without the root
};

class OpenFile {
 public:
  // What Reader::open() says, with a window of `footer_bytes` for the footer. `file` must stay.
  Status open(File& file, std::uint32_t footer_bytes = 64 << 10);
  // What Reader::choose() says. Starts over at the first row group; may open the file again.
  Status choose(Span<const std::uint32_t> columns, std::uint32_t buffer_bytes) {
    return memory_.choose(columns, buffer_bytes);
  }

  // The same of Reader::choose_items().
  Status choose_items(Span<const ColumnChoice> columns, std::uint32_t buffer_bytes) {
    return memory_.choose_items(columns, buffer_bytes);
  }

  Reader& reader() { return memory_.reader(); }

  // All leaves, in the file's order.
  Status read_leaves(std::vector<Leaf>& leaves);

  // Of the current row group. The bounds lie in here until the next call.
  Status statistics(std::uint32_t column, ColumnStatistics& statistics);

 private:
  desktop::GrowingReader memory_;
  Bytes bounds_;
};

}  // namespace microparquet::recovery
