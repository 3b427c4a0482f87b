// The counters of wear that some cards of makers for industry tell, each in a form of its own. The forms are those that the
// makers' customers have published, as in the program sdmon.
#include <string.h>

#include "card_bench.h"
#include "wear_page.h"

namespace card_bench {
namespace {

constexpr uint8_t kNone = WearPage::kNone;

constexpr WearPage kPages[] = {
    {"SanDisk", 0x00000001, {'D', 'S'}, true, 8, kNone, kNone, kNone, kNone},
    {"Western Digital", 0x00000001, {'D', 'W'}, true, 8, kNone, kNone, kNone, kNone},
    {"Longsys", 0x00000001, {'p', 'X'}, false, kNone, 44, kNone, kNone, kNone},
    {"Innodisk", 0x110005FD, {'L', 'X'}, true, kNone, kNone, 44, 36, 40},
    {"ADATA", 0x110005F1, {0x09, 'A'}, true, kNone, 70, 44, 36, 40},
    {"Transcend", 0x110005F9, {'T', 'r'}, false, kNone, 70, 44, 36, 40},
    {"Micron", 0x110005FB, {'M', 'E'}, true, 7, kNone, kNone, kNone, kNone},
    {"Swissbit", 0x53420001, {'S', 'w'}, true, kNone, 80, 60, 52, 56},
};

// A card that does not know the argument may answer with a block of one byte.
bool says_something(const uint8_t* block) {
  for (uint32_t i = 1; i != kSectorBytes; ++i) {
    if (block[i] != block[0]) return true;
  }
  return false;
}

}  // namespace

uint32_t WearPage::number(const uint8_t* block, uint8_t at) const {
  uint32_t number = 0;
  for (uint8_t i = 0; i != 4; ++i) number = number << 8 | block[at + (is_big_endian ? i : 3 - i)];
  return number;
}

Wear read_wear(Card& card, uint8_t* block) {
  Wear wear = {};
  uint32_t asked = 0;
  for (const WearPage& page : kPages) {
    if (page.argument != asked) {
      asked = page.argument;
      memset(block, 0, kSectorBytes);
      if (!card.ask(asked, block)) memset(block, 0, kSectorBytes);
    }
    if (!says_something(block)) continue;
    const bool is_this = memcmp(block, page.signature, sizeof page.signature) == 0;
    if (!is_this && wear.is_known) continue;
    wear.is_known = true;
    wear.argument = asked;
    wear.page = is_this ? &page : nullptr;
    memcpy(wear.signature, block, sizeof wear.signature);
    memcpy(wear.block, block, sizeof wear.block);
    if (is_this) break;
  }
  return wear;
}

}  // namespace card_bench
