#include "chunk_check.h"

#include <algorithm>
#include <numeric>

#include "byte_views.h"
#include "microparquet/detail/format/magic.h"
#include "page_index_check.h"
#include "view.h"

namespace microparquet::recovery {

namespace {

constexpr std::uint32_t kBufferBytes = 1 << 20;
using format::kMagicBytes;
// Values of all chunks that are decoded: a few bytes may say that there are thousands of millions.
constexpr std::uint64_t kMostValues = 1 << 26;
constexpr std::uint64_t kMostValuesAByte = 4096;  // limit for each further byte of the file

void append_page(std::vector<HeldPages>& held, const ChunkPage& page, std::uint64_t row) {
  if (!held.empty() && held.back().run.end == page.begin && held.back().rows.end == row) {
    held.back().run.end = page.end;
    held.back().run.values += page.values;
    held.back().rows.end += page.values;
  } else {
    held.push_back({{row, row + page.values}, {page.begin, page.end, page.values}});
  }
}

// Items that have no value though no list is missing or empty.
std::size_t count_nulls(const SchemaElement& element, const AnyBatch& items) {
  const std::size_t missing = items.level_count - items.value_count;
  if (element.max_repetition_level == 0 || missing == 0) {
    return missing;
  }
  const bool optional = element.repetition == Repetition::kOptional;
  const std::uint8_t* const levels = items.definition_levels;
  return optional ? static_cast<std::size_t>(
                        std::count(levels, levels + items.level_count, element.max_definition_level - 1))
                  : 0;
}

void append_sentences(const std::vector<std::string>& more, std::vector<std::string>& sentences) {
  sentences.insert(sentences.end(), more.begin(), more.end());
}

// Finds the rows of the pages that hold. A page whose number of rows is not known leaves a gap: places are
// counted from both ends of the chunk, and rows between two such pages have none.
std::vector<HeldPages> place_pages(const std::vector<ChunkPage>& pages, std::uint64_t rows) {
  const auto unknown = [](const ChunkPage& page) { return !page.counted; };
  const auto first = std::find_if(pages.begin(), pages.end(), unknown);
  const auto last = std::find_if(pages.rbegin(), pages.rend(), unknown).base();
  const bool all_counted = first == pages.end();
  const auto count = [](auto begin, auto end) {
    return std::accumulate(begin, end, std::uint64_t{0},
                           [](std::uint64_t sum, const ChunkPage& page) { return sum + page.values; });
  };
  const std::uint64_t before = count(pages.begin(), first);
  const std::uint64_t behind = all_counted ? 0 : count(last, pages.end());
  if (before + behind > rows || (all_counted && before != rows)) {
    return {};  // headers have no checksum: any of them may be the wrong one
  }
  std::vector<HeldPages> held;
  const auto place = [&](auto begin, auto end, std::uint64_t row) {
    for (; begin != end; row += begin++->values) {
      if (begin->holds && begin->values != 0) {
        append_page(held, *begin, row);
      }
    }
  };
  place(pages.begin(), first, 0);
  if (!all_counted) {
    place(last, pages.end(), rows - behind);
  }
  return held;
}

}  // namespace

struct ColumnCheck::Chunk {
  SchemaElement element;
  std::uint64_t rows;
  ValueSummary summary;
  PageIndexCheck page_index;
  SizeCheck sizes;
  ChunkReport report = {};
  ColumnStatistics statistics = {};
  Status statistics_status = Status::kOk;
  std::uint64_t surplus = 0;  // values of the last page beyond those that the footer says
  bool is_current = true;     // it is what the file of this column has open, and none of it has been read

  Chunk(const SchemaElement& column, std::uint64_t row_group_rows)
      : element(column), rows(row_group_rows), summary(column), page_index(column), sizes(column) {}
  bool flat() const { return element.max_repetition_level == 0; }
};

ColumnCheck::ColumnCheck(File& pages)
    : pages_(pages), column_(pages), values_left_(kMostValues + kMostValuesAByte * bytes_of(pages)) {}

ChunkReport ColumnCheck::check(const SchemaElement& element, ByteView bytes, std::uint64_t rows,
                               const std::vector<Piece>& overwritten) {
  SchemaElement column = element;
  // A value longer than the file is not in it, whatever the schema says; memory is for those that may be.
  column.type_length =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(column.type_length, bytes_of(pages_)));
  Chunk chunk(column, rows);
  Status status = column_.open(column, bytes, rows);
  if (status == Status::kOk) {
    status = column_.reader().column_chunk(0, chunk.report.info);
  }
  if (status != Status::kOk) {
    chunk.report.damage.push_back(std::string("the footer's entry cannot be read: ") + to_string(status));
    return std::move(chunk.report);
  }
  chunk.statistics_status = column_.statistics(chunk.statistics);
  chunk.page_index.read(column_.reader(), bytes);
  chunk.sizes.read(column_.reader());
  if (chunk.page_index.contradicts_itself()) {
    chunk.report.index_slips.emplace_back("what its page index says of values contradicts itself");
  }
  if (find_place(chunk)) {
    ChunkPages found = find_pages(pages_, chunk.report.info, overwritten, memory_);
    compare_with_footer(chunk, found);
    chunk.page_index.compare_places(found);
    decode(chunk, found);
    report_surplus(chunk, found);
  }
  if (chunk.report.decoded && chunk.surplus == 0) {
    check_statistics(chunk);
  }
  if (chunk.report.damage.empty() && chunk.surplus == 0) {
    append_sentences(chunk.page_index.contradictions(), chunk.report.index_faults);
    append_sentences(chunk.page_index.size_contradictions(), chunk.report.slips);
  }
  return std::move(chunk.report);
}

// A chunk without values need not be anywhere.
bool ColumnCheck::find_place(Chunk& chunk) {
  const ColumnChunkInfo& info = chunk.report.info;
  const std::uint64_t begin = begin_of(info);
  const std::uint64_t bytes = bytes_of(pages_);
  if (begin >= kMagicBytes && begin <= bytes && info.compressed_bytes <= bytes - begin) {
    return true;
  }
  if (info.values == 0) {
    chunk.report.decoded = chunk.flat();
  } else {
    chunk.report.damage.emplace_back("its pages are said to lie beyond the end of the file");
  }
  return false;
}

std::uint32_t with_dictionary(std::uint32_t crc, const ChunkReport& chunk) {
  if (!chunk.dictionary_crc) {
    return crc;
  }
  const auto* const bytes = reinterpret_cast<const std::byte*>(&*chunk.dictionary_crc);
  return crc_of(crc, {bytes, sizeof *chunk.dictionary_crc});
}

std::string ColumnCheck::count_sentence(const Chunk& chunk, const ChunkPages& found) {
  return "its pages up to " + std::to_string(found.end) + " have " + std::to_string(found.values) +
         " values, the footer says " + std::to_string(chunk.report.info.values);
}

void ColumnCheck::compare_with_footer(Chunk& chunk, const ChunkPages& found) const {
  ChunkReport& report = chunk.report;
  const ColumnChunkInfo& info = report.info;
  report.pages = found.count;
  report.checksums = found.checksums;
  report.damage = found.damage;
  report.unchecked = found.unknown;
  report.dictionary = found.dictionary;
  report.dictionary_crc = found.dictionary_crc;
  const bool gaps = std::any_of(found.pages.begin(), found.pages.end(),
                                [](const ChunkPage& page) { return !page.counted; });
  if (gaps) {
    return;
  }
  if (found.values < info.values) {
    report.damage.push_back(count_sentence(chunk, found));
  } else {
    chunk.surplus = found.values - info.values;
  }
  if (found.end != begin_of(info) + info.compressed_bytes) {
    report.contradictions.push_back("its pages end at " + std::to_string(found.end) + ", the footer says " +
                                    std::to_string(begin_of(info) + info.compressed_bytes));
  }
  if (found.first_data_page != info.data_page_offset && found.first_data_page != 0) {
    // Without dictionary_page_offset readers begin at data_page_offset, whatever page is there.
    auto& sentences = info.dictionary_page_offset == 0 ? report.slips : report.contradictions;
    sentences.push_back("its first data page is at " + std::to_string(found.first_data_page) +
                        ", the footer says " + std::to_string(info.data_page_offset));
  }
  if (found.uncompressed_bytes != info.uncompressed_bytes) {
    report.contradictions.push_back("its pages have " + std::to_string(found.uncompressed_bytes) +
                                    " bytes before compression, the footer says " +
                                    std::to_string(info.uncompressed_bytes));
  }
  if ((found.encodings & ~info.encodings) != 0) {
    report.slips.emplace_back("a page has an encoding that the footer does not name");
  }
}

// Rows are proved by decoding them, where there is a decoder; else by the pages' headers and checksums.
void ColumnCheck::decode(Chunk& chunk, ChunkPages& found) {
  ChunkReport& report = chunk.report;
  if (!chunk.flat()) {
    decode_lists(chunk, found);
    return;
  }
  const Status status = decode_pages(chunk, found);
  report.decoded = status == Status::kOk;
  if (status == Status::kUnsupported) {
    report.unchecked.emplace_back("values and statistics: their encoding or codec is not decoded");
  } else if (status == Status::kLimitReached) {
    report.unchecked.emplace_back("values and statistics: they are too many for so few bytes");
  } else if (status != Status::kOk) {
    report.damage.push_back(std::string("its values cannot be decoded: ") + to_string(status));
    return;
  }
  const std::uint64_t surplus = report.damage.empty() ? chunk.surplus : 0;
  report.buffer_bytes = std::max(buffer_bytes_, kBufferBytes);
  report.held = place_pages(found.pages, report.info.values + surplus);
  if (surplus != 0) {
    report.held.back().rows.end -= surplus;
  }
  for (const HeldPages& pages : report.held) {
    append_range(report.rows, pages.rows);
  }
}

// Pages of lists are decoded all or none: which rows those around a damaged one have is known only by reading it.
void ColumnCheck::decode_lists(Chunk& chunk, const ChunkPages& found) {
  ChunkReport& report = chunk.report;
  if (!report.damage.empty()) {
    report.unchecked.emplace_back("values and statistics: lists around damaged pages are not decoded");
    return;
  }
  PageRun run;
  run.begin = found.pages.empty() ? found.end : found.pages.front().begin;
  run.end = found.end;
  run.values = report.info.values;
  std::uint64_t items = 0;
  const Status status = decode_run(chunk, run, items);
  if (status == Status::kCorrupt || status == Status::kIoError) {
    report.damage.push_back("its lists cannot be decoded after " + std::to_string(items) + " of " +
                            std::to_string(run.values) + " values");
    return;
  }
  report.decoded = status == Status::kOk;
  if (!report.decoded) {
    report.unchecked.emplace_back(status == Status::kLimitReached
                                      ? "values and statistics: they are too many for so few bytes"
                                      : "values and statistics: their encoding or codec is not decoded");
  }
  append_range(report.rows, {0, chunk.rows});
}

// Readers end a chunk with the number of its values: what more its last page has is not read. But where there is
// damage, the number in that page's header may be it.
void ColumnCheck::report_surplus(Chunk& chunk, const ChunkPages& found) {
  ChunkReport& report = chunk.report;
  if (chunk.surplus != 0) {
    auto& sentences = report.damage.empty() ? report.contradictions : report.damage;
    sentences.push_back(count_sentence(chunk, found));
  }
}

// Decodes the pages that hold, as many at a time as stand one after another. A page whose values cannot be
// decoded does not hold; then those around it are decoded without it. kOk, or why none can be decoded.
Status ColumnCheck::decode_pages(Chunk& chunk, ChunkPages& found) {
  struct Part {
    std::size_t begin;
    std::size_t end;
  };
  std::vector<ChunkPage>& pages = found.pages;
  const bool counts_hold = found.values == chunk.report.info.values;
  std::vector<Part> left;
  for (std::size_t begin = pages.size(); begin != 0;) {  // the first part is to be the last one in `left`
    const std::size_t end = begin--;
    while (begin != 0 && pages[begin].holds && pages[begin - 1].holds) {
      --begin;
    }
    if (pages[begin].holds) {
      left.push_back({begin, end});
    }
  }
  while (!left.empty()) {
    const Part part = left.back();
    left.pop_back();
    PageRun run{pages[part.begin].begin, pages[part.end - 1].end, 0};
    for (std::size_t i = part.begin; i < part.end; ++i) {
      run.values += pages[i].values;
    }
    const ValueSummary before = chunk.summary;
    std::uint64_t done = 0;
    const Status status = decode_run(chunk, run, done);
    if (status == Status::kOk) {
      continue;
    }
    if (status != Status::kCorrupt && status != Status::kIoError) {
      return status;
    }
    chunk.summary = before;
    std::size_t bad = part.begin;  // the page of the row that failed
    for (; bad < part.end && done >= pages[bad].values; ++bad) {
      done -= pages[bad].values;
    }
    if (done == 0 && bad > part.begin && bad < part.end) {
      // Between two pages: it may be bytes left of the one, or the beginning of the other.
      left.push_back({bad, part.end});
      left.push_back({part.begin, bad});
      continue;
    }
    bad = std::min(bad, part.end - 1);
    pages[bad].holds = false;
    pages[bad].counted = counts_hold;
    chunk.report.damage.push_back("the page at " + std::to_string(pages[bad].begin) + " cannot be decoded");
    if (bad + 1 < part.end) {
      left.push_back({bad + 1, part.end});
    }
    if (part.begin < bad) {
      left.push_back({part.begin, bad});
    }
  }
  return Status::kOk;
}

Status ColumnCheck::begin_run(Chunk& chunk, const PageRun& run) {
  const ColumnChunkInfo& info = chunk.report.info;
  const Piece dictionary = chunk.report.dictionary.value_or(Piece{begin_of(info), 0});
  const bool whole = dictionary.begin == begin_of(info) && run.begin == dictionary.begin + dictionary.bytes &&
                     run.end == begin_of(info) + info.compressed_bytes && run.values == info.values;
  Status status = Status::kOk;
  if (!whole || !chunk.is_current) {
    const std::uint64_t rows = chunk.flat() ? run.values : chunk.rows;
    status = column_.open(chunk.element, info, run, rows, chunk.report.dictionary);
  }
  chunk.is_current = false;
  return status == Status::kOk ? column_.begin(std::max(buffer_bytes_, kBufferBytes)) : status;
}

// kOk when all values can be decoded, and no bytes are left after the last one. `done` are rows.
Status ColumnCheck::decode_run(Chunk& chunk, const PageRun& run, std::uint64_t& done) {
  constexpr std::size_t kMaxRows = 4096;
  constexpr std::size_t kMaxBytes = 1 << 20;
  const std::size_t stride = std::max<std::size_t>(chunk.summary.stride(), 1);
  const std::size_t batch = std::clamp<std::size_t>(kMaxBytes / stride, 1, kMaxRows);
  values_.resize(std::max(values_.size(), batch * stride / sizeof(std::uint64_t) + 1));
  levels_.resize(2 * kMaxRows);
  std::uint8_t* const levels = chunk.element.max_definition_level != 0 ? levels_.data() : nullptr;
  auto* const values = reinterpret_cast<std::byte*>(values_.data());
  const ValueSummary before = chunk.summary;
  const PageIndexCheck index_before = chunk.page_index;
  const SizeCheck sizes_before = chunk.sizes;
  Status status = begin_run(chunk, run);
  while (status == Status::kOk) {
    AnyBatch rows;
    rows.values = values;
    rows.places = static_cast<std::size_t>(std::min<std::uint64_t>(batch, chunk.page_index.items_left()));
    rows.definition_levels = levels;
    rows.repetition_levels = levels_.data() + kMaxRows;
    status = chunk.flat() ? column_.reader().next_batch(0, rows) : column_.reader().next_items(0, rows);
    if (status == Status::kOk) {
      const std::size_t missing = rows.level_count - rows.value_count;
      const std::size_t nulls = count_nulls(chunk.element, rows);
      chunk.summary.add(values, rows.value_count);
      chunk.summary.add_nulls(nulls);
      chunk.summary.add_absent(missing - nulls);
      chunk.sizes.add(rows);
      chunk.page_index.add(rows, nulls);
      done += rows.level_count;
      if (rows.value_count > values_left_) {
        return Status::kLimitReached;
      }
      values_left_ -= rows.value_count;
      if (chunk.flat() && levels != nullptr &&
          levels[rows.level_count - 1] != chunk.element.max_definition_level) {
        status = decode_nulls(chunk, done);
      }
    } else if (status == Status::kValueTooLarge || status == Status::kOutOfMemory) {
      status = enlarge_buffer(chunk, run);
      if (status == Status::kOk) {  // all over again
        chunk.summary = before;
        chunk.page_index = index_before;
        chunk.sizes = sizes_before;
        done = 0;
        status = begin_run(chunk, run);
      }
    }
  }
  return status == Status::kEnd && done == run.values ? Status::kOk
         : status == Status::kEnd                     ? Status::kCorrupt
                                                      : status;
}

// Enlarges the buffer for data that did not fit: a value, a dictionary, or a page before and after
// decompression.
Status ColumnCheck::enlarge_buffer(const Chunk& chunk, const PageRun& run) {
  const std::uint64_t needed = column_.reader().needed_bytes() * 5 / 4 + 64;
  const std::uint64_t stored = run.end - run.begin + chunk.report.dictionary.value_or(Piece()).bytes;
  if (needed > 4 * most_expanded(chunk.report.info.codec) * stored + kBufferBytes) {
    return Status::kCorrupt;  // no bytes become that many
  }
  if (needed > 0x7FFFFFFF || needed <= buffer_bytes_) {
    return Status::kUnsupported;
  }
  buffer_bytes_ = static_cast<std::uint32_t>(needed);
  return Status::kOk;
}

// Nulls that follow each other, however many a page says there are of them, are counted at once.
Status ColumnCheck::decode_nulls(Chunk& chunk, std::uint64_t& done) {
  ColumnRun run;
  while (column_.reader().next_run(0, run) == Status::kOk) {
    done += run.rows;
    if (!run.null()) {
      chunk.summary.add(run.data, run.rows);
      chunk.page_index.add_values(run.data, run.rows);
      chunk.sizes.add_values(run.rows);
      break;
    }
    chunk.summary.add_nulls(run.rows);
    chunk.page_index.add_nulls(run.rows);
    chunk.sizes.add_nulls(run.rows);
  }
  return Status::kOk;  // the next batch tells what ended them
}

void ColumnCheck::check_statistics(Chunk& chunk) const {
  if (chunk.statistics_status != Status::kOk) {
    chunk.report.contradictions.emplace_back("its statistics cannot be read");
    return;
  }
  const bool whole = chunk.report.damage.empty();
  for (const std::string& sentence : chunk.summary.contradictions(chunk.statistics, whole)) {
    chunk.report.contradictions.push_back("statistics: " + sentence);
  }
  if (whole) {
    // pyarrow counts less than all bytes of texts in DELTA_BYTE_ARRAY.
    append_sentences(chunk.sizes.contradictions(), chunk.report.slips);
  }
}

}  // namespace microparquet::recovery
