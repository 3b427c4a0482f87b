#include "cards/models.h"

#include <algorithm>
#include <cstdio>

#include "cards/kinds.h"

namespace cards {

namespace {

constexpr double kCardBytes = 8e9;
constexpr double kCycles = 1000;
constexpr double kYearSeconds = 365.25 * 86400;

double per_value_byte(const Card& card, const LogSize& size) {
  return card.wear().programmed / size.value_bytes;
}

// Until each block of a card of 8 GB has been erased a thousand times.
double years(const Card& card, const LogSize& size) {
  return kCardBytes * kCycles / (card.wear().programmed / size.seconds) / kYearSeconds;
}

template <typename Kinds>
std::vector<Card> cards_of(const Kinds& kinds, Driver driver) {
  std::vector<Card> cards;
  for (const CardKind& kind : kinds) cards.emplace_back(kind, driver);
  return cards;
}

}  // namespace

Models::Models(Driver driver)
    : three_(cards_of(kThree, driver)),
      variants_(cards_of(kVariants, driver)),
      grid_(cards_of(grid(), driver)) {}

void Models::join(Everyone& commands) {
  each([&](Card& card) { commands.add(&card); });
}

void Models::end() {
  each([](Card& card) { card.end(); });
}

double Models::mean(const LogSize& size) const {
  double sum = 0;
  for (const Card& card : three_) sum += per_value_byte(card, size);
  return sum / static_cast<double>(three_.size());
}

double Models::median_of_grid(const LogSize& size) const {
  std::vector<double> all;
  for (const Card& card : grid_) all.push_back(per_value_byte(card, size));
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

void Models::print(const std::string& prefix, const LogSize& size) const {
  const char* const name = prefix.c_str();
  for (const Card& card : three_) {
    std::printf("%s.%s %.2f bytes_per_byte\n", name, card.kind().name, per_value_byte(card, size));
  }
  std::printf("%s.mean %.2f bytes_per_byte\n", name, mean(size));
  std::printf("%s.grid_median %.2f bytes_per_byte\n", name, median_of_grid(size));
  const Traffic& traffic = three_[0].traffic();
  const auto sectors = static_cast<double>(traffic.sectors);
  const auto seeks = static_cast<double>(traffic.seeks);
  std::printf("%s.run %.1f sectors\n", name, sectors / seeks);
  std::printf("%s.single_sectors %.1f percent\n", name,
              100 * static_cast<double>(traffic.single_sectors) / sectors);
  std::printf("%s.seeks_per_mb %.0f seeks\n", name, seeks / (size.value_bytes / 1e6));
  for (const Card& card : three_) {
    std::printf("%s.years_%s %.1f years\n", name, card.kind().name, years(card, size));
    std::printf("%s.longest_call_%s %.0f ms\n", name, card.kind().name, card.longest_call_us() / 1000);
  }
}

void Models::print_table(const LogSize& size) const {
  std::printf("%-10s %10s %10s", "", "programmed", "merged");
  for (const char* const cause : kCauseNames) std::printf(" %9s", cause);
  std::printf(" %12s\n", "busy s/hour");
  for (const std::vector<Card>* cards : {&three_, &variants_}) {
    for (const Card& card : *cards) {
      std::printf("%-10s %10.2f %10.2f", card.kind().name, per_value_byte(card, size),
                  card.wear().merged / size.value_bytes);
      for (const double bytes : card.wear().by_cause) std::printf(" %9.2f", bytes / size.value_bytes);
      std::printf(" %12.1f\n", card.busy_us() / 1e6 / size.seconds * 3600);
    }
  }
}

}  // namespace cards
