// The board that sketches run on: its clock, its LED, its inputs and what it says.
#pragma once

#include <cstdint>
#include <string>

namespace ports {

inline std::uint32_t now_ms = 0;
inline bool led = false;
inline std::string said;   // to the serial port
inline std::string typed;  // what the serial port has still to read

// The reading of the analog input at a time.
inline int light_at(std::uint32_t ms) { return static_cast<int>(ms / 7 % 1024); }

}  // namespace ports
