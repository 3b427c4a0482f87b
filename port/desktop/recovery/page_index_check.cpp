#include "page_index_check.h"

#include <algorithm>
#include <limits>

#include "format/chunk_places.h"

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

PageIndexCheck::PageIndexCheck(const SchemaElement& element) : element_(element), summary_(element) {
  element_.name = {};
}

Span<const IndexedPage> PageIndexCheck::pages() const {
  return index_ ? index_->pages() : Span<const IndexedPage>();
}

void PageIndexCheck::say(const std::string& sentence) {
  if (sentences_.size() < kMostSentences) {
    sentences_.push_back("page index: " + sentence);
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
    say("it contradicts itself or the column chunk");
  } else {
    contradicts_itself_ = places->column_index.bytes != 0 &&
                          std::any_of(pages().begin(), pages().end(), [](const IndexedPage& page) {
                            return !page.has_bounds && !page.only_nulls;
                          });
  }
}

void PageIndexCheck::compare_places(const ChunkPages& found) {
  if (!index_) {
    return;
  }
  const Span<const IndexedPage> told = pages();
  if (told.size() != found.pages.size()) {
    say("it has " + std::to_string(told.size()) + " pages, there are " + std::to_string(found.pages.size()));
    index_.reset();
    return;
  }
  const bool flat = element_.max_repetition_level == 0;
  for (std::size_t i = 0; i < told.size(); ++i) {
    const ChunkPage& page = found.pages[i];
    if (told[i].offset != page.begin || told[i].bytes != page.end - page.begin) {
      say(name_of(i) + "it lies from " + std::to_string(page.begin) + " to " + std::to_string(page.end));
    } else if (flat && told[i].rows != page.values) {
      say(name_of(i) + "it has " + std::to_string(page.values) + " rows, not " +
          std::to_string(told[i].rows));
    } else {
      continue;
    }
    index_.reset();
    return;
  }
  for (const ChunkPage& page : found.pages) {
    items_.push_back(page.values);
  }
  pass_items(0);
}

std::uint64_t PageIndexCheck::items_left() const {
  return page_ < items_.size() ? items_[page_] - passed_ : std::numeric_limits<std::uint64_t>::max();
}

void PageIndexCheck::add(const std::byte* values, std::size_t count) {
  if (page_ < items_.size()) {
    summary_.add(values, count);
    pass_items(count);
  }
}

void PageIndexCheck::add_missing(std::uint64_t count, std::uint64_t nulls) {
  while (count != 0 && page_ < items_.size()) {
    const std::uint64_t part = std::min(count, items_left());
    const std::uint64_t null_part = std::min(part, nulls);
    summary_.add_nulls(null_part);
    summary_.add_absent(part - null_part);
    pass_items(part);
    count -= part;
    nulls -= null_part;
  }
}

void PageIndexCheck::pass_items(std::uint64_t items) {
  passed_ += items;
  while (items_left() == 0) {
    end_page();
  }
}

void PageIndexCheck::end_page() {
  for (const std::string& sentence :
       summary_.contradictions(statistics_of(pages()[page_], items_[page_]), true)) {
    say(name_of(page_) + sentence);
  }
  summary_ = ValueSummary(element_);
  passed_ = 0;
  ++page_;
}

}  // namespace microparquet::recovery
