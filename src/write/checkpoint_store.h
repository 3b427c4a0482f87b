// Rooms with checkpoints; see DESIGN.md, "Checkpoints".
#pragma once

#include "write/room_store.h"

namespace microparquet::write {

class CheckpointStore final : public RoomStore {
 public:
  CheckpointStore();
  Status store_page(detail::WriterState& state, detail::ColumnWriter& column) override;
  Status end_row_group(detail::WriterState& state) override;
  Status tick(detail::WriterState& state) override;
  Status checkpoint(detail::WriterState& state) override;
  Status close(detail::WriterState& state) override;

  // A footer on its way is given up, and a checkpoint is due at the next tick.
  void give_up(const detail::WriterState& state);

 private:
  Status add_room(detail::WriterState& state) override;
  bool is_due(const detail::WriterState& state) const;
  bool room_is_low(const detail::WriterState& state, std::uint32_t needed) const;
  Status cut(detail::WriterState& state);
  static bool goes_on(const detail::WriterState& state);
  Status begin_draft(detail::WriterState& state);
  Status describe_open(detail::WriterState& state);
  Status step(detail::WriterState& state, bool whole);

  std::uint32_t cut_ms_ = 0;     // when the last checkpoint was
  std::uint32_t cut_bytes_ = 0;  // stored since
  bool ticks_ = false;           // the time is known
  bool cutting_ = false;
  bool writing_ = false;    // a footer
  bool adds_room_ = false;  // and a free room before it
};
static_assert(sizeof(CheckpointStore) <= detail::kCheckpointStoreBytes);

}  // namespace microparquet::write
