#include "card_bench.h"

#include <string.h>

namespace card_bench {
namespace {

constexpr uint32_t kMib = 1 << 20;
// The range begins and ends where a unit does, and has three of them or more.
constexpr uint32_t kFileMib[] = {68, 36, 20};
constexpr uint32_t kPhaseUs = 22000000;  // a phase ends after it: ten of them in less than four minutes
constexpr uint32_t kPauseMs = 20;
constexpr char kMark[] = "A file of card_bench, which times this card. You may delete it.\r\n";

}  // namespace

// Units of the last three kinds lie apart, so that none begins where another one has ended.
const Phase kPlan[kPhases] = {
    {"random_1_kib", Kind::kRandom, 2, 512, 0},         {"random_4_kib", Kind::kRandom, 8, 512, 0},
    {"random_16_kib", Kind::kRandom, 32, 128, 0},       {"random_512_kib", Kind::kRandom, 1024, 8, 0},
    {"sequential", Kind::kSequential, 1024, 16, 0},     {"two_units", Kind::kByTurns, 512, 24, 2},
    {"three_units", Kind::kByTurns, 512, 24, 3},        {"singles_with_pauses", Kind::kSingles, 1, 64, 0},
    {"singles_synced", Kind::kSyncedSingles, 1, 64, 0}, {"table_changes", Kind::kTable, 1, 32, 0},
};

void fill_mark(uint8_t* sector) {
  memset(sector, 0, kSectorBytes);
  memcpy(sector, kMark, sizeof kMark - 1);
}

bool is_mark(const uint8_t* sector) { return memcmp(sector, kMark, sizeof kMark - 1) == 0; }

Bench::Bench(Card& card, uint8_t* buffer, uint32_t buffer_bytes, uint32_t divisor)
    : card_(card), buffer_(buffer), buffer_sectors_(buffer_bytes / kSectorBytes), divisor_(divisor) {}

bool Bench::fail(const char* place, const char* call) {
  error_place_ = place;
  error_call_ = call;
  return false;
}

bool Bench::make_file() {
  for (const uint32_t mib : kFileMib) {
    uint32_t first = 0;
    const Allocated allocated = card_.allocate(mib * kMib, first);
    if (allocated == Allocated::kFull) continue;
    if (allocated == Allocated::kNameTaken) return fail("file", "name is taken");
    has_file_ = true;
    if (allocated != Allocated::kYes) return fail("file", "allocate");
    const uint32_t end = first + mib * (kMib / kSectorBytes);
    first_ = (first + kUnitSectors) / kUnitSectors * kUnitSectors;
    sectors_ = end / kUnitSectors * kUnitSectors - first_;
    fill_mark(buffer_);
    if (!card_.write(first, buffer_, 1)) return fail("file", "write");
    return card_.sync() || fail("file", "sync");
  }
  return fail("file", "no space in one piece");
}

bool Bench::write_sectors(const char* place, uint32_t first, uint32_t count) {
  while (count != 0) {
    const uint32_t now = count < buffer_sectors_ ? count : buffer_sectors_;
    if (!card_.write(first, buffer_, now)) return fail(place, "write");
    first += now;
    count -= now;
  }
  return true;
}

// The first sector of a write.
uint32_t Bench::place_of(const Phase& phase, uint32_t number) {
  const uint32_t units = sectors_ / kUnitSectors;
  switch (phase.kind) {
    case Kind::kRandom:
      chance_ ^= chance_ << 13;  // xorshift
      chance_ ^= chance_ >> 17;
      chance_ ^= chance_ << 5;
      return first_ + chance_ % (sectors_ / phase.sectors) * phase.sectors;
    case Kind::kByTurns:
      return first_ + number % phase.units * kUnitSectors + number / phase.units * phase.sectors;
    case Kind::kSingles: return first_ + (units - 1) * kUnitSectors + number;
    case Kind::kSyncedSingles: return first_ + (units - 2) * kUnitSectors + number;
    default: return first_ + number * phase.sectors;
  }
}

// A card without another cluster is no error: the phase ends.
bool Bench::grow(const char* place) {
  const Allocated allocated = card_.grow();
  is_full_ = allocated == Allocated::kFull;
  return is_full_ || allocated == Allocated::kYes || fail(place, "grow");
}

// Random writes, synced ones and changes of the table are on the card when this returns.
bool Bench::write_once(const Phase& phase, uint32_t number) {
  if (phase.kind == Kind::kTable) return grow(phase.name);
  const bool syncs = phase.kind == Kind::kRandom || phase.kind == Kind::kSyncedSingles;
  if (!write_sectors(phase.name, place_of(phase, number), phase.sectors)) return false;
  return !syncs || card_.sync() || fail(phase.name, "sync");
}

bool Bench::time_write(const Phase& phase, uint32_t number, Result& result) {
  if (phase.kind == Kind::kTable && !card_.go_to_end()) return fail(phase.name, "seek");
  const uint32_t began = card_.now_us();
  if (!write_once(phase, number)) return false;
  const uint32_t us = card_.now_us() - began;
  if (is_full_) return true;
  ++result.writes;
  result.bytes += phase.sectors * kSectorBytes;
  result.us_total += us;
  if (us > result.us_longest) result.us_longest = us;
  return true;
}

// What the driver holds open at the end counts as well.
bool Bench::run_phase(const Phase& phase, Result& result) {
  const uint32_t writes = phase.writes / divisor_ > 2 ? phase.writes / divisor_ : 2;
  const bool pauses = phase.kind == Kind::kSingles || phase.kind == Kind::kSyncedSingles;
  const uint32_t began = card_.now_us();
  for (uint32_t i = 0; i != writes && !is_full_ && card_.now_us() - began < kPhaseUs; ++i) {
    if (!time_write(phase, i, result)) return false;
    if (pauses) card_.wait_ms(kPauseMs);
  }
  const uint32_t before = card_.now_us();
  if (!card_.sync()) return fail(phase.name, "sync");
  result.us_total += card_.now_us() - before;
  return true;
}

bool Bench::run() {
  if (!card_.start(identity_)) return fail("card", "start");
  before_ = read_wear(card_, buffer_);
  // A card that does not know the question may want a new start.
  if (!card_.start(identity_)) return fail("card", "start");
  if (!card_.mount()) return fail("volume", "mount");
  bool good = make_file();
  for (uint32_t i = 0; i != buffer_sectors_ * kSectorBytes; ++i) {
    buffer_[i] = static_cast<uint8_t>(i * 2654435761U >> 24);
  }
  for (unsigned i = 0; good && i != kPhases; ++i) good = run_phase(kPlan[i], results_[i]);
  if (has_file_ && card_.remove()) {
    has_file_ = false;
  } else if (has_file_ && good) {
    good = fail("file", "remove");
  }
  if (good) after_ = read_wear(card_, buffer_);
  return good;
}

}  // namespace card_bench
