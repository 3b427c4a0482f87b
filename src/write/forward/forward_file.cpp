#include "write/forward/forward_file.h"

#include "base/bytes.h"
#include "base/try.h"
#include "microparquet/detail/sectors.h"

namespace microparquet::write {

void move_forward(std::byte* to, const std::byte* from, std::uint32_t bytes) {
  const auto distance = static_cast<std::uint32_t>(from - to);
  if (distance == 0) return;
  if (distance < sizeof(std::uint32_t)) return util::move_bytes(to, from, bytes);
  util::copy_words(to, from, bytes);
}

void ForwardFile::wrap(File& file, std::uint64_t offset, const Transfers& transfers, const std::byte* kept) {
  file_ = &file;
  taken_to_ = offset;
  waiting_ = 0;
  kept_ = kept;
  transfers_ = transfers;
  shift_ = static_cast<std::uint32_t>(offset) & (transfers.align - 1U);
}

void ForwardFile::use(Span<std::byte> buffer) {
  util::move_bytes(buffer.data() + shift_, first(), waiting_);
  buffer_ = buffer.data();
  capacity_ = static_cast<std::uint32_t>(buffer.size());
  keep_none();
}

Status ForwardFile::read_at(std::uint64_t offset, Span<std::byte> out) {
  if (kept_ != nullptr) {
    util::move_bytes(out.data(), kept_ + offset, out.size());
    return Status::kOk;
  }
  const std::uint64_t flushed = flushed_to();
  const std::uint64_t end = offset + out.size();
  if (end <= flushed) return file_->read_at(offset, out);
  if (end > taken_to_) return Status::kIoError;
  const auto written = offset < flushed ? static_cast<std::size_t>(flushed - offset) : 0;
  if (written != 0) MICROPARQUET_TRY(file_->read_at(offset, out.subspan(0, written)));
  const auto from = static_cast<std::size_t>(offset + written - flushed);
  util::move_bytes(out.data() + written, first() + from, out.size() - written);
  return Status::kOk;
}

// Returns how many bytes from `data` on can be taken before something has to be written. Bytes that lie in the
// buffer may be moved to the front up to their own place.
std::uint32_t ForwardFile::room_for(const std::byte* data) const {
  const std::byte* const end = is_inside(data) ? buffer_ + capacity_ : limit_;
  return static_cast<std::uint32_t>(end - next());
}

Status ForwardFile::write_at(std::uint64_t offset, Span<const std::byte> data) {
  const std::uint64_t end = offset + data.size();
  while (taken_to_ < end) {
    const auto left = static_cast<std::uint32_t>(end - taken_to_);
    const std::byte* const from = data.data() + data.size() - left;
    if (capacity_ == 0) {
      MICROPARQUET_TRY(file_->write_at(taken_to_, Span<const std::byte>(from, left)));
      taken_to_ = end;
    } else if (!take(from, left)) {
      const std::uint32_t rest = bytes_after_place();
      MICROPARQUET_TRY(write_out(rest));
      keep_waiting(rest);
    }
  }
  return Status::kOk;
}

// Takes as many bytes as there is room for. Returns false if there is none.
bool ForwardFile::take(const std::byte* from, std::uint32_t bytes) {
  std::uint32_t part = room_for(from);
  if (part == 0) return false;
  if (part > bytes) part = bytes;
  std::byte* const to = first() + waiting_;
  if (is_inside(from)) {
    move_forward(to, from, part);
  } else {
    util::copy_words(to, from, part);
  }
  waiting_ += part;
  taken_to_ += part;
  return true;
}

Status ForwardFile::flush() {
  const auto inside = static_cast<std::uint32_t>(taken_to_) % detail::kSectorBytes;
  const std::uint32_t rest = inside < waiting_ ? inside : waiting_;
  const std::uint32_t left = transfers_.whole_sectors ? rest : 0;
  MICROPARQUET_TRY(write_out(left));
  keep_waiting(left);
  return Status::kOk;
}

// Returns what to leave of a full buffer, so that the write ends on a multiple of a large power of two: a card
// programs its pages whole.
std::uint32_t ForwardFile::bytes_after_place() const {
  if (!transfers_.whole_sectors) return 0;
  std::uint32_t place = kMostPlace;
  while (place > detail::kSectorBytes && (static_cast<std::uint32_t>(taken_to_) & (place - 1)) >= waiting_)
    place /= 2;
  return static_cast<std::uint32_t>(taken_to_) & (place - 1);
}

// Keeps the last `rest` bytes of those that wait, as far from an aligned address as they are in the file.
void ForwardFile::keep_waiting(std::uint32_t rest) {
  const std::byte* const from = next() - rest;
  waiting_ = rest;
  shift_ = static_cast<std::uint32_t>(flushed_to()) & (transfers_.align - 1U);
  move_forward(first(), from, rest);
}

Status ForwardFile::write_out(std::uint32_t rest) {
  const std::uint32_t bytes = waiting_ - rest;
  return bytes == 0 ? Status::kOk : file_->write_at(flushed_to(), Span<const std::byte>(first(), bytes));
}

Status ForwardFile::barrier() {
  MICROPARQUET_TRY(flush());
  return file_->barrier();
}

// Publishes bytes that wait too; they are written again with those after them, if the file can seek.
Status ForwardFile::sync(std::uint64_t size) {
  MICROPARQUET_TRY(flush());
  if (waiting_ != 0) {
    MICROPARQUET_TRY(file_->write_at(flushed_to(), Span<const std::byte>(first(), waiting_)));
    if (!transfers_.writes_again) keep_waiting(0);
  }
  return file_->sync(size);
}

}  // namespace microparquet::write
