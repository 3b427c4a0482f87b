// The board's driver of its SD card, over a simulated bus.
#include "sd_card.h"

#include "ff.h"
#include "support/check.h"
// After it:
#include "diskio.h"
#include "simulated_slot.h"

namespace {

// Bits of the card-specific data.
constexpr unsigned kTemporaryWriteProtect = 12;
constexpr unsigned kPermanentWriteProtect = 13;
constexpr unsigned kDataBits = 128;

}  // namespace

TEST("a card is started, written and read, whichever addresses it takes") {
  for (const bool takes_blocks : {false, true}) {
    SimulatedCard card;
    card.takes_blocks = takes_blocks;
    const InSlot in_slot(card);
    REQUIRE(disk_initialize(0) == 0);
    SimulatedCard::Block block;
    for (std::size_t i = 0; i < block.size(); ++i) block[i] = static_cast<std::uint8_t>(i * 7);
    CHECK(disk_write(0, block.data(), 1000, 1) == RES_OK);
    CHECK(card.blocks.count(1000) == 1 && card.blocks[1000] == block);
    SimulatedCard::Block read = {};
    CHECK(disk_read(0, read.data(), 1000, 1) == RES_OK);
    CHECK(read == block);
  }
}

TEST("an empty slot is reported") {
  CHECK(disk_initialize(0) == STA_NOINIT);
  CHECK(sd_card::problem() == sd_card::Problem::kAbsent);
}

TEST("a card whose data say so is write-protected, and is not written") {
  for (const unsigned bit : {kTemporaryWriteProtect, kPermanentWriteProtect}) {
    SimulatedCard card;
    card.set_data_bit(bit);
    const InSlot in_slot(card);
    CHECK(disk_initialize(0) == STA_PROTECT);
    CHECK(disk_status(0) == STA_PROTECT);
    SimulatedCard::Block block = {};
    CHECK(disk_write(0, block.data(), 0, 1) == RES_WRPRT);
    CHECK_EQ(card.writes, 0);
    CHECK(disk_read(0, block.data(), 0, 1) == RES_OK);
  }
}

TEST("nothing else in a card's data protects it") {
  SimulatedCard card;
  for (unsigned bit = 0; bit < kDataBits; ++bit) {
    if (bit != kTemporaryWriteProtect && bit != kPermanentWriteProtect) card.set_data_bit(bit);
  }
  const InSlot in_slot(card);
  CHECK(disk_initialize(0) == 0);
}

TEST("a card that does not tell its data, or with a wrong CRC, is not protected") {
  for (const bool tells : {false, true}) {
    SimulatedCard card;
    card.set_data_bit(kPermanentWriteProtect);
    card.tells_registers = tells;
    card.breaks_data_crc = tells;
    const InSlot in_slot(card);
    CHECK(disk_initialize(0) == 0);
  }
}

TEST("a card that refuses to tell, and says so again with its next answer, is read and written") {
  SimulatedCard card;
  card.tells_registers = false;
  card.repeats_refusals = true;
  const InSlot in_slot(card);
  CHECK(disk_initialize(0) == 0);
  SimulatedCard::Block block = {};
  CHECK(disk_read(0, block.data(), 0, 1) == RES_OK);
  CHECK(disk_ioctl(0, MMC_GET_CID, block.data()) == RES_ERROR);
  CHECK(disk_write(0, block.data(), 0, 1) == RES_OK);
  CHECK_EQ(card.writes, 1);
}

TEST("a card that does not tell its status is read and written") {
  SimulatedCard card;
  card.tells_status = false;
  const InSlot in_slot(card);
  CHECK(disk_initialize(0) == 0);
  SimulatedCard::Block block = {};
  CHECK(disk_write(0, block.data(), 0, 1) == RES_OK);
  CHECK(disk_read(0, block.data(), 0, 1) == RES_OK);
}

TEST("a card that starts again in a write has not written, whether it tells its status or not") {
  for (const bool tells : {false, true}) {
    SimulatedCard card;
    card.tells_status = tells;
    card.resets_in_write = true;
    const InSlot in_slot(card);
    REQUIRE(disk_initialize(0) == 0);
    SimulatedCard::Block block = {};
    CHECK(disk_write(0, block.data(), 0, 1) == RES_ERROR);
    CHECK(sd_card::problem() == sd_card::Problem::kRefused);
  }
}

TEST("another card is asked again") {
  SimulatedCard card;
  card.set_data_bit(kTemporaryWriteProtect);
  SimulatedCard other;
  {
    const InSlot in_slot(card);
    CHECK(disk_initialize(0) == STA_PROTECT);
  }
  const InSlot in_slot(other);
  CHECK(disk_initialize(0) == 0);
}

TEST("a card that stops to answer, or does not start, is given up") {
  constexpr unsigned kBytesPerSecond = 390'625 / 8;  // until it has started
  SimulatedCard stopped;
  stopped.stops = true;
  SimulatedCard slow;
  slow.starts = false;
  for (SimulatedCard* card : {&stopped, &slow}) {
    const InSlot in_slot(*card);
    CHECK(disk_initialize(0) == STA_NOINIT);
    CHECK(sd_card::problem() == sd_card::Problem::kRefused);
  }
  CHECK(stopped.bytes < kBytesPerSecond / 100);
  CHECK(slow.bytes >= kBytesPerSecond && slow.bytes < 2 * kBytesPerSecond);
}

TEST("a card tells its number") {
  SimulatedCard card;
  for (std::size_t i = 0; i < card.identification.size(); ++i)
    card.identification[i] = static_cast<std::uint8_t>(i * 11);
  std::array<std::uint8_t, 16> number = {};
  {
    const InSlot in_slot(card);
    REQUIRE(disk_initialize(0) == 0);
    CHECK(disk_ioctl(0, MMC_GET_CID, number.data()) == RES_OK);
    CHECK(number == card.identification);
  }
  CHECK(disk_ioctl(0, MMC_GET_CID, number.data()) == RES_ERROR);
}

TEST("a card says how many blocks it has, in either form") {
  SimulatedCard small;  // (5 + 1) units of 2^(3 + 2) blocks of 2^10 bytes
  for (const unsigned bit : {62U, 64U, 47U, 48U, 81U, 83U}) small.set_data_bit(bit);
  SimulatedCard large;  // (4099 + 1) units of 512 KiB
  for (const unsigned bit : {48U, 49U, 60U, 126U}) large.set_data_bit(bit);
  {
    const InSlot in_slot(small);
    REQUIRE(disk_initialize(0) == 0);
    CHECK_EQ(sd_card::sectors(), 6U * 32 * 2);
    small.tells_registers = false;
    CHECK_EQ(sd_card::sectors(), 0U);
  }
  const InSlot in_slot(large);
  REQUIRE(disk_initialize(0) == 0);
  CHECK_EQ(sd_card::sectors(), 4100U * 1024);
}

TEST("a card answers to a question of its maker's, and continues after one that it does not know") {
  SimulatedCard card;
  card.general_argument = 0x53420001;
  for (std::size_t i = 0; i < card.general.size(); ++i) card.general[i] = static_cast<std::uint8_t>(i * 5);
  const InSlot in_slot(card);
  REQUIRE(disk_initialize(0) == 0);
  SimulatedCard::Block block = {};
  CHECK(!sd_card::ask(1, block.data()));
  CHECK(sd_card::ask(card.general_argument, block.data()));
  CHECK(block == card.general);
  CHECK(disk_write(0, block.data(), 3, 1) == RES_OK);
  CHECK(card.blocks[3] == block);
  card.repeats_refusals = true;
  CHECK(!sd_card::ask(1, block.data()));
  CHECK(disk_read(0, block.data(), 3, 1) == RES_OK);
}
