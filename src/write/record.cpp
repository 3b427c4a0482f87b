#include "write/record.h"

#include <cstring>

#include "format/row_group.h"
#include "thrift/window_sink.h"
#include "util/endian.h"
#include "util/try.h"
#include "write/record_format.h"

namespace microparquet::write {

using detail::WriterState;
using thrift::CompactWriter;
using thrift::WindowSink;

Status write_record(WriterState& state, Record& record) {
  const Options& options = *state.options;
  const Span<std::byte> window(state.window, state.window_bytes);
  WindowSink measure(nullptr, 0, window, options.crc32);
  measure.begin_crc(state.footer.chain);
  CompactWriter measured(measure);
  format::write_row_group(measured, state);
  record.chain = measure.crc();
  record.entry_bytes = static_cast<std::uint32_t>(measure.written());

  std::byte header[detail::kRecordHeaderBytes];
  std::memcpy(header + RecordHeader::kTag, kRecordTag, sizeof kRecordTag);
  util::store(header + RecordHeader::kVersion, kRecordVersion);
  util::store(header + RecordHeader::kFileId, options.file_id);
  util::store(header + RecordHeader::kSequence, state.footer.sequence + 1);
  util::store(header + RecordHeader::kEntryBytes, record.entry_bytes);
  util::store(header + RecordHeader::kChain, state.footer.chain);
  util::store(header + RecordHeader::kNext, record.next);

  WindowSink sink(state.file, record.at, window, options.crc32);
  sink.resume(record.written_to);
  sink.begin_crc(0);
  sink.put(header, sizeof header);
  CompactWriter out(sink);
  format::write_row_group(out, state);
  const std::uint32_t crc = sink.crc();
  sink.put(&crc, sizeof crc);
  while (sink.position() < record.fill_to) sink.put(std::byte{0});
  return sink.flush();
}

Status read_record(WriterState& state, std::uint64_t at, std::uint32_t& entry_bytes, std::uint64_t& next) {
  std::byte header[detail::kRecordHeaderBytes];
  MICROPARQUET_TRY(state.file->read_at(at, Span<std::byte>(header)));
  entry_bytes = util::load<std::uint32_t>(header + RecordHeader::kEntryBytes);
  next = util::load<std::uint64_t>(header + RecordHeader::kNext);
  const bool ours = std::memcmp(header + RecordHeader::kTag, kRecordTag, sizeof kRecordTag) == 0 &&
                    util::load<std::uint32_t>(header + RecordHeader::kFileId) == state.options->file_id;
  return ours ? Status::kOk : Status::kCorrupt;
}

void add_row_group(WriterState& state, const Record& record) {
  detail::FooterState& footer = state.footer;
  if (footer.row_groups == footer.row_groups_in_footer) footer.first_record = record.at;
  footer.all_entries_bytes += record.entry_bytes;
  footer.chain = record.chain;
  ++footer.sequence;
  ++footer.row_groups;
}

}  // namespace microparquet::write
