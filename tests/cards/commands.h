// What a driver asks a card to do, one command after the other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace cards {

inline constexpr std::uint32_t kSectorBytes = 512;

// What sectors are written for.
enum class Cause : std::uint8_t { kPages, kRecords, kFooters, kTable, kDirectory };
inline constexpr std::size_t kCauses = 5;
inline constexpr std::array<const char*, kCauses> kCauseNames = {"pages", "records", "footers", "table",
                                                                 "directory"};

class Commands {
 public:
  virtual ~Commands() = default;

  virtual void write(std::uint32_t sector, std::uint32_t count, Cause cause) = 0;
  virtual void read(std::uint32_t sector, std::uint32_t count) = 0;
  virtual void sync() = 0;

  // A call of the program begins, at a time of its own: what follows is what it costs.
  virtual void begin_call(std::uint32_t ms) = 0;
  // That call was one whose time is not asked for: it has ended a file and begun the next one.
  virtual void forget_call() {}

  // A file's sync has returned: what was written of it is durable.
  virtual void publish() {}
};

}  // namespace cards
