// Cards that were in use before a life begins.
#pragma once

#include <memory>
#include <utility>

#include "card.h"
#include "life.h"

namespace lives {

// Lays down the bytes that an earlier file left on the card: noise, a log of another program, or an older one
// of the same.
inline void lay_remains(Card& card, const Plan& plan, small::Unpack unpack) {
  Chance chance(plan.seed ^ 0x0DD);
  const unsigned kind = chance.below(10);
  if (kind < 3) return;
  if (kind < 5) {
    Bytes noise(chance.between(1, 300) << 10);
    for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = static_cast<std::byte>(chance.next());
    card.lay_remains(0, noise);
    return;
  }
  Plan before(kind < 8 ? plan.seed : plan.seed + 1000003, Where::kCard, plan.vary);
  Card old(before);
  Tally tally;
  Trace trace;
  Life life(before, old, plan.seed + 1, tally, trace);
  life.set_unpack(unpack);
  static_cast<void>(life.run(chance.between(1, 6)));
  for (unsigned slot = 0; slot < kSlots; ++slot) card.lay_remains(slot, old.remains(slot));
}

inline std::unique_ptr<Store> make_card(const Plan& plan, small::Unpack unpack = nullptr) {
  auto card = std::make_unique<Card>(plan);
  lay_remains(*card, plan, unpack);
  return card;
}

}  // namespace lives
