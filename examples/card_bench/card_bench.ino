// Times an SD card for the models of tests/cards, and prints a line of JSON on the serial monitor: send it in. It writes
// 30 MB, in a file of its own that it removes again, and takes less than five minutes.
//
// Needs: SdFat 2.1 or newer; an SD card slot at the board's SPI pins, its chip select at kChipSelect, nothing else on these pins; a card
// with 20 MB free in one piece; 7 KB of RAM. See README.md.
#include <SdFat.h>

#include "card_bench.h"

constexpr int kChipSelect = 10;
constexpr uint32_t kMegahertz = 16;

using card_bench::Allocated;
using card_bench::kFileName;
using card_bench::kSectorBytes;

class SdFatCard final : public card_bench::Card {
 public:
  bool start(card_bench::Identity& identity) override {
    identity.driver = "SdFat " SD_FAT_VERSION_STR ", dedicated SPI";
    identity.clock_hz = kMegahertz * 1000000;
    if (!sd_.cardBegin(SdSpiConfig(kChipSelect, DEDICATED_SPI, SD_SCK_MHZ(kMegahertz)))) return false;
    identity.sectors = static_cast<uint32_t>(sd_.card()->sectorCount());
    cid_t cid;
    identity.has_cid = sd_.card()->readCID(&cid);
    static_assert(sizeof cid == sizeof identity.cid, "a register");
    memcpy(identity.cid, &cid, sizeof cid);
    return true;
  }

  bool mount() override { return sd_.volumeBegin(); }

  Allocated allocate(uint32_t bytes, uint32_t& first) override {
    if (sd_.exists(kFileName) && !remove_marked()) return Allocated::kNameTaken;
    if (!file_.open(&sd_, kFileName, O_RDWR | O_CREAT | O_EXCL)) return Allocated::kFailed;
    // It does not say why it has failed.
    if (!file_.preAllocate(bytes)) return remove() ? Allocated::kFull : Allocated::kFailed;
    uint32_t begin = 0;
    uint32_t end = 0;
    if (!file_.sync() || !file_.contiguousRange(&begin, &end) || !file_.seek(bytes)) return Allocated::kFailed;
    first = begin;
    return Allocated::kYes;
  }

  // After an error SdFat closes no file: the card is started again, and loses the file that has the mark.
  bool remove() override {
    if (file_.remove()) return true;
    file_ = FsFile();
    return sd_.cardBegin(SdSpiConfig(kChipSelect, DEDICATED_SPI, SD_SCK_MHZ(kMegahertz))) && sd_.volumeBegin() &&
           remove_marked();
  }

  bool write(uint32_t sector, const uint8_t* data, uint32_t count) override {
    return sd_.card()->writeSectors(sector, data, count);
  }

  // SdFat returns while the card is still programming.
  bool sync() override {
    if (!sd_.card()->syncDevice()) return false;
    const uint32_t began = millis();
    while (sd_.card()->isBusy()) {
      if (millis() - began > kMaxBusyMs) return false;
    }
    return true;
  }

  bool go_to_end() override {
    while (file_.position() % sd_.bytesPerCluster() != 0) {
      if (file_.write(zeros_, sizeof zeros_) != sizeof zeros_) return false;
    }
    return sync();
  }

  Allocated grow() override {
    if (sd_.freeClusterCount() == 0) return Allocated::kFull;
    const bool is_written = file_.write(zeros_, sizeof zeros_) == sizeof zeros_;
    return is_written && file_.sync() && sync() ? Allocated::kYes : Allocated::kFailed;
  }

  // SdFat sends no command that it does not know.
  bool ask(uint32_t, uint8_t*) override { return false; }

  uint32_t now_us() override { return micros(); }
  void wait_ms(uint32_t ms) override { delay(ms); }

 private:
  static constexpr uint32_t kMaxBusyMs = 2000;

  // A file of that name without the mark is the owner's, and stays; an empty one was cut off when it was made.
  bool remove_marked() {
    FsFile other;
    if (!other.open(&sd_, kFileName, O_RDWR)) return false;
    uint8_t sector[kSectorBytes];
    const int read = other.read(sector, sizeof sector);
    const bool is_marked = read == static_cast<int>(sizeof sector) && card_bench::is_mark(sector);
    const bool is_ours = is_marked || (read == 0 && other.size() == 0);
    if (!is_ours) other.close();
    return is_ours && other.remove();
  }

  SdFs sd_;
  FsFile file_;
  uint8_t zeros_[kSectorBytes] = {};
};

uint8_t buffer[8 * kSectorBytes];
SdFatCard card;
bool is_done = false;

void setup() { Serial.begin(115200); }

void loop() {
  if (is_done || !Serial) return;
  card_bench::Bench bench(card, buffer, sizeof buffer);
  bench.run();
  bench.print([](void*, const char* text) { Serial.print(text); }, nullptr);
  Serial.println("");
  is_done = true;
}
