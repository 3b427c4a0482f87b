// Attributes of ESP-IDF for memory that a reset leaves as it is; here all memory is left.
#pragma once

#define RTC_NOINIT_ATTR
