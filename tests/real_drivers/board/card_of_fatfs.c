// The card's pins, as no-OS-FatFS-SD-SPI-RPi-Pico asks its user for them.
#include "hw_config.h"

static spi_t spis[] = {{.hw_inst = spi0, .miso_gpio = 16, .sck_gpio = 18, .mosi_gpio = 19, .baud_rate = 40 * 1000 * 1000}};
static sd_card_t cards[] = {{.pcName = "0:", .spi = &spis[0], .ss_gpio = 17}};

size_t sd_get_num(void) { return 1; }
sd_card_t* sd_get_by_num(size_t number) { return number == 0 ? &cards[0] : NULL; }
size_t spi_get_num(void) { return 1; }
spi_t* spi_get_by_num(size_t number) { return number == 0 ? &spis[0] : NULL; }
