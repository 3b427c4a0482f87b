#include "attacks.h"

#include <algorithm>
#include <iterator>

namespace power_loss {

using faults::mix;

namespace {

constexpr const char* kNames[] = {"each",   "torn",     "erased", "lost",    "size_at_write", "lost_size",
                                  "errors", "misreads", "full",   "flipped", "histories",     "lost_medium"};
static_assert(std::size(kNames) == kAttacks);
// Every other case is one of kEach until all of these have been tried. Shares of 100 others.
constexpr unsigned kCasesForOneOfEach = 2;
constexpr unsigned kShares[] = {0, 23, 10, 17, 8, 15, 7, 5, 3, 5, 2, 5};
static_assert(std::size(kShares) == kAttacks);

// Numbers that follow from one seed, one after another.
class Chance {
 public:
  explicit Chance(std::uint32_t seed) : seed_(seed) {}
  unsigned below(unsigned end) { return mix(mix(seed_, next_++), 77) % end; }
  bool one_in(unsigned n) { return below(n) == 0; }

 private:
  std::uint32_t seed_;
  unsigned next_ = 0;
};

constexpr unsigned kSeeds = 1000000;
constexpr unsigned kMaxSectors = 2000;   // of a medium that is to be full some time
constexpr unsigned kAnyEvent = 1000000;  // a life's events are counted when it is lived; see Case

// Sectors of footers and records are torn at every byte, others where it is enough. In the forward layout the
// sector that durable bytes end in is written again, which is safe as long as its beginning stays.
unsigned any_tear(unsigned scenario, Chance& chance, bool special) {
  constexpr unsigned kTears[] = {1, 8, 256, 511, kTrash};
  const unsigned tear = special ? 1 + chance.below(kTrash) : kTears[chance.below(std::size(kTears))];
  return tear == kTrash && !scenarios()[scenario].workload.options.layout->in_place ? 1 : tear;
}

unsigned block_sectors(unsigned scenario) {
  return scenarios()[scenario].workload.options.block_bytes / unsigned{kSector};
}

// Blocks that are sectors are torn like sectors.
unsigned any_erasure(unsigned scenario, Chance& chance) {
  const unsigned block = block_sectors(scenario);
  return block == 1 ? any_tear(scenario, chance, false) : erased_but(chance.below(block));
}

Loss loss_of(Attack attack, Chance& chance) {
  switch (attack) {
    case Attack::kSizeAtWrite: return Loss::kNoneSizeAtWrite;
    case Attack::kLostSize: return Loss::kSomeSizeAtWrite;
    case Attack::kLost: return Loss::kSome;
    default: return chance.one_in(3) ? Loss::kSome : Loss::kNone;
  }
}

// A medium that is lost keeps everything where other pages lie beneath: reconnect() does not tell a lost page
// from one of a deleted log or an interrupted life at its place (see writer.h).
CardFault lost_medium(const Case& item, unsigned call) {
  const bool clean = item.ground == Ground::kBlank && item.stages.size() == 1;
  return {CardFault::Kind::kLost, clean ? call : call | 1U};
}

// `first` is the first life: later ones make fewer calls.
CardFault fault_of(Attack attack, Chance& chance, const Recording& first, const Case& item) {
  const unsigned share = item.stages.size() > 1 ? 4 : 1;
  using Kind = CardFault::Kind;
  switch (attack) {
    case Attack::kErrors:
      return {chance.one_in(3) ? Kind::kForGood : Kind::kOnce, chance.below(first.calls / share + 1)};
    case Attack::kLostMedium: return lost_medium(item, chance.below(first.calls / share + 1));
    case Attack::kMisreads: return {Kind::kMisread, chance.below(first.reads / share + 1)};
    case Attack::kFull: return {Kind::kCapacity, chance.below(kMaxSectors)};
    default: return {};
  }
}

bool size_at_write(Attack attack) { return attack == Attack::kSizeAtWrite || attack == Attack::kLostSize; }

}  // namespace

const char* to_string(Attack attack) { return kNames[static_cast<unsigned>(attack)]; }

std::optional<Attack> parse_attack(std::string_view name) {
  for (unsigned i = 0; i < kAttacks; ++i) {
    if (name == kNames[i]) return static_cast<Attack>(i);
  }
  return {};
}

Attacks::Attacks(const Library& library, std::optional<Attack> only) : library_(library), only_(only) {
  unsigned end = 0;
  for (unsigned i = 0; i < scenarios().size(); ++i) {
    end += static_cast<unsigned>(library.first_life(i, Ground::kBlank).log.events.size()) + 1;
    scenario_ends_.push_back(end);
  }
}

Attack Attacks::kind(unsigned index) const {
  if (only_) return *only_;
  if (index % kCasesForOneOfEach == 0 && index / kCasesForOneOfEach < scenario_ends_.back())
    return Attack::kEach;
  unsigned share = mix(index, 1) % 100;
  unsigned attack = 0;
  while (share >= kShares[attack]) share -= kShares[attack++];
  return static_cast<Attack>(attack);
}

// Few cases are taken from all scenarios.
Case Attacks::each(unsigned index) const {
  constexpr std::uint64_t kStep = 7919;  // a prime
  if (!only_) index /= kCasesForOneOfEach;
  index = static_cast<unsigned>(index * kStep % scenario_ends_.back());
  Case item;
  while (index >= scenario_ends_[item.scenario]) ++item.scenario;
  item.ground = static_cast<Ground>(index % kGrounds);
  Stage& stage = item.stages.emplace_back();
  stage.cut.event = index - (item.scenario != 0 ? scenario_ends_[item.scenario - 1] : 0);
  // A medium of larger blocks has erased the one around it.
  if (const unsigned block = block_sectors(item.scenario); block != 1)
    stage.cut.tear = erased_but(index / kGrounds % block);
  return item;
}

// Half of them at a sector of a footer or a record if it is torn, else at a barrier: when all is written that
// it is to put on the medium.
Cut Attacks::first_cut(const Case& item, Attack attack, unsigned seed) const {
  Chance chance(seed);
  const std::vector<Event>& events = library_.first_life(item.scenario, item.ground).log.events;
  Cut cut;
  cut.loss = loss_of(attack, chance);
  cut.seed = chance.below(kSeeds);
  cut.event = chance.below(static_cast<unsigned>(events.size()) + 1);
  const bool erased = attack == Attack::kErased;
  const bool torn = erased || attack == Attack::kTorn || chance.one_in(4);
  const bool at_special = chance.one_in(2);
  const auto wanted = [&](const Event& event) {
    return torn ? event.special : event.kind == Event::Kind::kBarrier;
  };
  while (at_special && cut.event < events.size() && !wanted(events[cut.event])) ++cut.event;
  if (torn && cut.event < events.size()) {
    cut.tear = erased ? any_erasure(item.scenario, chance)
                      : any_tear(item.scenario, chance, events[cut.event].special);
  }
  return cut;
}

// One to three cuts in a row. What fails, fails in the last of these lives.
Case Attacks::by_chance(Attack attack, unsigned index) const {
  Chance chance(mix(index, static_cast<unsigned>(attack)));
  Case item;
  item.scenario = chance.below(static_cast<unsigned>(scenarios().size()));
  if (!size_at_write(attack)) item.ground = static_cast<Ground>(chance.below(kGrounds));
  const unsigned stages = 1U + (chance.one_in(3) ? 1 : 0) + (chance.one_in(6) ? 1 : 0);
  for (unsigned i = 0; i < stages; ++i) {
    Stage& stage = item.stages.emplace_back();
    if (i == 0) {
      stage.cut = first_cut(item, attack, chance.below(kSeeds));
    } else {
      stage.cut.loss = loss_of(attack, chance);
      stage.cut.event = chance.below(kAnyEvent);
      stage.cut.seed = chance.below(kSeeds);
      if (attack == Attack::kErased) {
        stage.cut.tear = any_erasure(item.scenario, chance);
      } else if (chance.one_in(3)) {
        stage.cut.tear = any_tear(item.scenario, chance, true);
      }
    }
  }
  const Recording& first = library_.first_life(item.scenario, item.ground);
  item.stages.back().fault = fault_of(attack, chance, first, item);
  if (attack == Attack::kFlipped) item.flipped_bit = mix(index, 3);
  return item;
}

// The first life ends before a footer is published, of which nothing is lost. The next one resumes from the
// footer before it, and ends soon.
Case Attacks::abandoned(unsigned index) const {
  constexpr unsigned kFirstEvents = 16;
  Chance chance(mix(index, 5));
  Case item;
  item.scenario = chance.below(static_cast<unsigned>(scenarios().size()));
  const std::vector<Event>& events = library_.first_life(item.scenario, item.ground).log.events;
  item.stages.resize(2);
  unsigned& event = item.stages[0].cut.event;
  event = chance.below(static_cast<unsigned>(events.size()));
  while (event + 1 < events.size() && events[event + 1].kind != Event::Kind::kPublish) ++event;
  item.stages[1].cut.event = chance.below(kFirstEvents);
  return item;
}

Case Attacks::at(unsigned index) const {
  const Attack attack = kind(index);
  if (attack == Attack::kHistories) return abandoned(index);
  return attack == Attack::kEach ? each(index) : by_chance(attack, index);
}

}  // namespace power_loss
