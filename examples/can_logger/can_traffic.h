// Two buses under load. The frames are made up from their number.
#pragma once

#include <cstddef>
#include <cstdint>

#include "can_frame.h"

#ifndef CAN_DATA_BYTES
#define CAN_DATA_BYTES 8
#endif

inline constexpr std::size_t kCanDataBytes = CAN_DATA_BYTES;
inline constexpr std::uint32_t kFramesPerSecond = kCanDataBytes > 8 ? 5'000 : 11'000;

// 32 messages: ids of 11 bits and, one in eight, of 29; four are shorter than the others. A counter, a value that changes, a state.
inline QueuedFrame<kCanDataBytes> made_up_frame(std::uint32_t number) {
  constexpr std::uint32_t kHash = 2654435761U;
  constexpr std::uint32_t kInMs = kFramesPerSecond / 1000;
  const std::uint32_t hash = number * kHash;
  const std::uint32_t message = hash >> 27;
  const bool is_extended = message % 8 == 7;
  QueuedFrame<kCanDataBytes> frame{};
  frame.time_us = number / kInMs * 1000 + number % kInMs * 1000 / kInMs;
  frame.id = is_extended ? 0x18FEF100 + message : 0x100 + 0x15 * message;
  frame.bus = message % 2;
  frame.flags = is_extended ? can_flags::kExtended : 0;
  if (kCanDataBytes > 8) frame.flags |= can_flags::kFd | can_flags::kFaster;
  frame.length = static_cast<std::uint8_t>(message < 4 ? 2 * message : kCanDataBytes);
  const std::uint32_t bytes[] = {number / 32, number / 8192, hash >> 16, message, 0x55, 0, 0, 0xFF};
  for (std::size_t i = 0; i < frame.length; ++i) frame.data[i] = static_cast<std::uint8_t>(bytes[i % 8]);
  return frame;
}
