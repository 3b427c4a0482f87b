// ArduinoFile over what SdFat does on Arm, in both layouts and both ways of using SPI: the power fails at each sector write,
// and as soon as the file is closed. With either defence taken out rows are lost, so that the tests would notice.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "port_cases.h"
#include "port_sweep.h"
#include "sdfat_losses.h"
#include "support/check.h"

namespace {

namespace mpq = microparquet;
using mpq::Status;
using ports::ArduinoSdFat;
using ports::ArduinoSdFatDedicated;
using ports::Card;
using ports::DedicatedSpi;
using ports::Forward;
using ports::InPlace;
using ports::Losses;
using ports::SharedSpi;

template <typename Port, typename Kind>
Losses losses_of() {
  Card card(Port::kTraits);
  const Losses losses = ports::cut_everywhere<Port, Kind>(card);
  CHECK_EQ(card.layer()->syncs_while_busy() != 0, Port::kTraits->dedicated_spi);
  return losses;
}

template <typename Port, typename Kind>
void loses_nothing() {
  const Losses losses = losses_of<Port, Kind>();
  std::printf("%s, %s: %u cuts, %u rows and %u logs lost\n", Port::kPort, Kind::kName, losses.cuts,
              losses.rows, losses.logs);
  CHECK(losses.cuts > 200);
  CHECK_EQ(losses.rows, 0U);
  CHECK_EQ(losses.logs, 0U);
}

using WithoutTables = ports::WithoutTables<FsFile, FsVolume>;
using WithoutWaiting = ports::WithoutWaiting<FsFile>;

}  // namespace

TEST("SdFat on Arm: no durable row is lost at a cut at any sector write") {
  loses_nothing<ArduinoSdFat, Forward>();
  loses_nothing<ArduinoSdFat, InPlace>();
}

TEST("SdFat with the SPI to itself: no durable row is lost at a cut at any sector write") {
  loses_nothing<ArduinoSdFatDedicated, Forward>();
  loses_nothing<ArduinoSdFatDedicated, InPlace>();
}

TEST("without the tables first, whole logs are lost") {
  const Losses forward = losses_of<ports::SdFatPort<SharedSpi, WithoutTables>, Forward>();
  CHECK(forward.rows > 0);
  CHECK(forward.logs > 0);
  const Losses in_place = losses_of<ports::SdFatPort<SharedSpi, WithoutTables>, InPlace>();
  CHECK(in_place.rows > 0);
  CHECK(in_place.logs > 0);
  std::printf("without the tables first: %u and %u logs lost\n", forward.logs, in_place.logs);
}

TEST("without waiting for the card, checkpoints are lost") {
  const Losses forward = losses_of<ports::SdFatPort<DedicatedSpi, WithoutWaiting>, Forward>();
  CHECK(forward.rows > 0);
  const Losses in_place = losses_of<ports::SdFatPort<DedicatedSpi, WithoutWaiting>, InPlace>();
  CHECK(in_place.rows > 0);
  std::printf("without waiting: %u and %u rows lost\n", forward.rows, in_place.rows);
}

namespace {

struct PlayedVolume {
  unsigned tables = 0;  // how often they were put on the medium
  bool refuses = false;
  int busy = 0;  // accesses until it is not
};

// A file in memory, of a class with SdFat's functions. The library has a current volume, as SdFat.
class PlayedFile {
 public:
  static inline PlayedVolume* current = nullptr;

  PlayedFile() = default;
  explicit PlayedFile(PlayedVolume& volume) : volume_(&volume) {}
  explicit operator bool() const { return volume_ != nullptr; }
  bool openRoot(PlayedVolume* volume) {
    volume_ = volume;
    is_root_ = true;
    return !volume->refuses;
  }
  bool openCwd() { return openRoot(current); }
  bool sync() {
    if (is_root_) ++volume_->tables;
    if (!is_root_) tables_before_entry = volume_->tables;
    return true;
  }
  bool isBusy() const { return volume_->busy > 0; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(bytes_.size()); }
  bool seek(std::uint32_t position) { return (position_ = position) <= size(); }
  int read(void* to, std::size_t bytes) {
    --volume_->busy;
    if (!is_root_) std::memcpy(to, bytes_.data() + position_, bytes);
    return static_cast<int>(bytes);
  }
  std::size_t write(const std::uint8_t* from, std::size_t bytes) {
    bytes_.resize(std::max<std::size_t>(bytes_.size(), position_ + bytes));
    std::copy_n(from, bytes, bytes_.begin() + position_);
    return bytes;
  }
  bool truncate(std::uint32_t size) {
    bytes_.resize(size);
    return true;
  }
  void flush() {}
  void close() {}

  unsigned tables_before_entry = 0;

 private:
  PlayedVolume* volume_ = nullptr;
  bool is_root_ = false;
  std::uint32_t position_ = 0;
  std::vector<std::uint8_t> bytes_;
};

constexpr std::array<std::byte, 100> kSomeBytes = {};

}  // namespace

TEST("of two cards, the tables of the one that the file is on are written first") {
  PlayedVolume first;
  PlayedVolume second;
  PlayedFile::current = &first;
  PlayedFile opened(second);
  mpq::ArduinoFile<PlayedFile> file;
  REQUIRE(file.attach(opened, second) == Status::kOk);
  CHECK(file.write_at(0, kSomeBytes) == Status::kOk);
  CHECK(file.sync(100) == Status::kOk);
  CHECK_EQ(opened.tables_before_entry, 1U);
  CHECK(file.barrier() == Status::kOk);
  CHECK(second.tables > 1);
  CHECK_EQ(first.tables, 0U);
}

TEST("a size whose tables cannot be written is not published") {
  PlayedVolume volume;
  PlayedFile opened(volume);
  mpq::ArduinoFile<PlayedFile> file;
  CHECK(file.barrier() == Status::kWrongState);
  CHECK(file.sync(0) == Status::kWrongState);
  REQUIRE(file.attach(opened, volume) == Status::kOk);
  CHECK(file.write_at(0, kSomeBytes) == Status::kOk);
  volume.refuses = true;
  opened.tables_before_entry = 77;
  CHECK(file.sync(100) == Status::kIoError);
  CHECK(file.barrier() == Status::kIoError);
  CHECK_EQ(opened.tables_before_entry, 77U);
  volume.refuses = false;
  CHECK(file.sync(100) == Status::kOk);
}

TEST("a card that stays busy for longer than its library waits is an error, and then none") {
  PlayedVolume volume;
  PlayedFile opened(volume);
  mpq::ArduinoFile<PlayedFile> file;
  REQUIRE(file.attach(opened, volume) == Status::kOk);
  CHECK(file.write_at(0, kSomeBytes) == Status::kOk);
  volume.busy = 2;  // one of the reads is from the library's memory
  CHECK(file.sync(100) == Status::kOk);
  volume.busy = 3;
  CHECK(file.sync(100) == Status::kIoError);
  CHECK(file.barrier() == Status::kOk);
}
