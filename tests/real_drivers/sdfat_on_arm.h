// Stands before each source of SdFat, and of what includes it: SdFat as it is compiled for Arm, on any machine.
#pragma once

#include <cstddef>
#include <cstdint>

class __FlashStringHelper;  // NOLINT(*-reserved-identifier): SdFat names it without Arduino, too; SS is a pin
extern "C" unsigned long millis();

#define SS 0
#define __arm__ 1
#include "SdFatConfig.h"
#undef __arm__
static_assert(USE_SEPARATE_FAT_CACHE == 1, "SdFat has a cache of its own for FAT's table");
static_assert(USE_EXFAT_BITMAP_CACHE == 1, "SdFat has a cache of its own for exFAT's bitmap");
