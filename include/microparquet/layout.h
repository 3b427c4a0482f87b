// Layouts: places for the pages of the open row group, since Parquet stores those of a column together.
#pragma once

#include <cstddef>
#include <cstdint>

namespace microparquet {

namespace detail {
struct LayoutOps;
// Constants of a type that is incomplete here.
// NOLINTBEGIN(readability-identifier-naming, bugprone-dynamic-static-initializers)
extern const LayoutOps kInPlaceLayoutOps;
extern const LayoutOps kCheckpointedLayoutOps;
extern const LayoutOps kForwardLayoutOps;
extern const LayoutOps kFixedForwardOps;
extern const LayoutOps kIndexedInPlaceOps;
extern const LayoutOps kIndexedCheckpointedOps;
extern const LayoutOps kIndexedForwardOps;
// NOLINTEND(readability-identifier-naming, bugprone-dynamic-static-initializers)
// Sizes of the layouts' states in the arena; checked where these are defined.
inline constexpr std::size_t kInPlaceStateBytes = 6 * sizeof(std::uint64_t) + 2 * sizeof(void*);
inline constexpr std::size_t kForwardStateBytes = 4 * sizeof(std::uint64_t) + 8 * sizeof(void*);
}  // namespace detail

// A layout, an object that the options name; one that is not named is not linked.
struct Layout {
  std::size_t state_bytes;       // memory in the arena
  const detail::LayoutOps* ops;  // functions of the layout
  bool in_place;                 // the file must be able to seek
  bool checkpoints;              // makes checkpoints while a row group is open
  bool indexes_pages = false;    // it is an IndexedLayout: see indexed_layout.h
  bool extends_index = false;    // it is also an ExtendedLayout
};

// Each column of the open row group owns an extent of the final file, and its pages are written there as they
// fill. A row group's size does not depend on memory. The file must be able to seek and to read back.
// Checkpoints make rows durable while the row group continues.
inline constexpr Layout kInPlace{detail::kInPlaceStateBytes, &detail::kCheckpointedLayoutOps, true, true};

// Layout as kInPlace without checkpoints, in about a kilobyte of code less: rows are durable when a segment
// is full, and at close.
inline constexpr Layout kInPlaceNoCheckpoints{detail::kInPlaceStateBytes, &detail::kInPlaceLayoutOps, true,
                                              false};

// One stream that only grows: the row group's pages stay in the arena until it is whole, and it goes out in one
// long write of whole sectors. This wears a card least, and is what pipes, serial lines, and file systems need
// on which writing in the middle is expensive. A checkpoint ends the row group.
inline constexpr Layout kForward{detail::kForwardStateBytes, &detail::kForwardLayoutOps, false, false};

namespace detail {

// Layout as kForward, for columns of a fixed width and files that can be read back.
inline constexpr Layout kFixedForward{kForwardStateBytes, &kFixedForwardOps, false, false};

}  // namespace detail

}  // namespace microparquet
