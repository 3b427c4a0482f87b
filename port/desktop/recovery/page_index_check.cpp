#include "page_index_check.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>

#include "thrift_dom/chunk_places.h"

namespace microparquet::recovery {

SizeCheck::SizeCheck(const SchemaElement& element)
    : texts_(element.type == Type::kByteArray),
      knows_nulls_(element.max_definition_level <= 1),
      definition_(element.max_definition_level + 1U),
      repetition_(element.max_repetition_level + 1U) {}

void SizeCheck::read(Reader& reader) {
  Counts memory(definition_.size() + repetition_.size());
  SizeStatistics told;
  if (size_statistics(reader, 0, memory, told) == Status::kOk) {
    expect(told);
  }
}

void SizeCheck::expect(const SizeStatistics& told) {
  has_text_bytes_ = texts_ && told.has_byte_array_bytes;
  told_text_bytes_ = told.byte_array_bytes;
  told_definition_.assign(told.definition.begin(), told.definition.end());
  told_repetition_.assign(told.repetition.begin(), told.repetition.end());
}

void SizeCheck::count(const std::uint8_t* levels, std::size_t items, Counts& counts) {
  if (counts.size() == 1) {
    counts[0] += items;
    return;
  }
  for (std::size_t i = 0; i < items; ++i) {
    ++counts[levels[i]];
  }
}

void SizeCheck::add(const AnyBatch& items) {
  if (!told_definition_.empty()) {
    count(items.definition_levels, items.level_count, definition_);
  }
  if (!told_repetition_.empty()) {
    count(items.repetition_levels, items.level_count, repetition_);
  }
  for (std::size_t i = 0; has_text_bytes_ && i < items.value_count; ++i) {
    std::string_view text;
    std::memcpy(&text, static_cast<const std::byte*>(items.values) + i * sizeof(std::string_view),
                sizeof(std::string_view));
    text_bytes_ += text.size();
  }
}

void SizeCheck::add_nulls(std::uint64_t rows) {
  definition_.front() += rows;
  repetition_.front() += rows;
  if (!knows_nulls_ && rows != 0) {
    told_definition_.clear();
  }
}

void SizeCheck::add_values(std::uint64_t rows) {
  definition_.back() += rows;
  repetition_.front() += rows;
}

void SizeCheck::compare(const char* name, const Counts& told, const Counts& found,
                        std::vector<std::string>& sentences) {
  for (std::size_t level = 0; level < told.size(); ++level) {
    if (told[level] != found[level]) {
      sentences.push_back("size statistics: " + std::to_string(told[level]) + " items of " + name +
                          " level " + std::to_string(level) + ", the pages have " +
                          std::to_string(found[level]));
    }
  }
}

std::vector<std::string> SizeCheck::contradictions() const {
  std::vector<std::string> sentences;
  if (has_text_bytes_ && told_text_bytes_ != text_bytes_) {
    sentences.push_back("size statistics: " + std::to_string(told_text_bytes_) +
                        " bytes of values, the pages have " + std::to_string(text_bytes_));
  }
  compare("definition", told_definition_, definition_, sentences);
  compare("repetition", told_repetition_, repetition_, sentences);
  return sentences;
}

namespace {

constexpr std::size_t kMostSentences = 3;

// Converts a page's statistics to those of a row group.
ColumnStatistics statistics_of(const IndexedPage& page, std::uint64_t items) {
  ColumnStatistics statistics;
  statistics.has_min = page.has_bounds;
  statistics.has_max = page.has_bounds;
  statistics.min = page.min;
  statistics.max = page.max;
  statistics.has_null_count = page.has_null_count || page.only_nulls;
  statistics.null_count = page.only_nulls ? items : page.null_count;
  statistics.has_nan_count = page.has_nan_count;
  statistics.nan_count = page.nan_count;
  return statistics;
}

}  // namespace

PageIndexCheck::PageIndexCheck(const SchemaElement& element)
    : element_(element), summary_(element), size_check_(element) {
  element_.name = {};
}

Span<const IndexedPage> PageIndexCheck::pages() const {
  return index_ ? index_->pages() : Span<const IndexedPage>();
}

void PageIndexCheck::say(const std::string& sentence, Sentences& sentences) {
  if (sentences.size() < kMostSentences) {
    sentences.push_back("page index: " + sentence);
  }
}

std::string PageIndexCheck::name_of(std::size_t page) const {
  return "the page at " + std::to_string(pages()[page].offset) + ": ";
}

void PageIndexCheck::read(Reader& reader, ByteView chunk) {
  const std::optional<ChunkPlaces> places = places_of(chunk);
  if (!places || places->offset_index.bytes == 0) {
    return;
  }
  // An index takes some bytes of the file for each page that it describes.
  const std::uint64_t most = 64 * (places->offset_index.bytes + places->column_index.bytes) + 1024;
  memory_ = std::make_shared<std::vector<std::uint64_t>>(128);
  Status status = Status::kOutOfMemory;
  for (std::uint64_t bytes = 1024; status == Status::kOutOfMemory && bytes <= most;
       bytes = reader.needed_bytes()) {
    memory_->resize(static_cast<std::size_t>(bytes / sizeof(std::uint64_t) + 1));
    index_.emplace(Span<std::byte>(reinterpret_cast<std::byte*>(memory_->data()),
                                   memory_->size() * sizeof(std::uint64_t)));
    status = index_->read(reader, 0);
  }
  if (status != Status::kOk) {
    index_.reset();
    say("it contradicts itself or the column chunk", sentences_);
  } else {
    contradicts_itself_ = places->column_index.bytes != 0 &&
                          std::any_of(pages().begin(), pages().end(), [](const IndexedPage& page) {
                            return !page.has_bounds && !page.only_nulls;
                          });
    read_sizes(reader, most);
  }
}

void PageIndexCheck::read_sizes(Reader& reader, std::uint64_t most_bytes) {
  sizes_ = std::make_shared<std::vector<SizeStatistics>>(pages().size());
  size_memory_ = std::make_shared<std::vector<std::uint64_t>>();
  Status status = page_size_statistics(reader, 0, *size_memory_, *sizes_);
  if (status == Status::kOutOfMemory && reader.needed_bytes() <= most_bytes) {
    size_memory_->resize(static_cast<std::size_t>(reader.needed_bytes() / sizeof(std::uint64_t)));
    status = page_size_statistics(reader, 0, *size_memory_, *sizes_);
  }
  const auto says = [](const SizeStatistics& page) {
    return page.has_byte_array_bytes || !page.definition.empty() || !page.repetition.empty();
  };
  if (status != Status::kOk || std::none_of(sizes_->begin(), sizes_->end(), says)) {
    sizes_.reset();
  }
}

void PageIndexCheck::compare_places(const ChunkPages& found) {
  if (!index_) {
    return;
  }
  const Span<const IndexedPage> told = pages();
  if (told.size() != found.pages.size()) {
    say("it has " + std::to_string(told.size()) + " pages, there are " + std::to_string(found.pages.size()),
        sentences_);
    index_.reset();
    return;
  }
  const bool flat = element_.max_repetition_level == 0;
  for (std::size_t i = 0; i < told.size(); ++i) {
    const ChunkPage& page = found.pages[i];
    if (told[i].offset != page.begin || told[i].bytes != page.end - page.begin) {
      say(name_of(i) + "it lies from " + std::to_string(page.begin) + " to " + std::to_string(page.end),
          sentences_);
    } else if (flat && told[i].rows != page.values) {
      say(name_of(i) + "it has " + std::to_string(page.values) + " rows, not " + std::to_string(told[i].rows),
          sentences_);
    } else {
      continue;
    }
    index_.reset();
    return;
  }
  for (const ChunkPage& page : found.pages) {
    items_.push_back(page.values);
  }
  begin_page();
  pass_items(0);
}

std::uint64_t PageIndexCheck::items_left() const {
  return page_ < items_.size() ? items_[page_] - passed_ : std::numeric_limits<std::uint64_t>::max();
}

void PageIndexCheck::add(const AnyBatch& items, std::size_t nulls) {
  if (page_ < items_.size()) {
    summary_.add(static_cast<const std::byte*>(items.values), items.value_count);
    summary_.add_nulls(nulls);
    summary_.add_absent(items.level_count - items.value_count - nulls);
    size_check_.add(items);
    pass_items(items.level_count);
  }
}

void PageIndexCheck::add_values(const std::byte* values, std::size_t rows) {
  if (page_ < items_.size()) {
    summary_.add(values, rows);
    size_check_.add_values(rows);
    pass_items(rows);
  }
}

void PageIndexCheck::add_nulls(std::uint64_t rows) {
  while (rows != 0 && page_ < items_.size()) {
    const std::uint64_t part = std::min(rows, items_left());
    summary_.add_nulls(part);
    size_check_.add_nulls(part);
    pass_items(part);
    rows -= part;
  }
}

void PageIndexCheck::pass_items(std::uint64_t items) {
  passed_ += items;
  while (items_left() == 0) {
    end_page();
  }
}

void PageIndexCheck::begin_page() {
  passed_ = 0;
  summary_ = ValueSummary(element_);
  if (sizes_ && page_ < sizes_->size()) {
    size_check_ = SizeCheck(element_);
    size_check_.expect((*sizes_)[page_]);
  }
}

void PageIndexCheck::end_page() {
  for (const std::string& sentence :
       summary_.contradictions(statistics_of(pages()[page_], items_[page_]), true)) {
    say(name_of(page_) + sentence, sentences_);
  }
  for (const std::string& sentence : size_check_.contradictions()) {
    say(name_of(page_) + sentence, size_sentences_);
  }
  ++page_;
  begin_page();
}

}  // namespace microparquet::recovery
