// Where finished pages go; one implementation for each Layout.
#pragma once

#include <cstdint>

#include "microparquet/layout.h"
#include "microparquet/status.h"

namespace microparquet::detail {

struct ColumnWriter;
struct WriterState;

// Each call may fail with what the file answered and is then repeated as it was. What a layout keeps is in
// WriterState::layout_state.
struct LayoutOps {
  // Writes what the file begins with.
  Status (*open)(WriterState& state);
  // Gives every column its place and its first page.
  Status (*begin_row_group)(WriterState& state);
  // Stores the sealed page of `column` and opens the next one, unless the row group has no space for it.
  Status (*store_page)(WriterState& state, ColumnWriter& column);
  // All pages are stored: writes the row-group record.
  Status (*end_row_group)(WriterState& state);
  // The time has come to see whether a checkpoint is due; continues one that is being written.
  Status (*tick)(WriterState& state);
  // Makes all rows durable.
  Status (*checkpoint)(WriterState& state);
  // Writes the last footer.
  Status (*close)(WriterState& state);
  // In place: there is no space for another row group.
  Status (*add_segment)(WriterState& state);
};

// The functions of a class by their names, so that none can take another's place. A class that inherits from
// another layout's has its functions where it declares none of its own.
template <typename Implementation>
constexpr LayoutOps layout_ops() {
  return {Implementation::open,       Implementation::begin_row_group,
          Implementation::store_page, Implementation::end_row_group,
          Implementation::tick,       Implementation::checkpoint,
          Implementation::close,      Implementation::add_segment};
}

// What pages that are not whole blocks need before a checkpoint, in place: durable bytes are never written
// again, so that the next page of every column must begin on a block.
struct PageLengthening {
  // As store_page(), but with a header long enough that the next page begins on a block, where that can be
  // done.
  Status (*store_page)(WriterState& state, ColumnWriter& column);
  // Whether it could be done for all columns. If not, the row group has to end.
  bool (*pages_end_on_blocks)(const WriterState& state);
};

// What else blocks of more than a sector ask for, in both layouts: that what follows a footer shares no block
// with it.
struct Blocks {
  // Moves the draft of a footer, of which nothing is written, so that it ends on a block.
  void (*place_draft)(WriterState& state);
  // Whether the resumed file, whose last footer has been read, was written so.
  bool (*suit)(const WriterState& state);
};
// NOLINTBEGIN(readability-identifier-naming, bugprone-dynamic-static-initializers)
extern const PageLengthening kPageLengthening;
extern const Blocks kBlocks;
// NOLINTEND(readability-identifier-naming, bugprone-dynamic-static-initializers)

// Opens the writer after the footer at the end of a file that has begun; linked only by who resumes.
using ResumeLayout = Status (*)(WriterState& state);
Status resume_in_place_layout(WriterState& state);
Status resume_forward_layout(WriterState& state);
constexpr ResumeLayout resume_layout(const Layout& layout) {
  return layout.in_place ? &resume_in_place_layout : &resume_forward_layout;
}

// Tells a layout that its file is there again; linked only by who reconnects.
using ReconnectLayout = Status (*)(WriterState& state);
Status reconnect_in_place_layout(WriterState& state);
Status reconnect_checkpointed_layout(WriterState& state);
Status reconnect_forward_layout(WriterState& state);
constexpr ReconnectLayout reconnect_layout(const Layout& layout) {
  if (!layout.in_place) return &reconnect_forward_layout;
  return layout.checkpoints ? &reconnect_checkpointed_layout : &reconnect_in_place_layout;
}

}  // namespace microparquet::detail
