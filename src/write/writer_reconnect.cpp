#include "write/writer_reconnect.h"

#include <type_traits>

#include "base/bytes.h"
#include "base/try.h"
#include "format/written_page_header.h"
#include "format/written_row_group.h"
#include "microparquet/detail/array_encoder.h"
#include "microparquet/detail/array_forecast.h"
#include "microparquet/detail/format/magic.h"
#include "microparquet/detail/list_levels.h"
#include "microparquet/writer.h"
#include "write/footer.h"
#include "write/forward/forward_layout.h"
#include "write/forward/save.h"
#include "write/in_place/checkpointed_layout.h"
#include "write/in_place/in_place_layout.h"
#include "write/in_place/tailed_layout.h"
#include "write/list_page_rows.h"
#include "write/page.h"
#include "write/page_transform.h"
#include "write/row_group.h"
#include "write/writer_resume.h"

namespace microparquet::write {

namespace {

using detail::WriterState;
using Page = format::WrittenPageHeader;

// Reads the header of the page at `at`, and moves `at` past it. kCorrupt: this library writes no such header.
// noinline: its variables are off the stack while the page is read.
[[gnu::noinline]] Status read_page_header(const WriterState& state, std::uint64_t& at, std::uint64_t end,
                                          Page& page) {
  format::WrittenPageHeaderReader<FoundBytes> in(state, at);
  in.begin(static_cast<std::uint32_t>(end - at));
  in.read(page);
  at += in.taken();
  MICROPARQUET_TRY(in.status());
  return in.is_sound() && at <= end ? Status::kOk : Status::kCorrupt;
}

std::uint32_t form_of(const Page& page) {
  return page_form(page.uncompressed_bytes, page.encoding) + version_form(format::kWritesV2 && page.is_v2);
}

// Returns the page's share of FooterExtension::pages_sum.
std::uint32_t sum_of(const WriterState& state, const Page& page, std::uint32_t first_row) {
  const std::uint32_t sum = page_sum(page.crc, first_row);
  return state.plan->transforms == nullptr ? sum : sum + form_sum(form_of(page), first_row);
}

// Schemas without arrays: a row of each column is one value.
struct OneValue {
  static constexpr bool kAfterSave = false;
  static constexpr std::uint32_t slots_of(const detail::ColumnWriter&) { return 1; }
};
struct ArrayValues {
  static constexpr bool kAfterSave = false;
  static std::uint32_t slots_of(const detail::ColumnWriter& column) { return detail::slots_of_row(column); }
};
// Layouts with saves: pages after the footer may be of earlier boots, which have saved them. No sum in memory has those.
template <typename Values>
struct AfterSave : Values {
  static constexpr bool kAfterSave = true;
};
// Schemas with lists: the repetition levels of a page tell its rows, and nothing tells those of a chunk.
struct ListValues : ArrayValues {};
// Returns whether the page that ends before `end_row` was there when the writer continued from a save. It empties the slots
// before it stores a page of its own.
bool is_saved(const WriterState& state, std::uint32_t end_row) {
  const TailState& tail = tail_of(state);
  return tail.slots_stale || end_row < tail.resumed_rows;
}

}  // namespace

// Verifies the pages of a column in `bytes` bytes from `at` on, which must follow each other and hold the
// rows from `row` to `end_row`, each of as many values as `Values` says. The first page may be the chunk's dictionary,
// whose values are no rows. `partly`: the last footer describes the pages before the column's free_begin, and the sum
// leaves them out, and those of earlier boots. noinline: its variables are off the stack while records are read.
template <typename Values>
[[gnu::noinline]] Status verify_pages(WriterState& state, std::uint64_t at, std::uint32_t bytes,
                                      std::uint32_t row, std::uint32_t end_row,
                                      const detail::ColumnWriter& column, bool partly) {
  const std::uint32_t slots = Values::slots_of(column);
  const std::uint64_t end = at + bytes;
  while (at != end) {
    const bool described = partly && at < column.free_begin.offset();
    Page page;
    MICROPARQUET_TRY(read_page_header(state, at, end, page));
    const bool transformed = state.plan->transforms != nullptr;  // the sum includes the form then
    if (!transformed &&
        form_of(page) != page_form(page.stored_bytes, static_cast<std::uint32_t>(column.plan->encoder->id)))
      return Status::kCorrupt;
    std::uint32_t rows = page.is_dictionary ? 0 : page.values / slots;
    if constexpr (std::is_same_v<Values, ListValues>) {
      if (detail::is_list(column) && !page.is_dictionary)
        MICROPARQUET_TRY(count_rows(state, column, at, page, rows));
    }
    // A dictionary is empty where all values are null.
    const bool is_empty = page.values == 0 && !page.is_dictionary;
    if (is_empty || rows > end_row - row || page.stored_bytes > end - at) return Status::kCorrupt;
    std::uint32_t crc = 0;
    MICROPARQUET_TRY(update_crc(state, at, page.stored_bytes, crc));
    if (crc != page.crc) return Status::kCorrupt;
    // The encoder of an array or list has counted the page's slots as rows that end with it.
    std::uint32_t more = rows * (slots - 1);
    if constexpr (std::is_same_v<Values, ListValues>) {
      if (detail::is_list(column)) more = page.is_dictionary ? 0 : page.values - rows;
    }
    bool saved = false;
    if constexpr (Values::kAfterSave) saved = partly && is_saved(state, row + rows);
    if (!described && !saved) sum_left(state) -= sum_of(state, page, row - more);
    row += rows;
  }
  if constexpr (std::is_same_v<Values, ListValues>) {
    if (end_row == kUnknownRow) return Status::kOk;
  }
  return row == end_row ? Status::kOk : Status::kCorrupt;
}

// Reads all bytes as varints, one after another. The offset of a column chunk is among them: the byte before
// it, its field header, is a varint of one byte. Other varints may look the same.
bool any_chunk_begins(FoundBytes& in, std::uint32_t bytes, detail::SectorIndex begin,
                      detail::SectorIndex end) {
  // Zigzag doubles numbers, and the first byte has the lowest 7 bits.
  constexpr std::uint32_t kInSector = detail::Sectors(1).bytes() * 2 >> 7;
  bool any = false;
  unsigned byte = 0;
  std::uint32_t number = 0;
  for (in.begin(bytes); !in.at_end();) {
    const unsigned before = byte;
    number = 0;
    byte = in.byte();
    for (unsigned shift = 0; byte >= 0x80; shift += 7) {
      byte = in.byte();
      if (shift < 32) number |= (byte & 0x7F) << shift;
    }
    if (before == format::kDataPageOffsetHeader &&
        number - begin.number() * kInSector < (end - begin).count() * kInSector)
      any = true;
  }
  return any;
}

}  // namespace microparquet::write

namespace microparquet {

// Continuing after a medium was lost and is there again. The writer continues with its memory, provided that
//
//   footer    the file ends in the last one it published, or in the one that was on its way, known by its CRC
//   records   of the row groups finished since are there, each continuing the CRC of the one before it
//   pages     of those, and of the open row group since that footer, are there, each with its CRC, and add up
//             to the sum in memory: a page that an earlier boot, or another log, has left has a right CRC too
//
// The rows after that footer are lost if records or pages are missing, or cannot be read although the footer
// can: then the writer resumes after it.

namespace write {
namespace {

using detail::ColumnWriter;
using detail::FooterDraft;
using detail::FooterExtension;
using detail::Window;
using detail::WriterState;
using format::WrittenChunk;
using thrift::CompactReader;

Window window_on(const WriterState& state, std::uint64_t at, std::uint64_t end) {
  Window window;
  window.begin(*state.file, window_of(state).data(), detail::kLeastWindowBytes);
  window.restart_at(at, end);
  return window;
}

// noinline, the following functions: their variables are off the stack while others read.

// Passes the beginning of a row group's entry, up to its chunks.
[[gnu::noinline]] Status find_chunks(const WriterState& state, std::uint64_t& at, std::uint64_t end) {
  Window window = window_on(state, at, end);
  CompactReader in(window);
  format::enter_written_chunks(in);
  at = window.position();
  return in.status();
}

// Reads the ColumnChunk at `at`, and moves `at` past it.
[[gnu::noinline]] Status read_chunk(const WriterState& state, std::uint64_t& at, std::uint64_t end,
                                    WrittenChunk& chunk) {
  Window window = window_on(state, at, end);
  CompactReader in(window);
  format::read_written_chunk(in, chunk);
  at = window.position();
  return in.status();
}

// Verifies the row group whose entry has `bytes` bytes at `at`; `was_open`: the last footer describes a part
// of it.
template <typename Values>
Status verify_row_group(WriterState& state, std::uint64_t at, std::uint32_t bytes, bool was_open) {
  const std::uint64_t end = at + bytes;
  MICROPARQUET_TRY(find_chunks(state, at, end));
  for (const ColumnWriter& column : columns_of(state)) {
    WrittenChunk chunk{};
    MICROPARQUET_TRY(read_chunk(state, at, end, chunk));
    std::uint32_t rows = chunk.values / Values::slots_of(column);
    if constexpr (std::is_same_v<Values, ListValues>) {
      if (detail::is_list(column)) rows = kUnknownRow;
    }
    MICROPARQUET_TRY(verify_pages<Values>(state, chunk.begin, chunk.bytes, 0, rows, column, was_open));
  }
  return Status::kOk;
}

// Reads the record of a finished row group at `at`, the one after `record`, and verifies it.
[[gnu::noinline]] Status next_record(const WriterState& state, std::uint64_t at, EntrySummary& record) {
  std::uint32_t crc = record.crc;
  MICROPARQUET_TRY(read_record(state, at, record));
  const std::uint32_t most = state.footer.now.slot_bytes - detail::kRecordTrailerBytes;
  if (record.bytes > most) return Status::kCorrupt;
  MICROPARQUET_TRY(update_crc(state, at, record.bytes, crc));
  return crc == record.crc ? Status::kOk : Status::kCorrupt;
}

// Verifies all row groups finished since the last footer, which is the draft. A writer that resumed after it
// counts the footer's open row group among those described.
template <typename Values>
Status verify_finished(WriterState& state) {
  const detail::FooterState& footer = state.footer;
  const FooterExtension& contents = footer.draft.contents;
  std::uint32_t left = footer.now.row_groups - footer.row_groups;
  if (left == 0) return Status::kOk;
  // The walk begins where the footer's finished row groups end.
  const bool goes_on = footer.row_groups == contents.row_groups;
  bool was_open = goes_on && contents.open_bytes != 0;
  EntrySummary record{};
  record.crc = goes_on ? contents.finished_crc : contents.entries_crc;
  record.next = footer.first_record;
  for (; left != 0; --left) {
    const std::uint64_t at = record.next;
    MICROPARQUET_TRY(next_record(state, at, record));
    MICROPARQUET_TRY(verify_row_group<Values>(state, at, record.bytes, was_open));
    was_open = false;
  }
  const detail::SectorIndex end = state.row_group_open ? in_place_of(state).row_group : footer.now.next;
  const bool ends = record.crc == footer.now.finished_crc && record.next == end.offset();
  return ends ? Status::kOk : Status::kCorrupt;
}

// Verifies the pages of the open row group. The last footer proves those it describes.
template <typename Values>
[[gnu::noinline]] Status verify_open(WriterState& state) {
  if (!state.row_group_open) return Status::kOk;
  const FooterExtension& now = state.footer.now;
  const FooterExtension& contents = state.footer.draft.contents;
  const bool described = contents.open_bytes != 0 && contents.row_groups == now.row_groups;
  const auto before = described ? static_cast<std::uint32_t>(contents.rows - now.rows) : 0;
  const detail::DictionaryPages* const dictionaries = state.plan->dictionaries;
  for (const ColumnWriter& column : columns_of(state)) {
    std::uint64_t begin = described ? column.free_begin.offset() : column.chunk_begin;
    if (!described && dictionaries != nullptr) begin -= dictionaries->stored_bytes(state, column);
    const auto bytes = column.chunk_bytes - static_cast<std::uint32_t>(begin - column.chunk_begin);
    const std::uint32_t stored =
        column.page_state != detail::PageState::kNone ? column.first_row : detail::rows_in_group(state);
    const bool partly = Values::kAfterSave && described;
    MICROPARQUET_TRY(verify_pages<Values>(state, begin, bytes, before, stored, column, partly));
  }
  return Status::kOk;
}

// Subtracts sealed pages that wait to be stored.
void count_sealed(WriterState& state) {
  for (const ColumnWriter& column : columns_of(state)) {
    if (column.page_state != detail::PageState::kSealed) continue;
    const auto body_bytes = static_cast<std::uint32_t>(column.cursor - column.values);
    const std::byte* const body = column.sealed + column.sealed_bytes - body_bytes;
    sum_left(state) -= page_sum(state.options->checksum(0, body, body_bytes), column.first_row);
    if (state.plan->transforms != nullptr) sum_left(state) -= encodings_of(state, column).sealed_sum;
  }
}

// Stores tails that wait in memory, since verifying expects them in the file.
Status store_waiting_tails(WriterState& state) {
  const detail::PageLengthening* const lengthening = state.plan->lengthening;
  const bool waits = lengthening != nullptr && lengthening->store_tails != nullptr && state.row_group_open;
  return waits ? lengthening->store_tails(state) : Status::kOk;
}

// Verifies that everything since the last footer is in the file as it was written. Inlined into its two callers: a frame
// less below the deepest call.
template <typename Values>
[[gnu::always_inline]] inline Status verify_rows(WriterState& state) {
  sum_left(state) = state.footer.now.pages_sum;
  MICROPARQUET_TRY(verify_finished<Values>(state));
  MICROPARQUET_TRY(verify_open<Values>(state));
  count_sealed(state);
  return sum_left(state) == 0 ? Status::kOk : Status::kCorrupt;
}

// Gives up a footer on its way, and makes a checkpoint due at the next tick.
void give_up_footer(const WriterState& state) {
  InPlaceState& in_place = in_place_of(state);
  if (!in_place.footer_in_progress) return;
  in_place.footer_in_progress = false;
  in_place.last_checkpoint_ms = state.now_ms - state.options->max_loss_ms;
}

// Reads the footer at the end of the file, which must be the last one published or the one on its way;
// `arrived` says that it is the latter.
Status find_end(WriterState& state, std::uint64_t& size, bool& arrived) {
  if (state.file->abilities().block_bytes > state.options->block_bytes) return Status::kInvalidArgument;
  MICROPARQUET_TRY(state.file->size(size));
  FooterDraft& draft = state.footer.draft;
  const std::uint32_t on_its_way = draft.footer_crc;
  Status status = read_footer(state, draft.contents, size);
  arrived = draft.footer_crc != state.footer_crc;
  if (status == Status::kOk && (!arrived || draft.footer_crc == on_its_way)) {
    state.may_be_live = false;
    return status;
  }
  draft.footer_crc = on_its_way;
  const bool another = status == Status::kOk || status == Status::kNotParquet || status == Status::kCorrupt;
  return another ? Status::kSchemaMismatch : status;
}

// Finds the footer of a file written in place. A footer that has arrived counts, one that has not is
// discarded. noinline: its variables are off the stack while pages are read.
template <typename Verification>
[[gnu::noinline]] Status find_footer(WriterState& state) {
  std::uint64_t size = 0;
  bool arrived = false;
  const bool was_on_its_way = state.may_be_live;
  MICROPARQUET_TRY(find_end(state, size, arrived));
  if (arrived) {
    Verification::count_arrived(state);
  } else if (was_on_its_way) {
    in_place_of(state).closing = false;  // the closing footer has not arrived
  }
  return Status::kOk;
}

void start_from_draft(WriterState& state) {
  util::move_bytes(reinterpret_cast<std::byte*>(&state.footer.now),
                   reinterpret_cast<const std::byte*>(&state.footer.draft.contents), sizeof state.footer.now);
  start_from_footer(state);
  state.inherited.changed = state.key_values_count != 0;  // they may be in no footer yet
}

// Verifies the last footer, and everything since. kEnd: rows are missing after the footer.
template <typename Verification>
Status verify_in_place(WriterState& state) {
  constexpr int kPasses = 2;
  for (int pass = 0;; ++pass) {
    MICROPARQUET_TRY(find_footer<Verification>(state));
    // The medium answers before and after this pass, except for a sector after the footer: the loss has torn
    // it.
    if (pass == kPasses) return Status::kEnd;
    MICROPARQUET_TRY(store_waiting_tails(state));
    const Status status = Verification::verify(state);
    if (status == Status::kCorrupt) return Status::kEnd;
    if (status != Status::kIoError) return status;
  }
}

// Resumes after the footer found; all rows after it are lost.
void start_behind_found(WriterState& state) {
  state.lost_rows +=
      static_cast<std::uint32_t>(detail::rows_in_file(state) - state.footer.draft.contents.rows);
  start_from_draft(state);
  forget_open_rows(state);
  util::clear_bytes(state.layout_state, sizeof(InPlaceState));
  resume_segments(state);
  state.footer.now.pages_sum = 0;
}

// Gives up the old segment: remains of lost pages could later pass for pages written in their place.
void give_up_segment(WriterState& state) {
  in_place_of(state).extents_inherited = false;
  FooterExtension& now = state.footer.now;
  now.next = in_place_of(state).published_end;
  now.segment_end = detail::kNowhere;
  now.free_begin = detail::kNowhere;
  now.free_end = detail::kNowhere;
}

template <typename Values>
struct InPlaceVerification {
  static void count_arrived(WriterState& state) { InPlaceLayout::count_arrived(state, state.footer.draft); }
  static Status verify(WriterState& state) { return verify_rows<Values>(state); }
};

// Verifies that everything since the last footer is there. What that footer lists of a row group that was open
// counts as a finished one in the file, and not in memory.
template <typename Values>
struct TailVerification {
  static void count_arrived(WriterState& state) {
    InPlaceVerification<Values>::count_arrived(state);
    TailedLayout::count_arrived(state);
  }

  [[gnu::noinline]] static Status verify(WriterState& state) {
    TailState& tail = tail_of(state);
    FooterExtension& contents = state.footer.draft.contents;
    const TailOfFooter& live = tail.live;
    contents.rows -= live.rows;
    if (live.listed.bytes != 0) {
      --contents.row_groups;
      contents.entries_bytes -= live.listed.bytes;
      contents.finished_crc = live.finished_crc;
    }
    const bool counted = tail.counted;
    TailedLayout::stop_counting(state);
    const Status status = verify_rows<Values>(state);
    contents.rows += live.rows;
    if (live.listed.bytes != 0) {
      ++contents.row_groups;
      contents.entries_bytes += live.listed.bytes;
      contents.finished_crc = live.listed.crc;
    }
    if (counted) TailedLayout::count_listed(state);
    return status;
  }
};

// Resumes after the footer found, or from the save after it, if there is one: take_up_save() does that.
void start_behind_save(WriterState& state) {
  TailState& tail = tail_of(state);
  const bool saved = tail.safe_rows > state.durable_rows;
  const TailLevels* const levels = tail.levels;
  start_behind_found(state);
  util::clear_bytes(&tail, sizeof tail);
  tail.levels = levels;
  tail.open_bytes = state.footer.draft.contents.open_bytes;
  tail.waits_for_save = saved;
  resume_segments(state);
}

[[gnu::noinline]] Status take_up_save(WriterState& state) {
  TailState& tail = tail_of(state);
  if (tail.waits_for_save) {
    const std::uint64_t durable_rows = detail::rows_in_file(state);
    MICROPARQUET_TRY(find_tail(state));
    state.lost_rows -= static_cast<std::uint32_t>(detail::rows_in_file(state) - durable_rows);
  }
  tail.waits_for_save = false;
  tail.waits = false;
  if (!state.row_group_open) give_up_segment(state);
  return Status::kOk;
}

// Forgets the row groups of a file of which nothing was published.
void forget_row_groups(WriterState& state) {
  detail::FooterState& footer = state.footer;
  FooterExtension& now = footer.now;
  state.lost_rows += static_cast<std::uint32_t>(now.rows);
  now.rows = 0;
  now.sequence = 0;
  now.row_groups = 0;
  now.entries_bytes = 0;
  now.finished_crc = 0;
  footer.row_groups = 0;
  footer.entries_bytes = 0;
}

// Returns whether a file of `size` bytes holds no more than a part of its first footer, written by an earlier
// call that failed.
[[gnu::noinline]] bool has_begun(const WriterState& state, std::uint64_t size) {
  const FooterDraft& draft = state.footer.draft;
  const bool first = forward_state(state).footer_in_progress && draft.offset == 0;
  const std::uint64_t most = format::kMagicBytes + footer_bytes(state, draft.contents);
  return first && size >= forward_state(state).file.flushed_to() && size <= most;
}

// Restarts the forward layout. The open row group is in memory, and nothing needs to be verified. With blocks
// larger than a sector the first footer is not published alone: an empty file then begins again.
Status restart_forward(WriterState& state) {
  std::uint64_t size = 0;
  MICROPARQUET_TRY(state.file->size(size));
  if (state.plan->blocks != nullptr && state.durable_rows == 0) {
    if (size == 0) forget_row_groups(state);
    if (size == 0 || has_begun(state, size)) {
      restart_footer(state.footer.draft);  // what waited of it is nowhere
      state.may_be_live = false;
      return ForwardLayout::begin_again(state, size);
    }
  }
  bool arrived = false;
  MICROPARQUET_TRY(find_end(state, size, arrived));
  state.lost_rows += static_cast<std::uint32_t>(state.footer.now.rows - state.footer.draft.contents.rows);
  start_from_draft(state);
  wrap_file(state, state.footer.draft.offset + state.footer.draft.written);
  return Status::kOk;
}

// Drops the open row group if it begins before `at`, up to which the file has come. Inlined: a program has one caller.
[[gnu::always_inline]] inline void drop_row_group_before(WriterState& state, std::uint64_t at) {
  const ForwardState& forward = forward_state(state);
  if (forward.footer_in_progress || at <= forward.position) return;
  state.lost_rows += detail::rows_in_group(state);
  forget_open_rows(state);
}

// Drops the open row group if a part of it has been written: its bytes have been moved, and are no longer all in
// memory.
void drop_written_row_group(WriterState& state) {
  drop_row_group_before(state, forward_state(state).file.flushed_to());
}

// Returns whether the head is of the last save, of the one before it, or of a call that failed after it. Others are of row
// groups that an earlier reconnect() could not read and has given up.
bool is_known(const SavingState& saving, const SaveHead& head) {
  constexpr std::uint32_t kMostAfter = 1;
  constexpr std::uint32_t kMostBefore = 1;
  return head.number + kMostBefore - saving.number <= kMostBefore + kMostAfter;
}

// Makes all saves so far unknown, but for those of the open row group if it is the first one after the footer.
void give_up_saves(WriterState& state, bool is_first) {
  constexpr std::uint32_t kGap = 4;  // even: the next save goes to the place that it would have gone to
  if (!state.row_group_open || !is_first) saving_state(state).number += kGap;
}

// Restarts the forward layout with saves. Row groups that have been finished since the last footer are there if a save
// of the open one came after them; otherwise the newest save says what is there.
Status restart_saving(WriterState& state) {
  std::uint64_t size = 0;
  bool arrived = false;
  SavingState& saving = saving_state(state);
  MICROPARQUET_TRY(find_end(state, size, arrived));
  FooterExtension before;
  util::move_bytes(reinterpret_cast<std::byte*>(&before),
                   reinterpret_cast<const std::byte*>(&state.footer.now), sizeof before);
  start_from_draft(state);
  SaveHead head;
  Status status = start_from_save(state, size, head);
  if (status == Status::kOk && !is_known(saving, head)) status = Status::kEnd;
  if (status != Status::kOk && status != Status::kEnd) {
    util::move_bytes(reinterpret_cast<std::byte*>(&state.footer.now),
                     reinterpret_cast<const std::byte*>(&before), sizeof before);
    if (before.rows != state.durable_rows) state.resumed = false;  // close() has rows to add
    return status;
  }
  util::clear_bytes(&saving.redo_bytes, sizeof saving.redo_bytes);
  saving.adds = false;
  saving.closing = saving.closing && arrived;
  saving.unproved = false;
  saving.safe_rows = 0;
  if (status == Status::kEnd) {
    give_up_saves(state, before.rows == state.footer.now.rows);
    state.lost_rows += static_cast<std::uint32_t>(before.rows - state.footer.now.rows);
    return Status::kOk;
  }
  go_on_from_save(state, head);
  // Also by a call that failed: the save has rows of the open row group, all of which are in memory.
  const bool of_open =
      state.row_group_open && head.row_groups == before.row_groups + 1 && head.rows > before.rows;
  if (of_open) {
    FooterExtension& now = state.footer.now;
    now.rows = before.rows;
    now.row_groups = before.row_groups;
    now.entries_bytes = before.entries_bytes;
    now.finished_crc = before.finished_crc;
    saving.redo_bytes = 0;
    saving.stream_end = saving.redo_begin.offset();
    saving.file.go_to(saving.stream_end);
    saving.position = saving.stream_end;
  } else {
    state.lost_rows += static_cast<std::uint32_t>(before.rows - head.rows);
  }
  return Status::kOk;
}

}  // namespace

}  // namespace write

Status Writer::reconnect(File& file) {
  if (state_.phase == detail::WriterPhase::kIdle) return Status::kWrongState;
  return reconnect_planned(
      file, detail::reconnect_layout(*state_.options->layout, detail::keeps_pages(*state_.plan)));
}

Status Writer::reconnect_planned(File& file, detail::ReconnectLayout reconnect_layout) {
  const bool open =
      state_.phase == detail::WriterPhase::kOpen || state_.phase == detail::WriterPhase::kClosing;
  if (!open) return Status::kWrongState;
  if (!state_.reads_back) return Status::kUnsupported;
  File* const before = state_.file;
  state_.file = &file;
  const Status status = reconnect_layout(state_);
  if (status != Status::kOk) state_.file = before;
  return status;
}

}  // namespace microparquet

namespace microparquet::detail {

namespace {

template <typename Values>
[[gnu::always_inline]] inline Status reconnect_in_place(WriterState& state) {
  const Status status = write::verify_in_place<write::InPlaceVerification<Values>>(state);
  if (status != Status::kEnd) return status;
  write::start_behind_found(state);
  write::give_up_segment(state);
  return Status::kOk;
}

}  // namespace

Status reconnect_in_place_layout(WriterState& state) { return reconnect_in_place<write::OneValue>(state); }

Status reconnect_array_layout(WriterState& state) {
  if (state.options->layout->checkpoints != CheckpointKind::kNone) write::give_up_footer(state);
  return reconnect_in_place<write::ArrayValues>(state);
}

Status reconnect_list_layout(WriterState& state) {
  if (state.options->layout->checkpoints != CheckpointKind::kNone) write::give_up_footer(state);
  return reconnect_in_place<write::ListValues>(state);
}

namespace {

// Continues from a save where the rows after it are lost. A call that fails then is repeated from there.
template <typename Values>
[[gnu::always_inline]] inline Status reconnect_tailed(WriterState& state) {
  using Verification = write::TailVerification<write::AfterSave<Values>>;
  write::give_up_footer(state);
  if (write::tail_of(state).waits_for_save) {
    MICROPARQUET_TRY(write::find_footer<Verification>(state));
  } else {
    const Status status = write::verify_in_place<Verification>(state);
    if (status != Status::kEnd) return status;
    write::start_behind_save(state);
  }
  return write::take_up_save(state);
}

}  // namespace

Status reconnect_tailed_layout(WriterState& state) { return reconnect_tailed<write::OneValue>(state); }

Status reconnect_tailed_array_layout(WriterState& state) {
  return reconnect_tailed<write::ArrayValues>(state);
}

Status reconnect_checkpointed_layout(WriterState& state) {
  write::give_up_footer(state);
  return reconnect_in_place_layout(state);
}

// A row group that has been taken is counted already, beside what a save has of it.
Status reconnect_saving_layout(WriterState& state) {
  write::drop_row_group_before(state, write::forward_state(state).file.taken_to());
  return write::restart_saving(state);
}

Status reconnect_forward_layout(WriterState& state) {
  write::drop_written_row_group(state);
  MICROPARQUET_TRY(write::restart_forward(state));
  // The place on a line for what comes next may be further back than it was: the record ends before the first chunk.
  write::ForwardFile& file = write::forward_state(state).file;
  if (state.row_group_open) file.keep_from(pages_of(state) + state.columns->pool_begin);
  return Status::kOk;
}

}  // namespace microparquet::detail
