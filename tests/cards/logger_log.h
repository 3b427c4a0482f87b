// A log of `imu8` by the Arduino port's Logger as it is by default, over SdFat as tests/ports plays it: FatFs moves the sectors.
#pragma once

#include "cards/logs.h"

namespace cards {

// The Logger's own time stands for that of `imu8`. What sectors of its files are written for is not told apart.
Logged log_by_logger(LoggedCard& card, const Rate& rate);

}  // namespace cards
