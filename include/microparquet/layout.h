// Where the pages of the open row group are kept, since Parquet wants those of a column together.
#pragma once

#include <cstddef>
#include <cstdint>

namespace microparquet {

namespace detail {
struct PageStore;
// Constants, whose type is not known here.
// NOLINTBEGIN(readability-identifier-naming, bugprone-dynamic-static-initializers)
extern const PageStore kRoomStore;
extern const PageStore kCheckpointStore;
extern const PageStore kForwardStore;
// NOLINTEND(readability-identifier-naming, bugprone-dynamic-static-initializers)
// What the stores need of the arena; checked where they are defined.
inline constexpr std::size_t kRoomStoreBytes = 6 * sizeof(std::uint64_t) + 2 * sizeof(void*);
inline constexpr std::size_t kForwardStoreBytes = 8 * sizeof(std::uint64_t);
}  // namespace detail

// A layout is an object the options name; one that is not named is not linked.
struct Layout {
  std::size_t store_bytes;
  const detail::PageStore* store;
  bool in_place;
  bool checkpoints;  // while a row group is open
};

// Each column of the open row group owns an extent of the final file, and its pages are written there as they
// fill. A row group's size does not depend on memory. The file must be able to seek and to read back.
// Checkpoints make rows durable while the row group continues.
inline constexpr Layout kInPlace{detail::kRoomStoreBytes, &detail::kCheckpointStore, true, true};

// The same without checkpoints, in about a kilobyte of code less: rows are durable when a room is full, and
// at close.
inline constexpr Layout kInPlaceUncheckpointed{detail::kRoomStoreBytes, &detail::kRoomStore, true, false};

// The row group's pages stay in the arena until it is whole, and the file is written strictly forward: for
// pipes, serial lines, and file systems on which writing in the middle is expensive. A checkpoint ends the
// row group.
inline constexpr Layout kForward{detail::kForwardStoreBytes, &detail::kForwardStore, false, false};

}  // namespace microparquet
