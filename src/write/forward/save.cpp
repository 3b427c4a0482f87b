#include "write/forward/save.h"

#include "base/bytes.h"
#include "base/try.h"
#include "io/window_sink.h"
#include "write/begin_file.h"
#include "write/footer.h"
#include "write/forward/pool.h"
#include "write/row_group.h"
#include "write/writer_resume.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::FooterDraft;
using detail::FooterExtension;
using detail::kNowhere;
using detail::kSectorBytes;
using detail::SectorIndex;
using detail::Sectors;
using detail::WriterState;

constexpr std::uint32_t kSaveHeadBytes = kSectorBytes;
constexpr std::uint32_t kSaveCrcBytes = sizeof(std::uint32_t);

// Returns the sectors of a place. A save lies in the pool as it is written.
Sectors save_sectors(const WriterState& state) { return Sectors::holding(pool_bytes(state)); }

// Returns the sectors of each of the places that the file has.
Sectors place_sectors(const FooterExtension& now) { return (now.free_end - now.free_begin) / 2; }

// Returns where the save with this number lies.
SectorIndex save_place(const WriterState& state, std::uint32_t number) {
  const FooterExtension& now = state.footer.now;
  const Sectors half = place_sectors(now);
  return now.free_begin + (number & 1) * half;
}

std::uint64_t round_to_sector(std::uint64_t offset) { return SectorIndex::from(offset).offset(); }

bool is_undurable(const WriterState& state) { return rows_in_file(state) != state.durable_rows; }

// Takes the stream up again after a footer that is published, or was given up.
void come_back(WriterState& state) {
  SavingState& saving = saving_state(state);
  if (!saving.away || saving.footer_in_progress) return;
  saving.away = false;
  saving.adds = false;
  saving.position = saving.stream_end;
  saving.file.go_to(saving.stream_end);
}

// Gives up the footer on its way, whose end is not on the medium. One that adds a segment stays: what the stream has of the
// segment is not published.
void forget_footer(WriterState& state) {
  SavingState& saving = saving_state(state);
  if (!saving.footer_in_progress || !saving.away || saving.adds) return;
  restart_footer(state.footer.draft);
  state.may_be_live = false;
  saving.footer_in_progress = false;
  saving.closing = false;
  saving.half = 0;
  come_back(state);
  saving.file.use(pages_of(state), pages_of(state) + pool_bytes(state));
}

// Writes more of the footer on its way, and takes the stream up again once it is published. Where the medium is full the
// footer is given up: the segment still has space for rows, and perhaps for the last footer.
Status write_more_of_footer(WriterState& state, std::uint32_t windows) {
  SavingState& saving = saving_state(state);
  const Status status = continue_footer(state, windows);
  const bool lacks_end = saving.file.flushed_to() != saving.file.taken_to();
  if (status == Status::kNoSpace && lacks_end) forget_footer(state);
  MICROPARQUET_TRY(status);
  if (saving.footer_in_progress) return Status::kOk;
  saving.published_end = saving.position;
  saving.unproved = false;
  come_back(state);
  return Status::kOk;
}

Status end_footer_away(WriterState& state) {
  return saving_state(state).footer_in_progress ? write_more_of_footer(state, kWhole) : Status::kOk;
}

// Copies the save that was taken up to where it belongs. No page is in memory then, or the pool's head is free.
// noinline: most calls pass it by.
[[gnu::noinline]] Status copy_save(WriterState& state) {
  SavingState& saving = saving_state(state);
  File& medium = saving.file.medium();
  const std::uint32_t most = state.row_group_open ? kSectorBytes : pool_bytes(state) & ~(kSectorBytes - 1);
  std::uint64_t from = save_place(state, saving.number).offset() + kSaveHeadBytes;
  std::uint64_t to = saving.redo_begin.offset();
  std::uint32_t crc = 0;
  for (std::uint32_t left = saving.redo_bytes; left != 0;) {
    const Span<std::byte> part(pages_of(state), left < most ? left : most);
    MICROPARQUET_TRY(medium.read_at(from, part));
    crc = state.options->checksum(crc, part.data(), part.size());
    MICROPARQUET_TRY(medium.write_at(to, part));
    from += part.size();
    to += part.size();
    left -= static_cast<std::uint32_t>(part.size());
  }
  if (crc != saving.redo_crc) return Status::kIoError;  // the medium has returned other bytes than before
  saving.redo_bytes = 0;
  saving.unproved = true;
  return Status::kOk;
}

Status settle_save(WriterState& state) {
  return saving_state(state).redo_bytes != 0 ? copy_save(state) : Status::kOk;
}

// Begins a footer at `at`, after everything that is published. The stream has ended on a sector.
void begin_away(WriterState& state, SectorIndex at) {
  SavingState& saving = saving_state(state);
  saving.file.go_to(at.offset());
  saving.position = at.offset();
  saving.away = true;
  begin_footer_at_end(state);
}

// Begins a footer of a stream that continues in its segment.
Status begin_next_footer(WriterState& state) {
  SavingState& saving = saving_state(state);
  MICROPARQUET_TRY(settle_save(state));
  saving.stream_end = saving.position;
  FooterExtension& now = state.footer.now;
  if (now.next < now.segment_end) now.next = SectorIndex::of(saving.position);
  begin_away(state, SectorIndex::from(saving.published_end));
  return Status::kOk;
}

// Returns the most bytes that a row group of `bytes` bytes takes in a segment, with zeros after it.
std::uint32_t with_zeros(const WriterState& state, std::uint32_t bytes) {
  return bytes + saving_state(state).file.place_mask() / kLargestShareOfZeros + kSectorBytes;
}

std::uint32_t most_bytes_of_row_group(const WriterState& state) {
  return with_zeros(state, pool_bytes(state));
}

// Returns the bytes that a segment should have for a row group of `bytes` bytes: with a footer after it, which close() may
// write there.
std::uint32_t with_footer(const WriterState& state, std::uint32_t bytes) {
  const FooterExtension& now = state.footer.now;
  return bytes + now.slot_bytes + footer_bytes(state, now) + 2 * kSectorBytes;
}

// Returns whether the segment has space for `bytes` bytes, and the places for a save: a resumed file's may be those of a
// smaller pool.
bool has_space(const WriterState& state, std::uint32_t bytes) {
  const FooterExtension& now = state.footer.now;
  const SavingState& saving = saving_state(state);
  const std::uint64_t at = saving.away ? saving.stream_end : saving.position;
  return place_sectors(now) >= save_sectors(state) && now.segment_end != kNowhere &&
         at + bytes <= now.segment_end.offset();
}

// Makes both places empty. An earlier file may have lain here whose first footer with a segment was the same: its saves
// would pass for those of this file. The pool's head is free, and the footer has a barrier before it.
Status empty_places(const WriterState& state, SectorIndex places, Sectors place) {
  const Span<std::byte> zeros(pages_of(state), kSectorBytes);
  util::clear_bytes(zeros.data(), kSectorBytes);
  File& medium = saving_state(state).file.medium();
  MICROPARQUET_TRY(medium.write_at(places.offset(), zeros));
  return medium.write_at((places + place).offset(), zeros);
}

// Begins a footer that adds a segment before it, with space for `least` bytes at least, and the places where there are
// none. A segment holds 16 row groups and an eighth of the existing ones: the sum of all footers stays in proportion to
// the last one.
Status begin_segment(WriterState& state, std::uint32_t least) {
  constexpr std::uint32_t kRowGroups = 16;
  constexpr std::uint32_t kShare = 8;
  SavingState& saving = saving_state(state);
  FooterExtension& now = state.footer.now;
  MICROPARQUET_TRY(settle_save(state));
  const Sectors footer = Sectors::holding(footer_bytes(state, now)) + Sectors(1);
  const Sectors place = save_sectors(state);
  SectorIndex at = SectorIndex::from(saving.published_end);
  SectorIndex places = now.free_begin;
  SectorIndex places_end = now.free_end;
  if (place_sectors(now) < place) {
    places = at;
    places_end = places + 2 * place;
    at = places_end;
  }
  Sectors wanted = (kRowGroups + now.row_groups / kShare) * place;
  if (wanted < Sectors::holding(least)) wanted = Sectors::holding(least);
  if (at + wanted + footer < at) return Status::kLimitReached;
  Status status = saving.file.medium().reserve((at + wanted + footer).offset());
  if (status == Status::kNoSpace) {
    wanted = Sectors::holding(least);
    status = saving.file.medium().reserve((at + wanted + footer).offset());
  }
  MICROPARQUET_TRY(status);
  if (places != now.free_begin) MICROPARQUET_TRY(empty_places(state, places, place));
  now.free_begin = places;
  now.free_end = places_end;
  now.next = at;
  now.segment_end = at + wanted;
  saving.stream_end = at.offset();
  saving.adds = true;
  begin_away(state, now.segment_end);
  return Status::kOk;
}

// Begins a footer with all rows. It adds a segment if the next row group might not fit in the last one: a save of that
// row group continues this footer.
Status begin_checkpoint_footer(WriterState& state) {
  MICROPARQUET_TRY(settle_save(state));
  const std::uint32_t least = with_footer(state, most_bytes_of_row_group(state));
  if (!has_space(state, least)) {
    const Status status = begin_segment(state, least);
    if (status != Status::kNoSpace) return status;
  }
  return begin_next_footer(state);
}

// Gives columns the pool, but for the sectors of a save's head and end.
void lay_saving_pool(WriterState& state) {
  const ForwardState& forward = forward_state(state);
  const std::uint32_t begin = pool_head_of(state);
  if (forward.half != 0) return lay_regions(state, begin, forward.half * kPoolUnit);
  std::uint32_t end = pool_bytes(state) - kSectorBytes;
  const std::uint32_t over =
      (static_cast<std::uint32_t>(forward.position) + state.footer.now.slot_bytes + end - begin) &
      forward.file.place_mask();
  if (over < end && end - over >= least_pool(state)) end -= over;
  lay_regions(state, begin, end);
}

// Has the stream wait for whole sectors, also where the system gathers writes: what is safe shares none with what
// comes next.
void wait_for_whole_sectors(WriterState& state) {
  saving_state(state).file.take_whole_sectors(place_mask_of(pool_bytes(state) - detail::kSaveBytes));
}

bool can_save(const WriterState& state) {
  const Options& options = *state.options;
  return state.reads_back && state.file->abilities().seek && options.block_bytes == kSectorBytes &&
         options.whole_sectors && options.max_row_groups_in_memory == 0;
}

}  // namespace

Status SavingForwardLayout::open(WriterState& state) {
  if (state.footer.draft.contents.sequence == 0 && !can_save(state)) {
    state.phase = detail::WriterPhase::kIdle;
    return Status::kInvalidArgument;
  }
  MICROPARQUET_TRY(ForwardLayout::open(state));
  SavingState& saving = saving_state(state);
  saving.published_end = saving.position;
  wait_for_whole_sectors(state);
  return Status::kOk;
}

// No row is accepted that might find no space. A footer in the second half of the pool may be on its way meanwhile.
Status SavingForwardLayout::begin_row_group(WriterState& state) {
  const SavingState& saving = saving_state(state);
  if (saving.misread) return Status::kCorrupt;
  const std::uint32_t least = with_footer(state, most_bytes_of_row_group(state));
  const bool waits = saving.half == 0 || !has_space(state, least);
  MICROPARQUET_TRY(waits ? fit(state, least) : settle_save(state));
  lay_saving_pool(state);
  return Status::kOk;
}

// Makes space of `bytes` bytes in a segment. A footer that adds one makes saves void, and describes no open row group:
// before the first save of that, there is space for all that it may become.
Status SavingForwardLayout::fit(WriterState& state, std::uint32_t bytes) {
  SavingState& saving = saving_state(state);
  MICROPARQUET_TRY(settle_save(state));
  MICROPARQUET_TRY(end_footer_away(state));
  if (has_space(state, bytes)) return Status::kOk;
  MICROPARQUET_TRY(begin_segment(state, with_footer(state, bytes)));
  // The pool's head is free.
  if (state.row_group_open) saving.file.keep_from(pages_of(state) + pool_head_of(state));
  return end_footer_away(state);
}

Status SavingForwardLayout::end_row_group(WriterState& state) {
  if (saving_state(state).footer_in_progress) {
    const bool adds = saving_state(state).adds;
    MICROPARQUET_TRY(end_footer_away(state));
    state.blocking_footers += state.closes || adds ? 0U : 1U;
  }
  if (!has_taken_record(state)) {
    const std::uint64_t end = place_chunks(state, record_end(state));
    const auto bytes = static_cast<std::uint32_t>(end - saving_state(state).position);
    MICROPARQUET_TRY(fit(state, with_zeros(state, bytes)));
  }
  const std::uint64_t next = round_to_sector(next_place(state, place_chunks(state, record_end(state))));
  MICROPARQUET_TRY(take_row_group(state, next));
  MICROPARQUET_TRY(finish_row_group(state, next));
  saving_state(state).unproved = true;
  observe_rows(state);
  return Status::kOk;
}

Status SavingForwardLayout::begin_checkpoint(WriterState& state) {
  SavingState& saving = saving_state(state);
  MICROPARQUET_TRY(write::end_row_group(state));
  MICROPARQUET_TRY(begin_checkpoint_footer(state));
  // Not before: where no footer begins, the row groups that follow have all of the pool.
  if (const std::uint16_t half = first_half_of(state); half != 0) {
    saving.half = half;
    std::byte* const pool = pages_of(state);
    saving.file.use(pool + half * kPoolUnit, pool + pool_bytes(state));
  }
  return saving.half != 0 ? Status::kOk : end_footer_away(state);
}

Status SavingForwardLayout::tick(WriterState& state) {
  SavingState& saving = saving_state(state);
  if (saving.misread) return Status::kCorrupt;
  const Options& options = *state.options;
  const std::uint32_t elapsed = state.now_ms - saving.last_checkpoint_ms;
  if (saving.footer_in_progress) {
    return write_more_of_footer(state, windows_of_tick(state, options, elapsed));
  }
  if (!is_undurable(state)) {
    saving.last_checkpoint_ms = state.now_ms;
    saving.saved_ms = state.now_ms;
    return Status::kOk;
  }
  const auto bytes = static_cast<std::uint32_t>(saving.position - state.footer.first_record);
  if (options.checkpoint_ms != 0 && is_footer_due(state, options, elapsed, bytes))
    return begin_checkpoint(state);
  if (options.save_ms == 0 || state.now_ms - saving.saved_ms < options.save_ms) return Status::kOk;
  MICROPARQUET_TRY(save(state));
  saving.saved_ms = state.now_ms;  // also where it was a checkpoint
  return Status::kOk;
}

Status SavingForwardLayout::checkpoint(WriterState& state) {
  MICROPARQUET_TRY(end_footer_away(state));
  if (!is_undurable(state)) return Status::kOk;
  MICROPARQUET_TRY(write::end_row_group(state));
  MICROPARQUET_TRY(begin_checkpoint_footer(state));
  return end_footer_away(state);
}

// The last footer follows the rows in their segment if the file can shrink and there is space; it is published by a
// smaller size then.
Status SavingForwardLayout::close(WriterState& state) {
  SavingState& saving = saving_state(state);
  FooterDraft& draft = state.footer.draft;
  FooterExtension& now = state.footer.now;
  // reconnect() has found the last footer. Another one might not: what the file had after it has been cut off.
  if (saving.closing && !saving.footer_in_progress) return Status::kOk;
  if (!saving.closing) {
    MICROPARQUET_TRY(end_footer_away(state));
    MICROPARQUET_TRY(settle_save(state));
    const SectorIndex end = SectorIndex::from(saving.position + footer_bytes(state, now));
    if (state.shrinks && now.segment_end != kNowhere && end <= now.segment_end) {
      now.next = now.segment_end = end;
      begin_footer_at_end(state);
    } else {
      if (now.segment_end == kNowhere && now.free_end != kNowhere) {
        now.next = now.segment_end =
            SectorIndex::from(round_to_sector(saving.published_end) + footer_bytes(state, now));
      }
      MICROPARQUET_TRY(begin_next_footer(state));
    }
    saving.closing = true;
  }
  if (!saving.away && draft.offset < saving.published_end) {
    if (!state.may_be_live) {
      if (draft.written == 0) MICROPARQUET_TRY(write_before_draft(state));
      const Status status = write_footer(state, kWhole);
      if (status == Status::kCorrupt) saving.file.go_to(draft.offset);  // it must not reach the live footer
      MICROPARQUET_TRY(status);
    }
    MICROPARQUET_TRY(saving.file.barrier());
    MICROPARQUET_TRY(saving.file.medium().shrink(saving.file.taken_to()));
  }
  return write_more_of_footer(state, kWhole);
}

// Moves the row group together as the stream would write it, with its record, after space for the head. Where a column
// has its pages is kept beside its sealed page, which it has not.
void SavingForwardLayout::assemble(WriterState& state, SaveHead& head) {
  SavingState& saving = saving_state(state);
  std::byte* const pool = pages_of(state);
  saving.file.use(pool + kSaveHeadBytes, pool + pool_bytes(state));
  if (state.rows == 0) return;
  for (ColumnWriter& column : columns_of(state)) column.sealed_bytes = column.pool_begin;
  EntrySummary entry{};
  entry.next = round_to_sector(place_chunks(state, record_end(state)));
  saving.file.keep_from(pool + state.columns->pool_begin);
  // Neither can fail: the file has memory for all of it.
  static_cast<void>(write_record(state, saving.position, entry));
  static_cast<void>(take_chunks(state));
  head.sequence = state.footer.now.sequence--;
  ++head.row_groups;
  head.entries_bytes += entry.bytes;
  head.entries_crc = entry.crc;
  head.next = SectorIndex::of(entry.next).number();
}

// Puts the pages back, and begins the empty ones again.
void SavingForwardLayout::take_apart(WriterState& state) {
  SavingState& saving = saving_state(state);
  std::byte* const pool = pages_of(state);
  for (ColumnWriter* column = state.columns_end; state.rows != 0 && column != state.columns;) {
    --column;
    util::move_bytes(pool + column->sealed_bytes, pool + column->pool_begin, column->chunk_bytes);
    column->pool_begin = column->sealed_bytes;
    if (column->page_state == detail::PageState::kOpen) column->open_page();
  }
  saving.file.go_to(saving.position);  // nothing waits to be moved
  saving.file.use(pool, pool + pool_bytes(state));
}

// Writes the save into the place that the last one is not in.
Status SavingForwardLayout::write_save(WriterState& state) {
  SavingState& saving = saving_state(state);
  const FooterExtension& now = state.footer.now;
  std::byte* const pool = pages_of(state);
  SaveHead head{kSaveTag,
                now.version,
                now.file_id,
                now.sequence,
                saving.number + 1,
                state.footer_crc,
                now.row_groups,
                now.entries_bytes,
                now.finished_crc,
                0,
                0,
                SectorIndex::of(saving.position).number(),
                rows_in_file(state),
                SectorIndex::of(saving.position).number(),
                0};
  assemble(state, head);
  auto* const end = const_cast<std::byte*>(saving.file.next());
  const auto bytes = static_cast<std::uint32_t>(end - pool) - kSaveHeadBytes;
  const std::uint32_t rest = detail::bytes_to_sector(bytes);
  head.bytes = bytes + rest;
  Status status = Status::kOutOfMemory;
  const bool fits = static_cast<std::uint32_t>(pool + pool_bytes(state) - end) >= rest &&
                    kSaveHeadBytes + head.bytes <= place_sectors(now).bytes();
  if (fits) {
    util::clear_bytes(end, rest);
    util::clear_bytes(pool, kSaveHeadBytes);
    head.bytes_crc = state.options->checksum(0, pool + kSaveHeadBytes, head.bytes);
    head.crc = state.options->checksum(0, &head, sizeof head - kSaveCrcBytes);
    util::move_bytes(pool, reinterpret_cast<const std::byte*>(&head), sizeof head);
    status = saving.file.medium().write_at(save_place(state, head.number).offset(),
                                           Span<const std::byte>(pool, kSaveHeadBytes + head.bytes));
  }
  take_apart(state);
  MICROPARQUET_TRY(status);
  MICROPARQUET_TRY(saving.file.medium().barrier());
  saving.number = head.number;
  saving.safe_rows = head.rows;
  saving.saved_ms = state.now_ms;
  return Status::kOk;
}

// A footer on its way is given up: it would replace the one that the save continues. Where the file cannot shrink it is
// finished, since it may be a part of the file already. Pages are cut, and new ones begin.
Status SavingForwardLayout::save(WriterState& state) {
  SavingState& saving = saving_state(state);
  if (saving.misread || state.plan->dictionaries != nullptr) return checkpoint(state);
  if (state.row_group_ending) MICROPARQUET_TRY(write::end_row_group(state));
  const std::uint64_t rows = rows_in_file(state);
  if (rows == saving.safe_rows || rows == state.durable_rows) return Status::kOk;
  if (!state.shrinks) MICROPARQUET_TRY(end_footer_away(state));
  if (!state.may_be_live) forget_footer(state);
  MICROPARQUET_TRY(close_pages(state));
  MICROPARQUET_TRY(fit(state, most_bytes_of_row_group(state)));
  if (!is_undurable(state)) return Status::kOk;
  // A barrier puts onto the medium what the save counts on.
  if (saving.unproved) MICROPARQUET_TRY(saving.file.medium().barrier());
  saving.unproved = false;
  const Status status = write_save(state);
  return status == Status::kOutOfMemory ? checkpoint(state) : status;
}

namespace {

// Continues `crc` over `bytes` bytes at `at`. kCorrupt: the medium does not give them back. Each sector has tries of its own:
// where a medium often fails, none of those of all might do.
[[gnu::noinline]] Status sum_found(const WriterState& state, std::uint64_t at, std::uint32_t bytes,
                                   std::uint32_t& crc) {
  for (std::uint32_t part = 0; bytes != 0; bytes -= part) {
    part = bytes < kSectorBytes ? bytes : kSectorBytes;
    MICROPARQUET_TRY(read_or_lose(state, [&] { return update_crc(state, at, part, crc); }));
  }
  return Status::kOk;
}

// Returns whether the records from the last footer to the save, and the save's own at `own`, have the entries that it
// counts. A medium may not answer.
Status check_records(const WriterState& state, const SaveHead& head, std::uint64_t own) {
  const FooterExtension& now = state.footer.now;
  std::uint32_t crc = now.finished_crc;
  std::uint64_t at = now.next.offset();
  const std::uint64_t begin = SectorIndex(head.begin).offset();
  std::uint32_t bytes = now.entries_bytes;
  std::uint32_t left = head.row_groups - now.row_groups;
  for (; left != 0; --left) {
    EntrySummary entry;
    std::uint64_t slot = at;
    if (at == begin) slot = own;
    MICROPARQUET_TRY(read_or_lose(state, [&] { return read_record(state, slot, entry); }));
    if (entry.bytes == 0 || entry.bytes > now.slot_bytes - detail::kRecordTrailerBytes)
      return Status::kCorrupt;
    MICROPARQUET_TRY(sum_found(state, slot, entry.bytes, crc));
    if (crc != entry.crc || (at == begin && left != 1)) return Status::kCorrupt;
    at = entry.next;
    bytes += entry.bytes;
  }
  return crc == head.entries_crc && bytes == head.entries_bytes && at == SectorIndex(head.next).offset()
             ? Status::kOk
             : Status::kCorrupt;
}

// Reads the head at `place`, and the checksum of what is before its own.
Status read_save_head(const WriterState& state, SectorIndex place, SaveHead& head, std::uint32_t& crc) {
  FoundBytes in(state, place.offset());
  in.begin(sizeof head - kSaveCrcBytes);
  in.get(&head, sizeof head - kSaveCrcBytes);
  crc = in.crc;
  in.begin(kSaveCrcBytes);
  in.get(&head.crc, kSaveCrcBytes);
  return in.status();
}

// Reads the head in the place with this number. kCorrupt: there is no save of this file that continues its last footer,
// or it is not whole: a power cut may have torn it.
[[gnu::noinline]] Status read_save(const WriterState& state, std::uint32_t number, SaveHead& head) {
  const FooterExtension& now = state.footer.now;
  const SectorIndex place = save_place(state, number);
  const Sectors sectors = place_sectors(now);
  std::uint32_t crc = 0;
  MICROPARQUET_TRY(read_or_lose(state, [&] { return read_save_head(state, place, head, crc); }));
  const bool ours = head.tag == kSaveTag && head.version == kFormatVersion && head.file_id == now.file_id &&
                    head.crc == crc && head.continues == state.footer_crc && (head.number & 1) == number;
  const SectorIndex begin(head.begin);
  const bool fits = std::uint64_t{head.bytes} + kSaveHeadBytes <= sectors.bytes() && begin >= now.next &&
                    begin.offset() + head.bytes <= now.segment_end.offset() &&
                    SectorIndex(head.next) >= begin && SectorIndex(head.next) <= now.segment_end &&
                    head.row_groups >= now.row_groups && head.row_groups <= detail::kMaxRowGroups &&
                    head.rows >= now.rows;
  if (!ours || !fits) return Status::kCorrupt;
  const std::uint64_t at = place.offset() + kSaveHeadBytes;
  std::uint32_t bytes_crc = 0;
  MICROPARQUET_TRY(sum_found(state, at, head.bytes, bytes_crc));
  if (bytes_crc != head.bytes_crc) return Status::kCorrupt;
  return check_records(state, head, at);
}

// Finds the newest save. kEnd: there is none. A place without one is read a second time, since a save that is misread looks
// like none.
Status find_save(const WriterState& state, SaveHead& head) {
  Status status = Status::kEnd;
  for (std::uint32_t number = 0; number < 2; ++number) {
    SaveHead found;
    Status read = read_save(state, number, found);
    if (read == Status::kCorrupt) read = read_save(state, number, found);
    if (read == Status::kCorrupt) continue;
    MICROPARQUET_TRY(read);
    const bool newer = status != Status::kOk || static_cast<std::int32_t>(found.number - head.number) > 0;
    if (newer) head = found;
    status = Status::kOk;
  }
  return status;
}

}  // namespace

Status start_from_save(WriterState& state, std::uint64_t size, SaveHead& head) {
  FooterExtension& now = state.footer.now;
  const SectorIndex begin = SectorIndex::of(state.footer.draft.offset);
  const bool segment = now.next < now.segment_end && now.segment_end <= begin;
  const bool places = now.free_begin != kNowhere && now.free_begin < now.free_end &&
                      now.free_end <= (segment ? now.next : begin) && place_sectors(now) > Sectors(1);
  if (!segment) now.next = now.segment_end = kNowhere;
  if (!places) now.free_begin = now.free_end = kNowhere;
  // Before anything has changed: a call that fails here is repeated, or the program continues.
  const Status status = segment && places ? find_save(state, head) : Status::kEnd;
  if (status != Status::kOk && status != Status::kEnd) return status;
  wrap_file(state, size);
  wait_for_whole_sectors(state);
  SavingState& saving = saving_state(state);
  saving.published_end = size;
  saving.saved_ms = state.now_ms;
  saving.stream_end = segment ? now.next.offset() : round_to_sector(size);
  saving.away = true;
  come_back(state);
  state.footer.first_record = saving.stream_end;
  return status;
}

void go_on_from_save(WriterState& state, const SaveHead& head) {
  FooterExtension& now = state.footer.now;
  SavingState& saving = saving_state(state);
  now.rows = head.rows;
  now.row_groups = head.row_groups;
  now.entries_bytes = head.entries_bytes;
  now.finished_crc = head.entries_crc;
  if (now.sequence < next_history(head.sequence) - 1) now.sequence = next_history(head.sequence) - 1;
  saving.number = head.number;
  saving.safe_rows = head.rows;
  saving.redo_bytes = head.bytes;
  saving.redo_crc = head.bytes_crc;
  saving.redo_begin = SectorIndex(head.begin);
  saving.stream_end = SectorIndex(head.next).offset();
  saving.away = true;
  come_back(state);
  if (now.rows != state.durable_rows) state.resumed = false;  // close() has rows to add
}

}  // namespace microparquet::write

namespace microparquet::detail {

const LayoutOps kForwardSavingOps = layout_ops<write::SavingForwardLayout>();

Status save_forward_layout(WriterState& state) { return write::SavingForwardLayout::save(state); }

std::uint64_t safe_rows_forward(const WriterState& state) {
  const std::uint64_t safe = write::saving_state(state).safe_rows;
  return safe > state.durable_rows ? safe : state.durable_rows;
}

Status resume_saving_layout(WriterState& state) {
  if (!write::can_save(state)) return Status::kInvalidArgument;
  MICROPARQUET_TRY(write::start_behind_footer(state));
  write::SaveHead head;
  const FooterDraft& draft = state.footer.draft;
  const Status status = write::start_from_save(state, draft.offset + draft.written, head);
  if (status == Status::kOk) write::go_on_from_save(state, head);
  if (status == Status::kOk || status == Status::kEnd) return Status::kOk;
  util::clear_bytes(static_cast<FileProgress*>(&state), sizeof(FileProgress));
  return status;
}

}  // namespace microparquet::detail
