// The cases that are tried: a list without end, always the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "trial.h"

namespace power_loss {

// Kinds of attack; each names what its cases have in them.
enum class Attack : std::uint8_t {
  kEach,         // every event of every first life, in turn
  kTorn,         // a sector that is written in part
  kErased,       // a block that is erased before it is written
  kLost,         // writes since the last barrier that never reached the medium
  kSizeAtWrite,  // a file system that publishes the size at each write
  kLostSize,     // the same, with lost writes
  kErrors,       // calls that fail, once or for good
  kMisreads,     // reads that give a wrong bit
  kFull,         // the medium is full
  kFlipped,      // a bit on the medium changes
  kHistories,    // a footer that is whole but never published, then a short life
  kLostMedium,   // the medium is lost for a time, and comes back
};
inline constexpr unsigned kAttacks = 12;
const char* to_string(Attack attack);
std::optional<Attack> parse_attack(std::string_view name);

class Attacks {
 public:
  // `only`: of one kind.
  Attacks(const Library& library, std::optional<Attack> only);

  Case at(unsigned index) const;
  Attack kind(unsigned index) const;

 private:
  Case each(unsigned index) const;
  Case by_chance(Attack attack, unsigned index) const;
  Case abandoned(unsigned index) const;
  Cut first_cut(const Case& item, Attack attack, unsigned seed) const;

  const Library& library_;
  std::optional<Attack> only_;
  std::vector<unsigned> scenario_ends_;  // in the list of kEach
};

}  // namespace power_loss
