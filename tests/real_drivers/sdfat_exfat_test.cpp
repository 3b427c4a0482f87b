// ArduinoFile over SdFat itself on exFAT: the directory entries of the log at each place of a sector, a log whose clusters
// another file interrupts, and the port's contract. The power fails at each sector write. SdFat reads all durable rows and
// continues the log each time; where the entries lie across two sectors, FatFs, as a PC, may not.
#include <SdFat.h>

#include <cstdio>
#include <memory>
#include <string>

#include "contract_test.h"
#include "exfat_slots.h"
#include "real_sdfat.h"
#include "sdfat_losses.h"
#include "support/check.h"

namespace {

namespace mpq = microparquet;
using filesystems::Format;
using filesystems::History;
using filesystems::Outcome;
using mpq::Status;
using ports::Card;
using ports::fill_slots;
using ports::Forward;
using ports::InPlace;
using ports::kFirst;
using ports::kLater;
using ports::kSlots;

using ExFat = real_sdfat::Real<real_sdfat::Shared, ExFatVolume, ExFile>;
using Any = real_sdfat::Real<real_sdfat::Shared, FsVolume, FsFile>;

// Other files get the clusters after the log's, so that it continues in pieces.
bool interrupt() {
  FIL file;
  UINT written = 0;
  const std::string bytes(64 << 10, 'x');
  return f_open(&file, "BESIDE", FA_WRITE | FA_CREATE_NEW) == FR_OK &&
         f_write(&file, bytes.data(), static_cast<UINT>(bytes.size()), &written) == FR_OK &&
         f_close(&file) == FR_OK;
}

struct Found {
  unsigned cuts = 0;
  unsigned losses = 0;   // of durable rows, or of a log that is not continued
  unsigned unknown = 0;  // logs that FatFs does not open
};

// `size`: of the file that earlier boots have left.
template <typename Port, typename Kind>
Found cut_everywhere(Card& card, const History& before, std::uint64_t size) {
  const auto number = static_cast<std::uint32_t>(before.size());
  Found found;
  bool whole = false;
  for (std::uint64_t nth = 0; !whole; ++nth, ++found.cuts) {
    card.disk().begin_transaction();
    card.disk().cut_after(nth, 0);
    Outcome outcome = card.run<Port, Kind>(number, kFirst);
    if (outcome.published == 0) outcome.published = size;
    if (outcome.publishing == 0) outcome.publishing = size;
    whole = outcome.status == Status::kOk && !card.disk().is_cut();
    card.mount();
    FIL log;
    const FRESULT opened = f_open(&log, ports::kName, FA_READ);
    if (opened != FR_OK && (opened != FR_NO_FILE || outcome.published != 0)) ++found.unknown;
    History rows;
    std::string fault = Card::look<Port, Kind>(outcome, rows);
    if (fault.empty() && !(rows.empty() && outcome.published == 0)) {
      fault = compare(rows, before, number, outcome.durable, outcome.offered);
    }
    if (fault.empty() && card.run<Port, Kind>(number + 1, kLater).status != Status::kOk)
      fault = "not continued";
    if (!fault.empty() && found.losses++ == 0)
      std::printf("cut %u: %s\n", static_cast<unsigned>(nth), fault.c_str());
    card.disk().roll_back();
    card.mount();
  }
  return found;
}

template <typename Kind>
void cut_at_slot(unsigned slot) {
  Card card(nullptr, filesystems::kExfat);
  REQUIRE(card.good() && fill_slots(slot));
  const Found found = cut_everywhere<ExFat, Kind>(card, {}, 0);
  std::printf("exFAT, entries at %u, %s: %u cuts, %u losses, FatFs does not open %u\n", slot, Kind::kName,
              found.cuts, found.losses, found.unknown);
  CHECK(found.cuts > 100);
  CHECK_EQ(found.losses, 0U);
  const bool lie_in_two_sectors = slot >= kSlots - 2;
  CHECK(lie_in_two_sectors || found.unknown == 0);
}

template <typename Kind>
void cut_in_pieces() {
  Card card(nullptr, filesystems::kExfat);
  REQUIRE(card.good());
  const Outcome first = card.run<ExFat, Kind>(0, kFirst);
  card.mount();
  REQUIRE(first.status == Status::kOk && interrupt());
  card.mount();
  const Found found = cut_everywhere<ExFat, Kind>(card, {{0, kFirst.rows}}, first.published);
  std::printf("exFAT, in pieces, %s: %u cuts, %u losses, FatFs does not open %u\n", Kind::kName, found.cuts,
              found.losses, found.unknown);
  CHECK(found.cuts > 100);
  CHECK_EQ(found.losses + found.unknown, 0U);
}

// A file that grows until nothing is left.
template <typename Kind>
void fill_card() {
  Card card(nullptr, filesystems::kExfat);
  REQUIRE(card.good());
  const Outcome outcome = card.run<Any, Kind>(0, {10'000'000, 20'000, 0, true});
  CHECK_EQ(to_string(outcome.status), to_string(Status::kNoSpace));
  card.mount();
  const std::uint32_t dropped = card.volume().free_clusters();  // with what no checkpoint covered
  CHECK(dropped >= 1 && dropped < 200);
  History rows;
  CHECK_EQ((Card::look<Any, Kind>(outcome, rows)), "");
  CHECK_EQ(compare(rows, {}, 0, outcome.durable, outcome.offered), "");
}

class Contract final : public port_contract::TestedPort {
 public:
  explicit Contract(const Format& format) : TestedPort(format.name), card_(nullptr, format) {
    static_cast<void>(real_sdfat::other_disk<FsVolume>());
    card_.mount();
  }
  mpq::File* create() override {
    if (port_) static_cast<void>(port_->close());
    port_.reset();
    card_.mount();
    static_cast<void>(f_unlink(ports::kName));
    return open();
  }
  mpq::File* open_again() override { return port_->close() == Status::kOk ? open() : nullptr; }

 private:
  mpq::File* open() {
    port_ = std::make_unique<Any>();
    return port_->resume() == Status::kOk ? &port_->file : nullptr;
  }

  Card card_;
  std::unique_ptr<Any> port_;
};

}  // namespace

TEST("SdFat on exFAT loses nothing, wherever the log's entries lie") {
  static_cast<void>(real_sdfat::other_disk<ExFatVolume>());
  for (unsigned slot = 0; slot < kSlots; ++slot) cut_at_slot<Forward>(slot);
  for (const unsigned slot : {6U, 14U, 15U}) cut_at_slot<InPlace>(slot);
}

TEST("SdFat on exFAT loses nothing of a log in pieces") {
  static_cast<void>(real_sdfat::other_disk<ExFatVolume>());
  cut_in_pieces<Forward>();
  cut_in_pieces<InPlace>();
}

TEST("SdFat on exFAT fills a card but for a cluster, and does not hang") {
  static_cast<void>(real_sdfat::other_disk<FsVolume>());
  fill_card<Forward>();
}

TEST("ArduinoFile over SdFat holds the contract of ports") {
  for (const Format* const format : {&filesystems::kFat32, &filesystems::kExfat}) {
    Contract port(*format);
    port_contract::check_all(port, 18);
  }
}
