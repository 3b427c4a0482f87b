#include "lost_card.h"

#include <cstring>

#include "support/transfers.h"

namespace lost {

using microparquet::Span;
using microparquet::Status;

namespace {
constexpr std::size_t kSector = 512;
std::size_t used = 0;  // of the memory, by any card
}  // namespace

Card::Card() : now_(written::file_memory(0)), safe_(written::file_memory(1)) {
  std::memset(now_.data(), 0, used);
  std::memset(safe_.data(), 0, used);
}

void Card::hold(Span<const std::byte> contents) {
  std::memcpy(now_.data(), contents.data(), contents.size());
  std::memcpy(safe_.data(), contents.data(), contents.size());
  published_ = end_ = contents.size();
  if (end_ > used) used = end_;
}

void Card::copy(Span<std::byte> to, Span<std::byte> from, const Sectors& sectors) {
  const std::size_t first = sectors.first * kSector;
  std::memcpy(to.data() + first, from.data() + first, (sectors.end - sectors.first) * kSector);
}

void Card::insert() {
  for (unsigned i = 0; i < loss_.dropped && i < written_; ++i) {
    Sectors sectors = writes_[written_ - 1 - i];
    if (loss_.torn) sectors.first += (sectors.end - sectors.first + 1) / 2;
    copy(now_, safe_, sectors);
  }
  confirm();
  // Bytes that no file owns any more may be anything.
  if (end_ > published_) {
    std::memset(now_.data() + published_, 0xA5, end_ - published_);
    std::memset(safe_.data() + published_, 0xA5, end_ - published_);
  }
  end_ = published_;
  out_ = false;
}

Status Card::begin_call() {
  if (out_) return Status::kMediumLost;
  ++calls_;
  if (!pulled_now()) return Status::kOk;
  out_ = true;
  return loss_.last == Last::kNotDone ? Status::kMediumLost : Status::kOk;
}

Status Card::end_call() { return out_ ? Status::kMediumLost : Status::kOk; }

Status Card::read(std::uint64_t offset, Span<std::byte> out) const {
  if (offset > end_ || out.size() > end_ - offset) return Status::kIoError;
  std::memcpy(out.data(), now_.data() + offset, out.size());
  return Status::kOk;
}

Status Card::write(std::uint64_t offset, Span<const std::byte> data) {
  if (offset > now_.size() || data.size() > now_.size() - offset) return Status::kNoSpace;
  if (data.empty()) return Status::kOk;
  const auto at = static_cast<std::size_t>(offset);
  // A footer may be written again with the same bytes: the rest of its sector is there now.
  const bool changes = at < published_ && cut::changes(now_.subspan(at, published_ - at), data);
  std::memcpy(now_.data() + at, data.data(), data.size());
  if (at + data.size() > end_) end_ = at + data.size();
  if (end_ > used) used = end_;
  const bool on_footer = at < published_ && at + data.size() > footer_ && changes;
  // Memory that a driver hands to DMA as it is.
  const bool on_words = support::Transfer::of(offset, data.data(), data.size()).is_on(support::kWordBytes);
  sound_ = sound_ && written_ < kMaxWrites && !on_footer && on_words;
  if (!sound_) return Status::kIoError;
  writes_[written_++] = {static_cast<std::uint32_t>(at / kSector),
                         static_cast<std::uint32_t>((at + data.size() + kSector - 1) / kSector)};
  return Status::kOk;
}

void Card::publish(std::uint64_t size) {
  constexpr std::size_t kEnd = 8;
  published_ = static_cast<std::size_t>(size);
  std::uint32_t bytes = 0;
  std::memcpy(&bytes, now_.data() + published_ - kEnd, sizeof bytes);
  footer_ = published_ - kEnd - bytes;
}

void Card::confirm() {
  for (; written_ != 0; --written_) copy(safe_, now_, writes_[written_ - 1]);
}

template <typename Work>
Status CardFile::call(Work work) {
  if (dead_) return Status::kMediumLost;
  Status status = card_.begin_call();
  if (status == Status::kOk) {
    status = work(card_.is_out() && card_.last() == Last::kHalfDone);
    if (status == Status::kOk) status = card_.end_call();
  }
  dead_ = status == Status::kMediumLost;
  return status;
}

Status CardFile::size(std::uint64_t& bytes) {
  return call([&](bool) {
    bytes = card_.end();
    return Status::kOk;
  });
}

Status CardFile::read_at(std::uint64_t offset, Span<std::byte> out) {
  return call([&](bool) { return card_.read(offset, out); });
}

Status CardFile::write_at(std::uint64_t offset, Span<const std::byte> data) {
  return call([&](bool half) {
    std::size_t bytes = data.size();
    if (half) bytes = bytes > kSector ? bytes / 2 / kSector * kSector : 0;
    return card_.write(offset, Span<const std::byte>(data.data(), bytes));
  });
}

Status CardFile::reserve(std::uint64_t end) {
  return call([&](bool) { return end <= card_.capacity() ? Status::kOk : Status::kNoSpace; });
}

Status CardFile::barrier() {
  return call([&](bool half) {
    if (!half) card_.confirm();
    return Status::kOk;
  });
}

Status CardFile::sync(std::uint64_t size) {
  return call([&](bool half) {
    card_.confirm();
    if (!half) card_.publish(size);
    return Status::kOk;
  });
}

Status CardFile::shrink(std::uint64_t size) {
  if (!shrinks_) return Status::kUnsupported;
  return call([&](bool) {
    card_.publish(size);
    card_.end_at(size);
    return Status::kOk;
  });
}

}  // namespace lost
