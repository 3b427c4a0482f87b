// Row groups in the arena, written strictly forward when they are complete:
//
//   PAR1 [footer without rows] { record, chunk, chunk, ... } footer
//
// The arena's pages are a pool: a column takes the next buffer when its page is full, which needs no guess of
// shares, and the row group ends when the pool is used up.
#pragma once

#include "base/try.h"
#include "microparquet/detail/writer_state.h"
#include "microparquet/file.h"
#include "write/footer.h"
#include "write/layout_ops.h"

namespace microparquet::write {

// Wraps the caller's file for a layout that writes strictly forward. A repeated call skips the bytes that an
// interrupted call has written. Footers read entries from the arena if the sink cannot be read back.
class ForwardFile final : public File {
 public:
  // `kept`: entries to read instead of the file's if the sink cannot be read back; null: the file can be read.
  void wrap(File& file, std::uint64_t written_to, const std::byte* kept) {
    file_ = &file;
    written_to_ = written_to;
    kept_ = kept;
  }
  File& file() const { return *file_; }
  // Returns how far the file has been written.
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

// State of the layout.
struct ForwardState {
  ForwardFile file;
  std::uint64_t position = 0;  // end of everything that is finished
  std::uint32_t pool_used = 0;
  std::uint32_t last_checkpoint_ms = 0;  // time of the last footer
  // A footer read other entries than were written: no more rows can become durable.
  bool misread = false;
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
  // Opens a file whose first footer this writer has written up to `written_to` before a call failed.
  static Status open_at(detail::WriterState& state, std::uint64_t written_to);
  static Status begin_row_group(detail::WriterState& state);
  static Status store_page(detail::WriterState& state, detail::ColumnWriter& column);
  static Status end_row_group(detail::WriterState& state);
  static Status tick(detail::WriterState& state);
  static Status checkpoint(detail::WriterState& state);
  static Status close(detail::WriterState& state);
  // The layout reserves nothing. It is named as the function of other layouts.
  // NOLINTNEXTLINE(readability-identifier-naming)
  static constexpr Status (*add_segment)(detail::WriterState& state) = nullptr;

 protected:
  // Writes a footer after everything that is finished.
  static Status write_footer_at_end(detail::WriterState& state);
  // Tells each column where its chunk begins, the first one at `at`; returns the end of the last one.
  // noinline, as write_chunks: their variables are off the stack while a record is written.
  [[gnu::noinline]] static std::uint64_t place_chunks(detail::WriterState& state, std::uint64_t at);
  static std::uint64_t record_end(const detail::WriterState& state) {
    return forward_state(state).position + state.footer.now.slot_bytes;
  }
  // Writes the row group, whose chunks have their places; the next one begins at `next`. It is inlined into
  // its two callers, of which a program links one.
  [[gnu::always_inline]] static Status write_row_group(detail::WriterState& state, std::uint64_t next) {
    ForwardState& forward = forward_state(state);
    if (forward.file.written_to() < record_end(state)) {  // an interrupted call has written it otherwise
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
