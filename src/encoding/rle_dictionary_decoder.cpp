// RLE_DICTIONARY: the width of the indices in one byte; runs of indices.
#include "microparquet/decoders.h"

#include <cstring>
#include <string_view>

#include "base/endian.h"
#include "base/try.h"
#include "encoding/desktop/unpack.h"
#include "encoding/hybrid_runs.h"
#include "microparquet/detail/desktop.h"
#include "microparquet/detail/encoding/length_prefix.h"

namespace microparquet {
namespace {

using encoding::HybridRuns;
using encoding::kLengthBytes;

static_assert(sizeof(HybridRuns) <= FixedDictionaryDecoder::kStateBytes);
static_assert(sizeof(HybridRuns) <= ByteArrayDictionaryDecoder::kStateBytes);

Status begin_indices(PageInput page, std::uint32_t values) {
  HybridRuns& runs = page.state<HybridRuns>();
  runs = {};
  page.end_in_padding();
  // Some writers store no width in a page without values.
  if (page.left() == 0) return values == 0 || page.may_have_nulls() ? Status::kOk : Status::kCorrupt;
  MICROPARQUET_TRY(page.load(1));
  runs.width = std::to_integer<std::uint8_t>(*page.data());
  if (runs.width > HybridRuns::kMaxWidth || page.dictionary() == nullptr) return Status::kCorrupt;
  page.take(1);
  return Status::kOk;
}

// Calls `take` with the entry number of up to `count` values, as many as are loaded. On failure it takes
// none: the next batch meets the same error first.
template <typename Take>
Status take_values(PageInput page, std::uint32_t& count, Take take) {
  HybridRuns& runs = page.state<HybridRuns>();
  MICROPARQUET_TRY(runs.load(page, count));
  const HybridRuns before = runs;
  const std::byte* const at = page.data();
  const std::uint32_t end = page.dictionary()->count;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t index = runs.take(page);
    if (index >= end) {
      page.rewind(static_cast<std::uint32_t>(page.data() - at));
      runs = before;
      return Status::kCorrupt;
    }
    take(index);
  }
  return Status::kOk;
}

std::string_view byte_array(const Dictionary& dictionary, std::uint32_t index) {
  const std::byte* const at =
      dictionary.values.data() +
      util::load_aligned<std::uint32_t>(dictionary.index.data() + std::size_t{index} * sizeof(std::uint32_t));
  return {reinterpret_cast<const char*>(at + kLengthBytes), util::load<std::uint32_t>(at)};
}

// Reads some of the next `count` values of a loaded run, many at once; 0: they must be taken one by one.
template <typename Value>
std::uint32_t read_many(PageInput page, HybridRuns& runs, std::byte* out, std::uint32_t count) {
  constexpr std::uint32_t kMany = encoding::kUnpacked;
  const std::byte* const values = page.dictionary()->values.data();
  const std::uint32_t end = page.dictionary()->count;
  const auto store = [out, values](std::uint32_t i, std::uint32_t index) {
    std::memcpy(out + std::size_t{i} * sizeof(Value), values + std::size_t{index} * sizeof(Value),
                sizeof(Value));
  };
  if (!runs.packed) {
    if (runs.number >= end) return 0;
    for (std::uint32_t i = 0; i < count; ++i) store(i, runs.number);
    runs.left -= count;
    return count;
  }
  const std::uint32_t bytes = kMany / 8 * runs.width;
  std::uint32_t stored = 0;
  while (runs.bit == 0 && count - stored >= kMany && page.available() >= bytes) {
    std::uint32_t indices[kMany];
    encoding::unpack(page.data(), runs.width, indices);
    std::uint32_t most = 0;
    for (const std::uint32_t index : indices) most = index > most ? index : most;
    if (most >= end) break;
    for (std::uint32_t i = 0; i < kMany; ++i) store(stored + i, indices[i]);
    stored += kMany;
    runs.left -= kMany;
    page.take(bytes);
  }
  return stored;
}

// Reads the values before the next whole byte, from which many can be read at once.
template <typename Value>
Status read_few(PageInput page, std::byte* out, std::uint32_t& count) {
  const HybridRuns& runs = page.state<HybridRuns>();
  const std::byte* const values = page.dictionary()->values.data();
  if (runs.packed && runs.bit != 0) {
    std::uint32_t few = 1;  // values up to the next whole byte
    while ((runs.bit + few * runs.width) % 8 != 0) ++few;
    if (count > few) count = few;
  }
  return take_values(page, count, [&](std::uint32_t index) {
    std::memcpy(out, values + std::size_t{index} * sizeof(Value), sizeof(Value));
    out += sizeof(Value);
  });
}

// Reads values. After a failure it returns those read before; the next call returns the status.
template <typename Value>
Status read_many_words(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) {
  HybridRuns& runs = page.state<HybridRuns>();
  auto* const to = static_cast<std::byte*>(out);
  stored = 0;
  while (stored < count) {
    std::uint32_t more = count - stored;
    Status status = runs.load(page, more);
    if (status == Status::kOk) {
      const std::uint32_t many = read_many<Value>(page, runs, to + std::size_t{stored} * sizeof(Value), more);
      stored += many;
      if (many != 0) continue;
      status = read_few<Value>(page, to + std::size_t{stored} * sizeof(Value), more);
    }
    if (status != Status::kOk) return stored != 0 ? Status::kOk : status;
    stored += more;
  }
  return Status::kOk;
}

template <typename Value>
Status read_words(PageInput page, void* out, std::uint32_t count, std::uint32_t& stored) {
  if constexpr (detail::kDesktop) return read_many_words<Value>(page, out, count, stored);
  const std::byte* const values = page.dictionary()->values.data();
  auto* to = static_cast<std::byte*>(out);
  stored = count;
  return take_values(page, stored, [&](std::uint32_t index) {
    std::memcpy(to, values + std::size_t{index} * sizeof(Value), sizeof(Value));
    to += sizeof(Value);
  });
}

}  // namespace

Status FixedDictionaryDecoder::begin_dictionary(PageInput column, const Dictionary& dictionary) const {
  const std::uint64_t bytes = std::uint64_t{dictionary.count} * column.width();
  return dictionary.values.size() == bytes ? Status::kOk : Status::kCorrupt;
}

Status FixedDictionaryDecoder::begin_page(PageInput page, std::uint32_t values) const {
  return begin_indices(page, values);
}

Status FixedDictionaryDecoder::next(PageInput page) const {
  std::uint32_t count = 1;
  return take_values(page, count, [&](std::uint32_t index) {
    const std::uint32_t width = page.width();
    page.show(page.dictionary()->values.data() + std::size_t{index} * width, width);
  });
}

Status FixedDictionaryDecoder::read(PageInput page, void* out, std::uint32_t count,
                                    std::uint32_t& stored) const {
  const std::uint32_t width = page.width();
  if (page.dictionary() == nullptr) return Status::kCorrupt;
  if (width == sizeof(std::uint32_t)) return read_words<std::uint32_t>(page, out, count, stored);
  if (width == sizeof(std::uint64_t)) return read_words<std::uint64_t>(page, out, count, stored);
  stored = 1;
  MICROPARQUET_TRY(next(page));
  std::memcpy(out, page.shown(), width);
  return Status::kOk;
}

Status FixedDictionaryDecoder::skip(PageInput page) const { return next(page); }

std::uint64_t ByteArrayDictionaryDecoder::index_bytes(std::uint32_t count) const {
  return std::uint64_t{count} * sizeof(std::uint32_t);
}

Status ByteArrayDictionaryDecoder::begin_dictionary(PageInput, const Dictionary& dictionary) const {
  const std::size_t bytes = dictionary.values.size();
  std::size_t at = 0;
  for (std::uint32_t i = 0; i < dictionary.count; ++i) {
    if (bytes - at < kLengthBytes) return Status::kCorrupt;
    const auto length = util::load<std::uint32_t>(dictionary.values.data() + at);
    if (bytes - at - kLengthBytes < length) return Status::kCorrupt;
    util::store_aligned(dictionary.index.data() + std::size_t{i} * sizeof(std::uint32_t),
                        static_cast<std::uint32_t>(at));
    at += kLengthBytes + length;
  }
  return at == bytes ? Status::kOk : Status::kCorrupt;
}

Status ByteArrayDictionaryDecoder::begin_page(PageInput page, std::uint32_t values) const {
  return begin_indices(page, values);
}

Status ByteArrayDictionaryDecoder::next(PageInput page) const {
  std::uint32_t count = 1;
  return take_values(page, count, [&](std::uint32_t index) {
    const std::string_view value = byte_array(*page.dictionary(), index);
    page.show(reinterpret_cast<const std::byte*>(value.data()), static_cast<std::uint32_t>(value.size()));
  });
}

Status ByteArrayDictionaryDecoder::read(PageInput page, void* out, std::uint32_t count,
                                        std::uint32_t& stored) const {
  auto* value = static_cast<std::string_view*>(out);
  stored = count;
  return take_values(page, stored,
                     [&](std::uint32_t index) { *value++ = byte_array(*page.dictionary(), index); });
}

Status ByteArrayDictionaryDecoder::skip(PageInput page) const { return next(page); }

}  // namespace microparquet
