#include "write/record.h"

#include "format/row_group.h"
#include "util/try.h"
#include "write/record_format.h"

namespace microparquet::write {
namespace {

using detail::WriterState;

// The entry is in the sink; its CRC, with those before it, is `chain`.
[[gnu::noinline]] Status finish_record(thrift::WindowSink& sink, const WriterState& state,
                                       std::uint32_t entry_bytes, std::uint32_t chain, std::uint64_t next) {
  sink.put_zeros(state.plan->arena.record_bytes - detail::kRecordTrailerBytes - entry_bytes);
  const RecordTrailer trailer{
      kRecordTag, kFormatVersion, state.options->file_id, state.footer.sequence + 1, entry_bytes, chain,
      next};
  sink.begin_crc(0);
  sink.put(&trailer, sizeof trailer);
  const std::uint32_t crc = sink.crc();
  sink.put(&crc, sizeof crc);
  return sink.flush();
}

}  // namespace

thrift::WindowSink sink_at(const WriterState& state, std::uint64_t offset) {
  const Span<std::byte> window(state.window, state.plan->arena.window_bytes);
  return thrift::WindowSink(*state.file, offset, window, state.options->crc32);
}

Status write_record(WriterState& state, std::uint64_t at, std::uint64_t next) {
  detail::FooterState& footer = state.footer;
  thrift::WindowSink sink = sink_at(state, at);
  sink.begin_crc(footer.chain);
  format::write_row_group(sink, state);
  const auto entry_bytes = static_cast<std::uint32_t>(sink.position() - at);
  const std::uint32_t chain = sink.crc();
  MICROPARQUET_TRY(finish_record(sink, state, entry_bytes, chain, next));

  if (footer.row_groups == footer.row_groups_in_footer) footer.first_record = at;
  footer.all_entries_bytes += entry_bytes;
  footer.chain = chain;
  ++footer.sequence;
  ++footer.row_groups;
  return Status::kOk;
}

Status read_record(const WriterState& state, std::uint64_t at, RecordHead& head) {
  RecordTrailer trailer;
  const Span<std::byte> bytes(reinterpret_cast<std::byte*>(&trailer), sizeof trailer);
  MICROPARQUET_TRY(
      state.file->read_at(at + state.plan->arena.record_bytes - detail::kRecordTrailerBytes, bytes));
  head = {trailer.next, trailer.entry_bytes};
  const bool ours = trailer.tag == kRecordTag && trailer.file_id == state.options->file_id;
  return ours ? Status::kOk : Status::kCorrupt;
}

}  // namespace microparquet::write
