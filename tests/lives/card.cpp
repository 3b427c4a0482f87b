#include "card.h"

#include <algorithm>
#include <cstring>

namespace lives {

using mpq::Status;

namespace {
constexpr unsigned kMaxCalls = 300000;  // in a boot
// The largest file: few lives reach it, those with many columns on large blocks.
constexpr std::uint64_t kMaxBytes = std::uint64_t{64} << 20;
}  // namespace

// An open file; dead once the card was pulled out.
class Card::CardFile final : public mpq::File {
 public:
  CardFile(Card& card, Medium& medium) : card_(card), medium_(medium), tried_(medium.size()) {}

  mpq::FileAbilities abilities() const override { return card_.plan_.abilities; }
  Status size(std::uint64_t& bytes) override;
  Status read_at(std::uint64_t offset, mpq::Span<std::byte> out) override;
  Status write_at(std::uint64_t offset, mpq::Span<const std::byte> data) override;
  Status reserve(std::uint64_t end) override;
  Status barrier() override;
  Status sync(std::uint64_t size) override;
  Status shrink(std::uint64_t size) override;

 private:
  Turn begin(bool is_sync = false);

  Card& card_;
  Medium& medium_;
  std::uint64_t tried_;         // the size that may be published, as far as this port knows
  std::uint64_t reserved_ = 0;  // for which there is space
  bool dead_ = false;
};

Card::Card(const Plan& plan) : plan_(plan), chance_(plan.seed) {}
Card::~Card() = default;

void Card::power_on() {
  for (auto& file : files_) file.reset();
  strike({});
  off_ = false;
  out_ = false;
}

void Card::strike(const Troubles& troubles) {
  troubles_ = troubles;
  chance_ = Chance(troubles.seed);
  calls_ = 0;
  syncs_ = 0;
  probe_in_ = 0;
}

// Whether the card has space for a file that ends there.
bool Card::has_space(std::uint64_t end) {
  full_ = full_ || end > kMaxBytes;
  return end <= std::min(troubles_.capacity, kMaxBytes);
}

bool Card::damage(unsigned slot, std::uint64_t offset, std::byte wrong) {
  media_[slot].damage(offset, wrong);
  return true;
}

mpq::File* Card::open(unsigned slot) {
  if (off_) return nullptr;
  Medium& medium = media_[slot];
  // Opening cuts off bytes that were written and not published; they may stay where they were.
  medium.publish(medium.size());
  exists_[slot] = true;
  files_[slot] = std::make_unique<CardFile>(*this, medium);
  return files_[slot].get();
}

void Card::remove(unsigned slot) {
  files_[slot].reset();
  media_[slot].settle();
  media_[slot].publish(0);
  exists_[slot] = false;
  full_ = false;
}

// A loss of writes. In place, and in a stream with saves, no sector that a footer describes is written again; in another
// stream that of the file's end is.
Loss Card::any_loss(const Medium& medium) {
  Loss loss{chance_.next(), plan_.options.block_bytes, plan_.destroys};
  if (plan_.unreadable)
    loss.unreadable_from = plan_.options.layout->in_place || plan_.saves_stream() ? 0 : medium.size();
  return loss;
}

void Card::come_back() {
  for (Medium& medium : media_) medium.lose(any_loss(medium));
  out_ = false;
}

void Card::power_off(bool keeps_all) {
  off_ = true;
  for (Medium& medium : media_) {
    if (keeps_all) {
      medium.settle();
      medium.publish(medium.size());
    } else {
      medium.lose(any_loss(medium));
    }
  }
}

bool Card::read(unsigned slot, Bytes& file) {
  const mpq::Span<const std::byte> bytes = media_[slot].file();
  file.assign(bytes.data(), bytes.data() + bytes.size());
  return exists_[slot];
}

void Card::lay_remains(unsigned slot, Bytes remains) { media_[slot] = Medium(std::move(remains)); }

// The clusters after the end are others: those of deleted files, new ones, or some of this file's own that
// it had given back.
void Card::change_remains(unsigned slot, Chance& chance) {
  constexpr std::size_t kCluster = 4096;
  const std::size_t size = static_cast<std::size_t>(media_[slot].size());
  Bytes bytes = media_[slot].all();
  bytes.resize(std::max(bytes.size(), size + 64 * kCluster));
  const Bytes before = bytes;
  const unsigned kind = chance.below(3);
  for (std::size_t at = (size + kCluster - 1) / kCluster * kCluster; at < bytes.size(); at += kCluster) {
    const std::size_t count = std::min(kCluster, bytes.size() - at);
    if (kind == 0) {
      std::memset(bytes.data() + at, 0, count);
    } else if (kind == 1) {
      const std::uint64_t seed = chance.next();
      for (std::size_t i = 0; i < count; ++i)
        bytes[at + i] = static_cast<std::byte>(mix(seed + i / 8) >> i % 8 * 8);
    } else {
      const auto clusters = static_cast<unsigned>((bytes.size() - count) / kCluster + 1);
      std::memcpy(bytes.data() + at, before.data() + chance.below(clusters) * kCluster, count);
    }
  }
  const std::uint64_t published = size;
  media_[slot] = Medium(std::move(bytes));
  media_[slot].publish(published);
}

// Shows the probe what a cut before this call would leave.
void Card::probe() {
  for (unsigned slot = 0; slot < kSlots; ++slot) {
    if (files_[slot] == nullptr || media_[slot].size() == 0 || media_[slot].is_damaged()) continue;
    Medium copy = media_[slot];
    copy.lose(any_loss(copy));
    if (probe_) probe_(slot, copy.file());
  }
}

Card::Turn Card::begin_call(bool is_sync) {
  if (off_ || out_) return {Extent::kNothing, Status::kMediumLost};
  const bool told_to_fail = is_sync && syncs_++ == troubles_.failing_sync;
  if (probe_in_ != 0) {
    --probe_in_;
    if (probe_in_ == 0) probe();
  }
  const unsigned number = calls_++;
  if (number == kMaxCalls) {
    off_ = true;
    complaint_ = "a call of the writer does not come to an end";
    return {Extent::kNothing, Status::kMediumLost};
  }
  const auto extent = static_cast<Extent>(chance_.below(3));
  if (number == troubles_.cut_at) {
    off_ = true;
    return {extent, Status::kMediumLost};
  }
  if (number == troubles_.pull_at) {
    out_ = true;
    return {extent, Status::kMediumLost};
  }
  if (told_to_fail) {
    probe_in_ = chance_.between(1, 8);
    return {Extent::kAll, Status::kIoError};
  }
  const bool in_row = number >= troubles_.fails_from && number - troubles_.fails_from < troubles_.failures;
  const bool by_chance = troubles_.fails_one_in != 0 && chance_.below(troubles_.fails_one_in) == 0;
  if (!in_row && !by_chance) {
    if (probe_in_ == 0 && chance_.below(400) == 0) probe_in_ = chance_.between(1, 8);
    return {};
  }
  if (probe_in_ == 0 && chance_.percent(50)) probe_in_ = chance_.between(1, 8);
  return {extent, Status::kIoError};
}

Card::Turn Card::CardFile::begin(bool is_sync) {
  if (dead_) return {Extent::kNothing, Status::kMediumLost};
  const Turn turn = card_.begin_call(is_sync);
  dead_ = card_.off_ || card_.out_;
  return turn;
}

Status Card::CardFile::size(std::uint64_t& bytes) {
  const Turn turn = begin();
  if (turn.status == Status::kOk) bytes = medium_.end();
  return turn.status;
}

Status Card::CardFile::read_at(std::uint64_t offset, mpq::Span<std::byte> out) {
  const Turn turn = begin();
  if (turn.status != Status::kOk) return turn.status;
  if (offset > medium_.end() || out.size() > medium_.end() - offset) return Status::kIoError;
  if (!medium_.can_read(offset, out.size())) return Status::kIoError;
  medium_.read(offset, out);
  return Status::kOk;
}

Status Card::CardFile::write_at(std::uint64_t offset, mpq::Span<const std::byte> data) {
  const Turn turn = begin();
  const std::uint64_t end = offset + data.size();
  const bool fits = end <= std::max(reserved_, medium_.size()) || card_.has_space(end);
  if (turn.status == Status::kOk && !fits) return Status::kNoSpace;
  std::size_t bytes = fits ? data.size() : 0;
  if (turn.extent == Extent::kNothing) bytes = 0;
  if (turn.extent == Extent::kPart) bytes = card_.chance_.below(static_cast<unsigned>(bytes));
  medium_.write(offset, {data.data(), bytes});
  return turn.status;
}

Status Card::CardFile::reserve(std::uint64_t end) {
  const Turn turn = begin();
  const bool fits = end <= reserved_ || card_.has_space(end);
  if (turn.status == Status::kOk && !fits) return Status::kNoSpace;
  if (turn.extent == Extent::kAll && fits) reserved_ = std::max(reserved_, end);
  return turn.status;
}

Status Card::CardFile::barrier() {
  const Turn turn = begin();
  if (turn.extent == Extent::kAll) medium_.settle();
  return turn.status;
}

Status Card::CardFile::sync(std::uint64_t size) {
  const Turn turn = begin(true);
  if (turn.status == Status::kMediumLost && turn.extent == Extent::kNothing) return turn.status;
  if (card_.plan_.refuses_less && size < tried_) return Status::kInvalidArgument;
  tried_ = std::max(tried_, size);
  if (turn.extent != Extent::kNothing) medium_.settle();
  if (turn.extent == Extent::kAll) medium_.publish(size);
  return turn.status;
}

Status Card::CardFile::shrink(std::uint64_t size) {
  const Turn turn = begin();
  if (turn.extent == Extent::kAll) {
    medium_.publish(size);
    tried_ = size;
  }
  return turn.status;
}

}  // namespace lives
