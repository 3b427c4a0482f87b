// Zephyr, ESP-IDF and Arduino, their interfaces over FatFs on a card in memory: both layouts, the power
// failing at any sector write, a sector that fails, a full card.
#include <array>
#include <cstdio>
#include <memory>

#include "contract_test.h"
#include "port_cases.h"
#include "port_sweep.h"
#include "support/check.h"
#include "support/volume.h"
#include "support/write_cache.h"

namespace {

namespace mpq = microparquet;
using filesystems::History;
using filesystems::Outcome;
using filesystems::RamDisk;
using filesystems::Volume;
using mpq::Status;
using ports::Card;
using ports::cut;
using ports::cut_between;
using ports::fail;
using ports::Forward;
using ports::InPlace;
using ports::kFirst;
using ports::sweep_layouts;

template <typename Port, typename Kind>
void log_to_the_end() {
  constexpr std::uint32_t kClusters = 700;
  Card card(Port::kTraits);
  REQUIRE(card.good());
  REQUIRE(card.fill_up(kClusters));
  ports::most_bytes = kClusters * 512;
  const Outcome outcome = card.run<Port, Kind>(0, {100000, 200, 0, true});
  ports::most_bytes = 0xFFFFFFFF;
  CHECK_EQ(to_string(outcome.status), to_string(Status::kNoSpace));
  CHECK(outcome.durable > 1000);
  card.mount();
  History found;
  CHECK_EQ((Card::look<Port, Kind>(outcome, found)), "");
  CHECK_EQ(compare(found, {}, 0, outcome.durable, outcome.offered), "");
}

// The size in the directory entry.
FSIZE_t entry_size() {
  FILINFO information;
  return f_stat(ports::kName, &information) == FR_OK ? information.fsize : ~FSIZE_t{0};
}

std::array<std::byte, 3000> pattern(unsigned seed) {
  std::array<std::byte, 3000> data;
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::byte>(i * 7 + seed);
  return data;
}

bool holds(mpq::File& file, std::uint64_t offset, const std::array<std::byte, 3000>& data) {
  std::array<std::byte, 3000> read;
  return file.read_at(offset, read) == Status::kOk && read == data;
}

// Seeks, publishes at sync only, and forgets what follows it.
template <typename Port>
void publish() {
  Card card(Port::kTraits);
  REQUIRE(card.good());
  const auto a = pattern(1);
  const auto b = pattern(2);
  Port port;
  REQUIRE(port.resume() == Status::kOk);
  mpq::File& file = port.file;
  CHECK(file.write_at(0, a) == Status::kOk);
  CHECK(file.sync(3000) == Status::kOk);
  CHECK_EQ(entry_size(), 3000);
  CHECK(file.write_at(20000, b) == Status::kOk);  // after a gap
  CHECK(file.write_at(1000, b) == Status::kOk);
  CHECK(file.barrier() == Status::kOk);
  CHECK_EQ(entry_size(), 3000);
  CHECK(holds(file, 20000, b));
  CHECK(holds(file, 1000, b));
  std::uint64_t size = 0;
  CHECK(file.size(size) == Status::kOk);
  CHECK_EQ(size, 23000);
  CHECK(file.sync(2999) == Status::kInvalidArgument);
  CHECK(file.sync(23001) == Status::kInvalidArgument);
  CHECK(file.sync(22000) == Status::kOk);
  CHECK_EQ(entry_size(), 22000);
  std::array<std::byte, 10> few;
  CHECK(file.read_at(21991, few) == Status::kIoError);
  CHECK(file.write_at(21000, a) == Status::kOk);
  CHECK(file.shrink(21000) == Status::kUnsupported);
  CHECK(file.reserve(std::uint64_t{5} << 30) == Status::kNoSpace);
  CHECK(port.close() == Status::kOk);
  CHECK_EQ(entry_size(), 22000);
  CHECK(file.sync(22000) == Status::kWrongState);
  REQUIRE(port.open() == Status::kOk);
  CHECK(holds(file, 1000, b));
  CHECK(port.close() == Status::kOk);
}

template <typename Port>
void append_only() {
  Card card(Port::kTraits);
  REQUIRE(card.good());
  const auto a = pattern(1);
  Port port;
  REQUIRE(port.resume() == Status::kOk);
  mpq::File& file = port.file;
  CHECK(!file.abilities().seek && file.abilities().read_back);
  CHECK(file.write_at(0, a) == Status::kOk);
  CHECK(file.write_at(1000, a) == Status::kInvalidArgument);
  CHECK(file.write_at(4000, a) == Status::kInvalidArgument);
  CHECK(file.sync(2000) == Status::kUnsupported);
  CHECK(file.sync(3000) == Status::kOk);
  CHECK(file.write_at(3000, a) == Status::kOk);
  CHECK(file.barrier() == Status::kOk);
  CHECK_EQ(entry_size(), 3000);
  CHECK(holds(file, 1500, pattern(1)) == false);
  CHECK(holds(file, 3000, a));
  CHECK(file.sync(6000) == Status::kOk);
  CHECK(port.close() == Status::kOk);
  CHECK_EQ(entry_size(), 6000);
}

// A file that is not open replaces the one before, which is not written any more.
template <typename Port>
void open_none() {
  Card card(Port::kTraits);
  REQUIRE(card.good());
  Port port;
  REQUIRE(port.resume() == Status::kOk);
  port.opened.close();
  CHECK(port.attach() == Status::kIoError);
  CHECK(!port.file.is_open());
  CHECK(port.file.write_at(0, pattern(1)) == Status::kWrongState);
  CHECK(port.close() == Status::kOk);
}

template <typename Port>
void open_to_go_on() {
  Card card(Port::kTraits);
  REQUIRE(card.good());
  {
    Port port;
    REQUIRE(port.resume() == Status::kOk);
    CHECK(port.file.write_at(0, pattern(1)) == Status::kOk);
    CHECK(port.file.sync(1000) == Status::kOk);
    CHECK(port.close() == Status::kOk);
  }
  const unsigned before = card.disk().syncs();
  Port port;
  REQUIRE(port.resume() == Status::kOk);
  CHECK(card.disk().syncs() > before);
  CHECK(port.close() == Status::kOk);
  card.disk().set_watch([](RamDisk::Access access, std::uint32_t, const std::byte*) {
    return access != RamDisk::Access::kSync;
  });
  Port failing;
  CHECK(failing.resume() != Status::kOk);
  CHECK(!failing.file.is_open());
}

// Creates files by their names.
template <typename Port>
void create() {
  Card card(Port::kTraits);
  REQUIRE(card.good());
  using File = decltype(Port::file);
  const auto a = pattern(1);
  File file;
  CHECK(file.open_for_reading(Port::kPath) == Status::kIoError);
  CHECK_EQ(file.native_error(), ENOENT);
  REQUIRE(file.create(Port::kPath) == Status::kOk);
  CHECK(file.write_at(0, a) == Status::kOk);
  CHECK(file.sync(3000) == Status::kOk);
  CHECK(file.create(Port::kPath) == Status::kIoError);
  CHECK_EQ(file.native_error(), EEXIST);
  CHECK(!file.is_open());
  CHECK(file.open_for_append(Port::kPath) == Status::kOk);
  CHECK(holds(file, 0, a));
  CHECK(file.create(Port::kPath, microparquet::Existing::kOverwrite) == Status::kOk);
  CHECK_EQ(entry_size(), 0);
  CHECK(file.close() == Status::kOk);
  CHECK(file.close() == Status::kOk);
  card.disk().set_protected(true);
  REQUIRE(file.open_for_reading(Port::kPath) == Status::kOk);
  CHECK(file.write_at(0, a) == Status::kWrongState);
  CHECK(file.close() == Status::kOk);
  CHECK_EQ(to_string(file.open_for_append(Port::kPath)), to_string(Status::kIoError));
  CHECK(file.native_error() == EROFS || file.native_error() == EACCES);
  card.disk().set_protected(false);
  RamDisk::insert(nullptr);
  CHECK_EQ(to_string(file.open_for_append(Port::kPath)), to_string(Status::kMediumLost));
}

template <typename Tested>
class Contract final : public port_contract::TestedPort {
 public:
  Contract() : TestedPort(Tested::kPort) {}
  mpq::File* create() override {
    if (port_) static_cast<void>(port_->close());
    static_cast<void>(f_unlink(ports::kName));
    return open();
  }
  // A sketch forgets a file whose class cannot drop what was not synced.
  mpq::File* open_again() override {
    if (cache_.has_failed()) {
      card_.volume().mount(card_.disk());
      port_->give_up();
      return open();
    }
    const Status status = port_->close();
    return status == Status::kOk || status == Status::kUnsupported ? open() : nullptr;
  }
  mpq::File* open_after_cut() override {
    card_.mount();
    port_->give_up();
    cache_.lose();
    card_.volume().mount(card_.disk());
    return open();
  }
  // FatFs gives up a file after a failure; Arduino's classes do not tell it from one that passes.
  bool fail_next(bool fails) override {
    cache_.fail_next(fails);
    return std::is_base_of_v<mpq::NamedFile, decltype(Tested::file)>;
  }

 private:
  mpq::File* open() {
    port_ = std::make_unique<Tested>();
    return port_->resume() == Status::kOk ? &port_->file : nullptr;
  }

  Card card_{Tested::kTraits};
  filesystems::WriteCache cache_{card_.disk()};
  std::unique_ptr<Tested> port_;
};

template <typename Port>
void hold_contract(unsigned clauses) {
  Contract<Port> port;
  port_contract::check_all(port, clauses);
}

}  // namespace

TEST("each holds the contract of ports") {
  hold_contract<ports::Zephyr>(24);
  hold_contract<ports::EspIdf>(24);
  hold_contract<ports::ArduinoSdFat>(21);
  hold_contract<ports::ArduinoSd>(18);
  hold_contract<ports::ArduinoEsp32>(18);
}

TEST("a file is written anywhere, and its size is published at sync only") {
  publish<ports::Zephyr>();
  publish<ports::EspIdf>();
  publish<ports::ArduinoSdFat>();
}

TEST("a file that cannot be cut is appended to") {
  append_only<ports::ArduinoSd>();
  append_only<ports::ArduinoEsp32>();
}

TEST("a sketch's file that could not be opened is none") {
  open_none<ports::ArduinoSdFat>();
  open_none<ports::ArduinoSd>();
  open_none<ports::ArduinoEsp32>();
}

// A sync may fail after the card has taken the entry, and not have put it down yet.
TEST("what a file has that is opened for append is on the card") {
  open_to_go_on<ports::Zephyr>();
  open_to_go_on<ports::EspIdf>();
  open_to_go_on<ports::ArduinoSdFat>();
}

TEST("a file that is there is refused, kept or emptied") {
  create<ports::Zephyr>();
  create<ports::EspIdf>();
}

TEST("Zephyr: the power fails at any sector write") { sweep_layouts<ports::Zephyr>("cut", cut, 1); }
TEST("ESP-IDF: the power fails at any sector write") { sweep_layouts<ports::EspIdf>("cut", cut, 1); }
TEST("Arduino with SdFat: the power fails at any sector write") {
  sweep_layouts<ports::ArduinoSdFat>("cut", cut, 1);
}
TEST("Arduino with SD: the power fails at any sector write") {
  sweep_layouts<ports::ArduinoSd>("cut", cut_between, 1);
}
TEST("Arduino on ESP32: the power fails at any sector write") {
  sweep_layouts<ports::ArduinoEsp32>("cut", cut_between, 1);
}

TEST("a sector fails, and the file is opened again") {
  sweep_layouts<ports::Zephyr>("failed", fail, 3);
  sweep_layouts<ports::EspIdf>("failed", fail, 3);
  sweep_layouts<ports::ArduinoSdFat>("failed", fail, 3);
  sweep_layouts<ports::ArduinoSd>("failed", fail, 3);
}

// 64 MiB, so that a cluster holds what is written at once.
TEST("a room is filled by writes of several sectors") {
  constexpr filesystems::Format kLarge{"FAT16", FM_FAT, 64 << 11, 4096};
  constexpr std::uint32_t kSectors = 300;
  RamDisk disk(kLarge.sectors);
  REQUIRE(filesystems::format(disk, kLarge));
  Volume volume(disk);
  ports::Zephyr port;
  REQUIRE(port.resume() == Status::kOk);
  const unsigned before = disk.writes();
  CHECK(port.file.reserve(kSectors * 512 - 100) == Status::kOk);
  std::printf("%u sectors by %u writes\n", kSectors, disk.writes() - before);
  CHECK(disk.writes() - before <= kSectors / 8 + 8);
  CHECK(port.close() == Status::kOk);
}

TEST("a full card keeps what was durable") {
  log_to_the_end<ports::Zephyr, InPlace>();
  log_to_the_end<ports::Zephyr, Forward>();
  log_to_the_end<ports::EspIdf, InPlace>();
  log_to_the_end<ports::EspIdf, Forward>();
  log_to_the_end<ports::ArduinoSdFat, InPlace>();
  log_to_the_end<ports::ArduinoSd, Forward>();
}
