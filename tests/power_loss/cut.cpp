#include "cut.h"

#include <algorithm>
#include <cstring>

#include "mix.h"

namespace power_loss {
namespace {

using faults::mix;
using Kind = Event::Kind;

bool drops(Loss loss) { return loss == Loss::kSome || loss == Loss::kSomeSizeAtWrite; }

// Number of the event after the last one of a kind before `event`.
unsigned behind_last(const Log& log, Kind kind, unsigned event) {
  while (event != 0 && log.events[event - 1].kind != kind) --event;
  return event;
}

// Chooses the writes that are lost, in the ways that ask different things of a program: half of them; all but
// one; one alone; the first ones; few.
class Lottery {
 public:
  Lottery(unsigned seed, unsigned begin, unsigned end)
      : seed_(seed), end_(end), chosen_(begin + mix(seed, 1) % std::max(end - begin, 1U)) {}
  bool lost(unsigned event) const {
    switch (seed_ % 5) {
      case 0: return mix(seed_, event + 2) % 2 == 0;
      case 1: return event != chosen_;
      case 2: return event == chosen_;
      case 3: return event < chosen_;
      default: return mix(seed_, event + 2) % 8 == 0;
    }
  }
  // The cut, or one of the events between `begin` and it.
  unsigned event_from(unsigned begin) const {
    return seed_ % 2 == 0 ? end_ : begin + mix(seed_, 0) % (end_ - begin + 1);
  }

 private:
  unsigned seed_;
  unsigned end_;
  unsigned chosen_;
};

void erase(Medium& medium, const Event& event, const Cut& cut) {
  static const auto erased = [] {
    Sector sector;
    sector.fill(std::byte{0xFF});
    return std::make_shared<const Sector>(sector);
  }();
  medium.set_sector(event.sector, event.data);
  const unsigned begin = event.sector / cut.block * cut.block;
  for (unsigned i = cut.tear - erased_but(0); i < cut.block; ++i) medium.set_sector(begin + i, erased);
}

void tear(Medium& medium, const Event& event, const Cut& cut) {
  if (event.kind != Kind::kWrite) return;
  if (cut.tear > kTrash) return erase(medium, event, cut);
  Sector torn = medium.sector(event.sector);
  if (cut.tear < kTrash) {
    std::memcpy(torn.data(), event.data->data(), cut.tear);
  } else {
    for (unsigned i = 0; i < kSector; ++i) torn[i] = static_cast<std::byte>(mix(cut.event, i));
  }
  medium.set_sector(event.sector, std::make_shared<const Sector>(torn));
}

}  // namespace

std::uint64_t published_size(const Medium& base, const Log& log, unsigned event) {
  event = behind_last(log, Kind::kPublish, event);
  return event != 0 ? log.events[event - 1].size : base.size;
}

bool inside_footer(const Medium& base, const Log& log, unsigned event) {
  const std::uint64_t published = published_size(base, log, event);
  const auto behind = [&](const Event& e) {
    return e.kind == Kind::kWrite && (e.sector + std::uint64_t{1}) * kSector > published;
  };
  bool begun = false;
  for (unsigned i = event; i != 0 && log.events[i - 1].kind != Kind::kPublish; --i)
    begun = begun || behind(log.events[i - 1]);
  if (!begun) return false;
  std::size_t i = event;
  for (; i < log.events.size() && log.events[i].kind != Kind::kPublish; ++i)
    if (behind(log.events[i])) return true;
  // A footer that was given up may stand farther on.
  const std::uint64_t end = event != 0 ? log.events[event - 1].size : base.size;
  return i == log.events.size() || log.events[i].size <= published || log.events[i].size < end;
}

void lose_unsettled(Log& log, unsigned seed) {
  const auto end = static_cast<unsigned>(log.events.size());
  const unsigned begin = behind_last(log, Kind::kBarrier, end);
  const Lottery lottery(seed, begin, end);
  std::vector<Event> left(log.events.begin(), log.events.begin() + begin);
  for (unsigned i = begin; i < end; ++i) {
    if (log.events[i].kind != Kind::kWrite || !lottery.lost(i)) left.push_back(log.events[i]);
  }
  log.events = std::move(left);
}

Medium after_cut(const Medium& base, const Log& log, const Cut& cut) {
  Medium medium = base;
  const unsigned unsettled = drops(cut.loss) ? behind_last(log, Kind::kBarrier, cut.event) : cut.event;
  const Lottery lottery(cut.seed, unsettled, cut.event);
  for (unsigned i = 0; i < cut.event; ++i) {
    const Event& event = log.events[i];
    if (event.kind == Kind::kWrite && (i < unsettled || !lottery.lost(i)))
      medium.set_sector(event.sector, event.data);
  }
  if (cut.tear != kWhole && cut.event < log.events.size()) tear(medium, log.events[cut.event], cut);
  medium.size = published_size(base, log, cut.event);
  if (size_at_write(cut.loss)) {
    // A size that was published is not undone.
    const unsigned settled = std::max(unsettled, behind_last(log, Kind::kPublish, cut.event));
    const unsigned last = drops(cut.loss) ? lottery.event_from(settled) : cut.event;
    medium.size = last != 0 ? log.events[last - 1].size : base.size;
  }
  return medium;
}

}  // namespace power_loss
