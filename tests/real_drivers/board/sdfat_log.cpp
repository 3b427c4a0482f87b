// The log over SdFat's own driver of cards, on SPI 0.
#include <SdFat.h>

#include "hardware/gpio.h"
#include "hardware/spi.h"
#include "log.h"
#include "microparquet/port/arduino_file.h"
#include "pico/stdlib.h"

extern "C" unsigned long millis() { return to_ms_since_boot(get_absolute_time()); }

void sdCsInit(SdCsPin_t pin) {
  gpio_init(pin);
  gpio_put(pin, true);
  gpio_set_dir(pin, GPIO_OUT);
}
void sdCsWrite(SdCsPin_t pin, bool level) { gpio_put(pin, level); }

namespace {

constexpr unsigned kSelect = 17;

class BoardSpi final : public SdSpiBaseClass {
 public:
  void begin(SdSpiConfig) override {
    spi_init(spi0, 400'000);
    for (const unsigned pin : {16U, 18U, 19U}) gpio_set_function(pin, GPIO_FUNC_SPI);
    gpio_pull_up(16);
  }
  std::uint8_t receive() override {
    std::uint8_t byte = 0;
    receive(&byte, 1);
    return byte;
  }
  std::uint8_t receive(std::uint8_t* to, std::size_t bytes) override {
    spi_read_blocking(spi0, 0xFF, to, bytes);
    return 0;
  }
  void send(std::uint8_t byte) override { send(&byte, 1); }
  void send(const std::uint8_t* from, std::size_t bytes) override { spi_write_blocking(spi0, from, bytes); }
  void setSckSpeed(std::uint32_t hz) override { spi_set_baudrate(spi0, hz); }
};

BoardSpi the_spi;
SdFs sd;
FsFile opened;
mpq::ArduinoFile<FsFile> log_file;

mpq::Status open_log() {
  const std::uint8_t way = settings().dedicated_spi != 0 ? DEDICATED_SPI : SHARED_SPI;
  if (!sd.begin(SdSpiConfig(kSelect, way, 40'000'000, &the_spi))) return mpq::Status::kMediumLost;
  if (!opened.open(&sd, "LOG.PQT", O_RDWR | O_CREAT)) return mpq::Status::kIoError;
  return log_file.attach(opened, sd);
}

}  // namespace

int main() {
  stdio_init_all();
  mpq::Status status = open_log();
  if (status == mpq::Status::kOk) status = log_as_set(log_file);
  if (status == mpq::Status::kOk) status = log_file.close();
  end_boot(status);
}
