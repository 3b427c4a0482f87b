#include "chunk_check.h"

#include <algorithm>

#include "format/page_header_reader.h"
#include "header_check.h"
#include "microparquet/port/crc32_hardware.h"
#include "value_summary.h"
#include "view.h"

namespace microparquet::recovery {

namespace {

using format::PageHeader;
using format::PageType;

constexpr std::uint32_t kBufferBytes = 1 << 20;
constexpr std::uint64_t kMagicBytes = 4;

std::string at_text(std::uint64_t at) { return "the page at " + std::to_string(at); }

bool is_data(const PageHeader& header) {
  return header.type == PageType::kData || header.type == PageType::kDataV2;
}

std::uint64_t begin_of(const ColumnChunkInfo& info) {
  const std::uint64_t dictionary = info.dictionary_page_offset;
  return dictionary != 0 && dictionary < info.data_page_offset ? dictionary : info.data_page_offset;
}

}  // namespace

struct ColumnCheck::Chunk {
  ChunkReport report;
  ColumnChunkInfo info;
  std::uint32_t row_group;
  ValueSummary summary;
  std::vector<std::uint64_t> page_ends = {0};  // rows up to the end of each page that holds
  std::uint64_t values = 0;
  std::uint64_t uncompressed_bytes = 0;
  std::uint64_t first_data_page = 0;
  std::uint32_t encodings = 0;
};

ChunkReport ColumnCheck::check(std::uint32_t row_group) {
  Chunk chunk{{}, {}, row_group, ValueSummary(leaf_.element)};
  Status status = Status::kOk;
  if (buffer_bytes_ == 0 && leaf_.element.max_repetition_level == 0) {
    buffer_bytes_ = kBufferBytes;
    status = open_.choose({&column_, 1}, buffer_bytes_);
  }
  if (status == Status::kOk) {
    status = open_.reader().seek_row_group(row_group);
  }
  if (status == Status::kOk) {
    status = open_.reader().column_chunk(column_, chunk.info);
  }
  if (status != Status::kOk) {
    chunk.report.damage.push_back(std::string("the footer's entry cannot be read: ") + to_string(status));
    return std::move(chunk.report);
  }
  walk_pages(chunk);
  decode(chunk);
  return std::move(chunk.report);
}

void ColumnCheck::walk_pages(Chunk& chunk) {
  const std::uint64_t begin = begin_of(chunk.info);
  const std::uint64_t bytes = bytes_of(file_);
  if (begin < kMagicBytes || begin > bytes || chunk.info.compressed_bytes > bytes - begin) {
    chunk.report.damage.push_back("its pages are said to lie beyond the end of the file");
    return;
  }
  memory_.resize(std::max<std::size_t>(memory_.size(), kBufferBytes));
  const std::uint64_t end = begin + chunk.info.compressed_bytes;
  detail::Window window = {};
  window.begin(file_, memory_.data(), kBufferBytes);
  window.seek(begin, end);
  while (window.position() < end) {
    if (!walk_page(chunk, window, end)) {
      return;
    }
  }
  compare_with_footer(chunk, end);
}

// False: where the next page begins is not known.
bool ColumnCheck::walk_page(Chunk& chunk, detail::Window& window, std::uint64_t end) {
  ChunkReport& report = chunk.report;
  const std::uint64_t at = window.position();
  PageHeader header;
  const Status status = format::read_page_header(window, header);
  const std::uint64_t body = window.position();
  if (status != Status::kOk || header.type == PageType::kOther ||
      !header_is_exact(read_bytes(file_, at, static_cast<std::size_t>(body - at)))) {
    report.damage.push_back(at_text(at) + " has no proper header");
    return false;
  }
  if (header.compressed_bytes > end - body) {
    report.damage.push_back(at_text(at) + " is longer than what is left of the column chunk");
    return false;
  }
  ++report.pages;
  report.checksums += header.has_crc ? 1 : 0;
  if (header.has_crc && !checksum_holds(body, header.compressed_bytes, header.crc)) {
    report.damage.push_back(at_text(at) + " does not have its checksum");
  }
  chunk.uncompressed_bytes += std::uint64_t{header.header_bytes} + header.uncompressed_bytes;
  if (is_data(header)) {
    chunk.first_data_page = chunk.first_data_page == 0 ? at : chunk.first_data_page;
    chunk.values += header.values;
    chunk.encodings |= header.encoding < 32 ? 1U << header.encoding : 0;
    if (report.damage.empty()) {
      chunk.page_ends.push_back(chunk.values);
    }
  }
  return window.skip(header.compressed_bytes) == Status::kOk;
}

bool ColumnCheck::checksum_holds(std::uint64_t at, std::uint32_t bytes, std::uint32_t crc) {
  constexpr std::uint32_t kPiece = 1 << 20;
  Bytes piece;
  std::uint32_t found = 0;
  for (std::uint32_t done = 0; done < bytes; done += kPiece) {
    piece.resize(std::min(kPiece, bytes - done));
    if (file_.read_at(at + done, piece) != Status::kOk) {
      return false;
    }
    found = crc32_hardware(found, piece.data(), piece.size());
  }
  return found == crc;
}

void ColumnCheck::compare_with_footer(Chunk& chunk, std::uint64_t end) {
  const ColumnChunkInfo& info = chunk.info;
  ChunkReport& report = chunk.report;
  if (chunk.values != info.values) {
    report.damage.push_back("its pages up to " + std::to_string(end) + " have " +
                            std::to_string(chunk.values) + " values, the footer says " +
                            std::to_string(info.values));
    chunk.page_ends = {0};  // headers have no checksum: any of them may be the wrong one
  }
  if (chunk.first_data_page != info.data_page_offset && chunk.first_data_page != 0) {
    report.contradictions.push_back("its first data page is at " + std::to_string(chunk.first_data_page) +
                                    ", the footer says " + std::to_string(info.data_page_offset));
  }
  if (chunk.uncompressed_bytes != info.uncompressed_bytes) {
    report.contradictions.push_back("its pages have " + std::to_string(chunk.uncompressed_bytes) +
                                    " bytes before compression, the footer says " +
                                    std::to_string(info.uncompressed_bytes));
  }
  if ((chunk.encodings & ~info.encodings) != 0) {
    report.contradictions.emplace_back("a page has an encoding that the footer does not name");
  }
}

// Rows are proved by decoding them, where there is a decoder; else by the pages' headers and checksums.
void ColumnCheck::decode(Chunk& chunk) {
  ChunkReport& report = chunk.report;
  if (leaf_.element.max_repetition_level != 0) {
    report.unchecked.emplace_back("values and statistics: lists are not decoded");
    report.rows = report.damage.empty() ? open_.reader().row_group_rows() : 0;
    return;
  }
  std::uint64_t done = 0;
  const Status status = decode_rows(chunk, done);
  if (status == Status::kUnsupported) {
    report.unchecked.emplace_back("values and statistics: their encoding or codec is not decoded");
    report.rows = chunk.page_ends.back();
    return;
  }
  if (status != Status::kOk) {
    report.damage.push_back("its values behind row " + std::to_string(done) +
                            " of the row group cannot be decoded");
  }
  report.rows = *(std::upper_bound(chunk.page_ends.begin(), chunk.page_ends.end(), done) - 1);
  check_statistics(chunk);
}

// Decodes the pages that hold; kOk when all of them can be, and no bytes are left behind the last value.
Status ColumnCheck::decode_rows(Chunk& chunk, std::uint64_t& done) {
  constexpr std::size_t kRows = 4096;
  const std::uint64_t rows = chunk.page_ends.back();
  const bool whole = chunk.report.damage.empty();
  std::vector<std::uint64_t> values(kRows * chunk.summary.stride() / sizeof(std::uint64_t) + 1);
  std::vector<std::uint8_t> levels(kRows);
  std::uint8_t* const given = leaf_.element.max_definition_level != 0 ? levels.data() : nullptr;
  auto* const out = reinterpret_cast<std::byte*>(values.data());
  for (;;) {
    std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(kRows, rows - done));
    if (count == 0) {
      if (!whole) {
        return Status::kOk;
      }
      count = 1;  // to be told of the end
    }
    const Status status = open_.reader().next_batch(0, out, given, count);
    if (status == Status::kValueTooLarge || status == Status::kOutOfMemory) {
      // A value longer than the buffer: all over again with a longer one.
      const std::uint64_t needed = open_.reader().needed_bytes() * 5 / 4 + 64;
      if (needed > 0x7FFFFFFF || needed <= buffer_bytes_) {
        return Status::kUnsupported;
      }
      buffer_bytes_ = static_cast<std::uint32_t>(needed);
      if (open_.choose({&column_, 1}, buffer_bytes_) != Status::kOk ||
          open_.reader().seek_row_group(chunk.row_group) != Status::kOk) {
        return Status::kUnsupported;
      }
      chunk.summary = ValueSummary(leaf_.element);
      done = 0;
      continue;
    }
    if (status != Status::kOk) {
      return status == Status::kEnd && done == rows ? Status::kOk : status;
    }
    chunk.summary.add(out, given, count);
    done += count;
  }
}

void ColumnCheck::check_statistics(Chunk& chunk) {
  ColumnStatistics statistics;
  if (open_.statistics(column_, statistics) != Status::kOk) {
    chunk.report.contradictions.emplace_back("its statistics cannot be read");
    return;
  }
  const bool whole = chunk.report.damage.empty();
  for (const std::string& sentence : chunk.summary.contradictions(statistics, whole)) {
    chunk.report.contradictions.push_back("statistics: " + sentence);
  }
}

}  // namespace microparquet::recovery
