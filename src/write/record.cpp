#include "write/record.h"

#include "format/row_group.h"
#include "util/try.h"
#include "write/record_format.h"

namespace microparquet::write {
namespace {

using detail::FooterExtension;
using detail::WriterState;

// The entry is in the sink.
[[gnu::noinline]] Status finish_record(thrift::WindowSink& sink, WriterState& state, const RecordEntry& entry,
                                       std::uint64_t next) {
  FooterExtension& now = state.footer.now;
  sink.put_zeros(now.slot_bytes - detail::kRecordTrailerBytes - entry.bytes);
  const RecordTrailer trailer{kRecordTag,  kFormatVersion, now.file_id, now.sequence + 1,
                              entry.bytes, entry.crc,      next};
  sink.begin_crc(0);
  sink.put(&trailer, sizeof trailer);
  const std::uint32_t crc = sink.crc();
  sink.put(&crc, sizeof crc);
  MICROPARQUET_TRY(sink.flush());
  ++now.sequence;
  return Status::kOk;
}

}  // namespace

thrift::WindowSink sink_at(const WriterState& state, std::uint64_t offset) {
  const Span<std::byte> window(state.window, state.plan->arena.window_bytes);
  return thrift::WindowSink(*state.file, offset, window, state.options->crc32);
}

Status write_record(WriterState& state, std::uint64_t at, std::uint64_t next, RecordEntry& entry) {
  thrift::WindowSink sink = sink_at(state, at);
  sink.begin_crc(state.footer.now.finished_crc);
  format::write_row_group(sink, state);
  entry.bytes = static_cast<std::uint32_t>(sink.position() - at);
  entry.crc = sink.crc();
  return finish_record(sink, state, entry, next);
}

void count_row_group(WriterState& state, std::uint64_t at, const RecordEntry& entry) {
  detail::FooterState& footer = state.footer;
  if (footer.now.row_groups == footer.row_groups) footer.first_record = at;
  footer.now.entries_bytes += entry.bytes;
  footer.now.finished_crc = entry.crc;
  ++footer.now.row_groups;
}

Status empty_slot(WriterState& state, std::uint64_t at) {
  thrift::WindowSink sink = sink_at(state, at);
  return finish_record(sink, state, {0, state.footer.now.finished_crc}, 0);
}

Status read_record(const WriterState& state, std::uint64_t at, RecordHead& head) {
  const FooterExtension& now = state.footer.now;
  RecordTrailer trailer;
  const Span<std::byte> bytes(reinterpret_cast<std::byte*>(&trailer), sizeof trailer);
  MICROPARQUET_TRY(state.file->read_at(at + now.slot_bytes - detail::kRecordTrailerBytes, bytes));
  head = {trailer.next, trailer.entry_bytes};
  const bool ours = trailer.tag == kRecordTag && trailer.file_id == now.file_id;
  return ours ? Status::kOk : Status::kCorrupt;
}

}  // namespace microparquet::write
