// The footer and the record of a row group.
#pragma once

#include <cstddef>
#include <cstdint>

#include "format/record_format.h"
#include "io/window_sink.h"
#include "microparquet/detail/format/footer_constants.h"
#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

// Row-group records: entries of the footer, kept in the file instead of memory. FORMAT.md gives the bytes.

// Returns a sink that writes at `offset` of the file through the writer's window.
thrift::WindowSink sink_at(const detail::WriterState& state, std::uint64_t offset);

// Writes a record of the open row group into the slot at `at`. The row group's pages are stored, or have
// their places. The caller sets `next` of `entry`; the function sets the rest.
Status write_record(detail::WriterState& state, std::uint64_t at, EntrySummary& entry);

// Counts the open row group as finished. Its record at `at` has been written.
void count_row_group(detail::WriterState& state, std::uint64_t at, const EntrySummary& entry);

// Overwrites the slot at `at`, so that it holds no record.
Status empty_slot(detail::WriterState& state, std::uint64_t at);

// Overwrites it with this summary, which has no entry.
Status write_empty_slot(detail::WriterState& state, std::uint64_t at, const EntrySummary& empty);

// Reads the summary in the record at `at`. kCorrupt: there is no record of this file.
Status read_record(const detail::WriterState& state, std::uint64_t at, EntrySummary& entry);

// Writing the footer, in constant memory and in steps.

using format::kCountsBytes;

// Returns the bytes of a footer with these contents, including the closing PAR1.
std::uint32_t footer_bytes(const detail::WriterState& state, const detail::FooterExtension& contents);

// Begins the draft of a footer at `at` that describes all finished row groups. Continues the draft if it was
// begun there and nothing has been added since. Requires: the draft before it cannot be live.
void begin_footer(detail::WriterState& state, std::uint64_t at);

// Moves a draft of which nothing is written to end on a block, so that nothing written later shares one with it.
// The first footer stays: it is published together with the next one, or its last sector is written again.
void place_draft(detail::WriterState& state);

// Writes more of the draft, at most `windows` windows; it may be live once all of it is written. After a
// failure the same call continues. After kCorrupt, which says that the file returned other bytes than were
// written, it starts again.
Status write_footer(detail::WriterState& state, std::uint32_t windows);
inline constexpr std::uint32_t kWhole = 0xFFFFFFFF;

// Discards what has been written of the draft.
void restart_footer(detail::FooterDraft& draft);

// Makes the draft the last footer on the medium.
[[gnu::always_inline]] inline void count_footer(detail::WriterState& state, detail::FooterDraft& draft) {
  detail::FooterState& footer = state.footer;
  state.footer_crc = draft.footer_crc;
  footer.entries_begin = draft.offset + draft.contents.entries_offset;
  footer.row_groups = draft.contents.row_groups;
  footer.entries_bytes = draft.contents.entries_bytes;
  footer.first_record = draft.contents.next.offset();
  if (footer.now.sequence < draft.contents.sequence) footer.now.sequence = draft.contents.sequence;
  footer.now.pages_sum -= draft.contents.pages_sum;
  state.durable_rows = draft.contents.rows;
  state.may_be_live = false;
}

}  // namespace microparquet::write
