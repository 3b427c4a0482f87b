// Lives a program by chance, again and again, on a simulated card. Its arguments: program.h.
#include "card.h"
#include "life.h"
#include "program.h"

namespace lives {
namespace {

// What an earlier file left on the card: noise, a log of another program, or an older one of the same.
void lay_remains(Card& card, const Plan& plan) {
  Chance chance(plan.seed ^ 0x0DD);
  const unsigned kind = chance.below(10);
  if (kind < 3) return;
  if (kind < 5) {
    Bytes noise(chance.between(1, 300) << 10);
    for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = static_cast<std::byte>(chance.next());
    card.lay_remains(0, noise);
    return;
  }
  const Plan before(kind < 8 ? plan.seed : plan.seed + 1000003);
  Card old(before);
  Tally tally;
  Trace trace;
  Life life(before, old, plan.seed + 1, tally, trace);
  static_cast<void>(life.run(chance.between(1, 6)));
  for (unsigned slot = 0; slot < kSlots; ++slot) card.lay_remains(slot, old.remains(slot));
}

std::unique_ptr<Store> make_card(const Plan& plan) {
  auto card = std::make_unique<Card>(plan);
  lay_remains(*card, plan);
  return card;
}

}  // namespace
}  // namespace lives

int main(int argc, char** argv) {
  return lives::run_program(argc, argv, {lives::Where::kCard, lives::make_card});
}
