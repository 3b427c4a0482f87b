#include "dictionary_use.h"

#include "chunk_pages.h"
#include "format/page_header_reader.h"

namespace mpq_tool {

namespace {

using microparquet::ColumnChunkInfo;
using microparquet::EncodingId;
using microparquet::Status;

constexpr std::uint32_t kWindowBytes = 1 << 14;

constexpr std::uint32_t bit(EncodingId encoding) { return 1U << static_cast<unsigned>(encoding); }

constexpr std::uint32_t kIndices = bit(EncodingId::kPlainDictionary) | bit(EncodingId::kRleDictionary);
// Of levels.
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

}  // namespace mpq_tool
