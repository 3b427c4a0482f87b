// Reading a column chunk's page index into the caller's memory.
#include "microparquet/page_index.h"

#include "base/try.h"
#include "format/page_index_reader.h"
#include "microparquet/detail/reader_access.h"
#include "read/chunk.h"
#include "read/index_places.h"

namespace microparquet {

namespace {

using detail::ReaderState;

// Checks that pages follow each other without a gap. pyarrow writes some pages without rows if the page size
// is tiny.
class LocationCheck {
 public:
  LocationCheck(const detail::ColumnChunk& chunk, std::uint64_t rows, std::uint64_t end)
      : rows_(rows), begin_(chunk.data_page_offset), end_(end) {}

  bool takes(const format::PageLocation& page) {
    const bool first = bytes_ == 0;
    if (first ? page.first_row != 0 || page.offset < begin_
              : page.first_row < row_ || page.offset != offset_ + bytes_)
      return false;
    if (page.bytes == 0 || page.first_row >= rows_ || page.offset > end_ || page.bytes > end_ - page.offset)
      return false;
    row_ = page.first_row;
    offset_ = page.offset;
    bytes_ = page.bytes;
    return true;
  }

 private:
  std::uint64_t rows_;
  std::uint64_t begin_;
  std::uint64_t end_;
  std::uint64_t row_ = 0;
  std::uint64_t offset_ = 0;
  std::uint32_t bytes_ = 0;
};

// Stores the parts of a column index in its pages, and bounds in the memory after them.
struct BoundsOfPages {
  thrift::CompactReader& in;
  Span<IndexedPage> pages;
  Span<std::byte> memory;
  std::uint64_t& used;
  unsigned& lists;

  void null_page(std::uint32_t i, bool null) const {
    pages[i].only_nulls = null;
    lists |= 1;
  }
  void null_count(std::uint32_t i, std::uint64_t count) const {
    pages[i].null_count = count;
    pages[i].has_null_count = true;
  }
  void nan_count(std::uint32_t i, std::uint64_t count) const {
    pages[i].nan_count = count;
    pages[i].has_nan_count = true;
  }
  void min(std::uint32_t i, std::uint32_t bytes) const {
    pages[i].min = bound(bytes);
    lists |= 2;
  }
  void max(std::uint32_t i, std::uint32_t bytes) const {
    pages[i].max = bound(bytes);
    lists |= 4;
  }

 private:
  Span<const std::byte> bound(std::uint32_t bytes) const {
    const std::uint64_t begin = used;
    used += bytes;
    if (used > memory.size()) {
      in.pass(bytes);
      return {};
    }
    std::byte* const out = memory.data() + static_cast<std::size_t>(begin);
    in.copy(out, bytes);
    return {out, bytes};
  }
};

constexpr unsigned kAllLists = 7;

// Returns whether the null count and the flag for pages of nulls agree, in a column that is not repeated.
bool nulls_agree(const IndexedPage& page) {
  return !page.has_null_count || (page.null_count == page.rows) == page.only_nulls;
}

void forget_bounds(Span<IndexedPage> pages) {
  for (IndexedPage& page : pages) {
    page.only_nulls = false;
    page.has_bounds = false;
    page.has_null_count = false;
    page.has_nan_count = false;
  }
}

}  // namespace

Status PageIndex::read(Reader& reader, std::uint32_t column) {
  pages_ = {};
  column_ = column;
  if (reinterpret_cast<std::uintptr_t>(memory_.data()) % alignof(IndexedPage) != 0)
    return Status::kInvalidArgument;
  MICROPARQUET_TRY(read::find_chunk(detail::ReaderAccess::state(reader), column));
  Status status = read_places(reader);
  if (status == Status::kOk) status = read_bounds(reader);
  if (status != Status::kOk) pages_ = {};
  return status;
}

Status PageIndex::read_places(Reader& reader) {
  ReaderState& state = detail::ReaderAccess::state(reader);
  format::IndexPlaces places;
  MICROPARQUET_TRY(read::find_index_places(state, column_, places));
  if (!read::enter_index(state, places.offset_index)) return Status::kEnd;
  LocationCheck check(state.chunk, state.group_rows, state.footer_begin);
  auto* const pages = reinterpret_cast<IndexedPage*>(memory_.data());
  std::uint32_t count = 0;
  std::uint32_t size = 0;
  bool right = true;
  thrift::CompactReader in(state.footer);
  const auto take_size = [&](std::uint32_t number) {
    size = number;
    state.needed_bytes = std::uint64_t{size} * sizeof(IndexedPage);
    right = size <= places.offset_index.bytes;
    return right && state.needed_bytes <= memory_.size();
  };
  const auto take = [&](const format::PageLocation& location) {
    right = check.takes(location);
    if (!right) return false;
    IndexedPage& page = pages[count];
    page = {};
    page.offset = location.offset;
    page.bytes = location.bytes;
    page.first_row = location.first_row;
    page.rows = state.group_rows - location.first_row;
    if (count != 0) pages[count - 1].rows = location.first_row - pages[count - 1].first_row;
    ++count;
    return true;
  };
  format::read_offset_index(in, take_size, take);
  MICROPARQUET_TRY(read::as_no_index(in.status()));
  if (right && state.needed_bytes > memory_.size()) return Status::kOutOfMemory;
  if (!right || count == 0 || count != size) return Status::kEnd;
  pages_ = {pages, count};
  return Status::kOk;
}

// Reads the bounds of pages; page locations are useful without them.
Status PageIndex::read_bounds(Reader& reader) {
  ReaderState& state = detail::ReaderAccess::state(reader);
  format::IndexPlaces places;
  MICROPARQUET_TRY(read::find_index_places(state, column_, places));
  if (!read::enter_index(state, places.column_index)) return Status::kOk;
  const std::size_t used_by_pages = pages_.size() * sizeof(IndexedPage);
  std::uint64_t used = 0;
  unsigned lists = 0;
  thrift::CompactReader in(state.footer);
  const Span<std::byte> bounds = memory_.subspan(used_by_pages, memory_.size() - used_by_pages);
  format::read_column_index(in, static_cast<std::uint32_t>(pages_.size()),
                            BoundsOfPages{in, pages_, bounds, used, lists});
  const Status status = read::as_no_index(in.status());
  bool right = status == Status::kOk && lists == kAllLists;
  if (status != Status::kOk && status != Status::kEnd) return status;
  if (right && used > bounds.size()) {
    state.needed_bytes = used_by_pages + used;
    return Status::kOutOfMemory;
  }
  const bool flat = state.leaves[column_].max_repetition == 0;
  for (IndexedPage& page : pages_) {
    page.has_bounds = !page.only_nulls;
    right = right && (!flat || nulls_agree(page));
  }
  if (!right) forget_bounds(pages_);
  return Status::kOk;
}

Status PageIndex::confirm(Reader& reader, std::size_t page, bool& confirmed) const {
  ReaderState& state = detail::ReaderAccess::state(reader);
  const IndexedPage& told = pages_[page];
  format::PageHeader header;
  const Status status = read::as_no_index(read::read_header_at(state, told.offset, header));
  if (status != Status::kOk && status != Status::kEnd) return status;
  const bool flat = state.leaves[column_].max_repetition == 0;
  confirmed = status == Status::kOk && read::agrees(header, flat ? told.rows : header.values, told.bytes);
  return Status::kOk;
}

}  // namespace microparquet
