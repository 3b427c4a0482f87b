// Row groups in the arena, written strictly forward when they are whole:
//
//   PAR1 [footer without rows, in files that can be read back] { record, chunk, chunk, ... } footer
//
// The arena's pages are a pool: a column takes the next buffer when its page is full, so that no share has to
// be guessed, and the row group ends when the pool is used up.
#pragma once

#include "microparquet/detail/page_store.h"
#include "microparquet/detail/writer_state.h"

namespace microparquet::write {

class ForwardStore final : public detail::PageStore {
 public:
  Status open(detail::WriterState& state) override;
  Status begin_row_group(detail::WriterState& state) override;
  Status store_page(detail::WriterState& state, detail::ColumnWriter& column) override;
  Status end_row_group(detail::WriterState& state) override;
  Status close(detail::WriterState& state) override;

 private:
  struct PageNode;
  PageNode* node_at(const detail::WriterState& state, std::uint32_t offset) const;
  void open_page(detail::WriterState& state, detail::ColumnWriter& column);
  Status write_chunk(detail::WriterState& state, const detail::ColumnWriter& column);

  std::uint64_t position_ = 0;    // all that is finished ends here
  std::uint64_t written_to_ = 0;  // and so far the file has been written
  std::uint32_t pool_used_ = 0;
  std::uint32_t pool_bytes_ = 0;
};
static_assert(sizeof(ForwardStore) <= detail::kForwardStoreBytes);

}  // namespace microparquet::write
