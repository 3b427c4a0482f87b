// How the board's driver moves several blocks, and what it makes of wrong bits on the wires, over a simulated bus.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "ff.h"
#include "sd_card.h"
#include "support/check.h"
// After it:
#include "diskio.h"
#include "simulated_slot.h"

namespace {

constexpr std::uint32_t kSecondMs = 1000;
constexpr unsigned kApplication = 100;

std::uint32_t ms = 0;
std::uint32_t now_ms() { return ms; }

// Blocks whose contents no other ones have.
std::vector<std::uint8_t> blocks_of(std::uint32_t first, std::uint32_t count) {
  std::vector<std::uint8_t> bytes(count * sd_card::kBlockBytes);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(i * 7 + (first + i / sd_card::kBlockBytes) * 31);
  }
  return bytes;
}

DRESULT write(std::uint32_t first, std::uint32_t count) {
  return disk_write(0, blocks_of(first, count).data(), first, count);
}

bool reads(std::uint32_t first, std::uint32_t count) {
  std::vector<std::uint8_t> bytes(count * sd_card::kBlockBytes);
  return disk_read(0, bytes.data(), first, count) == RES_OK && bytes == blocks_of(first, count);
}

bool sync() { return disk_ioctl(0, CTRL_SYNC, nullptr) == RES_OK; }

// Whether the card has the blocks, and nothing waits for its end.
bool has(const SimulatedCard& card, std::uint32_t first, std::uint32_t count) {
  const std::vector<std::uint8_t> expected = blocks_of(first, count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto found = card.blocks.find(first + i);
    const auto begin = expected.begin() + i * sd_card::kBlockBytes;
    if (found == card.blocks.end() || !std::equal(found->second.begin(), found->second.end(), begin))
      return false;
  }
  return true;
}

auto count_of(const SimulatedCard& card, unsigned command) {
  return std::count(card.commands.begin(), card.commands.end(), command);
}

// A card that was started; writes are held, or not.
struct Started {
  explicit Started(bool holds = false) {
    ms = 0;
    sd_card::hold_writes(holds ? &now_ms : nullptr);
    is_ready = disk_initialize(0) == 0;
  }
  ~Started() { sd_card::hold_writes(nullptr); }
  Started(const Started&) = delete;
  Started& operator=(const Started&) = delete;
  bool is_ready = false;
};

// What ends a write that is held, and must not be an error then.
using End = bool (*)(SimulatedCard& card);

bool ends_by_reading(SimulatedCard&) { return reads(100, 1); }
bool ends_by_another_place(SimulatedCard&) { return write(500, 1) == RES_OK && sync(); }
bool ends_by_the_same_place(SimulatedCard&) { return write(100, 1) == RES_OK && sync(); }
bool ends_by_sync(SimulatedCard&) { return sync(); }
bool ends_by_query(SimulatedCard&) {
  std::array<std::uint8_t, 16> number = {};
  return disk_ioctl(0, MMC_GET_CID, number.data()) == RES_OK;
}
bool ends_by_power_off(SimulatedCard&) {
  BYTE off = 0;
  return disk_ioctl(0, CTRL_POWER, &off) == RES_OK;
}
bool ends_by_mount(SimulatedCard&) { return disk_initialize(0) == 0; }
bool ends_by_rest(SimulatedCard& card) {
  ms += kSecondMs - 1;
  sd_card::rest();
  if (!card.is_in_write()) return false;
  ++ms;
  sd_card::rest();
  return true;
}
bool ends_by_write_after_a_second(SimulatedCard& card) {
  ms += kSecondMs;
  return write(103, 1) == RES_OK && count_of(card, 25) == 2 && sync();
}
bool ends_by_verifying(SimulatedCard&) {
  sd_card::hold_writes(nullptr);
  return true;
}

constexpr End kEnds[] = {&ends_by_reading,  &ends_by_another_place, &ends_by_the_same_place,
                         &ends_by_sync,     &ends_by_query,         &ends_by_power_off,
                         &ends_by_mount,    &ends_by_rest,          &ends_by_write_after_a_second,
                         &ends_by_verifying};

// Whether nothing works any more before the card is initialized again.
bool is_given_up() {
  return disk_status(0) == STA_NOINIT && !sync() && !reads(0, 1) && write(0, 1) == RES_ERROR &&
         write(103, 1) == RES_ERROR && !sync() && sd_card::problem() == sd_card::Problem::kRefused;
}

}  // namespace

TEST("several blocks of a call go by one command, whose number of blocks is announced") {
  for (const bool takes_blocks : {false, true}) {
    SimulatedCard card;
    card.takes_blocks = takes_blocks;
    const InSlot in_slot(card);
    const Started started;
    REQUIRE(started.is_ready);
    CHECK(write(100, 7) == RES_OK);
    CHECK(!card.is_in_write());
    CHECK(has(card, 100, 7));
    CHECK(reads(100, 7));
    CHECK(write(200, 1) == RES_OK);
    CHECK(reads(200, 1));
    CHECK(card.announced == std::vector<std::uint32_t>{7});
    CHECK_EQ(count_of(card, 25), 1);
    CHECK_EQ(count_of(card, 24), 1);
    CHECK_EQ(count_of(card, 18), 1);
    CHECK_EQ(count_of(card, 17), 1);
    CHECK_EQ(card.interruptions, 0U);
  }
}

TEST("a card that takes single blocks only gets these, and one that erases nothing ahead is not asked to") {
  for (const bool repeats : {false, true}) {
    SimulatedCard card;
    card.takes_several = false;
    card.erases_ahead = false;
    card.repeats_refusals = repeats;
    const InSlot in_slot(card);
    for (const bool holds : {false, true}) {
      const Started started(holds);
      REQUIRE(started.is_ready);
      card.commands.clear();
      CHECK(write(100, 3) == RES_OK);
      CHECK(write(103, 2) == RES_OK);
      CHECK(has(card, 100, 5));
      CHECK(reads(100, 5));
      CHECK_EQ(count_of(card, 25), 1);
      CHECK_EQ(count_of(card, 24), 5);
      CHECK_EQ(count_of(card, 18), 1);
      CHECK_EQ(count_of(card, kApplication + 23), 1);
    }
    card.takes_several = true;
    const Started started;
    CHECK(write(200, 3) == RES_OK && write(300, 3) == RES_OK);
    CHECK(has(card, 200, 3) && has(card, 300, 3));
    CHECK(card.announced.empty());
  }
}

TEST("a write that is held continues with the next block, and ends by anything else") {
  for (const End end : kEnds) {
    SimulatedCard card;
    const InSlot in_slot(card);
    const Started started(true);
    REQUIRE(started.is_ready);
    CHECK(write(100, 1) == RES_OK);
    ms += kSecondMs - 1;
    CHECK(write(101, 2) == RES_OK);
    CHECK(card.is_in_write());
    CHECK_EQ(count_of(card, 25), 1);
    CHECK(!has(card, 100, 3));
    CHECK(end(card));
    CHECK(!card.is_in_write());
    CHECK(has(card, 100, 3));
    CHECK_EQ(card.interruptions, 0U);
    CHECK(disk_initialize(0) == 0);
  }
}

TEST("without the option no write is held") {
  SimulatedCard card;
  const InSlot in_slot(card);
  const Started started;
  for (std::uint32_t block = 100; block < 103; ++block) {
    CHECK(write(block, 1) == RES_OK);
    CHECK(!card.is_in_write() && has(card, block, 1));
  }
}

TEST("an error at the end of a write that is held fails every call, until the card is initialized") {
  for (const End end : kEnds) {
    SimulatedCard card;
    const InSlot in_slot(card);
    const Started started(true);
    REQUIRE(started.is_ready);
    CHECK(write(100, 3) == RES_OK);
    card.loses_in_write = 1;
    const bool good = end(card);
    CHECK(!has(card, 100, 1));
    if (end == &ends_by_mount) continue;
    CHECK(!good || end == &ends_by_rest || end == &ends_by_verifying);
    if (end != &ends_by_power_off) CHECK(is_given_up());
    CHECK(disk_initialize(0) == 0);
    CHECK(write(100, 3) == RES_OK && sync() && has(card, 100, 3));
  }
}

TEST("a card that is pulled out of a write that is held is given up") {
  SimulatedCard card;
  const InSlot in_slot(card);
  const Started started(true);
  REQUIRE(started.is_ready);
  CHECK(write(100, 3) == RES_OK);
  InSlot::pull();
  ms += kSecondMs;
  sd_card::rest();
  CHECK(is_given_up());
  CHECK(disk_initialize(0) == STA_NOINIT);
}

TEST("a card that is pulled out of a write that is held fails the next block") {
  SimulatedCard card;
  const InSlot in_slot(card);
  const Started started(true);
  REQUIRE(started.is_ready);
  CHECK(write(100, 3) == RES_OK);
  InSlot::pull();
  CHECK(write(103, 1) == RES_ERROR);
  CHECK(is_given_up());
}

TEST(
    "a command, or a block in either direction, that arrives with a wrong bit goes again, but not for ever") {
  constexpr unsigned kTries = 3;
  unsigned SimulatedCard::* const faults[] = {&SimulatedCard::broken_commands, &SimulatedCard::broken_blocks,
                                              &SimulatedCard::broken_reads};
  for (const auto fault : faults) {
    for (const std::uint32_t blocks : {1U, 5U}) {
      for (unsigned times = 1; times <= kTries; ++times) {
        SimulatedCard card;
        card.erases_ahead = false;  // a hint, which the driver sends once and whose fate does not matter
        const InSlot in_slot(card);
        const Started started;
        REQUIRE(started.is_ready && write(200, 2) == RES_OK);
        if (fault != &SimulatedCard::broken_reads) card.*fault = times;
        const bool written = write(100, blocks) == RES_OK;
        card.*fault = fault != &SimulatedCard::broken_blocks ? times : 0;
        const bool read = written && reads(100, blocks);
        CHECK_EQ(written && read, times != kTries);
        CHECK(!written || has(card, 100, blocks));
        CHECK_EQ(card.interruptions, 0U);
      }
    }
  }
}

TEST("a write that a wrong bit has ended continues with what the card has not written") {
  for (const unsigned slips : {0U, 1U, 3U, 4U}) {
    SimulatedCard card;
    const InSlot in_slot(card);
    const Started started(true);
    REQUIRE(started.is_ready);
    CHECK(write(100, 2) == RES_OK);
    CHECK(write(102, 2) == RES_OK);
    card.broken_blocks = 1;
    card.slips = slips;
    // Of the blocks that the card drops, those of the calls before are gone.
    CHECK_EQ(write(104, 3) == RES_OK, slips == 0);
    CHECK_EQ(sd_card::is_lost(), slips != 0);
    CHECK_EQ(sync() && has(card, 100, 7), slips == 0);
  }
  SimulatedCard card;
  const InSlot in_slot(card);
  const Started started;
  REQUIRE(started.is_ready);
  for (const unsigned slips : {0U, 1U, 2U}) {
    card.blocks.clear();
    card.slips = slips;
    card.breaks_after = 3;
    card.broken_blocks = 1;
    CHECK(write(100, 6) == RES_OK);
    CHECK(has(card, 100, 6));
  }
}

TEST("a block that the card cannot write is an error of its own call") {
  for (const bool holds : {false, true}) {
    for (const std::uint32_t blocks : {1U, 4U}) {
      SimulatedCard card;
      const InSlot in_slot(card);
      const Started started(holds);
      REQUIRE(started.is_ready);
      card.refused_blocks = 1;
      CHECK(write(100, blocks) == RES_ERROR);
      CHECK(!sd_card::is_lost());
      CHECK(write(100, blocks) == RES_OK && sync() && has(card, 100, blocks));
      // The next one of a write that is held may speak for those before.
      card.refused_blocks = 1;
      CHECK(write(100 + blocks, 1) == RES_ERROR || !holds);
      CHECK(!sd_card::is_lost());
      CHECK(write(200, 1) == RES_OK);
      card.refused_blocks = 1;
      CHECK(write(201, 1) == RES_ERROR);
      CHECK_EQ(sd_card::is_lost(), holds);
    }
  }
}

TEST("a card that does not check CRCs is read and written") {
  SimulatedCard card;
  card.checks_crc = false;
  card.repeats_refusals = true;
  const InSlot in_slot(card);
  const Started started;
  REQUIRE(started.is_ready);
  CHECK(write(100, 3) == RES_OK);
  CHECK(reads(100, 3));
}
