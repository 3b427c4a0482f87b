// Counts the rows that a log over SdFat loses when the power fails: over SdFat itself, or over its stand-in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "port_sweep.h"
#include "support/check.h"

namespace ports {

struct Losses {
  unsigned cuts = 0;
  unsigned rows = 0;  // durable ones that no reader finds
  unsigned logs = 0;  // that no later boot continues
};

// A cut at the nth sector write; after the last one, when the file has been closed.
template <typename Port, typename Kind>
void cut_at(Card& card, std::uint64_t nth, Losses& losses) {
  card.disk().cut_after(nth, 0);
  const Outcome outcome = card.run<Port, Kind>(0, kFirst);
  card.lose_power();
  card.mount();
  History found;
  const std::string fault = Card::look<Port, Kind>(outcome, found);
  const std::uint32_t rows = fault.empty() && !found.empty() ? found.front().rows : 0;
  losses.rows += outcome.durable - (std::min)(rows, outcome.durable);
  const Outcome later = card.run<Port, Kind>(1, kLater);
  losses.logs += later.status == microparquet::Status::kOk ? 0U : 1U;
  ++losses.cuts;
}

template <typename Port, typename Kind>
Losses cut_everywhere(Card& card) {
  Losses losses;
  if (!CHECK(card.good())) return losses;
  const std::size_t writes = sectors_written<Port, Kind>(card).size();
  for (std::uint64_t nth = 0; nth <= writes; ++nth) {
    card.disk().begin_transaction();
    cut_at<Port, Kind>(card, nth, losses);
    card.disk().roll_back();
    card.mount();
  }
  CHECK_EQ(card.disk().unaligned(), 0U);
  return losses;
}

// A file whose volume cannot be asked for its tables.
template <typename File, typename Volume>
class WithoutTables : public File {
 public:
  bool openRoot(Volume*) { return is_root_ = true; }
  bool sync() { return is_root_ || File::sync(); }

 private:
  bool is_root_ = false;
};

// A file that does not know of its card.
template <typename File>
class WithoutWaiting : public File {
 public:
  bool isBusy() { return false; }
};

}  // namespace ports
