// The clock, as Zephyr's documentation declares it.
#pragma once

#include <cstdint>

std::uint32_t k_uptime_get_32();
std::int32_t k_msleep(std::int32_t ms);
