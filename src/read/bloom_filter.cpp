// Split-block bloom filters: a value sets eight bits in one block of 32 bytes.
#include "microparquet/bloom_filter.h"

#include "base/endian.h"
#include "base/try.h"
#include "base/xxhash64.h"
#include "format/bloom_filter_block.h"
#include "format/bloom_filter_reader.h"
#include "microparquet/detail/format/magic.h"
#include "microparquet/detail/reader_access.h"
#include "read/page_index.h"

namespace microparquet {

namespace {

using format::kBloomBlockBytes;

// Returns whether the block has all bits of a value: one in each of its words.
bool has_bits(const std::byte* block, std::uint64_t hash) {
  for (const std::uint32_t salt : format::kBloomSalts) {
    if ((util::load<std::uint32_t>(block) & format::bloom_bit(hash, salt)) == 0) return false;
    block += sizeof(std::uint32_t);
  }
  return true;
}

// Looks the hash up in the filter at `offset`.
// - kEnd: there is no filter of a known kind
Status has_value(detail::ReaderState& state, std::uint64_t offset, std::uint64_t hash, bool& has) {
  const std::uint64_t end = state.footer_begin;
  if (offset < format::kMagicBytes || offset >= end) return Status::kEnd;
  state.footer.seek(offset, end);
  thrift::CompactReader in(state.footer);
  const std::uint32_t bytes = format::read_bloom_filter_header(in);
  MICROPARQUET_TRY(read::as_no_index(in.status()));
  if (bytes == 0 || bytes % kBloomBlockBytes != 0 || bytes > state.footer.left()) return Status::kEnd;
  const std::uint64_t block = (hash >> 32) * (bytes / kBloomBlockBytes) >> 32;
  MICROPARQUET_TRY(state.footer.skip(block * kBloomBlockBytes));
  MICROPARQUET_TRY(state.footer.fill(kBloomBlockBytes));
  has = has_bits(state.footer.cursor, hash);
  return Status::kOk;
}

}  // namespace

Status may_contain(Reader& reader, std::uint32_t column, Span<const std::byte> value, bool& may) {
  may = true;
  detail::ReaderState& state = detail::ReaderAccess::state(reader);
  format::IndexPlaces places;
  MICROPARQUET_TRY(read::find_index_places(state, column, places));
  if (places.bloom_filter == 0) return Status::kOk;
  bool has = true;
  const Status status = has_value(state, places.bloom_filter, util::xxhash64(value), has);
  if (status != Status::kOk) return status == Status::kEnd ? Status::kOk : status;
  may = has;
  return Status::kOk;
}

}  // namespace microparquet
