#include "page_index_check.h"

#include <algorithm>
#include <limits>

#include "thrift_dom/chunk_places.h"

namespace microparquet::recovery {

namespace {

constexpr std::size_t kMostSentences = 3;

// As the statistics of a row group.
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
  // What an index says of a page takes some bytes of the file.
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
