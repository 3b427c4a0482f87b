// What the models say of the writes of examples/card_bench: its line of JSON for each card, as a card would give it.
#include <cstdio>

#include "card_bench.h"
#include "cards/card.h"
#include "cards/kinds.h"

namespace {

using card_bench::Allocated;

// A card of 8 GB with FAT32: the table at its beginning, with a copy, and clusters of 32 KB.
class ModelCard final : public card_bench::Card {
 public:
  explicit ModelCard(const cards::CardKind& kind) : card_(kind, cards::Driver::kHeld) {
    std::snprintf(driver_, sizeof driver_, "model of the %s card, held", kind.name);
  }

  bool start(card_bench::Identity& identity) override {
    identity.driver = driver_;
    identity.is_emulated = true;
    identity.sectors = 16 << 20;
    identity.clock_hz = 20'000'000;
    return true;
  }
  bool mount() override { return true; }
  Allocated allocate(std::uint32_t /*bytes*/, std::uint32_t& first) override {
    first = kFirst;
    return Allocated::kYes;
  }
  bool remove() override { return true; }
  bool write(std::uint32_t sector, const std::uint8_t* /*data*/, std::uint32_t count) override {
    card_.write(sector, count, cards::Cause::kPages);
    return true;
  }
  bool sync() override {
    card_.sync();
    return true;
  }
  bool go_to_end() override { return true; }
  // As FatFs does it: the data, both tables, the entry, the count of free clusters.
  Allocated grow() override {
    card_.write(kFirst + (68 << 11) + grown_++ * 64, 1, cards::Cause::kPages);
    for (const std::uint32_t sector : {kTable, kTable + kTableSectors, kDirectory, kFreeCount}) {
      card_.write(sector, 1, cards::Cause::kTable);
    }
    card_.sync();
    return Allocated::kYes;
  }
  bool ask(std::uint32_t /*argument*/, std::uint8_t* /*block*/) override { return false; }
  std::uint32_t now_us() override { return static_cast<std::uint32_t>(card_.busy_us()) + waited_us_; }
  void wait_ms(std::uint32_t ms) override { waited_us_ += ms * 1000; }

 private:
  static constexpr std::uint32_t kFreeCount = 1;
  static constexpr std::uint32_t kTable = 2048;
  static constexpr std::uint32_t kTableSectors = 2048;
  static constexpr std::uint32_t kDirectory = 8192;
  static constexpr std::uint32_t kFirst = 4 * card_bench::kUnitSectors;

  cards::Card card_;
  char driver_[48] = {};
  std::uint32_t grown_ = 0;
  std::uint32_t waited_us_ = 0;
};

void print(void*, const char* text) { std::fputs(text, stdout); }

}  // namespace

int main() {
  static std::uint8_t buffer[16 << 10];
  for (const cards::CardKind& kind : cards::kThree) {
    ModelCard card(kind);
    card_bench::Bench bench(card, buffer, sizeof buffer);
    if (!bench.run()) return 1;
    bench.print(print, nullptr);
    std::puts("");
  }
  return 0;
}
