#include "write/forward/forward_layout.h"

#include <new>

#include "base/bytes.h"
#include "base/try.h"
#include "io/window_sink.h"
#include "write/begin_file.h"
#include "write/footer.h"
#include "write/forward/pool.h"
#include "write/row_group.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::FooterDraft;
using detail::WriterState;

// Returns the kept entries of finished row groups if the sink cannot be read back, else null.
std::byte* kept_entries(const WriterState& state) {
  if (state.options->max_row_groups_in_memory == 0) return nullptr;
  return arena_of(state) + state.plan->arena.kept;
}

// A system that gathers writes has sectors of its own, and a receiver that cannot be read back is to have all of a
// row group.
Transfers transfers_of(const WriterState& state) {
  const FileAbilities abilities = state.file->abilities();
  const bool whole_sectors = state.options->whole_sectors && abilities.read_back && !abilities.gathers;
  return {whole_sectors, abilities.seek, state.options->transfer_align};
}

// Returns whether footers end on blocks.
bool places_footers(const WriterState& state) {
  return state.plan->blocks != nullptr || forward_state(state).file.whole_sectors();
}

// Has the file take zeros up to `end`. noinline: the sink is off the stack when they are written.
[[gnu::noinline]] Status take_zeros(WriterState& state, std::uint64_t end) {
  const std::uint64_t begin = forward_state(state).file.taken_to();
  thrift::WindowSink sink = sink_at(state, begin);
  sink.put_zeros(begin < end ? static_cast<std::uint32_t>(end - begin) : 0);
  return sink.flush();
}

// Begins a footer and makes sure that everything it is going to describe is on the medium. The rest of its
// sector is zeros, so that nothing before the footer waits in memory.
[[gnu::noinline]] Status begin_footer_at_end(WriterState& state) {
  ForwardState& forward = forward_state(state);
  // A row group that has been begun and has no rows: the footer takes its pages.
  if (detail::rows_in_group(state) == 0) forget_open_rows(state);
  std::uint64_t at = forward.position;
  if (places_footers(state)) at += detail::bytes_to_sector(static_cast<std::uint32_t>(at));
  begin_footer(state, at);
  state.may_be_live = true;
  if (places_footers(state)) place_draft(state);
  MICROPARQUET_TRY(take_zeros(state, state.footer.draft.offset));
  // Entries in memory are read as those of the last footer.
  if (state.options->max_row_groups_in_memory != 0) {
    state.footer.entries_begin = 0;
    state.footer.entries_bytes = state.footer.now.entries_bytes;
  }
  return forward.file.barrier();
}

// Returns whether the file has taken all of the draft. The first one's PAR1 counts as its first bytes.
bool is_whole(const WriterState& state, const FooterDraft& draft) {
  const std::uint32_t magic = draft.offset == 0 ? format::kMagicBytes : 0;
  return draft.written == magic + footer_bytes(state, draft.contents);
}

// Publishes the draft, all of which has been taken by the file.
[[gnu::noinline]] Status publish_footer(WriterState& state) {
  ForwardState& forward = forward_state(state);
  FooterDraft& draft = state.footer.draft;
  // With blocks larger than a sector the first footer is published with the next one: if a published file ended
  // in it, the rest of its block could no longer be written.
  const std::uint64_t end = draft.offset + draft.written;
  const bool publishes = state.plan->blocks == nullptr || draft.offset != 0;
  MICROPARQUET_TRY(publishes ? forward.file.sync(end) : forward.file.flush());
  count_footer(state, draft);
  forward.position = end;
  forward.footer_in_progress = false;
  forward.halved = false;
  forward.file.use(pool_of(state));
  return Status::kOk;
}

// Writes more of the footer on its way, at most `windows` windows, and publishes it when all of it is written.
// The misread bytes stay in the file, and the next footer begins after them.
Status continue_footer(WriterState& state, std::uint32_t windows) {
  ForwardState& forward = forward_state(state);
  const FooterDraft& draft = state.footer.draft;
  const Status status = write_footer(state, windows);
  forward.misread = status == Status::kCorrupt;
  if (forward.misread) {
    forward.position = forward.file.taken_to();
    forward.footer_in_progress = false;
  }
  MICROPARQUET_TRY(status);
  return is_whole(state, draft) ? publish_footer(state) : Status::kOk;
}

}  // namespace

void wrap_file(WriterState& state, std::uint64_t written_to) {
  auto* const forward = new (state.layout_state) ForwardState;
  forward->file.wrap(*state.file, written_to, transfers_of(state), kept_entries(state));
  forward->position = written_to;
  forward->last_checkpoint_ms = state.now_ms;
  state.file = &forward->file;
}

// Opens the file. From then on the writer's file is the wrapper. A first footer without rows holds the
// schema: it makes the remains of an interrupted stream readable.
Status ForwardLayout::open(WriterState& state) {
  File& file = *state.file;
  ForwardState& forward = forward_state(state);
  if (state.footer.draft.contents.sequence == 0) {
    wrap_file(state, 0);
    forward.file.use(pool_of(state));
  }
  state.file = &forward.file;  // it has taken a part of the footer if a call has failed
  const Status status = write_footer_at_end(state);
  if (status != Status::kOk) state.file = &file;
  return status;
}

Status ForwardLayout::begin_again(WriterState& state, std::uint64_t written_to) {
  wrap_file(state, written_to);
  forward_state(state).position = 0;
  return write_footer_at_end(state);
}

Status ForwardLayout::write_footer_at_end(WriterState& state) {
  ForwardState& forward = forward_state(state);
  if (!forward.footer_in_progress) MICROPARQUET_TRY(begin_footer_at_end(state));
  return continue_footer(state, kWhole);
}

namespace {

// Row groups end on a multiple of this many bytes, so that a card programs few of its pages twice. It is as large
// a power of two as leaves no more than an eighth of the pool empty.
std::uint32_t place_bytes(const WriterState& state) {
  constexpr std::uint32_t kLargestShare = 8;
  const auto most = static_cast<std::uint32_t>(pool_of(state).size());
  std::uint32_t place = kMostPlace;
  while (place > detail::kSectorBytes && (place > most || most % place > most / kLargestShare)) place /= 2;
  return place;
}

// Returns where the first region of the next row group begins: after what waits and the record. Nothing that a
// footer leaves is known before it ends, and a dictionary pushes what waits further.
std::uint32_t regions_begin(const WriterState& state) {
  const ForwardState& forward = forward_state(state);
  if (forward.halved || state.plan->dictionaries != nullptr) return pool_head_of(state);
  return detail::round_up(forward.file.place_of(forward.position) + state.footer.now.slot_bytes, 8);
}

// Returns how much of the pool the next row group takes to end on such a place, if that is enough of it.
std::uint32_t bytes_to_place(const WriterState& state, std::uint32_t begin) {
  constexpr std::uint32_t kLeastShare = 4;
  const ForwardState& forward = forward_state(state);
  const auto pool = static_cast<std::uint32_t>(pool_of(state).size());
  const std::uint32_t most = pool - begin + state.footer.now.slot_bytes;
  const std::uint32_t place = place_bytes(state);
  if (place == detail::kSectorBytes) return pool;  // less than a sector waits anyway
  const std::uint32_t over = static_cast<std::uint32_t>(forward.position + most) & (place - 1);
  const bool suffices = pool - over >= least_pool(state) && most - over >= most / kLeastShare;
  return forward.file.whole_sectors() && suffices ? pool - over : pool;
}

// Returns the place after a row group that ends at `end`, or `end` if that is too far.
std::uint64_t next_place(const WriterState& state, std::uint64_t end) {
  constexpr std::uint32_t kLargestShare = 16;
  const std::uint32_t bytes = place_bytes(state);
  const std::uint32_t rest = (0 - static_cast<std::uint32_t>(end)) & (bytes - 1);
  return forward_state(state).file.whole_sectors() && rest <= bytes / kLargestShare ? end + rest : end;
}

// noinline: its variables are off the stack while a footer is written.
[[gnu::noinline]] void lay_pool(WriterState& state) {
  const std::uint32_t begin = regions_begin(state);
  const bool halved = forward_state(state).halved;
  lay_regions(state, begin, halved ? first_half_of(state) : bytes_to_place(state, begin));
}

}  // namespace

Status ForwardLayout::begin_row_group(WriterState& state) {
  ForwardState& forward = forward_state(state);
  if (forward.misread) return Status::kCorrupt;
  const std::uint32_t kept = state.options->max_row_groups_in_memory;
  if (kept != 0 && state.footer.now.row_groups == kept) return Status::kLimitReached;
  if (state.may_be_live && !forward.halved) MICROPARQUET_TRY(write_footer_at_end(state));
  lay_pool(state);
  return Status::kOk;
}

Status ForwardLayout::store_page(WriterState& state, ColumnWriter& column) {
  keep_page(state, column);
  return Status::kOk;
}

Status ForwardLayout::finish_footer(WriterState& state) {
  if (!state.may_be_live) return Status::kOk;
  MICROPARQUET_TRY(write_footer_at_end(state));
  if (!state.closes) ++state.blocking_footers;
  return Status::kOk;
}

// Ends a row group. All of it is known, so its record goes before it and can say where the next one begins.
Status ForwardLayout::end_row_group(WriterState& state) {
  MICROPARQUET_TRY(finish_footer(state));
  const std::uint64_t next = next_place(state, place_chunks(state, record_end(state)));
  MICROPARQUET_TRY(take_row_group(state, next));
  return finish_row_group(state, next);
}

Status ForwardLayout::finish_row_group(WriterState& state, std::uint64_t next) {
  ForwardState& forward = forward_state(state);
  MICROPARQUET_TRY(take_zeros(state, next));
  MICROPARQUET_TRY(forward.file.flush());
  forward.position = next;
  observe_rows(state, state.rows);
  return Status::kOk;
}

// Appends the row group's entry to those in memory; it counts when its record is written. The window is
// longer than any entry and never goes to the file.
void ForwardLayout::keep_entry(WriterState& state) {
  std::byte* const entry = kept_entries(state) + state.footer.now.entries_bytes;
  const Span<std::byte> window(entry, state.plan->arena.record_bytes);
  thrift::WindowSink sink(*state.file, 0, window, state.options->checksum);
  state.plan->write_row_group(sink, state);
}

std::uint64_t ForwardLayout::place_chunks(WriterState& state, std::uint64_t at) {
  const detail::DictionaryPages* const dictionaries = state.plan->dictionaries;
  for (ColumnWriter& column : columns_of(state)) {
    if (dictionaries != nullptr) at += dictionaries->stored_bytes(state, column);
    column.chunk_begin = at;
    at += column.chunk_bytes;
  }
  return at;
}

void ForwardLayout::keep_chunks_from(WriterState& state, const ColumnWriter* column) {
  ForwardFile& file = forward_state(state).file;
  if (column == state.columns_end) return file.keep_none();
  file.keep_from(pages_of(state) + column->pool_begin);
}

// Moves the chunks together. A chunk that has been taken is found where it lies then: reconnect() may have the
// row group taken again.
Status ForwardLayout::take_chunks(WriterState& state) {
  const detail::DictionaryPages* const dictionaries = state.plan->dictionaries;
  ForwardFile& file = forward_state(state).file;
  std::byte* const pool = pages_of(state);
  for (ColumnWriter& column : columns_of(state)) {
    keep_chunks_from(state, &column);
    if (dictionaries != nullptr) MICROPARQUET_TRY(dictionaries->write(state, column));
    if (file.taken_to() >= column.chunk_begin + column.chunk_bytes) continue;
    const std::byte* const chunk = pool + column.pool_begin;
    MICROPARQUET_TRY(file.write_at(column.chunk_begin, Span<const std::byte>(chunk, column.chunk_bytes)));
    column.pool_begin = static_cast<std::uint32_t>(file.next() - pool) - column.chunk_bytes;
  }
  keep_chunks_from(state, state.columns_end);
  return Status::kOk;
}

// Writes a footer when it is due, to sinks that can be read back: only these are resumed from their last
// footer. After misread entries only checkpoint() and close() try again, since each try leaves a part of a
// footer.
Status ForwardLayout::tick(WriterState& state) {
  ForwardState& forward = forward_state(state);
  if (forward.misread) return Status::kCorrupt;
  const Options& options = *state.options;
  const std::uint32_t elapsed = state.now_ms - forward.last_checkpoint_ms;
  if (forward.footer_in_progress) {
    const std::uint32_t share = footer_bytes(state, state.footer.draft.contents) / detail::kMostFooterTicks;
    const std::uint32_t windows = detail::kLeastFooterWindows + share / state.plan->arena.window_bytes;
    const bool late = elapsed > options.max_loss_ms / detail::kLateShare;
    return continue_footer(state, late ? detail::kLateWindows * windows : windows);
  }
  if (rows_in_file(state) == state.durable_rows || options.checkpoint_ms == 0 ||
      options.max_row_groups_in_memory != 0) {
    forward.last_checkpoint_ms = state.now_ms;
    return Status::kOk;
  }
  const std::uint64_t bytes = forward.position - (state.footer.entries_begin + state.footer.entries_bytes);
  const std::uint64_t cost = footer_bytes(state, state.footer.now);
  const bool pays = elapsed >= options.checkpoint_ms && bytes >= options.checkpoint_ratio * cost;
  return pays || elapsed >= options.max_loss_ms ? begin_checkpoint(state) : Status::kOk;
}

// Ends the row group and begins a footer through the second half of the pool, so that rows can continue. A pool too
// small for that is taken by the footer at once.
Status ForwardLayout::begin_checkpoint(WriterState& state) {
  ForwardState& forward = forward_state(state);
  MICROPARQUET_TRY(write::end_row_group(state));
  if (state.footer.now.rows == state.durable_rows) return Status::kOk;
  const Span<std::byte> buffer = second_half_of(state);
  if (!buffer.empty() && !state.may_be_live) {
    forward.file.use(buffer);
    forward.halved = true;
  }
  MICROPARQUET_TRY(begin_footer_at_end(state));
  forward.last_checkpoint_ms = state.now_ms;
  forward.footer_in_progress = forward.halved;
  return forward.halved ? Status::kOk : continue_footer(state, kWhole);
}

Status ForwardLayout::checkpoint(WriterState& state) {
  ForwardState& forward = forward_state(state);
  if (forward.footer_in_progress) MICROPARQUET_TRY(write_footer_at_end(state));
  MICROPARQUET_TRY(begin_checkpoint(state));
  return forward.footer_in_progress ? write_footer_at_end(state) : Status::kOk;
}

Status ForwardLayout::close(WriterState& state) { return write_footer_at_end(state); }

}  // namespace microparquet::write

namespace microparquet::detail {

using write::ForwardLayout;

const LayoutOps kForwardLayoutOps = layout_ops<write::ForwardLayout>();

// Resumes a file. The rows before are unknown in a sink that cannot be read back.
Status resume_forward_layout(WriterState& state) {
  if (state.options->max_row_groups_in_memory != 0) return Status::kUnsupported;
  MICROPARQUET_TRY(write::start_behind_footer(state));
  write::wrap_file(state, state.footer.draft.offset + state.footer.draft.written);
  write::forward_state(state).file.use(write::pool_of(state));
  return Status::kOk;
}

}  // namespace microparquet::detail
