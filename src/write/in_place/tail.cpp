#include "write/in_place/tail.h"

#include "base/bytes.h"
#include "base/try.h"
#include "microparquet/detail/encoding/length_prefix.h"
#include "write/footer.h"
#include "write/layout_ops.h"
#include "write/page.h"
#include "write/row_group.h"
#include "write/writer_resume.h"

namespace microparquet::write {
namespace {

using detail::ColumnWriter;
using detail::FooterExtension;
using detail::WriterState;

// A column in a head.
struct TailColumn {
  SectorIndex chunk_begin;
  std::uint32_t extent_bytes;
  std::uint32_t chunk_bytes;
  std::uint32_t first_row;
  std::uint32_t nulls;
  std::uint32_t page_bytes;    // length of the sealed page; 0: the open page has no rows
  std::uint32_t values_bytes;  // length of the values in it
};

static_assert(sizeof(TailHead) == detail::kTailHeadBytes && sizeof(TailColumn) == detail::kTailColumnBytes);

// Results of the forecast of a column, after its TailColumn.
struct TailForecast {
  std::uint32_t stored_bytes_per_row;
  std::uint32_t deviation;
};

static_assert(sizeof(TailForecast) == detail::kTailForecastBytes);

constexpr std::uint32_t kHeadCrcBytes = sizeof(std::uint32_t);

std::uint32_t head_bytes(const WriterState& state) {
  const TailLevels* const levels = tail_of(state).levels;
  std::uint32_t bytes = sizeof(TailHead) + state.plan->arena.states_bytes + kHeadCrcBytes;
  for (const ColumnWriter& column : columns_of(state)) {
    bytes += sizeof(TailColumn);
    if (levels == nullptr) continue;
    bytes += sizeof(TailForecast);
    if (column.levels != nullptr) bytes += levels->head_bytes;
  }
  return bytes;
}

}  // namespace

Sectors head_sectors(const WriterState& state) { return Sectors::holding(head_bytes(state)); }

namespace {

Sectors place_sectors(const WriterState& state) {
  return head_sectors(state) + state.plan->arena.open_page_sectors;
}

SectorIndex place_of(const WriterState& state, SectorIndex row_group, std::uint32_t number) {
  return row_group + (2 * record_sectors(state) + place_number(number) * place_sectors(state));
}

std::uint32_t form_of(const WriterState& state) {
  return place_sectors(state).count() << 16 | state.plan->arena.states_bytes;
}

// Walks over the columns' memory for an open page: its bounds, and its levels.
class OpenPageMemory {
 public:
  explicit OpenPageMemory(const WriterState& state)
      : at_(static_cast<std::byte*>(state.layout_state) + detail::kTailedStateBytes) {}

  std::byte* bounds() const { return at_; }
  OpenLevels& levels(const ColumnWriter& column) const {
    return *reinterpret_cast<OpenLevels*>(at_ + column.plan->shape.state_bytes);
  }
  void pass(const ColumnWriter& column) {
    at_ += column.plan->shape.state_bytes + (column.levels != nullptr ? detail::kOpenLevelsBytes : 0);
  }

 private:
  std::byte* at_;
};

// Opens the sealed page again: `bytes` bytes of values, and levels if there are any, go back to where they
// were. Neither move overwrites what the other still has to take.
void open_again(const WriterState& state, ColumnWriter& column, const OpenLevels& levels, std::byte* values,
                std::uint32_t bytes) {
  const std::byte* const sealed = column.sealed + column.sealed_bytes - bytes;
  const bool moves_up = values >= sealed;
  if (moves_up) util::move_bytes(values, sealed, bytes);
  if (column.levels != nullptr) tail_of(state).levels->open_again(column, levels, sealed);
  if (!moves_up) util::move_bytes(values, sealed, bytes);
  column.values = values;
  column.cursor = values + bytes;
  column.page_state = detail::PageState::kOpen;
}

// Writes an open page to `at`, sealed, and opens it again. Sets sealed_bytes, and row_count to its nulls.
// noinline: its variables are off the stack while heads are written.
[[gnu::noinline]] Status write_open_page(WriterState& state, ColumnWriter& column, OpenLevels& levels,
                                         std::uint64_t at, std::uint32_t& crc) {
  std::byte* const values = column.values;
  const auto bytes = static_cast<std::uint32_t>(column.cursor - values);
  const std::uint32_t nulls = column.nulls;
  const std::uint32_t pages_sum = state.footer.now.pages_sum;
  if (column.levels != nullptr) tail_of(state).levels->keep(column, levels);
  column.row_count = state.rows - column.first_row;
  seal_page(state, column);
  if (column.levels != nullptr) {
    const auto body = static_cast<std::uint32_t>(column.cursor - column.values);
    levels.sealed_bytes = body - encoding::kLengthBytes - bytes;
  }
  const Span<const std::byte> page(column.sealed, column.sealed_bytes);
  crc = state.options->checksum(crc, page.data(), page.size());
  const Status status = state.file->write_at(at, page);
  open_again(state, column, levels, values, bytes);
  column.row_count = column.nulls - nulls;
  column.nulls = nulls;
  state.footer.now.pages_sum = pages_sum;
  return status;
}

}  // namespace

Sectors places_sectors(const WriterState& state) { return kPlaces * place_sectors(state); }

namespace {

// Returns a place for the next head that is free.
SectorIndex choose_place(const WriterState& state) {
  TailState& tail = tail_of(state);
  std::uint8_t number = 0;
  do {
    number = place_number(++tail.number);
  } while (number == tail.live.place || number == tail.safe);
  return place_of(state, tail.row_group, number);
}

}  // namespace

// The bounds of the chunk do not cover the open page yet, which has its own.
Status write_open_pages(WriterState& state, SectorIndex& place, TailHead& head) {
  util::clear_bytes(&head, sizeof head);
  place = choose_place(state);
  std::uint64_t at = (place + head_sectors(state)).offset();
  OpenPageMemory memory(state);
  for (ColumnWriter& column : columns_of(state)) {
    column.sealed_bytes = 0;
    if (column.first_row != state.rows) {
      void* const of_chunk = column.bounds_state;
      column.bounds_state = memory.bounds();
      util::clear_bytes(column.bounds_state, column.plan->shape.state_bytes);
      const Status status = write_open_page(state, column, memory.levels(column), at, head.pages_crc);
      column.bounds_state = of_chunk;
      MICROPARQUET_TRY(status);
      at += column.sealed_bytes;
    }
    memory.pass(column);
  }
  return Status::kOk;
}

namespace {

void put_columns(thrift::WindowSink& sink, const WriterState& state) {
  const TailLevels* const levels = tail_of(state).levels;
  OpenPageMemory memory(state);
  for (const ColumnWriter& column : columns_of(state)) {
    const TailColumn kept{SectorIndex::of(column.chunk_begin),
                          column.extent_bytes,
                          column.chunk_bytes,
                          column.first_row,
                          column.nulls,
                          column.sealed_bytes,
                          static_cast<std::uint32_t>(column.cursor - column.values)};
    sink.put(&kept, sizeof kept);
    if (levels != nullptr) {
      const TailForecast forecast{column.stored_bytes_per_row, column.deviation};
      sink.put(&forecast, sizeof forecast);
      if (column.levels != nullptr) levels->put(sink, memory.levels(column));
    }
    memory.pass(column);
  }
}

}  // namespace

[[gnu::noinline]] Status write_head(WriterState& state, SectorIndex place, const TailOfFooter& of_footer,
                                    TailHead& head) {
  const FooterExtension& now = state.footer.now;
  const TailState& tail = tail_of(state);
  head.tag = kTailTag;
  head.version = now.version;
  head.file_id = now.file_id;
  head.sequence = now.sequence;
  head.number = tail.number;
  if (tail.many_rows) head.flags |= kHasManyRows;
  if (of_footer.shifted) head.flags |= kIsShifted;
  head.finished_crc = now.finished_crc;
  head.listed = of_footer.listed;
  head.tail_rows = of_footer.rows;
  head.rows = state.rows;
  head.form = form_of(state);
  std::uint32_t crc = 0;
  thrift::WindowSink sink = sink_at(state, place.offset());
  sink.sum_into(&crc);
  sink.put(&head, sizeof head);
  put_columns(sink, state);
  sink.put(state.columns_end, state.plan->arena.states_bytes);
  sink.sum_into(nullptr);
  sink.put(&crc, sizeof crc);
  sink.put_zeros(detail::bytes_to_sector(head_bytes(state)));
  return sink.flush();
}

namespace {

// Turns the columns' chunks into their open pages, which lie at `page`, one after another, or back.
void exchange_chunks(const WriterState& state, std::uint64_t page, bool back) {
  OpenPageMemory memory(state);
  for (ColumnWriter& column : columns_of(state)) {
    const std::uint32_t chunk_bytes = column.chunk_bytes;
    column.chunk_bytes = column.sealed_bytes;
    column.sealed_bytes = chunk_bytes;
    const std::uint32_t nulls = column.nulls;
    column.nulls = column.row_count;
    column.row_count = nulls;
    if (back) {
      column.chunk_begin = column.free_begin.offset() - column.chunk_bytes;
      column.bounds_state = column.sealed;
      continue;
    }
    column.chunk_begin = page;
    page += column.chunk_bytes;
    column.sealed = static_cast<std::byte*>(column.bounds_state);
    column.bounds_state = memory.bounds();
    memory.pass(column);
  }
}

}  // namespace

// Requires, beside what the header says: the columns' free extents are set.
Status write_open_record(WriterState& state, SectorIndex place, EntrySummary& entry) {
  const TailState& tail = tail_of(state);
  FooterExtension& now = state.footer.now;
  const std::uint32_t crc = now.finished_crc;
  const std::uint32_t rows = state.rows;
  const bool has_tail = tail.drafted.rows != 0;
  if (has_tail) {
    if (tail.drafted.listed.bytes != 0) now.finished_crc = tail.drafted.listed.crc;
    state.rows = tail.drafted.rows;
    exchange_chunks(state, (place + head_sectors(state)).offset(), false);
  }
  entry.next = 0;
  const Status status = write_record(state, tail.row_group.offset() + now.slot_bytes, entry);
  if (has_tail) exchange_chunks(state, 0, true);
  state.rows = rows;
  now.finished_crc = crc;
  return status;
}

namespace {

// Takes up an open page, whose sealed form is at `at`.
[[gnu::noinline]] Status take_up_page(const WriterState& state, ColumnWriter& column,
                                      const OpenLevels& levels, const TailColumn& kept, std::uint64_t at,
                                      std::uint32_t& crc) {
  const std::uint32_t most = column.plan->page_bytes;
  const std::uint32_t values = column.levels != nullptr ? levels.values : column.plan->header_bytes;
  if (kept.page_bytes > most || kept.values_bytes > kept.page_bytes || values > most - kept.values_bytes)
    return Status::kCorrupt;
  column.sealed = column.page;
  column.sealed_bytes = kept.page_bytes;
  const Span<std::byte> page(column.page, kept.page_bytes);
  // A page has tries of its own: where a medium often fails, none of those of a whole place might do.
  MICROPARQUET_TRY(read_or_lose(state, [&] { return state.file->read_at(at, page); }));
  crc = state.options->checksum(crc, page.data(), page.size());
  open_again(state, column, levels, column.page + values, kept.values_bytes);
  return Status::kOk;
}

// Takes up the columns of a head, of which `in` has passed the TailHead. kCorrupt: it is not whole.
[[gnu::noinline]] Status take_up_columns(WriterState& state, FoundBytes& in, SectorIndex place,
                                         const TailHead& head) {
  InPlaceState& in_place = in_place_of(state);
  const TailLevels* const levels = tail_of(state).levels;
  std::uint64_t at = (place + head_sectors(state)).offset();
  std::byte* buffer = pages_of(state);
  std::uint32_t pages_crc = 0;
  OpenPageMemory memory(state);
  in_place.row_group_end = detail::kNowhere;
  for (ColumnWriter& column : columns_of(state)) {
    TailColumn kept;
    in.get(&kept, sizeof kept);
    column.page = buffer;
    buffer += column.plan->page_bytes;
    if (levels != nullptr) {
      TailForecast forecast;
      in.get(&forecast, sizeof forecast);
      column.stored_bytes_per_row = forecast.stored_bytes_per_row;
      column.deviation = forecast.deviation;
      if (column.levels != nullptr) levels->get(in, column, memory.levels(column));
    }
    MICROPARQUET_TRY(in.status());
    column.chunk_begin = kept.chunk_begin.offset();
    column.extent_bytes = kept.extent_bytes;
    column.chunk_bytes = kept.chunk_bytes;
    column.first_row = kept.first_row;
    column.nulls = kept.nulls;
    column.page_state = detail::PageState::kNone;
    open_next_page(column);
    const SectorIndex end = kept.chunk_begin + Sectors::whole_in(kept.extent_bytes);
    if (end > in_place.row_group_end) in_place.row_group_end = end;
    if (kept.page_bytes != 0) {
      MICROPARQUET_TRY(take_up_page(state, column, memory.levels(column), kept, at, pages_crc));
      at += kept.page_bytes;
    }
    memory.pass(column);
  }
  in.get(state.columns_end, state.plan->arena.states_bytes);
  return pages_crc == head.pages_crc ? Status::kOk : Status::kCorrupt;
}

// Reads the TailHead at `at`; it is 0 where it is lost. noinline: what it reads with is off the stack afterwards.
[[gnu::noinline]] Status read_head(const WriterState& state, SectorIndex at, TailHead& head) {
  const Status status = read_or_lose(state, [&] {
    FoundBytes in(state, at.offset());
    in.begin(sizeof head);
    in.get(&head, sizeof head);
    return in.status();
  });
  if (status != Status::kCorrupt) return status;
  head.tag = 0;
  return Status::kOk;
}

// Takes up the head in `place`. kCorrupt: it is not whole, and the writer's columns have anything in them.
[[gnu::noinline]] Status take_up_place(WriterState& state, SectorIndex place, TailHead& head) {
  FoundBytes in(state, place.offset());
  in.begin(head_bytes(state) - kHeadCrcBytes);
  in.get(&head, sizeof head);
  MICROPARQUET_TRY(take_up_columns(state, in, place, head));
  while (!in.at_end()) in.byte();
  const std::uint32_t crc = in.crc;
  std::uint32_t stated = 0;
  in.begin(kHeadCrcBytes);
  in.get(&stated, kHeadCrcBytes);
  MICROPARQUET_TRY(in.status());
  return stated == crc ? Status::kOk : Status::kCorrupt;
}

// Finds the newest head with a number below `below` that continues the last footer: a save, or what the footer
// itself describes. kEnd: there is none. One that is misread looks like none: where any place has no head of ours, or
// the newest one does not continue the footer, all are read a second time. noinline: its variables are off the stack
// while pages are read.
[[gnu::noinline]] Status find_head(const WriterState& state, std::uint32_t below, std::uint32_t& number,
                                   std::uint32_t& flags) {
  const FooterExtension& now = state.footer.now;
  Status status = Status::kEnd;
  std::uint32_t newest = 0;
  for (std::uint32_t i = 0; i < 2 * kPlaces; ++i) {
    if (i == kPlaces && status == Status::kOk && number == newest) break;
    TailHead head;
    MICROPARQUET_TRY(read_head(state, place_of(state, now.next, i), head));
    const bool ours = head.tag == kTailTag && head.version == now.version && head.file_id == now.file_id &&
                      head.form == form_of(state) && place_number(head.number) == place_number(i);
    if (!ours) newest = 0xFFFFFFFF;
    if (!ours || head.number >= below) continue;
    if (head.number > newest) newest = head.number;
    // start_from_footer() has made the entries CRC that of all finished entries.
    const bool saved = (head.flags & kIsSave) != 0;
    if (head.continues != (saved ? state.footer_crc : now.finished_crc)) continue;
    if (status == Status::kOk && head.number < number) continue;
    number = head.number;
    flags = head.flags;
    status = Status::kOk;
  }
  return status;
}

// Looks for a save after the last footer that another firmware has made, with other pages or columns: this one
// cannot take up its rows, and must not write over them. Such heads lie before the extents, too.
[[gnu::noinline]] Status refuse_other_forms(const WriterState& state) {
  constexpr Sectors kMost(64);
  const FooterExtension& now = state.footer.now;
  SectorIndex at = now.next + 2 * record_sectors(state);
  SectorIndex end = at + kMost;
  for (const ColumnWriter& column : columns_of(state)) {
    if (column.free_begin < end) end = column.free_begin;
  }
  for (; at < end; at += Sectors(1)) {
    TailHead head;
    MICROPARQUET_TRY(read_head(state, at, head));
    if (head.tag == kTailTag && head.file_id == now.file_id && head.form != form_of(state) &&
        (head.flags & kIsSave) != 0 && head.continues == state.footer_crc)
      return Status::kSchemaMismatch;
  }
  return Status::kOk;
}

// Continues the row group that the head describes.
void go_on(WriterState& state, const TailHead& head) {
  detail::FooterState& footer = state.footer;
  FooterExtension& now = footer.now;
  TailState& tail = tail_of(state);
  const bool is_save = (head.flags & kIsSave) != 0;
  const std::uint8_t place = place_number(head.number);
  tail.described = now.next;
  tail.described_rows = head.described_rows;
  tail.row_group = now.next;
  tail.live.listed = head.listed;
  tail.live.finished_crc = head.finished_crc;
  tail.live.rows = head.tail_rows;
  tail.live.place = is_save ? static_cast<std::uint8_t>(head.live_place) : place;
  tail.safe = is_save ? place : kNoPlace;
  tail.live.shifted = (head.flags & kIsShifted) != 0;
  tail.drafted.place = kNoPlace;
  tail.counted = (head.flags & kIsCounted) != 0;
  tail.many_rows = (head.flags & kHasManyRows) != 0;
  tail.has_places = true;
  tail.slots_stale = true;
  tail.entries_crc = now.finished_crc;
  tail.extents_inherited = false;
  tail.footers_begin = head.footers_begin;
  tail.number = head.number;
  // The footer's row groups, without the open one.
  --footer.row_groups;
  footer.entries_bytes -= tail.open_bytes;
  now.row_groups = footer.row_groups;
  now.entries_bytes = footer.entries_bytes;
  if (head.listed.bytes != 0) {
    --now.row_groups;
    now.entries_bytes -= head.listed.bytes;
  }
  if (!tail.counted) {
    footer.row_groups = now.row_groups;
    footer.entries_bytes = now.entries_bytes;
  }
  now.finished_crc = head.finished_crc;
  now.rows -= head.described_rows;
  state.rows = head.rows;
  state.row_group_open = true;
  state.resumed = false;
  tail.safe_rows = rows_in_file(state);
}

// Checks before a save with pages stored after the footer is taken up. kCorrupt: a writer that knows no tails has
// continued after the footer and may have written over them. It has emptied slot A, or ended a row group there, after
// all entries of the footer. A record of ours continues the entries before the row group, and a slot that we have
// emptied names the row group.
[[gnu::noinline]] Status check_pages_after_footer(const WriterState& state) {
  const FooterExtension& now = state.footer.now;
  const std::uint64_t slot = now.next.offset();
  EntrySummary entry;
  // A slot that is torn was being written, and no page after it.
  const Status status = read_or_lose(state, [&] { return read_record(state, slot, entry); });
  if (status != Status::kOk) return status == Status::kCorrupt ? Status::kOk : status;
  const bool is_ours = entry.bytes == 0 && entry.next != 0;
  if (is_ours || entry.bytes > now.slot_bytes) return Status::kOk;
  std::uint64_t at = slot;
  std::uint32_t crc = now.finished_crc;
  MICROPARQUET_TRY(update_crc(state, at, entry.bytes, crc));
  return crc == entry.crc ? Status::kCorrupt : Status::kOk;
}

}  // namespace

Status take_up(WriterState& state) {
  TailState& tail = tail_of(state);
  TailHead head;
  // A resumed file is reserved again.
  MICROPARQUET_TRY(InPlaceLayout::reserve(state, tail.published_end));
  const SectorIndex place = place_of(state, state.footer.now.next, tail.number);
  const Status status = read_or_lose(state, [&] { return take_up_place(state, place, head); });
  if (status == Status::kOk) {
    go_on(state, head);
  } else {
    forget_open_rows(state);
    util::clear_bytes(state.columns_end, state.plan->arena.states_bytes);
    state.plan->forecast->predict(state);  // what it has learned may have been read from a torn head
  }
  return status;
}

Status find_tail(WriterState& state) {
  TailState& tail = tail_of(state);
  const SectorIndex row_group = state.footer.now.next;
  tail.waits = false;
  if (tail.open_bytes == 0) return Status::kOk;
  plan_usual(state);  // a later segment needs its size
  const SectorIndex end = row_group + (2 * record_sectors(state) + places_sectors(state));
  if (end > tail.published_end) return refuse_other_forms(state);
  for (std::uint32_t below = 0xFFFFFFFF;; below = tail.number) {
    std::uint32_t flags = 0;
    const Status found = find_head(state, below, tail.number, flags);
    if (found == Status::kEnd) return below == 0xFFFFFFFF ? refuse_other_forms(state) : Status::kOk;
    MICROPARQUET_TRY(found);
    tail.waits = (flags & kIsSave) == 0;
    if (tail.waits) return Status::kOk;
    Status status = (flags & kIsCounted) != 0 ? Status::kOk : check_pages_after_footer(state);
    if (status == Status::kOk) {
      status = take_up(state);
      if (status == Status::kCorrupt) status = take_up(state);  // it may have been misread
    }
    if (status != Status::kCorrupt) return status;
  }
}

}  // namespace microparquet::write
