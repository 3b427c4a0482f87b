// Holds a column chunk's page index against its pages and their values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chunk_pages.h"
#include "microparquet/page_index.h"
#include "value_summary.h"

namespace microparquet::recovery {

// Takes the items of the chunk from the first to the last one. Copies share what the index says.
class PageIndexCheck {
 public:
  explicit PageIndexCheck(const SchemaElement& element);

  // Reads the index of column 0 in the reader's row group, if the column chunk `chunk` names one, and holds
  // it against its data pages.
  void read(Reader& reader, ByteView chunk);
  void compare_places(const ChunkPages& found);

  // Items before another page begins; without an index any number.
  std::uint64_t items_left() const;
  // Values as Reader::next_batch gives them, of items of the same page.
  void add(const std::byte* values, std::size_t count);
  // The next items have no value, and of `nulls` of them no list is missing or empty.
  void add_missing(std::uint64_t count, std::uint64_t nulls);

  // Where the index contradicts the pages, a sentence each; the first few.
  const std::vector<std::string>& contradictions() const { return sentences_; }
  // What it says of values contradicts itself, so that no reader can believe it.
  bool contradicts_itself() const { return contradicts_itself_; }

 private:
  Span<const IndexedPage> pages() const;
  void pass_items(std::uint64_t items);
  void end_page();
  void say(const std::string& sentence);
  std::string name_of(std::size_t page) const;

  SchemaElement element_;
  std::shared_ptr<std::vector<std::uint64_t>> memory_;
  std::optional<PageIndex> index_;
  std::size_t page_ = 0;              // the current one
  std::uint64_t passed_ = 0;          // items of it
  std::vector<std::uint64_t> items_;  // of each page
  ValueSummary summary_;
  std::vector<std::string> sentences_;
  bool contradicts_itself_ = false;
};

}  // namespace microparquet::recovery
