// Zephyr and ESP-IDF on exFAT, where the directory entries of the log lie in two sectors: the power fails at each sector write.
// FatFs alone opens some of these logs no more, nor any other file of the folder; FatFsFile::mend() gives all of them back, which
// ZephyrFile calls by itself and a program with VfsFile before it opens its file.
#include <cstdio>
#include <string>

#include "exfat_slots.h"
#include "microparquet/port/fatfs_file.h"
#include "port_cases.h"
#include "port_sweep.h"
#include "support/check.h"

namespace {

namespace mpq = microparquet;
using filesystems::History;
using filesystems::Outcome;
using mpq::Status;
using ports::Card;
using ports::kFirst;
using ports::kLater;

struct Found {
  unsigned cuts = 0;
  unsigned unknown = 0;  // logs that FatFs alone does not open
  unsigned losses = 0;   // of durable rows, or of a log that is not continued
};

template <typename Port>
Found cut_everywhere(unsigned slot) {
  Card card(nullptr, filesystems::kExfat);
  CHECK(card.good() && ports::fill_slots(slot));
  Found found;
  bool whole = false;
  for (std::uint64_t nth = 0; !whole; ++nth, ++found.cuts) {
    card.disk().begin_transaction();
    card.disk().cut_after(nth, 0);
    const Outcome outcome = card.run<Port, ports::InPlace>(0, {300, 40, 0, true});
    whole = outcome.status == Status::kOk && !card.disk().is_cut();
    card.mount();
    if (f_stat(ports::kName, nullptr) == FR_INT_ERR) {
      ++found.unknown;
      if (std::is_same_v<Port, ports::EspIdf>) CHECK(mpq::FatFsFile::mend(ports::kName));
    }
    History rows;
    std::string fault = Card::look<Port, ports::InPlace>(outcome, rows);
    if (fault.empty() && !(rows.empty() && outcome.published == 0)) {
      fault = compare(rows, {}, 0, outcome.durable, outcome.offered);
    }
    if (fault.empty() && card.run<Port, ports::InPlace>(1, kLater).status != Status::kOk)
      fault = "not continued";
    if (!fault.empty() && found.losses++ == 0)
      std::printf("cut %u: %s\n", static_cast<unsigned>(nth), fault.c_str());
    card.disk().roll_back();
    card.mount();
  }
  std::printf("%s on exFAT, entries at %u: %u cuts, FatFs does not open %u, %u losses\n", Port::kPort, slot,
              found.cuts, found.unknown, found.losses);
  return found;
}

template <typename Port>
void mend_all() {
  CHECK_EQ(cut_everywhere<Port>(ports::kFirstSlot).losses, 0U);
  for (const unsigned slot : {14U, 15U}) {
    const Found found = cut_everywhere<Port>(slot);
    CHECK(found.unknown > 0);
    CHECK_EQ(found.losses, 0U);
  }
}

}  // namespace

TEST("Zephyr on exFAT continues each log, also where FatFs alone opens it no more") {
  mend_all<ports::Zephyr>();
}

TEST("ESP-IDF on exFAT continues each log that the program mends") { mend_all<ports::EspIdf>(); }
