// Layouts: places for the pages of the open row group, since Parquet stores those of a column together.
#pragma once

#include <cstddef>
#include <cstdint>

#include "microparquet/status.h"

namespace microparquet {

namespace detail {
struct LayoutOps;
struct WriterState;
// Constants of a type that is incomplete here.
// NOLINTBEGIN(readability-identifier-naming, bugprone-dynamic-static-initializers)
extern const LayoutOps kInPlaceLayoutOps;
extern const LayoutOps kCheckpointedLayoutOps;
extern const LayoutOps kTailedLayoutOps;
extern const LayoutOps kSavingLayoutOps;
extern const LayoutOps kForwardLayoutOps;
extern const LayoutOps kFixedForwardOps;
extern const LayoutOps kForwardSavingOps;
extern const LayoutOps kIndexedInPlaceOps;
extern const LayoutOps kIndexedCheckpointedOps;
extern const LayoutOps kIndexedForwardOps;
// NOLINTEND(readability-identifier-naming, bugprone-dynamic-static-initializers)
struct ExtentForecast;
// Opens the writer after the footer at the end of a file that has begun.
using ResumeLayout = Status (*)(WriterState& state);
Status resume_tailed_layout(WriterState& state);
// Tells a layout that its file is there again.
using ReconnectLayout = Status (*)(WriterState& state);
Status reconnect_tailed_layout(WriterState& state);
Status resume_saving_layout(WriterState& state);
Status reconnect_saving_layout(WriterState& state);
// Makes rows safe, and counts those that are.
using SaveRows = Status (*)(WriterState& state);
using SafeRows = std::uint64_t (*)(const WriterState& state);
Status save_forward_layout(WriterState& state);
std::uint64_t safe_rows_forward(const WriterState& state);
// NOLINTBEGIN(readability-identifier-naming, bugprone-dynamic-static-initializers)
extern const ExtentForecast kTailExtents;
extern const ExtentForecast kTailForecast;
// NOLINTEND(readability-identifier-naming, bugprone-dynamic-static-initializers)
// Sizes of the layouts' states in the arena; checked where these are defined.
inline constexpr std::size_t kInPlaceStateBytes = 6 * sizeof(std::uint64_t) + 2 * sizeof(void*);
inline constexpr std::size_t kTailedStateBytes = kInPlaceStateBytes + 12 * sizeof(std::uint64_t);
inline constexpr std::size_t kOpenLevelsBytes = 4 * sizeof(void*) + 32;
inline constexpr std::size_t kForwardStateBytes = 4 * sizeof(std::uint64_t) + 8 * sizeof(void*);
inline constexpr std::size_t kForwardSavingStateBytes = kForwardStateBytes + 6 * sizeof(std::uint64_t);
}  // namespace detail

// What checkpoints do with the open pages of a row group.
enum class CheckpointKind : std::uint8_t {
  kNone,        // there are no checkpoints while a row group is open
  kCutPages,    // the pages of all columns end
  kKeepPages,   // they stay open: see kInPlaceTailed
  kSaveStream,  // there are none, but saves: it is a SavingLayout
};

// A layout, an object that the options name; one that is not named is not linked.
struct Layout {
  std::size_t state_bytes;       // memory in the arena
  const detail::LayoutOps* ops;  // functions of the layout
  bool in_place;                 // the file must be able to seek
  CheckpointKind checkpoints;    // made while a row group is open
  bool indexes_pages = false;    // it is an IndexedLayout: see indexed_layout.h
  bool extends_index = false;    // it is also an ExtendedLayout
};

// Each column of the open row group owns an extent of the final file, and its pages are written there as they
// fill. A row group's size does not depend on memory. The file must be able to seek and to read back.
// Checkpoints make rows durable while the row group continues.
inline constexpr Layout kInPlace{detail::kInPlaceStateBytes, &detail::kCheckpointedLayoutOps, true,
                                 CheckpointKind::kCutPages};

// Layout whose checkpoints keep pages. A StaticWriter takes of these parts what its schema needs, a Writer all.
struct KeepingLayout : Layout {
  const detail::LayoutOps* cutting_ops = &detail::kCheckpointedLayoutOps;  // where pages cannot stay open
  const detail::ExtentForecast* extents = &detail::kTailExtents;         // of columns of a fixed width alone
  const detail::ExtentForecast* forecast = &detail::kTailForecast;       // of others
  detail::ResumeLayout resume = &detail::resume_tailed_layout;           // opens a file that has begun
  detail::ReconnectLayout reconnect = &detail::reconnect_tailed_layout;  // continues on a medium that is back
};

// Layout as kInPlace for logs that get few rows between two checkpoints, or between waking and sleeping. While
// a page takes the rows of several checkpoints, these leave the pages of all columns open: they go to a place
// of their own in the row group, and the footer describes them as a last small row group, the tail. resume()
// takes the open pages up, and the row group continues, so a boot costs no row group. Where that cannot be, a
// checkpoint cuts the pages as in kInPlace: if a column has another encoder than those of PLAIN or a compressor,
// pages are not whole sectors, or Options::block_bytes is above 512. Writer::save() makes rows safe without a
// footer. Each column takes 24 bytes more of memory (of byte arrays 8 and three times
// Options::max_bound_bytes), each row group three times its open pages and a sector more of the file.
inline constexpr KeepingLayout kInPlaceTailed{
    {detail::kTailedStateBytes, &detail::kTailedLayoutOps, true, CheckpointKind::kKeepPages}};

// Layout as kInPlaceTailed; tick() also saves, as Options::save_ms says.
inline constexpr KeepingLayout kInPlaceSaving{
    {detail::kTailedStateBytes, &detail::kSavingLayoutOps, true, CheckpointKind::kKeepPages}};

// Layout as kInPlace without checkpoints, in about a kilobyte of code less: rows are durable when a segment
// is full, and at close.
inline constexpr Layout kInPlaceNoCheckpoints{detail::kInPlaceStateBytes, &detail::kInPlaceLayoutOps, true,
                                              CheckpointKind::kNone};

// One stream that only grows: the row group's pages stay in the arena until it is whole, and it goes out in one
// long write of whole sectors. This wears a card least, and is what pipes, serial lines, and file systems need
// on which writing in the middle is expensive. A checkpoint ends the row group.
inline constexpr Layout kForward{detail::kForwardStateBytes, &detail::kForwardLayoutOps, false,
                                 CheckpointKind::kNone};

namespace detail {

constexpr bool saves_stream(const Layout& layout) {
  return layout.checkpoints == CheckpointKind::kSaveStream;
}

}  // namespace detail

// Layout of a stream that is saved. A StaticWriter takes of these parts what it calls.
struct SavingLayout : Layout {
  detail::ResumeLayout resume = &detail::resume_saving_layout;           // function of the writer
  detail::ReconnectLayout reconnect = &detail::reconnect_saving_layout;  // function of the writer
  detail::SaveRows save = &detail::save_forward_layout;                  // function of the writer
  detail::SafeRows safe_rows = &detail::safe_rows_forward;               // function of the writer
};

// Layout as kForward, with Writer::save(): it writes what has been filled of the row group's memory and a sector,
// however long the file is, into one of two places at the file's beginning, by turns. tick() saves as
// Options::save_ms says. Row groups go to space that is reserved before the last footer, sixteen or more at a time,
// and end on sectors; a file that can shrink gives the rest back at close(). The file must be able to seek and to
// read back, Options::block_bytes is 512, whole_sectors stays true, and max_row_groups_in_memory 0: otherwise
// opening it is kInvalidArgument. Where a column has a dictionary a save is a checkpoint. After kNoSpace close() has space
// for all rows that were accepted, if the file can shrink; it is repeated where it first answers that, too: the footer on
// its way had no space.
inline constexpr SavingLayout kForwardSaving{
    {detail::kForwardSavingStateBytes, &detail::kForwardSavingOps, false, CheckpointKind::kSaveStream}};

namespace detail {

// Layout as kForward, for columns of a fixed width and files that can be read back.
inline constexpr Layout kFixedForward{kForwardStateBytes, &kFixedForwardOps, false, CheckpointKind::kNone};

}  // namespace detail

}  // namespace microparquet
