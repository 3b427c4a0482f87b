// Row groups in rooms of the file; see DESIGN.md, "Rooms, extents and a file that ends in its footer".
#pragma once

#include "microparquet/detail/page_store.h"
#include "microparquet/detail/writer_state.h"
#include "write/footer.h"

namespace microparquet::write {

// All that a room consists of begins on a sector, so places are counted in sectors: files may have 2 TiB.
class RoomStore final : public detail::PageStore {
 public:
  Status open(detail::WriterState& state) override;
  Status begin_row_group(detail::WriterState& state) override;
  Status store_page(detail::WriterState& state, detail::ColumnWriter& column) override;
  Status end_row_group(detail::WriterState& state) override;
  Status close(detail::WriterState& state) override;

 private:
  // Writes a footer into the sectors from `at`, syncs, and lets it be the last one. In the first sector it
  // stands behind the PAR1 of the file's beginning.
  Status publish(detail::WriterState& state, std::uint32_t at, std::uint32_t next, std::uint32_t room_end);
  Status add_room(detail::WriterState& state, std::uint32_t row_group);
  bool fit_row_group(detail::WriterState& state, std::uint32_t target_bytes);
  std::uint32_t target_bytes(const Options& options) const;

  std::uint32_t next_ = 0;           // where the next row group begins
  std::uint32_t room_end_ = 0;       // the footer behind the room begins here
  std::uint32_t published_end_ = 0;  // the file ends in the sector before this one
  std::uint32_t row_group_ = 0;      // where the open row group begins
};
static_assert(sizeof(RoomStore) <= detail::kRoomStoreBytes);

}  // namespace microparquet::write
