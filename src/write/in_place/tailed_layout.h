// Checkpoints that leave the open pages open: see tail.h.
#pragma once

#include "write/in_place/checkpoints.h"
#include "write/in_place/tail.h"

namespace microparquet::write {

class TailedLayout : public Checkpoints<TailedLayout> {
 public:
  static Status store_page(detail::WriterState& state, detail::ColumnWriter& column);
  static Status end_row_group(detail::WriterState& state);
  static Status add_segment(detail::WriterState& state);
  static Status close(detail::WriterState& state);

  // Parts of Checkpoints.
  static Status lay_row_group(detail::WriterState& state);
  static Status settle(detail::WriterState& state);
  static Status hold_pages(detail::WriterState& state);
  static Status describe_open(detail::WriterState& state);
  static Status reserve_draft(detail::WriterState& state);

  // Makes the rows safe by a head, or durable by a checkpoint if the last footer does not describe the open row
  // group.
  static Status save(detail::WriterState& state);

  // Takes note that the draft is the last footer.
  static void count_arrived(detail::WriterState& state);

  // FooterState no longer counts the pages of the open row group that the last footer lists: another is about to
  // be stored.
  static void stop_counting(detail::WriterState& state);
  // FooterState counts them again.
  static void count_listed(detail::WriterState& state);

  // Completes a footer on its way, or gives it up where there is no space: its sources are about to change.
  static Status end_draft(detail::WriterState& state);
};

// Calls save() by tick().
class SavingTailedLayout : public TailedLayout {
 public:
  static Status tick(detail::WriterState& state);
};

}  // namespace microparquet::write
