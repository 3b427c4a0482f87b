#include "card.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "cut.h"
#include "microparquet/detail/desktop.h"
#include "support/transfers.h"

namespace power_loss {

using mpq::Status;

namespace {

// Recognises sectors of footers and records by the tags of FORMAT.md: the one of a record stands 36 bytes
// before the end of its slot, and so of a sector.
bool is_special(const Sector& sector) {
  constexpr std::string_view kFooterTag = "mpqF";
  const std::string_view text(reinterpret_cast<const char*>(sector.data()), kSector);
  return text.substr(kSector - 36, 4) == "mpqR" || text.find(kFooterTag) != text.npos;
}

}  // namespace

const Sector& Medium::sector(std::uint32_t index) const {
  static const Sector zeros = {};
  return index < sectors_.size() && sectors_[index] != nullptr ? *sectors_[index] : zeros;
}

void Medium::set_sector(std::uint32_t index, std::shared_ptr<const Sector> sector) {
  if (sectors_.size() <= index) sectors_.resize(index + std::size_t{1});
  sectors_[index] = std::move(sector);
}

void Medium::read(std::uint64_t offset, mpq::Span<std::byte> out) const {
  for (std::size_t done = 0; done < out.size();) {
    const std::size_t inside = (offset + done) % kSector;
    const std::size_t bytes = std::min(kSector - inside, out.size() - done);
    std::memcpy(out.data() + done,
                sector(static_cast<std::uint32_t>((offset + done) / kSector)).data() + inside, bytes);
    done += bytes;
  }
}

std::vector<std::byte> Medium::file() const {
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  read(0, {bytes.data(), bytes.size()});
  return bytes;
}

void Medium::forget_behind() {
  const auto whole = static_cast<std::uint32_t>(size / kSector);
  const std::size_t rest = size % kSector;
  Sector last = sector(whole);
  std::fill(last.begin() + static_cast<std::ptrdiff_t>(rest), last.end(), std::byte{});
  sectors_.resize(whole);
  if (rest != 0) set_sector(whole, std::make_shared<const Sector>(last));
}

void Medium::flip(std::uint64_t bit) {
  const auto index = static_cast<std::uint32_t>(bit / 8 / kSector);
  Sector flipped = sector(index);
  flipped[bit / 8 % kSector] ^= static_cast<std::byte>(1U << bit % 8);
  set_sector(index, std::make_shared<const Sector>(flipped));
}

Card::Card(Medium medium, const CardFault& fault, mpq::FileAbilities abilities)
    : base_(medium),
      medium_(std::move(medium)),
      written_to_(medium_.size),
      fault_(fault),
      abilities_(abilities) {
  if (fault.kind == CardFault::Kind::kCapacity)
    capacity_ = std::max(std::uint64_t{fault.nth} * kSector, medium_.size);
}

Log Card::take_log() {
  if (watch_) log_.end = watch_();
  return std::move(log_);
}

bool Card::touched() const {
  const auto touches = [](const Event& event) { return event.kind != Event::Kind::kBarrier; };
  return std::any_of(log_.events.begin(), log_.events.end(), touches);
}

void Card::complain(const char* text) {
  if (breach_.empty()) breach_ = text;
}

Status Card::fail(Status status) {
  failed_ = true;
  return status;
}

Status Card::fail() { return fail(lost_ ? Status::kMediumLost : Status::kIoError); }

bool Card::fails(Extent& extent) {
  const unsigned number = calls_++;
  extent = lost_ ? Extent::kNothing : static_cast<Extent>(fault_.nth % 3);
  lost_ = lost_ || (fault_.kind == CardFault::Kind::kLost && number == fault_.nth);
  if (fault_.kind == CardFault::Kind::kOnce) return number == fault_.nth;
  return lost_ || (fault_.kind == CardFault::Kind::kForGood && number >= fault_.nth);
}

// Returns whether DMA can take the memory.
bool Card::takes(std::uint64_t offset, const void* memory, std::size_t bytes) {
  const auto transfer = support::Transfer::of(offset, memory, bytes);
  if (!transfer.is_on(line_)) {
    ++misaligned_;
    complain("memory for whole sectors is not on a line");
  }
  return transfer.is_on(support::kWordBytes);
}

void Card::come_back() {
  lost_ = false;
  came_back_ = true;
  if (!keeps_all()) lose_unsettled(log_, fault_.nth / 2);
  log_.events.push_back(begin(Event::Kind::kBarrier));
  medium_ = after_cut(base_, log_, {Loss::kNone, static_cast<unsigned>(log_.events.size())});
  written_to_ = medium_.size;
}

Event Card::begin(Event::Kind kind) const {
  Event event;
  event.kind = kind;
  if (watch_) event.progress = watch_();
  event.size = written_to_;
  return event;
}

Status Card::size(std::uint64_t& bytes) {
  Extent extent = {};
  if (fails(extent)) return fail();
  bytes = written_to_;
  return Status::kOk;
}

Status Card::read_at(std::uint64_t offset, mpq::Span<std::byte> out) {
  Extent extent = {};
  const bool failing = fails(extent);
  if (offset > written_to_ || out.size() > written_to_ - offset) {
    if (!misled_) complain("read_at past the end");
    return fail();
  }
  if (failing) return fail();
  // A library for desktops copies footers by long reads, since no driver there wants more of memory. Those of
  // devices are looked at in unit/transfers_test.cpp.
  const bool is_looked_at = !mpq::detail::kDesktop || out.size() <= kSector;
  if (is_looked_at && !takes(offset, out.data(), out.size())) return fail();
  medium_.read(offset, out);
  if (is_looked_at) support::spoil_lines(support::Transfer::of(offset, out.data(), out.size()), line_);
  if (reads_++ == fault_.nth && fault_.kind == CardFault::Kind::kMisread) {
    const std::size_t bit = fault_.nth * std::size_t{2654435761U} % (out.size() * 8);
    out[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
    misled_ = true;
    failed_ = true;
  }
  return Status::kOk;
}

// Sector by sector. One that is not covered keeps its other bytes, as a file system with a sector's buffer
// does.
void Card::store(std::uint64_t offset, mpq::Span<const std::byte> data) {
  Event event = begin(Event::Kind::kWrite);
  const bool behind = offset >= medium_.size;
  for (std::size_t done = 0; done < data.size();) {
    const std::uint64_t at = offset + done;
    const std::size_t inside = at % kSector;
    const std::size_t bytes = std::min(kSector - inside, data.size() - done);
    event.sector = static_cast<std::uint32_t>(at / kSector);
    auto sector = std::make_shared<Sector>(medium_.sector(event.sector));
    std::memcpy(sector->data() + inside, data.data() + done, bytes);
    event.special = behind || is_special(*sector);
    event.data = std::move(sector);
    medium_.set_sector(event.sector, event.data);
    written_to_ = std::max(written_to_, at + bytes);
    event.size = written_to_;
    log_.events.push_back(event);
    done += bytes;
  }
}

Status Card::write_at(std::uint64_t offset, mpq::Span<const std::byte> data) {
  if (data.empty()) complain("write_at of no bytes");
  Extent extent = {};
  if (fails(extent)) {
    std::size_t bytes = 0;
    if (extent == Extent::kAll) bytes = data.size();
    if (extent == Extent::kPart) bytes = data.size() / 2;
    store(offset, {data.data(), bytes});
    return fail();
  }
  if (offset + data.size() > capacity_) return fail(Status::kNoSpace);
  if (!takes(offset, data.data(), data.size())) return fail();
  store(offset, data);
  return Status::kOk;
}

Status Card::reserve(std::uint64_t end) {
  Extent extent = {};
  if (fails(extent)) return fail();
  if (end > capacity_) return fail(Status::kNoSpace);
  reserved_ = std::max(reserved_, end);
  return Status::kOk;
}

Status Card::barrier() {
  Extent extent = {};
  const bool failing = fails(extent);
  if (!failing || extent == Extent::kAll) log_.events.push_back(begin(Event::Kind::kBarrier));
  return failing ? fail() : Status::kOk;
}

void Card::publish(std::uint64_t size) {
  Event event = begin(Event::Kind::kPublish);
  medium_.size = size;
  written_to_ = size;
  event.size = size;
  log_.events.push_back(event);
}

Status Card::sync(std::uint64_t size) {
  Extent extent = {};
  const bool failing = fails(extent);
  if (failing && extent == Extent::kNothing) return fail();
  if (size < medium_.size || size > written_to_) complain("sync to a size that cannot be");
  log_.events.push_back(begin(Event::Kind::kBarrier));
  if (!failing || extent == Extent::kAll) publish(size);
  return failing ? fail() : Status::kOk;
}

// The size changes at once; what was written before has to take care of itself.
Status Card::shrink(std::uint64_t size) {
  Extent extent = {};
  const bool failing = fails(extent);
  if (failing && extent != Extent::kAll) return fail();
  if (!abilities_.shrink || size > written_to_) complain("shrink to a larger size, or of a file that cannot");
  publish(size);
  return failing ? fail() : Status::kOk;
}

}  // namespace power_loss
