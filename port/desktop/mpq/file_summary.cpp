#include "file_summary.h"

#include <algorithm>

#include "chunk_pages.h"
#include "file_facts.h"
#include "format/page_header_reader.h"
#include "microparquet/text/grouped_digits.h"

namespace mpq_tool {

namespace {

using microparquet::text::grouped_digits;

// A value in one line, and of bearable length; in a terminal in one line of that, after `used` characters.
std::string value_in_brief(const std::string& value, std::size_t used) {
  constexpr std::size_t kMax = 100;
  constexpr std::size_t kMin = 20;
  const std::string size = " (" + grouped_digits(value.size()) + " bytes)";
  const std::size_t width = terminal_width() == 0 ? used + kMax + size.size() : terminal_width();
  if (width_of(value) <= std::min(kMax, width - std::min(width, used))) {
    return value;
  }
  return shortened(value, std::clamp(width - std::min(width, used + size.size()), kMin, kMax)) + size;
}

}  // namespace

void print_file(ParquetFile& file, Output& output) {
  const microparquet::Reader& reader = file.reader();
  const std::string writer = file.created_by();
  output.line(file.name());
  output.line("  rows        " + grouped_digits(reader.rows()));
  if (const std::string behind = file.rows_after_footer(); !behind.empty()) {
    output.line("              " + behind);
  }
  if (const std::uint64_t dropped = dropped_rows(file); dropped != 0) {
    output.line("              " + grouped_digits(dropped) + (dropped == 1 ? " row was" : " rows were") +
                " dropped before reaching the file");
  }
  output.line("  row groups  " + grouped_digits(reader.row_groups()));
  output.line("  columns     " + grouped_digits(reader.columns()));
  output.line("  size        " + grouped_digits(reader.file_bytes()) + " bytes");
  output.line("  created by  " + (writer.empty() ? "(not said)" : writer));
}

void print_key_values(ParquetFile& file, Output& output) {
  constexpr std::size_t kGap = 2;
  constexpr std::size_t kMin = 40;  // least width of a value beside its key; a narrower one stands below
  std::size_t width = 0;
  file.visit_key_values(
      [&](const microparquet::KeyValue& pair) { width = std::max(width, width_of(pair.key)); });
  if (file.reader().key_values() != 0) {
    output.line("");
    output.line("key-values");
  }
  const bool beside = terminal_width() == 0 || kGap + width + kGap + kMin <= terminal_width();
  file.visit_key_values([&](const microparquet::KeyValue& pair) {
    constexpr std::size_t kIndent = 6;  // indent of a value below its key
    const std::string key = "  " + std::string(pair.key);
    const std::string value = value_in_brief(std::string(pair.value), beside ? kGap + width + kGap : kIndent);
    if (beside) {
      output.line(key + std::string(kGap + width - width_of(key) + kGap, ' ') + value);
    } else {
      output.line(key);
      output.line(std::string(kIndent, ' ') + value);
    }
  });
}

namespace {

using microparquet::ColumnChunkInfo;
using microparquet::EncodingId;
using microparquet::Status;

constexpr std::uint32_t kWindowBytes = 1 << 14;

constexpr std::uint32_t bit(EncodingId encoding) { return 1U << static_cast<unsigned>(encoding); }

constexpr std::uint32_t kIndices = bit(EncodingId::kPlainDictionary) | bit(EncodingId::kRleDictionary);
// Encodings of levels.
constexpr std::uint32_t kLevels = bit(EncodingId::kRle) | bit(EncodingId::kBitPacked);

}  // namespace

DictionaryCounter::DictionaryCounter(microparquet::File& file) : file_(file), memory_(kWindowBytes) {
  if (file_.size(bytes_) != Status::kOk) {
    bytes_ = 0;
  }
  bytes_to_pass_ = bytes_;
}

// None: that cannot be seen.
std::optional<bool> DictionaryCounter::falls_back(const ColumnChunkInfo& chunk) {
  if ((chunk.encodings & ~(kIndices | kLevels)) == 0) {
    return false;
  }
  const std::uint64_t begin = microparquet::recovery::begin_of(chunk);
  if (begin > bytes_ || chunk.compressed_bytes > bytes_ - begin || chunk.compressed_bytes > bytes_to_pass_) {
    return std::nullopt;
  }
  bytes_to_pass_ -= chunk.compressed_bytes;
  microparquet::detail::Window window = {};
  window.begin(file_, memory_.data(), kWindowBytes);
  window.seek(begin, begin + chunk.compressed_bytes);
  for (std::uint64_t values = 0; values < chunk.values;) {
    microparquet::format::PageHeader header;
    if (microparquet::format::read_page_header(window, header) != Status::kOk ||
        window.skip(header.compressed_bytes) != Status::kOk) {
      return std::nullopt;
    }
    using microparquet::format::PageType;
    if (header.type != PageType::kData && header.type != PageType::kDataV2) {
      continue;
    }
    if (header.encoding >= 32 || (kIndices >> header.encoding & 1) == 0) {
      return true;
    }
    values += header.values;
  }
  return false;
}

void DictionaryCounter::add(const ColumnChunkInfo& chunk, DictionaryUse& use) {
  ++use.chunks;
  if (chunk.dictionary_page_offset == 0 && (chunk.encodings & kIndices) == 0) {
    return;
  }
  ++use.with_dictionary;
  if (const std::optional<bool> other = falls_back(chunk); !other) {
    use.fallbacks.reset();
  } else if (use.fallbacks) {
    *use.fallbacks += *other ? 1U : 0U;
  }
}

namespace {

using microparquet::ColumnStatistics;
using microparquet::detail::Comparison;
using microparquet::detail::ValueOrder;
using Bytes = microparquet::Span<const std::byte>;

constexpr std::uint8_t kKnownCodecs = 8;

}  // namespace

void ColumnSummary::add(const ColumnChunkInfo& chunk, const ColumnStatistics& statistics) {
  bytes_ += chunk.compressed_bytes;
  encodings_ |= chunk.encodings;
  if (const auto codec = static_cast<std::uint8_t>(chunk.codec); codec < kKnownCodecs) {
    codecs_ = static_cast<std::uint8_t>(codecs_ | 1U << codec);
  } else {
    other_codec_ = codec;
  }
  if (nulls_ && statistics.has_null_count) {
    *nulls_ += statistics.null_count;
  } else if (element_.max_definition_level != 0) {
    nulls_.reset();
  }
  const bool all_null = statistics.has_null_count && statistics.null_count == chunk.values;
  if (all_null) {
    return;
  }
  const bool usable = order_ != ValueOrder::kNone &&
                      (!statistics.deprecated || microparquet::detail::trusts_old_bounds(order_));
  add_bound(min_, min_untold_, usable && statistics.has_min, statistics.min, Comparison::kLess);
  add_bound(max_, max_untold_, usable && statistics.has_max, statistics.max, Comparison::kGreater);
}

bool ColumnSummary::uses(microparquet::CodecId codec) const {
  const auto id = static_cast<std::uint8_t>(codec);
  return id < kKnownCodecs ? (codecs_ >> id & 1) != 0 : id == other_codec_;
}

void ColumnSummary::add_bound(std::optional<Bound>& bound, bool& untold, bool told, Bytes value,
                              Comparison outer) const {
  if (!told || untold) {
    untold = true;
    bound.reset();
    return;
  }
  if (!bound || microparquet::detail::compare(order_, value, *bound) == outer) {
    bound = Bound(value.begin(), value.end());
  }
}

}  // namespace mpq_tool
