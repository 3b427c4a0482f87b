// Row groups in rooms of the file; see DESIGN.md, "Rooms".
#pragma once

#include "microparquet/detail/page_store.h"
#include "microparquet/detail/writer_state.h"
#include "write/footer.h"

namespace microparquet::write {

// All that a room consists of begins on a sector, so places are counted in sectors: files may have 2 TiB.
// Where the next row group begins and the room around it are what the next footer will say, footer.now.
class RoomStore : public detail::PageStore {
 public:
  Status open(detail::WriterState& state) override;
  Status begin_row_group(detail::WriterState& state) override;
  Status store_page(detail::WriterState& state, detail::ColumnWriter& column) override;
  Status end_row_group(detail::WriterState& state) override;
  Status tick(detail::WriterState& state) override;
  Status checkpoint(detail::WriterState& state) override;
  Status close(detail::WriterState& state) override;

  // Goes on with a file of `sectors` sectors, whose last footer is footer.now.
  void resume(detail::WriterState& state, std::uint32_t sectors);

  // The footer that was on its way is the end of the file, and the draft.
  void count_arrived(detail::WriterState& state);

 protected:
  ~RoomStore() = default;
  static Status write_whole(detail::WriterState& state);
  // Makes the written draft the end of the file.
  Status publish(detail::WriterState& state);
  static Status write_page(const detail::WriterState& state, const detail::ColumnWriter& column);
  static void page_is_stored(const detail::WriterState& state, detail::ColumnWriter& column);
  static std::uint32_t closing_behind(const detail::WriterState& state, std::uint32_t added);
  // Reserves space for a room that begins at `begin` and the footer behind it; where the room ends.
  Status reserve_room(detail::WriterState& state, std::uint32_t begin, std::uint32_t row_group,
                      std::uint32_t& end);

  std::uint64_t cut_rows_ = 0;           // rows of the file at the last checkpoint
  std::uint32_t published_end_ = 0;      // the file ends in the sector before this one
  std::uint32_t row_group_ = 0;          // where the open row group begins
  std::uint32_t row_group_end_ = 0;      // and where its last extent ends
  std::uint32_t row_group_sectors_ = 0;  // of a usual row group, by the last plan
  std::uint32_t least_room_ = 0;         // that a room should have, in sectors

  // Adds a room, with a footer that is written at once.
  virtual Status add_room(detail::WriterState& state);

 private:
  static std::uint32_t rows_end(const detail::WriterState& state, std::uint32_t room_end);
  bool fit_row_group(detail::WriterState& state, std::uint32_t at, std::uint32_t room_end);
  void place_next(detail::WriterState& state);
  bool fit_free_room(detail::WriterState& state);
  void lay_extents(detail::WriterState& state);
  bool lay_in_rests(detail::WriterState& state);
  std::uint32_t target_bytes(const Options& options) const;
  static Status go_on(RoomStore& store, detail::WriterState& state);
  static Status empty_slots(detail::WriterState& state, std::uint32_t at);

  std::uint32_t next_ = 0;      // where the next row group will begin, decided when this one ends; 0: not yet
  std::uint32_t next_end_ = 0;  // of its room
  std::uint32_t stale_end_ = 0;  // what lies before this may hold records of an interrupted history
  bool planned_ = false;         // the extents of the next row group are
  bool laid_ = false;            // and have their places, or may have those that an open row group has left
  // Both null unless the file is gone on with, and linked only then: what comes before its first row group,
  // and before a place among what is stale is pointed at.
  Status (*go_on_)(RoomStore& store, detail::WriterState& state) = nullptr;
  Status (*empty_slots_)(detail::WriterState& state, std::uint32_t at) = nullptr;
};
static_assert(sizeof(RoomStore) <= detail::kRoomStoreBytes);

// How many sectors so many bytes take.
inline std::uint32_t to_sectors(std::uint32_t bytes) {
  return (bytes + detail::kSectorBytes - 1) / detail::kSectorBytes;
}
inline std::uint64_t to_bytes(std::uint32_t sectors) { return static_cast<std::uint64_t>(sectors) << 9; }

// What the footer that may have to close the file needs of the room, with the row groups that are yet to be
// counted.
std::uint32_t closing_sectors(const detail::WriterState& state);

// What a checkpoint writes at the most if it is made now: the columns' open pages, the record, the footer.
std::uint32_t checkpoint_cost(const detail::WriterState& state);

}  // namespace microparquet::write
