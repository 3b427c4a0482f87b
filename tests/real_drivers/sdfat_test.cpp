// ArduinoFile over SdFat itself, on a card in memory: its file systems and caches are SdFat's own, and so is the order of what
// reaches the card. In both layouts, the power fails at each sector write; with the defences taken out rows are lost.
#include <SdFat.h>

#include <cstdio>

#include "real_sdfat.h"
#include "sdfat_losses.h"
#include "support/check.h"

extern "C" unsigned long millis() {
  static unsigned long now = 0;
  return now++ + real_sdfat::passed_ms;
}

namespace {

using ports::Card;
using ports::Forward;
using ports::InPlace;
using ports::Losses;
using real_sdfat::Dedicated;
using real_sdfat::Real;
using real_sdfat::Shared;

template <typename Port, typename Kind>
Losses losses_of(const filesystems::Format& format = filesystems::kFat32) {
  static_cast<void>(real_sdfat::other_disk<decltype(Port::volume)>());
  Card card(Port::kTraits, format);
  const Losses losses = ports::cut_everywhere<Port, Kind>(card);
  std::printf("%s, %s, %s: %u cuts, %u rows and %u logs lost\n", format.name, Port::kPort, Kind::kName,
              losses.cuts, losses.rows, losses.logs);
  return losses;
}

template <typename Port>
void loses_nothing(const filesystems::Format& format) {
  for (const Losses& losses : {losses_of<Port, Forward>(format), losses_of<Port, InPlace>(format)}) {
    CHECK(losses.cuts > 100);
    CHECK_EQ(losses.rows, 0U);
    CHECK_EQ(losses.logs, 0U);
  }
}

using WithoutTables = ports::WithoutTables<FsFile, FsVolume>;
using WithoutWaiting = ports::WithoutWaiting<FsFile>;

}  // namespace

TEST("SdFat's FsFile loses nothing at a cut at any sector write") {
  for (const filesystems::Format* const format : {&filesystems::kFat32, &filesystems::kFat16}) {
    loses_nothing<Real<Shared, FsVolume, FsFile>>(*format);
    loses_nothing<Real<Dedicated, FsVolume, FsFile>>(*format);
  }
}

TEST("nor does its File32") {
  loses_nothing<Real<Shared, FatVolume, File32>>(filesystems::kFat32);
  loses_nothing<Real<Dedicated, FatVolume, File32>>(filesystems::kFat32);
}

TEST("nor does its ExFile") {
  loses_nothing<Real<Shared, ExFatVolume, ExFile>>(filesystems::kExfat);
  loses_nothing<Real<Dedicated, ExFatVolume, ExFile>>(filesystems::kExfat);
}

TEST("without the tables first, whole logs are lost") {
  const Losses forward = losses_of<Real<Shared, FsVolume, WithoutTables>, Forward>();
  CHECK(forward.rows > 0);
  CHECK(forward.logs > 0);
  const Losses in_place = losses_of<Real<Shared, FsVolume, WithoutTables>, InPlace>();
  CHECK(in_place.rows > 0);
  CHECK(in_place.logs > 0);
}

TEST("without waiting for the card, checkpoints are lost") {
  CHECK((losses_of<Real<Dedicated, FsVolume, WithoutWaiting>, Forward>().rows > 0));
  CHECK((losses_of<Real<Dedicated, FsVolume, WithoutWaiting>, InPlace>().rows > 0));
}
