// Blocks larger than a sector (Options::block_bytes): a power cut while one of them is written may destroy
// all of it.
#include "microparquet/detail/writer_state.h"
#include "write/footer.h"
#include "write/layout_ops.h"

namespace microparquet::detail {
namespace {

// Moves a draft to end on a block, except the first footer: it is published together with the next one.
void place_draft(WriterState& state) {
  FooterDraft& draft = state.footer.draft;
  if (draft.written != 0 || draft.offset == 0) return;
  const std::uint64_t end = draft.offset + write::footer_bytes(state, draft.contents);
  draft.offset += block_of(state).bytes_to_block(end);
}

// Accepts a file that ends in its first footer, wherever the file system ended it: no row follows.
bool suit(const WriterState& state) {
  if (state.footer.draft.offset == format::kMagicBytes) return true;
  const FooterExtension& contents = state.footer.now;
  std::uint32_t places = contents.next.number() | contents.segment_end.number() |
                         contents.free_begin.number() | contents.free_end.number();
  for (const ColumnWriter& column : columns_of(state))
    places |= column.free_begin.number() | column.free_end.number();
  const std::uint64_t end = state.footer.draft.offset + state.footer.draft.written;
  return block_of(state).inside(end | SectorIndex(places).offset()) == 0;
}

}  // namespace

const Blocks kBlocks{&place_draft, &suit};

}  // namespace microparquet::detail
