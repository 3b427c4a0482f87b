#include "write/record.h"

#include "base/try.h"
#include "format/record_format.h"

namespace microparquet::write {
namespace {

using detail::FooterExtension;
using detail::WriterState;

// Records and footers hold version, file id and sequence after the tag, in this order.
constexpr std::uint32_t kIdentityBytes = offsetof(RecordTrailer, entry) - offsetof(RecordTrailer, version);
static_assert(kIdentityBytes == offsetof(FooterExtension, rows) - offsetof(FooterExtension, version));

// Ends a record whose entry is in the sink.
[[gnu::noinline]] Status finish_record(thrift::WindowSink& sink, WriterState& state,
                                       const EntrySummary& entry) {
  FooterExtension& now = state.footer.now;
  sink.put_zeros(now.slot_bytes - detail::kRecordTrailerBytes - entry.bytes);
  std::uint32_t crc = 0;
  sink.sum_into(&crc);
  ++now.sequence;
  sink.put(&kRecordTag, sizeof kRecordTag);
  sink.put(&now.version, kIdentityBytes);
  sink.put(&entry, sizeof entry);
  sink.sum_into(nullptr);
  sink.put(&crc, sizeof crc);
  const Status status = sink.flush();
  if (status != Status::kOk) --now.sequence;
  return status;
}

}  // namespace

thrift::WindowSink sink_at(const WriterState& state, std::uint64_t offset) {
  return thrift::WindowSink(*state.file, offset, window_of(state), state.options->checksum);
}

Status write_record(WriterState& state, std::uint64_t at, EntrySummary& entry) {
  thrift::WindowSink sink = sink_at(state, at);
  entry.crc = state.footer.now.finished_crc;
  sink.sum_into(&entry.crc);
  entry.bytes = state.plan->write_row_group(sink, state) - static_cast<std::uint32_t>(at);
  sink.sum_into(nullptr);
  return finish_record(sink, state, entry);
}

void count_row_group(WriterState& state, std::uint64_t at, const EntrySummary& entry) {
  detail::FooterState& footer = state.footer;
  if (footer.now.row_groups == footer.row_groups) footer.first_record = at;
  footer.now.entries_bytes += entry.bytes;
  footer.now.finished_crc = entry.crc;
  ++footer.now.row_groups;
}

Status empty_slot(WriterState& state, std::uint64_t at) {
  thrift::WindowSink sink = sink_at(state, at);
  return finish_record(sink, state, {0, state.footer.now.finished_crc, 0});
}

Status read_record(const WriterState& state, std::uint64_t at, EntrySummary& entry) {
  const FooterExtension& now = state.footer.now;
  struct {
    RecordTrailer trailer;
    std::uint32_t crc;
  } found;
  static_assert(offsetof(decltype(found), crc) + sizeof found.crc == detail::kRecordTrailerBytes);
  const Span<std::byte> bytes(reinterpret_cast<std::byte*>(&found), detail::kRecordTrailerBytes);
  MICROPARQUET_TRY(state.file->read_at(at + (now.slot_bytes - detail::kRecordTrailerBytes), bytes));
  entry = found.trailer.entry;
  const bool ours = found.trailer.tag == kRecordTag && found.trailer.file_id == now.file_id &&
                    found.crc == state.options->checksum(0, &found.trailer, sizeof found.trailer);
  return ours ? Status::kOk : Status::kCorrupt;
}

}  // namespace microparquet::write
