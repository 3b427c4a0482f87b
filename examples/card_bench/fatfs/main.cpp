// Times an SD card for the models of tests/cards, and prints a line of JSON.
//
// Needs: the board LM3S6965EVB with an SD card in its slot, FAT16, FAT32 or exFAT, of which 20 MB are free in one piece; a
// terminal at its serial port. It leaves the card's files alone. Another board needs another one of this file.
//
// README.md has the commands that run it in QEMU, whose times mean nothing. The word `short` on the command line of an
// emulator or debugger makes an eighth of the writes.
#include "card_bench.h"
#include "fatfs_card.h"
#include "microparquet/port/semihosting.h"
#include "sd_card.h"
#include "serial_console.h"
#include "system_clock.h"
#include "systick.h"
#include "uptime.h"

namespace {

std::uint32_t now_ms() { return static_cast<std::uint32_t>(uptime::now_ms()); }

class BoardCard final : public FatfsCard {
 public:
  bool start(card_bench::Identity& identity) override {
    identity.driver = "microparquet lm3s6965evb sd_card, held, in QEMU: times mean nothing";
    identity.is_emulated = true;
    identity.clock_hz = 25'000'000;  // SSI0's clock of 50 MHz by its divider of 2
    if (!FatfsCard::start(identity)) return false;
    identity.sectors = sd_card::sectors();
    return true;
  }
  bool ask(std::uint32_t argument, std::uint8_t* block) override { return sd_card::ask(argument, block); }
  std::uint32_t now_us() override { return static_cast<std::uint32_t>(uptime::now_us()); }
  void wait_ms(std::uint32_t ms) override {
    const std::uint32_t began = now_ms();
    while (now_ms() - began < ms) systick::wait();
  }
};

constexpr std::uint32_t kBufferBytes = 16 << 10;
constexpr std::uint32_t kShort = 8;

alignas(4) std::uint8_t buffer[kBufferBytes];
BoardCard card;
SerialConsole console;

void print(void*, const char* text) { console.print(text); }
void ignore_tick(std::uint64_t) {}

std::uint32_t divisor() {
  char text[256];
  const auto line = microparquet::semihosting::command_line(microparquet::Span<char>(text));
  return line.find("short") < line.size() ? kShort : 1;
}

}  // namespace

int main() {
  system_clock::start();
  console.start();
  uptime::start(ignore_tick);
  sd_card::hold_writes(now_ms);
  card_bench::Bench bench(card, buffer, sizeof buffer, divisor());
  const bool good = bench.run();
  bench.print(print, nullptr);
  console.print("\n");
  return good ? 0 : 1;
}
