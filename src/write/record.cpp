#include "write/record.h"

#include "format/row_group.h"
#include "thrift/window_sink.h"
#include "util/try.h"
#include "write/record_format.h"

namespace microparquet::write {

using detail::WriterState;

Status write_record(WriterState& state, const Record& record) {
  detail::FooterState& footer = state.footer;
  const Options& options = *state.options;
  thrift::WindowSink sink(state.file, record.at, Span<std::byte>(state.window, state.window_bytes), options.crc32);
  sink.resume(record.written_to);
  sink.begin_crc(footer.chain);
  thrift::CompactWriter out(sink);
  format::write_row_group(out, state);

  const auto entry_bytes = static_cast<std::uint32_t>(sink.written());
  const std::uint32_t chain = sink.crc();
  sink.put_zeros(state.record_bytes - detail::kRecordTrailerBytes - entry_bytes);
  const RecordTrailer trailer{kRecordTag,          kFormatVersion, options.file_id, footer.sequence + 1,
                              entry_bytes,         chain,          record.next};
  sink.begin_crc(0);
  sink.put(&trailer, sizeof trailer);
  const std::uint32_t crc = sink.crc();
  sink.put(&crc, sizeof crc);
  MICROPARQUET_TRY(sink.flush());

  if (footer.row_groups == footer.row_groups_in_footer) footer.first_record = record.at;
  footer.all_entries_bytes += entry_bytes;
  footer.chain = chain;
  ++footer.sequence;
  ++footer.row_groups;
  return Status::kOk;
}

Status read_record(WriterState& state, std::uint64_t at, std::uint32_t& entry_bytes, std::uint64_t& next) {
  RecordTrailer trailer;
  const Span<std::byte> bytes(reinterpret_cast<std::byte*>(&trailer), sizeof trailer);
  MICROPARQUET_TRY(state.file->read_at(at + state.record_bytes - detail::kRecordTrailerBytes, bytes));
  entry_bytes = trailer.entry_bytes;
  next = trailer.next;
  const bool ours = trailer.tag == kRecordTag && trailer.file_id == state.options->file_id;
  return ours ? Status::kOk : Status::kCorrupt;
}

}  // namespace microparquet::write
