// An SD card: what its bus and its flash do with commands. A page that a command covers in part is read and programmed whole.
#pragma once

#include <cstdint>
#include <memory>

#include "cards/commands.h"
#include "cards/flash.h"

namespace cards {

// How a driver sends what the file system writes in one call.
enum class Driver : std::uint8_t {
  kPlain,    // one command a call
  kHeld,     // a multiple-block write that stays open as long as sectors follow each other
  kSectors,  // one command a sector
};

// What the bus has carried.
struct Traffic {
  std::uint64_t commands = 0;        // that write
  std::uint64_t seeks = 0;           // of these, to a sector other than the next
  std::uint64_t single_sectors = 0;  // sectors that neither follow another one nor are followed
  std::uint64_t sectors = 0;         // written
};

class Card final : public Commands {
 public:
  Card(const CardKind& kind, Driver driver) : kind_(kind), driver_(driver), flash_(make_flash(kind)) {}

  void write(std::uint32_t sector, std::uint32_t count, Cause cause) override;
  void read(std::uint32_t sector, std::uint32_t count) override;
  void sync() override;
  void begin_call(std::uint32_t ms) override;
  void forget_call() override;

  // Ends what the driver holds open.
  void end();

  const CardKind& kind() const { return kind_; }
  const Wear& wear() const { return flash_->wear(); }
  const Traffic& traffic() const { return traffic_; }
  double busy_us() const { return bus_us_ + wear().busy_us; }
  double longest_call_us() const { return longest_call_us_; }  // before the last one

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  void write_command(std::uint32_t sector, std::uint32_t count, Cause cause);
  void write_sector(std::uint32_t sector, Cause cause);
  void end_command();
  void program(bool ends_command);
  std::uint32_t sectors_in_page() const { return kind_.page_bytes / kSectorBytes; }

  CardKind kind_;
  Driver driver_;
  std::unique_ptr<Flash> flash_;
  Traffic traffic_;
  double bus_us_ = 0;
  double call_began_us_ = 0;
  double longest_call_us_ = 0;
  bool is_open_ = false;        // a command that writes
  std::uint32_t next_ = kNone;  // sector after the last one written
  std::uint32_t run_ = 0;       // sectors that followed each other
  std::uint32_t page_ = kNone;  // being filled
  std::uint32_t filled_ = 0;    // sectors of it
  Cause cause_ = Cause::kPages;
};

}  // namespace cards
