// Continuing a file: its last footer, the bytes after it, and the key-values that are inherited.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/try.h"
#include "io/window_sink.h"
#include "microparquet/detail/writer_state.h"
#include "microparquet/status.h"

namespace microparquet::write {

// Reading the footer at the end of a resumed file. The writer trusts nothing else in the file.

// Reads and checks the footer at the end of a file of `size` bytes. On success `contents` is its extension,
// the draft has its place, length and checksums, inherited_crc is that of its key-values, and the columns
// have their free extents; nothing else changes. Statuses: see Writer::resume().
Status read_footer(detail::WriterState& state, detail::FooterExtension& contents, std::uint64_t size);

// Starts the writer after that footer, whose extension is footer.now.
void start_from_footer(detail::WriterState& state);

// Inherited key-values that are left out of later footers: their keys were set again. The writer searches the
// file for them each time, since a list of them would take memory.

// A run of consecutive key-values; `begin` counts from InheritedKeyValues::begin.
struct InheritedRun {
  std::uint32_t begin;
  std::uint32_t bytes;
};

// Finds the next run after `run` of key-values whose keys were not set. All runs together have `others_bytes`
// bytes. The last run ends at the end of the list and may be empty; after a failure it is empty.
Status next_others(const detail::WriterState& state, std::uint32_t others_bytes, InheritedRun& run);

// Leaves out the inherited key-values with the key of `pair`, which is about to be set for the first time;
// `bytes` becomes the length of the others. Sets `changed` unless there was exactly one and it has the same
// value. On failure nothing changes.
Status leave_out(detail::WriterState& state, const KeyValue& pair, std::uint32_t& bytes);

// Counts the inherited key-values whose keys begin with `prefix`.
Status count_inherited(detail::WriterState& state, std::string_view prefix, std::uint32_t& count);

// Key-values of a resumed file, copied from footer to footer.

// Returns the checksum of two parts together, from the checksum of each.
std::uint32_t join_crc(Crc32 checksum, std::uint32_t first, std::uint32_t second, std::uint32_t second_bytes);

// Copies the inherited key-values into the footer that is being written. If the medium returns other bytes
// than were written, the footer ends with kCorrupt.
void put_inherited(thrift::WindowSink& sink, detail::WriterState& state);

// Parts of put_inherited() before it copies, and after it has copied `bytes` bytes.
inline void begin_inherited(thrift::WindowSink& sink, detail::WriterState& state) {
  if (sink.reaches()) state.footer.draft.inherited_crc = sink.crc();
}
[[gnu::always_inline]] inline void end_inherited(thrift::WindowSink& sink, detail::WriterState& state,
                                                 std::uint32_t bytes) {
  if (!sink.reaches()) return;
  const std::uint32_t before = state.footer.draft.inherited_crc;
  if (sink.crc() != join_crc(state.options->checksum, before, state.inherited.crc, bytes))
    sink.fail(Status::kCorrupt);
}

// Reading a resumed file through the window, with a checksum.

// Reads runs of bytes from `at` on, one after the other. The first failure is kept and ends all runs; the
// caller checks status() then.
class FoundBytes {
 public:
  FoundBytes(const detail::WriterState& state, std::uint64_t at) : state_(state), at_(at) {}

  // checksum over all runs so far; the caller may set it between two runs
  std::uint32_t crc = 0;

  // Begins a run. Requires: the one before it is at its end.
  void begin(std::uint32_t bytes) { left_ = bytes; }
  // Returns the next byte; 0 at the end of the run.
  unsigned byte();
  // Copies the next bytes; zeros after the end of the run.
  void get(void* to, std::uint32_t bytes);
  bool at_end();
  // Passes a whole run.
  void pass(std::uint32_t bytes);

  // Fails unless the next `bytes` bytes are the varint of `value`.
  void expect_varint(unsigned bytes, std::uint64_t value);
  // Fails with `status` unless the checksum is `expected`.
  void expect_crc(std::uint32_t expected, Status status);

  // Returns the place in the file where the next run begins.
  std::uint64_t at() const { return at_; }
  void go_to(std::uint64_t at) { at_ = at; }
  Status status() const { return status_; }

 private:
  void fail(Status status) {
    if (status_ == Status::kOk) status_ = status;
  }

  const detail::WriterState& state_;
  std::uint64_t at_;
  std::uint32_t left_ = 0;  // bytes of the run still to be read
  const std::byte* next_ = nullptr;
  const std::byte* end_ = nullptr;
  Status status_ = Status::kOk;
};

// Continues `crc` over `bytes` bytes of the file from `at` on, and moves `at` past them.
Status update_crc(const detail::WriterState& state, std::uint64_t& at, std::uint32_t bytes,
                  std::uint32_t& crc);

// Calls `read`, several times if the medium fails. kCorrupt: it fails each time, although the footer can be read: a
// power cut has torn a sector that the medium does not give back.
template <typename Read>
Status read_or_lose(const detail::WriterState& state, const Read& read) {
  constexpr int kTries = 8;
  for (int tries = 1;; ++tries) {
    const Status status = read();
    if (status != Status::kIoError) return status;
    std::byte byte;
    MICROPARQUET_TRY(state.file->read_at(state.footer.entries_begin, Span<std::byte>(&byte, sizeof byte)));
    if (tries == kTries) return Status::kCorrupt;
  }
}

}  // namespace microparquet::write
