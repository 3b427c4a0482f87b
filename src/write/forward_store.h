// Row groups in the arena, written strictly forward when they are whole:
//
//   PAR1 [footer without rows, in files that can be read back] { record, chunk, chunk, ... } footer
//
// The arena's pages are a pool: a column takes the next buffer when its page is full, so that no share has to
// be guessed, and the row group ends when the pool is used up.
#pragma once

#include "microparquet/detail/page_store.h"
#include "microparquet/detail/writer_state.h"
#include "microparquet/file.h"

namespace microparquet::write {

// The caller's file for one that is written strictly forward: what an interrupted call has written already is
// not written again when the call is repeated.
class ForwardFile final : public File {
 public:
  void wrap(File& file, std::uint64_t written_to) {
    file_ = &file;
    written_to_ = written_to;
  }
  File& file() const { return *file_; }
  // So far the file has been written.
  std::uint64_t written_to() const { return written_to_; }

  FileAbilities abilities() const override { return file_->abilities(); }
  Status size(std::uint64_t& bytes) override { return file_->size(bytes); }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override { return file_->read_at(offset, out); }
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override;
  Status barrier() override { return file_->barrier(); }
  Status sync(std::uint64_t size) override { return file_->sync(size); }

 private:
  File* file_ = nullptr;
  std::uint64_t written_to_ = 0;
};

class ForwardStore final : public detail::PageStore {
 public:
  Status open(detail::WriterState& state) override;
  Status begin_row_group(detail::WriterState& state) override;
  Status store_page(detail::WriterState& state, detail::ColumnWriter& column) override;
  Status end_row_group(detail::WriterState& state) override;
  Status tick(detail::WriterState& state) override;
  Status checkpoint(detail::WriterState& state) override;
  Status close(detail::WriterState& state) override;

  // Goes on behind `bytes` bytes of a file.
  void resume(detail::WriterState& state, std::uint64_t bytes);

 private:
  struct PageNode;
  PageNode* node_at(const detail::WriterState& state, std::uint32_t offset) const;
  void open_page(detail::WriterState& state, detail::ColumnWriter& column);
  Status write_footer_at_end(detail::WriterState& state);
  Status begin_file(detail::WriterState& state);
  std::uint64_t record_end(const detail::WriterState& state) const {
    return position_ + state.plan->arena.record_bytes;
  }
  [[gnu::noinline]] Status write_chunks(detail::WriterState& state);
  Status write_chunk(detail::WriterState& state, const detail::ColumnWriter& column);

  ForwardFile file_;
  std::uint64_t position_ = 0;  // all that is finished ends here
  std::uint32_t pool_used_ = 0;
  std::uint32_t cut_ms_ = 0;  // when the last footer was written
};
static_assert(sizeof(ForwardStore) <= detail::kForwardStoreBytes);

}  // namespace microparquet::write
