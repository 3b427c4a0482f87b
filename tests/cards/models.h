// All cards of kinds.h under a driver, and what they say of a log.
#pragma once

#include <string>
#include <vector>

#include "cards/card.h"
#include "cards/trace.h"

namespace cards {

// What a log was: a model alone knows neither.
struct LogSize {
  double value_bytes = 0;
  double seconds = 0;
};

class Models {
 public:
  explicit Models(Driver driver);
  Models(const Models&) = delete;
  Models& operator=(const Models&) = delete;

  void join(Everyone& commands);
  // Ends what the driver holds open. Required before what follows.
  void end();

  double mean(const LogSize& size) const;  // of the three
  double median_of_grid(const LogSize& size) const;

  // Prints figures, whose names begin with `prefix`.
  void print(const std::string& prefix, const LogSize& size) const;
  // Prints a table of all cards but those of the grid, by cause.
  void print_table(const LogSize& size) const;

 private:
  template <typename Do>
  void each(Do what) {
    for (std::vector<Card>* cards : {&three_, &variants_, &grid_}) {
      for (Card& card : *cards) what(card);
    }
  }

  std::vector<Card> three_;
  std::vector<Card> variants_;
  std::vector<Card> grid_;
};

}  // namespace cards
