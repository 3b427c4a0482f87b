// The board's slot, with a simulated card in it or none.
#pragma once

#include "simulated_card.h"

class InSlot {
 public:
  explicit InSlot(SimulatedCard& card);
  ~InSlot();
  InSlot(const InSlot&) = delete;
  InSlot& operator=(const InSlot&) = delete;

  // Pulls the card out.
  static void pull();
};
