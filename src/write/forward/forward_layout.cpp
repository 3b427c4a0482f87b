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

void use_pool(WriterState& state) {
  std::byte* const pool = pages_of(state);
  forward_state(state).file.use(pool, pool + pool_bytes(state));
}

// Returns whether rows have arrived since the last footer on the medium. There are less than 2^32, so comparing
// the lower words suffices.
bool has_undurable_rows(const WriterState& state) {
  return static_cast<std::uint32_t>(rows_in_file(state)) != static_cast<std::uint32_t>(state.durable_rows);
}

}  // namespace

// noinline: the sink is off the stack when they are written.
[[gnu::noinline]] Status take_zeros(WriterState& state, std::uint64_t end) {
  const std::uint64_t begin = forward_state(state).file.taken_to();
  const auto bytes = static_cast<std::int32_t>(end - begin);  // less than 2 GiB
  thrift::WindowSink sink = sink_at(state, begin);
  sink.put_zeros(bytes > 0 ? static_cast<std::uint32_t>(bytes) : 0);
  return sink.flush();
}

namespace {

bool places_footers(const WriterState& state) {
  return state.plan->blocks != nullptr || forward_state(state).file.whole_sectors();
}

}  // namespace

[[gnu::noinline]] void begin_footer_at_end(WriterState& state) {
  ForwardState& forward = forward_state(state);
  // A row group that has been begun and has no rows: the footer takes its pages.
  if (detail::rows_in_group(state) == 0) forget_open_rows(state);
  if (places_footers(state))
    forward.position += detail::bytes_to_sector(static_cast<std::uint32_t>(forward.position));
  begin_footer(state, forward.position);
  forward.footer_in_progress = true;
  forward.last_checkpoint_ms = state.now_ms;
}

namespace {

// Publishes the draft, all of which has been taken by the file.
[[gnu::noinline]] Status publish_footer(WriterState& state) {
  ForwardState& forward = forward_state(state);
  FooterDraft& draft = state.footer.draft;
  // With blocks larger than a sector the first footer is published with the next one: if a published file ended
  // in it, the rest of its block could no longer be written.
  const bool publishes = state.plan->blocks == nullptr || draft.offset != 0;
  MICROPARQUET_TRY(publishes ? forward.file.sync(forward.file.taken_to()) : forward.file.flush());
  count_footer(state, draft);
  forward.position = forward.file.taken_to();
  forward.footer_in_progress = false;
  forward.half = 0;
  use_pool(state);
  return Status::kOk;
}

}  // namespace

// Part of a draft that was given up stays in the file: the footer begins after it.
[[gnu::noinline]] Status write_before_draft(WriterState& state) {
  ForwardState& forward = forward_state(state);
  const std::uint64_t offset = state.footer.draft.offset;
  // The two are less than 2 GiB apart.
  const auto taken = static_cast<std::int32_t>(forward.file.taken_to() - offset);
  if (taken > 0 && offset != 0) {
    forward.position = forward.file.taken_to();
    begin_footer_at_end(state);
  }
  if (places_footers(state))
    place_draft(state);  // here, since a key-value may have been set after it was begun
  MICROPARQUET_TRY(take_zeros(state, state.footer.draft.offset));
  return forward.file.barrier();
}

// The misread bytes stay in the file, and the next footer begins after them.
Status continue_footer(WriterState& state, std::uint32_t windows) {
  if (!state.may_be_live) {
    if (state.footer.draft.written == 0) MICROPARQUET_TRY(write_before_draft(state));
    const Status status = write_footer(state, windows);
    forward_state(state).misread = status == Status::kCorrupt;
    MICROPARQUET_TRY(status);
  }
  return state.may_be_live ? publish_footer(state) : Status::kOk;
}

// A system that gathers writes has sectors of its own, and a receiver that cannot be read back is to have all of a
// row group.
void wrap_file(WriterState& state, std::uint64_t written_to) {
  util::clear_bytes(state.layout_state, sizeof(ForwardState));
  auto* const forward = new (state.layout_state) ForwardState;
  const Options& options = *state.options;
  forward->position = written_to;
  forward->last_checkpoint_ms = state.now_ms;
  forward->file.wrap(*state.file, written_to, options.transfer_align);
  if (options.whole_sectors && state.reads_back && !state.file->abilities().gathers)
    forward->file.take_whole_sectors(place_mask_of(pool_bytes(state)));
  state.file = &forward->file;
  use_pool(state);
}

namespace {

// Writes a footer after everything that is finished, or the rest of the one that is on its way.
Status write_footer_at_end(WriterState& state) {
  if (!forward_state(state).footer_in_progress) begin_footer_at_end(state);
  return continue_footer(state, kWhole);
}

}  // namespace

// Opens the file. From then on the writer's file is the wrapper. A first footer without rows holds the
// schema: it makes the remains of an interrupted stream readable.
Status ForwardLayout::open(WriterState& state) {
  File& file = *state.file;
  if (state.footer.draft.contents.sequence == 0) wrap_file(state, 0);
  state.file = &forward_state(state).file;  // it has taken a part of the footer if a call has failed
  const Status status = write_footer_at_end(state);
  if (status != Status::kOk) state.file = &file;
  return status;
}

// The wrapper passes over what the medium has. The first footer takes the head of the pool, before the rows.
Status ForwardLayout::begin_again(WriterState& state, std::uint64_t written_to) {
  File& file = *state.file;
  wrap_file(state, written_to);
  ForwardState& forward = forward_state(state);
  forward.position = 0;
  forward.file.take_parts();
  if (state.row_group_open) forward.file.keep_from(pages_of(state) + state.columns->pool_begin);
  begin_footer_at_end(state);
  MICROPARQUET_TRY(continue_footer(state, kWhole));
  state.file = &file;
  wrap_file(state, forward.position);
  return Status::kOk;
}

// Gives columns what follows what waits and the record. Nothing that a footer leaves is known before it ends, and a
// dictionary pushes what waits further. The row group then ends on such a place if enough of the pool is left.
void lay_pool(WriterState& state) {
  const ForwardState& forward = forward_state(state);
  std::uint32_t begin = pool_head_of(state);
  if (forward.half != 0) return lay_regions(state, begin, forward.half * kPoolUnit);
  const std::uint32_t slot = state.footer.now.slot_bytes;
  if (state.plan->dictionaries == nullptr)
    begin = detail::round_up(forward.file.place_of(forward.position) + slot, 8);
  std::uint32_t end = pool_bytes(state);
  const std::uint32_t over =
      (static_cast<std::uint32_t>(forward.position) + slot + end - begin) & forward.file.place_mask();
  if (end - over >= least_pool(state)) end -= over;
  lay_regions(state, begin, end);
}

Status ForwardLayout::begin_row_group(WriterState& state) { return begin(state); }

Status ForwardLayout::finish_footer(WriterState& state) {
  if (!forward_state(state).footer_in_progress) return Status::kOk;
  MICROPARQUET_TRY(continue_footer(state, kWhole));
  state.blocking_footers += state.closes ? 0U : 1U;
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
  return Status::kOk;
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

// Moves the chunks together. A chunk that has been taken is found where it lies then: reconnect() may have the
// row group taken again.
Status ForwardLayout::take_chunks(WriterState& state) {
  const detail::DictionaryPages* const dictionaries = state.plan->dictionaries;
  ForwardFile& file = forward_state(state).file;
  std::byte* const pool = pages_of(state);
  for (ColumnWriter& column : columns_of(state)) {
    std::byte* const chunk = pool + column.pool_begin;
    if (dictionaries != nullptr) {
      file.keep_from(chunk);
      MICROPARQUET_TRY(dictionaries->write(state, column));
    }
    std::byte* const end = chunk + column.chunk_bytes;
    file.keep_from(end);  // a chunk may be moved over its own bytes
    // Less than 2 GiB.
    const auto left = static_cast<std::int32_t>(column.chunk_begin + column.chunk_bytes - file.taken_to());
    if (left <= 0) continue;
    MICROPARQUET_TRY(file.take(end - left, end));
    column.pool_begin = static_cast<std::uint32_t>(file.next() - pool) - column.chunk_bytes;
  }
  file.keep_from(pool + pool_bytes(state));
  return Status::kOk;
}

namespace {

// Ends the row group and begins a footer through the second half of the pool, so that rows can continue. A pool too
// small for that is taken by the footer at once.
Status begin_checkpoint(WriterState& state) {
  ForwardState& forward = forward_state(state);
  MICROPARQUET_TRY(write::end_row_group(state));
  if (const std::uint16_t half = first_half_of(state); half != 0) {
    forward.half = half;
    std::byte* const pool = pages_of(state);
    forward.file.use(pool + half * kPoolUnit, pool + pool_bytes(state));
  }
  begin_footer_at_end(state);
  return forward.half != 0 ? Status::kOk : continue_footer(state, kWhole);
}

}  // namespace

// Writes a footer when it is due. After misread entries only checkpoint() and close() try again, since each try
// leaves a part of a footer.
Status ForwardLayout::tick(WriterState& state) {
  ForwardState& forward = forward_state(state);
  if (forward.misread) return Status::kCorrupt;
  const Options& options = *state.options;
  const std::uint32_t elapsed = state.now_ms - forward.last_checkpoint_ms;
  if (forward.footer_in_progress) {
    return continue_footer(state, windows_of_tick(state, options, elapsed));
  }
  if (!has_undurable_rows(state) || options.checkpoint_ms == 0) {
    forward.last_checkpoint_ms = state.now_ms;
    return Status::kOk;
  }
  // Less than 4 GiB, or it counts as less and comes later.
  const auto bytes = static_cast<std::uint32_t>(forward.position -
                                                (state.footer.entries_begin + state.footer.entries_bytes));
  return is_footer_due(state, options, elapsed, bytes) ? begin_checkpoint(state) : Status::kOk;
}

// Finishes a footer on its way before rows that it lacks get another.
Status ForwardLayout::checkpoint(WriterState& state) {
  ForwardState& forward = forward_state(state);
  if (forward.footer_in_progress) MICROPARQUET_TRY(continue_footer(state, kWhole));
  if (!has_undurable_rows(state)) return Status::kOk;
  MICROPARQUET_TRY(write::end_row_group(state));
  return write_footer_at_end(state);
}

Status ForwardLayout::close(WriterState& state) { return write_footer_at_end(state); }

}  // namespace microparquet::write

namespace microparquet::detail {

using write::ForwardLayout;

const LayoutOps kFixedForwardOps = layout_ops<write::ForwardLayout>();

// Resumes a file. The rows before are unknown in a sink that cannot be read back.
Status resume_forward_layout(WriterState& state) {
  if (state.options->max_row_groups_in_memory != 0) return Status::kUnsupported;
  MICROPARQUET_TRY(write::start_behind_footer(state));
  write::wrap_file(state, state.footer.draft.offset + state.footer.draft.written);
  return Status::kOk;
}

}  // namespace microparquet::detail
