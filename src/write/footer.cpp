#include "write/footer.h"

#include "base/bytes.h"
#include "base/try.h"
#include "format/file_metadata_writer.h"
#include "format/record_format.h"
#include "microparquet/detail/desktop.h"
#include "write/layout_ops.h"

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
  return write_empty_slot(state, at, {0, state.footer.now.finished_crc, 0});
}

Status write_empty_slot(WriterState& state, std::uint64_t at, const EntrySummary& empty) {
  thrift::WindowSink sink = sink_at(state, at);
  return finish_record(sink, state, empty);
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

// A footer (parquet.thrift, FileMetaData), in the order it is written:
//
//   head      version, schema, header of the next field: constant for the file
//   counts    number of rows, header of the row-group list: varints of fixed length
//   entries   of the row groups: copied from the last footer, then from the records written since; of the
//             open one, from its record
//             key-values
//   tail      created_by, column orders, header of our extension: constant for the file
//             our extension, with a CRC of all but the entries
//   length    of all that, four bytes, and PAR1
//
// The length is known before anything is written. The CRC of the entries is known too, and is checked before
// the length and PAR1 are written. The footer goes out window by window: each window generates all of it
// again, passes over the bytes already in the file, and stops when it is full.

namespace {

using detail::FooterDraft;
using detail::FooterProgress;
using format::kMagic;
using format::kMagicBytes;
using thrift::WindowSink;

// Copies entries. It reads only those records whose entries are not all in the file yet. A slot that is empty after all
// may lead to itself.
[[gnu::noinline]] void copy_entries(WindowSink& sink, const WriterState& state, FooterProgress& progress) {
  const detail::FooterState& footer = state.footer;
  const FooterExtension& contents = footer.draft.contents;
  sink.copy(footer.entries_begin, footer.entries_bytes);
  sink.pass(progress.before);
  if (progress.before == 0) progress.record = footer.first_record;
  std::uint32_t left = contents.entries_bytes - footer.entries_bytes - progress.before;
  while (left != 0 && !sink.is_full()) {
    EntrySummary entry;
    Status status = read_record(state, progress.record, entry);
    if (status == Status::kOk && (entry.bytes == 0 || entry.bytes > left)) status = Status::kCorrupt;
    if (status != Status::kOk) return sink.fail(status);
    sink.copy(progress.record, entry.bytes);
    if (sink.is_full()) return;
    progress.record = entry.next;
    progress.before += entry.bytes;
    left -= entry.bytes;
  }
  sink.copy(contents.next.offset() + contents.slot_bytes, contents.open_bytes);
}

void put_tail(WindowSink& sink, WriterState& state) {
  unsigned header = format::kCreatedByAfterRowGroups;
  if (state.key_values_bytes != 0) {
    state.write_key_values(sink, state);
    header = format::kCreatedByAfterKeyValues;
  }
  sink.put_byte(header);
  sink.put(state.plan->footer_tail);
}

void put_leftover_extents(WindowSink& sink, const WriterState& state) {
  if (!state.options->layout->in_place) return;
  const FooterExtension& contents = state.footer.draft.contents;
  constexpr std::uint32_t kExtent = 2 * sizeof(std::uint32_t);
  if (detail::kDesktop && sink.is_full()) return;  // saves a loop over all columns for each full window
  for (const detail::ColumnWriter& column : columns_of(state)) {
    if (contents.open_bytes != 0) {
      sink.put(&column.free_begin, kExtent);
    } else {
      sink.put_zeros(kExtent);
    }
  }
}

// noinline: its variables are off the stack while key-values are copied.
[[gnu::noinline]] void put_end(WindowSink& sink, const WriterState& state, const FooterProgress& progress) {
  const FooterExtension& contents = state.footer.draft.contents;
  sink.put(&contents, detail::kFooterExtensionBytes);
  put_leftover_extents(sink, state);
  sink.sum_into(nullptr);
  sink.put(&progress.footer_crc, sizeof progress.footer_crc);
  format::put_file_end(sink, footer_bytes(state, contents));
}

}  // namespace

std::uint32_t footer_bytes(const WriterState& state, const FooterExtension& contents) {
  const detail::WriterPlan& plan = *state.plan;
  return contents.entries_offset + contents.entries_bytes + contents.open_bytes + state.key_values_bytes +
         static_cast<std::uint32_t>(plan.footer_tail.size()) + plan.arena.extension_bytes +
         format::kFooterRestBytes;
}

void begin_footer(WriterState& state, std::uint64_t at) {
  const FooterExtension& now = state.footer.now;
  FooterDraft& draft = state.footer.draft;
  // A draft may have been moved to end on a block after it was begun.
  const bool begun = draft.written != 0 && draft.contents.sequence == now.sequence + 1 &&
                     draft.offset - at < state.options->block_bytes;
  if (!begun) {
    draft.offset = at;
    restart_footer(draft);
  }
  util::move_bytes(reinterpret_cast<std::byte*>(&draft.contents), reinterpret_cast<const std::byte*>(&now),
                   sizeof now);  // avoids memcpy of the C library
  ++draft.contents.sequence;
  draft.contents.entries_crc = now.finished_crc;
}

void place_draft(WriterState& state) {
  FooterDraft& draft = state.footer.draft;
  if (draft.written != 0 || draft.offset == 0) return;
  const std::uint64_t end = draft.offset + footer_bytes(state, draft.contents);
  draft.offset += block_of(state).bytes_to_block(end);
}

void restart_footer(FooterDraft& draft) {
  util::clear_bytes(&static_cast<FooterProgress&>(draft), sizeof(FooterProgress));
}

namespace {

void copy(FooterProgress& to, const FooterProgress& from) {
  util::move_bytes(reinterpret_cast<std::byte*>(&to), reinterpret_cast<const std::byte*>(&from), sizeof from);
}

// Writes one window. kEnd: that was the last one.
Status write_window(WriterState& state) {
  FooterDraft& draft = state.footer.draft;
  FooterProgress progress;
  copy(progress, draft);
  // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): copy() has set it, by bytes
  WindowSink sink = sink_at(state, draft.offset + progress.written);
  sink.pass_over(progress.written);
  sink.stop_when_full();

  if (draft.offset == 0) sink.put(&kMagic, kMagicBytes);
  sink.sum_into(&progress.footer_crc);
  sink.put(state.plan->footer_head);
  const FooterExtension& contents = draft.contents;
  format::put_counts(sink, contents.rows, contents.row_groups + (contents.open_bytes != 0 ? 1 : 0));
  sink.sum_into(&progress.entries_crc);
  copy_entries(sink, state, progress);
  sink.sum_into(&progress.footer_crc);
  if (sink.reaches() && progress.entries_crc != draft.contents.entries_crc) sink.fail(Status::kCorrupt);
  put_tail(sink, state);
  put_end(sink, state, progress);
  const Status status = sink.is_full() ? Status::kOk : Status::kEnd;
  MICROPARQUET_TRY(sink.flush());
  progress.written = sink.bytes_from(draft.offset);
  copy(draft, progress);
  return status;
}

}  // namespace

Status write_footer(WriterState& state, std::uint32_t windows) {
  FooterDraft& draft = state.footer.draft;
  if (const detail::Blocks* const blocks = state.plan->blocks; blocks != nullptr) blocks->place_draft(state);
  Status status = Status::kOk;
  while (status == Status::kOk && windows-- != 0) status = write_window(state);
  if (status == Status::kCorrupt) restart_footer(draft);
  if (status != Status::kEnd) return status;
  state.may_be_live = true;
  return Status::kOk;
}

}  // namespace microparquet::write
