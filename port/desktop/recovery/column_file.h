// A column chunk, or a part of one, as the only one of a file: reading it takes no time for other columns.
#pragma once

#include <cstdint>
#include <optional>

#include "byte_views.h"
#include "open_file.h"
#include "view.h"

namespace microparquet::recovery {

// Pages of a column chunk, one after another.
struct PageRun {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t values = 0;
};

class ColumnFile {
 public:
  // `pages` has the pages, at the places that chunks name. It must stay.
  explicit ColumnFile(File& pages) : pages_(pages) {}

  // Goes to the ColumnChunk structure `chunk` of a row group of `rows` rows. What Reader says to its footer.
  Status open(const SchemaElement& element, ByteView chunk, std::uint64_t rows);
  // Goes to a part of that chunk of `rows` rows, whose values may stand in `dictionary`.
  Status open(const SchemaElement& element, const ColumnChunkInfo& chunk, const PageRun& run,
              std::uint64_t rows, const std::optional<Piece>& dictionary);
  // Begins to read what is open, from its first row on: by items.
  Status begin(std::uint32_t buffer_bytes);

  // The reader of the column, which is column 0 in its only row group.
  Reader& reader() { return open_.reader(); }
  Status statistics(ColumnStatistics& statistics) { return open_.statistics(0, statistics); }

 private:
  Status open(const std::vector<Piece>& pieces, const SchemaElement& element, ByteView chunk,
              std::uint64_t rows);

  File& pages_;
  std::optional<View> view_;
  OpenFile open_;
};

}  // namespace microparquet::recovery
