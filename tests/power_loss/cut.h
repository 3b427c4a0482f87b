// The contents of a card after the power failed.
#pragma once

#include <cstdint>

#include "card.h"

namespace power_loss {

// The writes since the last barrier that have reached the medium, and the file's size as the file system then
// reports it. A barrier, and a sync before it publishes a size, have all of them on the medium.
enum class Loss : char {
  kNone = 's',             // all writes up to the cut; the size is published at sync only
  kSome = 'r',             // any of them; the size is published at sync only
  kNoneSizeAtWrite = 'w',  // all writes up to the cut; the size grows with each
  kSomeSizeAtWrite = 'o',  // any of them, and any of the sizes since
};

constexpr bool size_at_write(Loss loss) {
  return loss == Loss::kNoneSizeAtWrite || loss == Loss::kSomeSizeAtWrite;
}

inline constexpr unsigned kWhole = 0;        // nothing of the event that is cut
inline constexpr unsigned kTrash = kSector;  // the sector that is cut holds neither old bytes nor new ones
// The medium had erased the block around the sector, and written that many sectors of it again.
constexpr unsigned erased_but(unsigned sectors) { return kTrash + 1 + sectors; }

struct Cut {
  Loss loss = Loss::kNone;
  unsigned event = 0;      // the first event that did not happen; the number of events: all did
  unsigned tear = kWhole;  // bytes of the sector of that event that did get there; or kTrash, erased_but()
  unsigned seed = 0;       // what of `some` it is
  unsigned block = 1;      // sectors that the medium erases at once
};

// `base` is what the card held before `log`.
Medium after_cut(const Medium& base, const Log& log, const Cut& cut);

// Takes writes since the last barrier out of the log, as those of Loss::kSome would be.
void lose_unsettled(Log& log, unsigned seed);

// The size of the last sync or shrink before `event`.
std::uint64_t published_size(const Medium& base, const Log& log, unsigned event);

// The log's part before `event` ends inside a footer: something was written past the published size, and
// either not all of what is written there before it is published, or it never is since the footer was given
// up.
bool inside_footer(const Medium& base, const Log& log, unsigned event);

}  // namespace power_loss
