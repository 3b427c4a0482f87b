// Segments with checkpoints; see DESIGN.md, "Checkpoints".
#pragma once

#include "write/in_place/in_place_layout.h"

namespace microparquet::write {

// Extends InPlaceLayout by checkpoints.
class CheckpointedLayout : public InPlaceLayout {
 public:
  static Status begin_row_group(detail::WriterState& state);
  static Status store_page(detail::WriterState& state, detail::ColumnWriter& column);
  static Status end_row_group(detail::WriterState& state);
  static Status tick(detail::WriterState& state);
  static Status checkpoint(detail::WriterState& state);
  static Status add_segment(detail::WriterState& state);

  // Gives up a footer on its way, and makes a checkpoint due at the next tick.
  static void give_up(const detail::WriterState& state);

 protected:
  // Writes more of the footer on its way, at most `windows` windows, and publishes it when it is complete.
  static Status step(detail::WriterState& state, std::uint32_t windows);
  // Works as step(), but does nothing on a full medium.
  static Status step_where_space_is(detail::WriterState& state, std::uint32_t windows);

 private:
  static Status begin_checkpoint(detail::WriterState& state);
};

}  // namespace microparquet::write
