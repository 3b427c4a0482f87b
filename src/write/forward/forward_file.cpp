#include "write/forward/forward_file.h"

#include "base/bytes.h"
#include "base/try.h"
#include "microparquet/detail/sectors.h"

namespace microparquet::write {

namespace {

constexpr std::uint32_t kPartMask = detail::kSectorBytes - 1;

}  // namespace

void ForwardFile::use(std::byte* begin, std::byte* end) {
  buffer_ = begin;
  limit_ = end;
  move_waiting(waiting());
}

Status ForwardFile::read_at(std::uint64_t offset, Span<std::byte> out) {
  if (entries_ == nullptr) return file_->read_at(offset, out);
  util::move_bytes(out.data(), entries_ + offset, out.size());
  return Status::kOk;
}

Status ForwardFile::write_at(std::uint64_t offset, Span<const std::byte> data) {
  return take(data.begin() + (taken_to_ - offset), data.end());
}

Status ForwardFile::take(const std::byte* from, const std::byte* end) {
  while (from < end) {
    auto part = static_cast<std::uint32_t>(limit_ - next_);
    if (part == 0) {
      // A card programs its pages whole: what is left begins on a multiple of a power of two as large as may be.
      std::uint32_t mask = kMostPlaceMask;
      while ((static_cast<std::uint32_t>(taken_to_) & mask) >= waiting()) mask >>= 1;
      MICROPARQUET_TRY(write_out(mask));
      continue;
    }
    const auto left = static_cast<std::uint32_t>(end - from);
    if (part > left) part = left;
    util::move_down(next_, from, part);
    next_ += part;
    taken_to_ += part;
    from += part;
  }
  return Status::kOk;
}

// Keeps the last `rest` bytes of those that wait, as far from an aligned address as they are in the file.
void ForwardFile::move_waiting(std::uint32_t rest) {
  const std::byte* const from = next_ - rest;
  first_ = buffer_ + ((static_cast<std::uint32_t>(taken_to_) - rest) & align_mask_);
  next_ = first_ + rest;
  util::move_bytes(first_, from, rest);
}

// Writes what waits, but for what lies after the last multiple of `part_mask` + 1 if such parts wait.
Status ForwardFile::write_out(std::uint32_t part_mask) {
  std::uint32_t rest = static_cast<std::uint32_t>(taken_to_) & wait_mask_ & part_mask;
  if (rest > waiting()) rest = waiting();
  if (const std::uint32_t bytes = waiting() - rest; bytes != 0)
    MICROPARQUET_TRY(file_->write_at(flushed_to(), Span<const std::byte>(first_, bytes)));
  move_waiting(rest);
  return Status::kOk;
}

Status ForwardFile::flush() { return write_out(kPartMask); }

Status ForwardFile::barrier() {
  MICROPARQUET_TRY(flush());
  return file_->barrier();
}

// Publishes bytes that wait too. The next ones then begin within a sector: after the first footer alone, since
// later ones end on a block.
Status ForwardFile::sync(std::uint64_t size) {
  MICROPARQUET_TRY(write_out(0));
  return file_->sync(size);
}

}  // namespace microparquet::write
