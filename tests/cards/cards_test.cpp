// Holds the models against what people have measured on cards, and against what they are meant to do.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "cards/card.h"
#include "cards/kinds.h"
#include "cards/models.h"
#include "cards/trace.h"
#include "support/chance.h"
#include "support/check.h"

namespace {

using cards::Card;
using cards::CardKind;
using cards::Cause;
using cards::Driver;

constexpr std::uint32_t kUnitSectors = 8192;

const CardKind& kind_of(const char* name) {
  for (const CardKind& kind : cards::kThree) {
    if (std::strcmp(kind.name, name) == 0) return kind;
  }
  return cards::kVariants[0];
}

// Milliseconds that a write of that many KiB takes at random places of 100 MiB, as iozone writes them.
double random_write_ms(const CardKind& kind, std::uint32_t kib) {
  constexpr std::uint32_t kFileKib = 100 << 10;
  constexpr std::uint32_t kMostWrites = 20000;
  Card card(kind, Driver::kPlain);
  lives::Chance chance(1);
  const std::uint32_t places = kFileKib / kib;
  const std::uint32_t writes = places < kMostWrites ? places : kMostWrites;
  for (std::uint32_t i = 0; i < writes; ++i) {
    card.write(2 * kUnitSectors + chance.below(places) * kib * 2, kib * 2, Cause::kPages);
  }
  return card.busy_us() / writes / 1000;
}

// Bytes programmed a byte written, in blocks of 256 KiB to that many units by turns, as flashbench writes them.
double wear_of_open_units(const CardKind& kind, std::uint32_t units) {
  constexpr std::uint32_t kBlockSectors = 512;
  Card card(kind, Driver::kPlain);
  for (std::uint32_t round = 0; round < 10; ++round) {
    for (std::uint32_t at = 0; at < kUnitSectors; at += kBlockSectors) {
      for (std::uint32_t unit = 0; unit < units; ++unit) {
        card.write((round * 3 + unit + 2) * kUnitSectors + at, kBlockSectors, Cause::kPages);
      }
    }
  }
  card.end();
  return card.wear().programmed / (static_cast<double>(card.traffic().sectors) * cards::kSectorBytes);
}

struct Measured {
  const char* kind;
  std::uint32_t kib;
  double ms;
};

// README.md has the cards, the people and the places.
constexpr Measured kMeasured[] = {
    {"cheap", 1, 1 / 32.0 * 1000},
    {"cheap", 4, 4 / 140.0 * 1000},
    {"cheap", 16, 16 / 37.0 * 1000},
    {"cheap", 512, 512 / 1199.0 * 1000},
    {"common", 4, 6.5},
    {"common", 16, 6.5},
    {"good", 1, 2.2},
    {"good", 4, 1.2},
    {"good", 4, 1000 / 500.0},
};
constexpr double kFactor = 2.2;

TEST("the models take the time that was measured on cards, within a factor of 2.2") {
  for (const Measured& measured : kMeasured) {
    const double ms = random_write_ms(kind_of(measured.kind), measured.kib);
    std::printf("%-7s %3u KiB: %.2f ms measured, %.2f ms by the model\n", measured.kind,
                static_cast<unsigned>(measured.kib), measured.ms, ms);
    CHECK(ms < measured.ms * kFactor);
    CHECK(ms > measured.ms / kFactor);
  }
}

// 6.27 MB/s fell to 0.91 MB/s; the model falls further, since it forgets the third unit at once.
TEST("one unit more than may be open wears the cheap card much faster") {
  CHECK(wear_of_open_units(kind_of("cheap"), 2) < 1.01);
  CHECK(wear_of_open_units(kind_of("cheap"), 3) > 6.27 / 0.91);
  CHECK(wear_of_open_units(kind_of("common"), 3) < 1.01);
}

TEST("what is written once from one end to the other is programmed once") {
  for (const CardKind& kind : cards::kThree) {
    Card card(kind, Driver::kPlain);
    for (std::uint32_t at = 0; at < 16 * kUnitSectors; at += 1024) {
      card.write(2 * kUnitSectors + at, 1024, Cause::kPages);
    }
    card.end();
    const double written = 16.0 * kUnitSectors * cards::kSectorBytes;
    CHECK(card.wear().programmed <= written * 1.01);
    CHECK(card.wear().programmed >= written);
  }
}

// Sectors one by one, with what comes after each of them.
template <typename Between>
double programmed_by_sectors(Driver driver, Between between) {
  constexpr std::uint32_t kSectors = 1024;
  Card card(kind_of("good"), driver);
  for (std::uint32_t i = 0; i < kSectors; ++i) {
    card.write(2 * kUnitSectors + i, 1, Cause::kPages);
    between(card);
  }
  card.end();
  return card.wear().programmed / (kSectors * cards::kSectorBytes);
}

TEST("a held write programs a page once, and a read or a sync ends it") {
  const auto nothing = [](Card&) {};
  CHECK_EQ(programmed_by_sectors(Driver::kHeld, nothing), 1.0);
  CHECK_EQ(programmed_by_sectors(Driver::kPlain, nothing), 8.0);
  CHECK_EQ(programmed_by_sectors(Driver::kHeld, [](Card& card) { card.sync(); }), 8.0);
  CHECK_EQ(programmed_by_sectors(Driver::kHeld, [](Card& card) { card.read(0, 1); }), 8.0);
}

TEST("a driver of sectors makes a command of each") {
  Card card(kind_of("good"), Driver::kSectors);
  card.write(2 * kUnitSectors, 8, Cause::kPages);
  card.end();
  CHECK_EQ(card.traffic().commands, 8U);
  CHECK_EQ(card.wear().programmed, 8.0 * (4 << 10));
}

TEST("a new card has nothing to copy") {
  Card old_card(kind_of("cheap"), Driver::kPlain);
  CardKind kind = kind_of("cheap");
  kind.is_new = true;
  Card new_card(kind, Driver::kPlain);
  for (std::uint32_t unit = 2; unit < 8; ++unit) {
    for (Card* card : {&old_card, &new_card}) card->write(unit * kUnitSectors, 32, Cause::kPages);
  }
  CHECK(old_card.wear().merged > 0);
  CHECK_EQ(new_card.wear().merged, 0.0);
}

TEST("causes and copies add up to what is programmed") {
  std::vector<CardKind> kinds(cards::kThree.begin(), cards::kThree.end());
  kinds.insert(kinds.end(), cards::kVariants.begin(), cards::kVariants.end());
  for (const CardKind& kind : kinds) {
    Card card(kind, Driver::kPlain);
    lives::Chance chance(7);
    for (int i = 0; i < 3000; ++i) {
      const auto cause = static_cast<Cause>(chance.below(cards::kCauses));
      card.write(chance.below(64 * kUnitSectors), 1 + chance.below(64), cause);
    }
    card.end();
    double sum = 0;
    for (const double bytes : card.wear().by_cause) sum += bytes;
    CHECK(sum > card.wear().programmed * 0.999999);
    CHECK(sum < card.wear().programmed * 1.000001);
    CHECK(card.wear().merged < card.wear().programmed);
  }
}

TEST("there are 76 cards in the grid") { CHECK_EQ(cards::grid().size(), 76U); }

// Some commands of every kind.
void send_some(cards::Commands& to) {
  lives::Chance chance(3);
  for (std::uint32_t i = 0; i < 2000; ++i) {
    to.begin_call(i * 10);
    const std::uint32_t kind = chance.below(8);
    if (kind == 0) to.sync();
    if (kind == 1) to.read(chance.below(64 * kUnitSectors), 1);
    if (kind == 2) to.publish();
    if (kind == 3) to.forget_call();
    if (kind > 4)
      to.write(chance.below(64 * kUnitSectors), 1 + chance.below(40), static_cast<Cause>(kind - 5));
  }
}

TEST("a trace says the same when it is replayed") {
  Card first(kind_of("cheap"), Driver::kHeld);
  Card second(kind_of("cheap"), Driver::kHeld);
  std::FILE* const file = std::tmpfile();
  REQUIRE(file != nullptr);
  cards::TraceWriter writer(file);
  cards::Everyone both;
  both.add(&first);
  both.add(&writer);
  send_some(both);
  CHECK_EQ(std::fseek(file, 0, SEEK_SET), 0);
  CHECK_EQ(cards::replay(file, second), 0U);
  std::fclose(file);
  first.end();
  second.end();
  CHECK(first.wear().programmed > 0);
  CHECK_EQ(second.wear().programmed, first.wear().programmed);
  CHECK_EQ(second.busy_us(), first.busy_us());
  CHECK_EQ(second.longest_call_us(), first.longest_call_us());
  CHECK_EQ(second.traffic().single_sectors, first.traffic().single_sectors);
}

TEST("a call that is forgotten is not the longest, and the one after it counts from its own begin") {
  Card card(kind_of("good"), Driver::kPlain);
  const auto call = [&](std::uint32_t sectors) {
    card.begin_call(0);
    card.write(2 * kUnitSectors, sectors, Cause::kPages);
  };
  call(8);
  call(800);
  card.forget_call();
  card.begin_call(0);
  const double longest = card.longest_call_us();
  CHECK(longest > 0);
  CHECK(longest < 5000);
  call(800);
  card.begin_call(0);
  CHECK(card.longest_call_us() > 50 * longest);
}

TEST("a trace that is none is refused by its line") {
  for (const char* const text : {"X 1\n", "W 1 2\n", "W 1 2 nothing\n", "R 1\n", "C\n"}) {
    std::FILE* const file = std::tmpfile();
    REQUIRE(file != nullptr);
    std::fputs("S\n", file);
    std::fputs(text, file);
    CHECK_EQ(std::fseek(file, 0, SEEK_SET), 0);
    cards::Everyone nobody;
    CHECK_EQ(cards::replay(file, nobody), 2U);
    std::fclose(file);
  }
}

}  // namespace
