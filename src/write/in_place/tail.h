// Tails: the rows of open pages, made durable or safe while the pages stay open. Each row group has three
// places for them after its slots:
//
//   row group   [slot A] [slot B] [place] [place] [place] [extent] [extent] ...
//   place       [head: whole sectors] [open page of each column that has rows in it: whole sectors]
//
// An open page is sealed, written, and opened again. Its head has what the writer needs to continue from there.
// One place is what the last footer describes, one may hold a save after it, and one is free to be written.
#pragma once

#include <cstdint>

#include "io/window_sink.h"
#include "write/in_place/extent_plan.h"
#include "write/in_place/in_place_layout.h"
#include "write/writer_resume.h"

namespace microparquet::write {

inline constexpr std::uint32_t kTailTag = 0x5471706D;  // "mpqT"
inline constexpr std::uint8_t kPlaces = 3;
// Value of a place's number that stands for none.
inline constexpr std::uint8_t kNoPlace = kPlaces;

// Pages of the open row group that are stored, as a footer lists them: as if they were a finished row group.
struct ListedPages {
  std::uint32_t bytes;  // length of their entry; 0: there is none
  std::uint32_t crc;    // checksum of all entries up to theirs
};

// What a footer, or a draft, says of the open row group.
struct TailOfFooter {
  ListedPages listed;
  std::uint32_t finished_crc;  // checksum of the entries before the row group
  std::uint32_t rows;          // rows of the tail
  std::uint8_t place;
  bool shifted;  // the last footer that followed another one lay a sector after it
};

// Levels of an open page, in the arena after the bounds of that page.
struct OpenLevels {
  detail::LevelEncoder encoder;
  std::uint32_t sealed_bytes;   // their length in the sealed page
  std::uint32_t values;         // where the values begin in the open one
  std::uint32_t packed_header;  // contents of LevelEncoder::packed_header
};
static_assert(sizeof(OpenLevels) <= detail::kOpenLevelsBytes);

// The needs of optional columns; schemas without them do not link it.
struct TailLevels {
  // Copies the levels of the open page.
  void (*keep)(const detail::ColumnWriter& column, OpenLevels& kept);
  // Moves the levels of the sealed page, which end at `sealed`, back to where they were.
  void (*open_again)(detail::ColumnWriter& column, const OpenLevels& kept, const std::byte* sealed);
  std::uint32_t head_bytes;  // length in a head
  void (*put)(thrift::WindowSink& sink, const OpenLevels& kept);
  // Reads what put() wrote.
  void (*get)(FoundBytes& in, const detail::ColumnWriter& column, OpenLevels& kept);
};
// NOLINTNEXTLINE(readability-identifier-naming, bugprone-dynamic-static-initializers): a type of this header
extern const TailLevels kTailLevels;

struct TailState : InPlaceState {
  bool lays_extents;         // the extents that are planned now have places before them
  bool plans_places;         // the extent of the first column includes the places
  bool has_places;           // the open row group has places
  bool many_rows;            // columns filled their pages between the last two checkpoints
  bool stored;               // a page has been stored since the last barrier
  bool slots_stale;          // the slots may hold records of an interrupted history
  bool waits;                // the head `number` is to be taken up with the first row
  bool waits_for_save;       // reconnect() is to take up a save, and has failed so far
  bool counted;              // FooterState counts the listed pages as a finished row group
  std::uint8_t safe;         // place of the last save
  std::uint16_t turns;       // footers placed by turns
  std::uint32_t filled;      // pages stored since the last checkpoint, without those that it cut
  std::uint32_t number;      // of the last head
  std::uint32_t saved_ms;    // time of the last save
  std::uint32_t open_bytes;  // of the last entry of the footer found by resume()
  union {
    std::uint32_t entries_crc;   // while the slots are stale: of that footer
    std::uint32_t resumed_rows;  // then, until the next footer: pages of earlier boots end before this row
  };
  SectorIndex described;         // row group that the last footer leaves open
  std::uint32_t described_rows;  // rows of it in that footer
  TailOfFooter live;             // of the last footer
  TailOfFooter drafted;          // of the footer on its way
  const TailLevels* levels;      // null: no column is optional, or of byte arrays
  std::uint64_t safe_rows;       // rows of the file when the last save was made
};
static_assert(sizeof(TailState) <= detail::kTailedStateBytes);

inline TailState& tail_of(const detail::WriterState& state) {
  return *static_cast<TailState*>(state.layout_state);
}

// Returns the sectors of a head.
Sectors head_sectors(const detail::WriterState& state);

// Returns the sectors of all places of a row group.
Sectors places_sectors(const detail::WriterState& state);

// Returns what the places add to the extent of `column` in a plan: they lie before the first column's.
std::uint32_t plan_places(const detail::WriterState& state, const detail::ColumnWriter& column);
// Takes the planned places from the first column's extent, and lays all extents after them. Returns where the
// last one ends. Requires: the extents have been laid.
SectorIndex lay_places(detail::WriterState& state);

// A head, followed by a TailColumn for each column and the states of encoders, bounds and sort order.
struct TailHead {
  std::uint32_t tag;
  std::uint32_t version;
  std::uint32_t file_id;
  std::uint32_t sequence;  // last one taken when the head was written
  std::uint32_t number;    // one more for each head of a row group
  std::uint16_t flags;
  std::uint16_t live_place;  // number of the place that the footer describes
  std::uint32_t
      continues;  // a save: CRC of the footer that it continues; otherwise entries CRC of its own footer
  std::uint32_t finished_crc;    // checksum of the entries before the row group
  ListedPages listed;            // by that footer
  std::uint32_t rows;            // rows of the row group
  std::uint32_t described_rows;  // rows of these in that footer
  std::uint32_t tail_rows;       // rows of the tail in that footer
  SectorIndex footers_begin;     // see InPlaceState
  std::uint32_t pages_crc;       // checksum of the open pages
  std::uint32_t form;            // lengths that another firmware may have otherwise
};
enum TailFlags : std::uint16_t { kIsSave = 1, kHasManyRows = 2, kIsCounted = 4, kIsShifted = 8 };

// Returns the number, 0 to 2, of the place in which the head of this number lies.
constexpr std::uint8_t place_number(std::uint32_t head) { return static_cast<std::uint8_t>(head % kPlaces); }

// Writes the open pages of all columns to a free place, that of the next head. Begins the head: with pages_crc alone.
Status write_open_pages(detail::WriterState& state, SectorIndex& place, TailHead& head);

// Writes the head of these pages. `of_footer` is what the footer says that the head continues, or belongs to. The
// caller sets `flags`, `continues`, `live_place`, `described_rows` and `footers_begin`, and the function the rest.
Status write_head(detail::WriterState& state, SectorIndex place, const TailOfFooter& of_footer,
                  TailHead& head);

// Writes the record of the open row group into slot B: of its tail, whose pages are in `place`, or without one of
// its stored pages.
Status write_open_record(detail::WriterState& state, SectorIndex place, EntrySummary& entry);

// Takes up the row group that the last footer leaves open from the head with the number `number` of the state.
// kCorrupt: the head, or a page, is not whole, and the writer is as before.
Status take_up(detail::WriterState& state);

// Finds the newest head of the row group that the last footer leaves open. A save is taken up, since its rows are
// in no footer; another waits for the first row. Requires: the writer has started from that footer, and `open_bytes`
// of the state is set.
Status find_tail(detail::WriterState& state);

}  // namespace microparquet::write
