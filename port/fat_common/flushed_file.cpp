#include "microparquet/port/flushed_file.h"

namespace microparquet {

namespace {

// Steps in which gaps are filled, since cards are slow at single sectors. The zeros take flash, but no RAM. They
// lie on the most that Options::transfer_align may be, for the driver's DMA.
constexpr std::size_t kSectorBytes = 512;
constexpr std::size_t kStepBytes = 4096;
alignas(128) constexpr std::byte kZeros[kStepBytes] = {};

}  // namespace

void FlushedFile::begin(std::uint64_t size, std::uint64_t max_bytes, bool writable) {
  size_ = reserved_ = tried_ = published_ = size;
  max_bytes_ = max_bytes;
  limit_reached_ = false;
  may_have_tail_ = can_.truncates && size != 0;
  mode_ = writable ? Mode::kWrite : Mode::kRead;
}

Status FlushedFile::confirm() { return size_ == 0 ? Status::kOk : latch_lost(flush()); }

Status FlushedFile::end() {
  const Mode mode = mode_;
  mode_ = Mode::kClosed;
  if (mode == Mode::kLost) return Status::kMediumLost;
  if (mode == Mode::kRead || tried_ == published_) return Status::kOk;
  return can_.truncates ? truncate(published_) : Status::kUnsupported;
}

FileAbilities FlushedFile::abilities() const {
  FileAbilities abilities;
  abilities.seek = can_.truncates;
  abilities.read_back = true;
  abilities.block_bytes = can_.block_bytes;
  return abilities;
}

Status FlushedFile::usable(bool to_write) const {
  if (mode_ == Mode::kLost) return Status::kMediumLost;
  const bool can = mode_ == Mode::kWrite || (mode_ == Mode::kRead && !to_write);
  return can ? Status::kOk : Status::kWrongState;
}

Status FlushedFile::latch_lost(Status status) {
  if (status == Status::kMediumLost) mode_ = Mode::kLost;
  return status;
}

Status FlushedFile::size(std::uint64_t& bytes) {
  bytes = size_;
  return usable(false);
}

Status FlushedFile::read_at(std::uint64_t offset, Span<std::byte> out) {
  if (const Status status = usable(false); status != Status::kOk) return status;
  if (offset > size_ || out.size() > size_ - offset) return Status::kIoError;
  return out.empty() ? Status::kOk : latch_lost(read(offset, out));
}

Status FlushedFile::write_at(std::uint64_t offset, Span<const std::byte> data) {
  const std::uint64_t end = offset + data.size();
  if (const Status status = may_reach(end < offset ? offset : end); status != Status::kOk) return status;
  if (!can_.truncates && offset != size_) return Status::kInvalidArgument;
  if (data.empty()) return Status::kOk;
  if (end > tried_) tried_ = end;
  Status status = can_.skips ? Status::kOk : fill(offset);
  if (status == Status::kOk) status = latch_lost(write(offset, data));
  if (status == Status::kOk && end > size_) size_ = end;
  return status;
}

Status FlushedFile::reserve(std::uint64_t end) {
  if (const Status status = may_reach(end); status != Status::kOk) return status;
  const std::uint64_t size = size_;
  const std::uint64_t held = size_ > reserved_ ? size_ : reserved_;
  if (!can_.truncates || end <= held) return Status::kOk;
  if (end > tried_) tried_ = end;
  const Status status = can_.skips ? latch_lost(write(end - 1, Span<const std::byte>(kZeros, 1))) : fill(end);
  if (status == Status::kOk) reserved_ = end;
  if (status != Status::kNoSpace) return status;
  if (const Status undone = latch_lost(truncate(held)); undone != Status::kOk) return undone;
  size_ = size;
  tried_ = held;
  return status;
}

// Returns whether the file may be written up to `end`, and cuts its tail before it first becomes longer.
Status FlushedFile::may_reach(std::uint64_t end) {
  if (const Status status = usable(true); status != Status::kOk) return status;
  limit_reached_ = end > max_bytes_;
  if (limit_reached_) return Status::kNoSpace;
  return end <= size_ || !may_have_tail_ ? Status::kOk : truncate_tail();
}

// Cuts the tail: a power cut may have left clusters after the file's end, or links to free ones. Nothing is
// cut if the end is the last byte, so one more is written first. The chain after a broken link cannot be
// followed, which SdFat reports as a failure after it has cut the chain off.
Status FlushedFile::truncate_tail() {
  tried_ = size_ + 1;
  Status status = latch_lost(write(size_, Span<const std::byte>(kZeros, 1)));
  if (status == Status::kOk && truncate(size_) != Status::kOk) status = latch_lost(truncate(size_));
  if (status != Status::kOk) return status;
  tried_ = size_;
  may_have_tail_ = false;
  return status;
}

// Fills the file up to `end`, in steps that end where a step of the file does: a repeated call continues
// where the failed one stopped. The first step ends with a sector, since a library hands whole sectors to its
// driver from where they lie.
Status FlushedFile::fill(std::uint64_t end) {
  while (size_ < end) {
    const std::uint32_t step = size_ % kSectorBytes == 0 ? kStepBytes : kSectorBytes;
    std::uint64_t to = (size_ | (step - 1)) + 1;
    if (to > end) to = end;
    const auto bytes = static_cast<std::size_t>(to) - static_cast<std::size_t>(size_);
    const Status status = latch_lost(write(size_, Span<const std::byte>(kZeros, bytes)));
    if (status != Status::kOk) return status;
    size_ = to;
  }
  return Status::kOk;
}

Status FlushedFile::barrier() {
  if (const Status status = usable(true); status != Status::kOk) return status;
  return tried_ > published_ ? Status::kOk : latch_lost(flush());
}

Status FlushedFile::sync(std::uint64_t size) {
  if (const Status status = usable(true); status != Status::kOk) return status;
  if (size < published_ || size > size_) return Status::kInvalidArgument;
  if (tried_ > size) {
    if (!can_.truncates) return Status::kUnsupported;
    if (const Status status = latch_lost(truncate(size)); status != Status::kOk) return status;
    size_ = reserved_ = tried_ = size;
  }
  published_ = size;  // the size may be published even if the flush fails
  return latch_lost(flush());
}

}  // namespace microparquet
