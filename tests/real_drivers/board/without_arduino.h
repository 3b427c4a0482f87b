// Declarations that SdFat expects even without Arduino; included before each of its sources.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define SS 17
extern "C" unsigned long millis(void);
class __FlashStringHelper;  // NOLINT(*-reserved-identifier): SdFat names it all the same
