// Formats an SD card for logs: FAT32 with clusters of 32 KB, aligned to the 4 MB in which cards erase. A card
// above 32 GB comes as exFAT, and many a library and PC makes nothing else of it. ALL FILES ON THE CARD ARE
// LOST: the sketch asks twice, in the serial monitor, whose line ending must not be "none". Then any sketch
// logs on the card.
//
// Needs: SdFat 2; an SD card slot at the board's SPI pins, its chip select at kChipSelect; a card of 4 GB to 2 TB.
#include <SdFat.h>

#include "fat32_layout.h"

constexpr int kChipSelect = 10;
constexpr char kFirstWord[] = "FORMAT";
constexpr char kSecondWord[] = "YES";

enum class Step { kFindCard, kAsk, kAskAgain, kEnd };

SdCardFactory factory;
SdCard* card = nullptr;
Fat32Layout layout;
Step step = Step::kFindCard;
char typed[8];  // the beginning of a line, longer than either word
unsigned letters = 0;

// Returns whether a line has been typed, which is not empty.
bool read_line() {
  while (Serial.available() > 0) {
    const int letter = Serial.read();
    const bool ends = letter == '\n' || letter == '\r';
    if (!ends && letters < sizeof typed - 1) typed[letters++] = static_cast<char>(letter);
    if (!ends || letters == 0) continue;
    typed[letters] = 0;
    letters = 0;
    return true;
  }
  return false;
}

void end(const char* text) {
  Serial.println(text);
  step = Step::kEnd;
}

void find_card() {
  card = factory.newCard(SdSpiConfig(kChipSelect, DEDICATED_SPI, SD_SCK_MHZ(16)));
  if (card == nullptr || card->errorCode() != 0) return end("There is no card.");
  const uint32_t sectors = static_cast<uint32_t>(card->sectorCount());
  if (!place_volume(sectors, layout)) return end("The card is below 4 GB: it is FAT already, leave it as it is.");
  Serial.print("This card has ");
  Serial.print(sectors / (1000000000 / 512));
  Serial.println(" GB. ALL FILES ON IT WILL BE LOST. Type FORMAT to format it.");
  step = Step::kAsk;
}

// Writes the table of partitions last, over one that is empty: a card whose format was interrupted has no
// volume, instead of half a one.
bool format_card() {
  uint8_t bytes[512] = {};
  if (!card->writeSector(0, bytes)) return false;
  const uint32_t id = millis();
  for (uint32_t sector = layout.first; sector != layout.end_of_root(); ++sector) {
    fill_sector(layout, sector, id, bytes);
    if (!card->writeSector(sector, bytes)) return false;
    if (sector % 2048 == 0) Serial.print(".");
  }
  fill_sector(layout, 0, id, bytes);
  return card->writeSector(0, bytes) && card->syncDevice();
}

void setup() { Serial.begin(115200); }

void loop() {
  if (step == Step::kFindCard) {
    if (Serial) find_card();
  } else if (step != Step::kEnd && read_line()) {
    const bool asked_again = step == Step::kAskAgain;
    if (strcmp(typed, asked_again ? kSecondWord : kFirstWord) != 0) return end("Nothing was written.");
    step = Step::kAskAgain;
    if (!asked_again) return static_cast<void>(Serial.println("Type YES to lose all files on the card."));
    end(format_card() ? "\nThe card is ready." : "\nThe card has failed: it has no volume now. Start again.");
  }
}
