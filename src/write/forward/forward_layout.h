// Row groups in the arena, written strictly forward when they are whole:
//
//   PAR1 [footer without rows] { record, chunk, chunk, ... } footer
//
// The arena's pages are a pool: a column takes the next buffer when its page is full, so that no share has to
// be guessed, and the row group ends when the pool is used up.
#pragma once

#include "base/try.h"
#include "microparquet/detail/writer_state.h"
#include "microparquet/file.h"
#include "write/layout_ops.h"
#include "write/record.h"

namespace microparquet::write {

// The caller's file for one that is written strictly forward: what an interrupted call has written already is
// not written again when the call is repeated, and footers read from the arena what a sink cannot give back.
class ForwardFile final : public File {
 public:
  // `kept`: what is read in its stead, of a sink that cannot be; null: it can.
  void wrap(File& file, std::uint64_t written_to, const std::byte* kept) {
    file_ = &file;
    written_to_ = written_to;
    kept_ = kept;
  }
  File& file() const { return *file_; }
  // So far the file has been written.
  std::uint64_t written_to() const { return written_to_; }

  FileAbilities abilities() const override { return file_->abilities(); }
  Status size(std::uint64_t& bytes) override { return file_->size(bytes); }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override;
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override;
  Status barrier() override { return file_->barrier(); }
  Status sync(std::uint64_t size) override { return file_->sync(size); }

 private:
  File* file_ = nullptr;
  std::uint64_t written_to_ = 0;
  const std::byte* kept_ = nullptr;
};

// What the layout keeps.
struct ForwardState {
  ForwardFile file;
  std::uint64_t position = 0;  // all that is finished ends here
  std::uint32_t pool_used = 0;
  std::uint32_t last_checkpoint_ms = 0;  // when the last footer was written
  bool misread =
      false;  // entries that a footer copies were not read as they were written: no row can become durable
};
static_assert(sizeof(ForwardState) <= detail::kForwardStateBytes);

inline ForwardState& forward_state(const detail::WriterState& state) {
  return *static_cast<ForwardState*>(state.layout_state);
}

// Resumes after the last footer, which is the draft.
void resume_forward(detail::WriterState& state);

class ForwardLayout {
 public:
  static Status open(detail::WriterState& state);
  // The same, of a file of which this writer has written so much of the first footer before a call failed.
  static Status open_at(detail::WriterState& state, std::uint64_t written_to);
  static Status begin_row_group(detail::WriterState& state);
  static Status store_page(detail::WriterState& state, detail::ColumnWriter& column);
  static Status end_row_group(detail::WriterState& state);
  static Status tick(detail::WriterState& state);
  static Status checkpoint(detail::WriterState& state);
  static Status close(detail::WriterState& state);
  // Nothing is reserved. Named as the function that other layouts have.
  // NOLINTNEXTLINE(readability-identifier-naming)
  static constexpr Status (*add_segment)(detail::WriterState& state) = nullptr;

 protected:
  // A footer after what is finished.
  static Status write_footer_at_end(detail::WriterState& state);
  // Tells each column where its chunk begins, the first one at `at`; where the last one ends. Not inlined, as
  // write_chunks: what they keep on the stack need not lie beneath the writing of a record.
  [[gnu::noinline]] static std::uint64_t place_chunks(detail::WriterState& state, std::uint64_t at);
  static std::uint64_t record_end(const detail::WriterState& state) {
    return forward_state(state).position + state.footer.now.slot_bytes;
  }
  // Writes the row group, whose chunks have their places; `next` is where the one after it begins. Inlined into its
  // two callers, of which a program links one.
  [[gnu::always_inline]] static Status write_row_group(detail::WriterState& state, std::uint64_t next) {
    ForwardState& forward = forward_state(state);
    if (forward.file.written_to() < record_end(state)) {  // else an interrupted try has written it
      if (state.options->max_row_groups_in_memory != 0) keep_entry(state);
      EntrySummary entry;
      entry.next = next;
      MICROPARQUET_TRY(write_record(state, forward.position, entry));
      count_row_group(state, forward.position, entry);
    }
    MICROPARQUET_TRY(write_chunks(state));
    forward.position = next;
    return Status::kOk;
  }

 private:
  struct PageNode;
  static PageNode* node_at(const detail::WriterState& state, std::uint32_t offset);
  static void open_page(detail::WriterState& state, detail::ColumnWriter& column);
  static Status write_gap(detail::WriterState& state);
  [[gnu::noinline]] static void keep_entry(detail::WriterState& state);
  [[gnu::noinline]] static Status write_chunks(detail::WriterState& state);
  static Status write_chunk(detail::WriterState& state, const detail::ColumnWriter& column);
};

}  // namespace microparquet::write
