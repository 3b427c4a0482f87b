// Counts of all lives.
#pragma once

#include <array>
#include <cstdint>

#include "image.h"

namespace lives {

enum class Op {
  kOpen,
  kResume,
  kAppend,
  kAppendColumns,
  kTick,
  kCheckpoint,
  kSave,
  kEndRowGroup,
  kSetKeyValue,
  kRoll,
  kReconnect,
  kReset,
  kClose
};
inline constexpr unsigned kOps = 13;
inline constexpr std::array<const char*, kOps> kOpNames = {
    "open",          "resume",        "append", "append_columns", "tick",  "checkpoint", "save",
    "end_row_group", "set_key_value", "roll",   "reconnect",      "reset", "close"};

struct Tally {
  std::uint64_t lives = 0;
  std::uint64_t boots = 0;
  std::uint64_t without_rows = 0;      // boots
  std::uint64_t key_values_first = 0;  // boots that set some before their first row
  std::uint64_t cuts = 0;              // inside a call
  std::uint64_t images = 0;
  std::uint64_t probes = 0;        // images of what a cut would leave
  std::uint64_t rows = 0;          // taken
  std::uint64_t rows_lost = 0;     // as reconnect() said
  std::uint64_t other_files = 0;   // that were held out to reconnect()
  std::uint64_t damaged = 0;       // files with wrong bits
  std::uint64_t damage_found = 0;  // that a call has answered with
  std::uint64_t failed_calls = 0;
  std::uint64_t full = 0;      // boots that ended with a file of the largest size that the store has
  std::uint64_t measured = 0;  // times that the loss of a cut was held against loss_bound()
  std::array<std::uint64_t, kOps> ops = {};
  std::array<std::uint64_t, kWrongs> wrong = {};
};

}  // namespace lives
