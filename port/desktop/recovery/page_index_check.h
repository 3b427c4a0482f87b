// Holds a column chunk's page index and the sizes that a footer states against its pages and values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chunk_pages.h"
#include "microparquet/column_values.h"
#include "microparquet/file_metadata.h"
#include "microparquet/page_index.h"
#include "microparquet/reader.h"
#include "microparquet/size_statistics.h"
#include "value_summary.h"

namespace microparquet::recovery {

// Compares the sizes of a column chunk's values and levels with those in a footer, or those of a page with an
// index.
class SizeCheck {
 public:
  explicit SizeCheck(const SchemaElement& element);

  // Reads the sizes of column 0 in the reader's row group; none if they cannot be read.
  void read(Reader& reader);
  // Sets the sizes to compare with.
  void expect(const SizeStatistics& told);

  // Items, as a batch has them.
  void add(const AnyBatch& items);
  // Rows of which no more is known than that they are nulls, or that they are values of a fixed width.
  void add_nulls(std::uint64_t rows);
  void add_values(std::uint64_t rows);

  // Sentences, of a chunk or page that is whole.
  std::vector<std::string> contradictions() const;

 private:
  using Counts = std::vector<std::uint64_t>;  // number of each level
  static void count(const std::uint8_t* levels, std::size_t items, Counts& counts);
  static void compare(const char* name, const Counts& told, const Counts& found,
                      std::vector<std::string>& sentences);

  bool texts_;                   // the values are byte arrays
  bool has_text_bytes_ = false;  // `told_text_bytes_` is valid
  bool knows_nulls_;             // they have one level
  std::uint64_t told_text_bytes_ = 0;
  std::uint64_t text_bytes_ = 0;
  Counts told_definition_;  // empty: it is not said
  Counts told_repetition_;
  Counts definition_;
  Counts repetition_;
};

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
  // Adds items as Reader::next_batch gives them, of the same page. `nulls` of the items without a value have
  // no list that is missing or empty.
  void add(const AnyBatch& items, std::size_t nulls);
  // Rows of a flat column: values of the same page, as next_batch gives them, or any number of nulls.
  void add_values(const std::byte* values, std::size_t rows);
  void add_nulls(std::uint64_t rows);

  // Contradictions between the index and the pages, a sentence each; the first few.
  const std::vector<std::string>& contradictions() const { return sentences_; }
  // Contradictions between the index and the sizes and levels of the pages, likewise.
  const std::vector<std::string>& size_contradictions() const { return size_sentences_; }
  // Whether the index contradicts itself about values, which no reader can then believe.
  bool contradicts_itself() const { return contradicts_itself_; }

 private:
  using Sentences = std::vector<std::string>;
  Span<const IndexedPage> pages() const;
  void read_sizes(Reader& reader, std::uint64_t most_bytes);
  void pass_items(std::uint64_t items);
  void begin_page();
  void end_page();
  static void say(const std::string& sentence, Sentences& sentences);
  std::string name_of(std::size_t page) const;

  SchemaElement element_;
  std::shared_ptr<std::vector<std::uint64_t>> memory_;
  std::optional<PageIndex> index_;
  std::shared_ptr<std::vector<SizeStatistics>> sizes_;  // sizes of each page; null: the index has none
  std::shared_ptr<std::vector<std::uint64_t>> size_memory_;
  std::size_t page_ = 0;              // the current one
  std::uint64_t passed_ = 0;          // items of it
  std::vector<std::uint64_t> items_;  // items of each page
  ValueSummary summary_;
  SizeCheck size_check_;
  Sentences sentences_;
  Sentences size_sentences_;
  bool contradicts_itself_ = false;
};

}  // namespace microparquet::recovery
