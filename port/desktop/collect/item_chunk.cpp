#include "item_chunk.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "chunk_statistics.h"
#include "encoding/run_encoder.h"
#include "item_pages.h"
#include "microparquet/encoding_id.h"
#include "read_failure.h"

namespace mpq_tool {

namespace {

namespace mpq = microparquet;
namespace rec = mpq::recovery;
using mpq::EncodingId;
using rec::ThriftValue;

constexpr std::size_t kPageBytes = 64 << 10;
constexpr std::size_t kMostPageBytes = 64 << 20;  // a page of one row: the next page has the rest
constexpr std::size_t kMostEntries = 4096;
constexpr std::size_t kMostEntryBytes = 16 << 10;

unsigned bits_of(std::uint32_t most) {
  unsigned bits = 0;
  for (; most != 0; most >>= 1) {
    ++bits;
  }
  return bits;
}

void append_u32(rec::Bytes& out, std::size_t number) {
  constexpr unsigned kBits = 32;
  for (unsigned shift = 0; shift < kBits; shift += 8) {
    out.push_back(static_cast<std::byte>(number >> shift & 0xFF));
  }
}

template <typename Number>
void append_hybrid(const std::vector<Number>& numbers, unsigned bits, rec::Bytes& out) {
  constexpr std::size_t kRoom = 64;
  const std::size_t begin = out.size();
  out.resize(begin + (numbers.size() / mpq::encoding::RunEncoder::kGroup + 1) * (bits + 1) + kRoom);
  mpq::encoding::RunEncoder runs = {};
  runs.begin(bits);
  std::byte* at = out.data() + begin;
  for (const Number number : numbers) {
    at = runs.put(at, number, 1);
  }
  out.resize(static_cast<std::size_t>(runs.finish(at) - out.data()));
}

// Appends levels as data page V1 has them.
void append_levels(const std::vector<std::uint8_t>& levels, std::uint8_t most, rec::Bytes& out) {
  if (most == 0) {
    return;
  }
  rec::Bytes runs;
  append_hybrid(levels, bits_of(most), runs);
  append_u32(out, runs.size());
  rec::append(out, runs);
}

void append_plain(mpq::Type type, std::string_view value, rec::Bytes& out) {
  if (type == mpq::Type::kByteArray) {
    append_u32(out, value.size());
  }
  rec::append(out, {reinterpret_cast<const std::byte*>(value.data()), value.size()});
}

}  // namespace

ItemChunk::ItemChunk(const mpq::SchemaElement& element, const mpq::Compressor* compressor)
    : element_(element),
      compressor_(compressor),
      summary_(element),
      has_room_(element.type != mpq::Type::kBoolean) {
  element_.name = {};
}

std::size_t ItemChunk::page_bytes() const {
  return values_.size() + entries_.size() * sizeof entries_[0] + definition_.size() / 4;
}

void ItemChunk::add(const mpq::Item& item) {
  const std::size_t bytes = page_bytes();
  if (bytes >= (item.begins_row() ? kPageBytes : kMostPageBytes)) {
    end_page();
  }
  if (!item.cell.null()) {
    add_value(item.cell.text());
  } else {
    ++nulls_;
  }
  ++items_;
  definition_.push_back(item.definition);
  repetition_.push_back(item.repetition);
}

void ItemChunk::add_value(std::string_view value) {
  const bool text = element_.type == mpq::Type::kByteArray;
  summary_.add(
      text ? reinterpret_cast<const std::byte*>(&value) : reinterpret_cast<const std::byte*>(value.data()),
      1);
  std::uint16_t entry = 0;
  if (has_room_ && find_entry(value, entry)) {
    entries_.push_back(entry);
    return;
  }
  if (has_room_) {
    end_page();
    has_room_ = false;
  }
  append_plain(element_.type, value, values_);
}

// False: it is none, and finds no room.
bool ItemChunk::find_entry(std::string_view value, std::uint16_t& entry) {
  if (const auto place = places_.find(value); place != places_.end()) {
    entry = place->second;
    return true;
  }
  if (places_.size() == kMostEntries || dictionary_.size() + value.size() > kMostEntryBytes) {
    return false;
  }
  entry = static_cast<std::uint16_t>(places_.size());
  places_.emplace(value, entry);
  append_plain(element_.type, value, dictionary_);
  return true;
}

void ItemChunk::append_values(rec::Bytes& body) const {
  if (has_room_) {
    const unsigned bits =
        std::max(1U, bits_of(static_cast<std::uint32_t>(std::max<std::size_t>(places_.size(), 1) - 1)));
    body.push_back(static_cast<std::byte>(bits));
    append_hybrid(entries_, bits, body);
  } else if (element_.type == mpq::Type::kBoolean) {
    const std::size_t begin = body.size();
    body.resize(begin + (values_.size() + 7) / 8);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      body[begin + i / 8] |= (values_[i] & std::byte{1}) << (i % 8);
    }
  } else {
    rec::append(body, values_);
  }
}

void ItemChunk::end_page() {
  if (definition_.empty()) {
    return;
  }
  rec::Bytes body;
  append_levels(repetition_, element_.max_repetition_level, body);
  append_levels(definition_, element_.max_definition_level, body);
  append_values(body);
  const EncodingId encoding = has_room_ ? EncodingId::kRleDictionary : EncodingId::kPlain;
  encodings_ |= 1U << static_cast<unsigned>(encoding);
  append_page(data_page_header(definition_.size(), encoding), body, pages_);
  definition_.clear();
  repetition_.clear();
  entries_.clear();
  values_.clear();
}

void ItemChunk::append_page(ThriftValue header, const rec::Bytes& body, rec::Bytes& out) {
  constexpr std::size_t kMost = std::numeric_limits<std::int32_t>::max() / 2;
  if (body.size() > kMost) {
    throw Failure("a value is too long to be written again");
  }
  rec::Bytes stored = body;
  if (compressor_ != nullptr) {
    rec::Bytes scratch(compressor_->scratch_bytes());
    stored.resize(compressor_->growth().most_bytes(static_cast<std::uint32_t>(body.size())));
    stored.resize(compressor_->compress_page(body, stored, scratch));
  }
  set_page_sizes(header, body.size(), stored);
  const rec::Bytes bytes = header.serialise();
  uncompressed_bytes_ += bytes.size() + body.size();
  rec::append(out, bytes);
  rec::append(out, stored);
}

MadeChunk ItemChunk::take() {
  end_page();
  MadeChunk made;
  if ((encodings_ & 1U << static_cast<unsigned>(EncodingId::kRleDictionary)) != 0) {
    append_page(dictionary_page_header(places_.size()), dictionary_, made.pages);
    encodings_ |= 1U << static_cast<unsigned>(EncodingId::kPlain);
  }
  made.found.data_begin = made.pages.size();
  rec::append(made.pages, pages_);
  made.found.end = made.pages.size();
  made.found.values = items_;
  made.found.uncompressed_bytes = uncompressed_bytes_;
  made.found.encodings = encodings_;
  made.statistics = rec::chunk_statistics(nulls_, summary_.bounds());
  *this = ItemChunk(element_, compressor_);
  return made;
}

}  // namespace mpq_tool
