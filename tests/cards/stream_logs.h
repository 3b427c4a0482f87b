// Logs in the forward layout, by plans for the memory that a device has (support/stream_plans.h).
#pragma once

#include <vector>

#include "cards/logs.h"

namespace cards {

const std::vector<Log>& stream_logs();

}  // namespace cards
