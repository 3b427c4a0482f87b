// The example card_bench over cards in memory, through FatFs and as its sketch: what it leaves on a card that is full, fails or
// is pulled out, and what it says.
#include <Arduino.h>
#include <SdFat.h>

#include <cstring>
#include <string>

#include "card_bench.h"
#include "fatfs_card.h"
#include "played_board.h"
#include "support/check.h"
#include "support/volume.h"
#include "wear_page.h"

namespace {

namespace sketch {
#include "card_bench.ino"
}

using card_bench::Bench;
using card_bench::kFileName;
using filesystems::Format;
using filesystems::RamDisk;
using filesystems::Volume;

constexpr Format kCard{"FAT32", FM_FAT32, 96 << 11, 1024, 2};
constexpr std::uint32_t kDivisor = 64;
constexpr char kOwners[] = "OWNERS.TXT";
constexpr unsigned kOwnersBytes = 3'000'000;

class FatfsInMemory : public FatfsCard {
 public:
  virtual ~FatfsInMemory() { static_cast<void>(f_mount(nullptr, "", 0)); }
  std::uint32_t now_us() override { return micros(); }
  void wait_ms(std::uint32_t ms) override { delay(ms); }
};

void append(void* to, const char* text) { *static_cast<std::string*>(to) += text; }

struct Said {
  bool good = false;
  std::string line;
  bool has(const char* text) const { return line.find(text) != std::string::npos; }
};

Said run(card_bench::Card& card, std::uint32_t divisor = kDivisor) {
  static std::uint8_t buffer[8 << 10];
  Said said;
  Bench bench(card, buffer, sizeof buffer, divisor);
  said.good = bench.run();
  bench.print(append, &said.line);
  return said;
}

Said run_fatfs() {
  FatfsInMemory card;
  return run(card);
}
Said run_sketch() {
  sketch::SdFatCard card;
  return run(card);
}
constexpr Said (*kBoth[])() = {run_fatfs, run_sketch};

char owners_byte(unsigned at) { return static_cast<char>(at * 2'654'435'761U >> 23); }

bool make_file(const char* name, unsigned bytes) {
  FIL file;
  UINT written = 0;
  std::string text(bytes, 0);
  for (unsigned i = 0; i != bytes; ++i) text[i] = owners_byte(i);
  return f_open(&file, name, FA_WRITE | FA_CREATE_NEW) == FR_OK &&
         f_write(&file, text.data(), bytes, &written) == FR_OK && written == bytes && f_close(&file) == FR_OK;
}

bool has_file(const char* name, unsigned bytes) {
  FIL file;
  UINT read = 0;
  std::string text(bytes, 0);
  if (f_open(&file, name, FA_READ) != FR_OK || f_size(&file) != bytes) return false;
  if (f_read(&file, &text[0], bytes, &read) != FR_OK || read != bytes || f_close(&file) != FR_OK)
    return false;
  for (unsigned i = 0; i != bytes; ++i) {
    if (text[i] != owners_byte(i)) return false;
  }
  return true;
}

bool has_bench_file() { return f_stat(kFileName, nullptr) == FR_OK; }

void make_card(RamDisk& disk) {
  RamDisk::insert(&disk);
  REQUIRE(filesystems::format(disk, kCard));
  const Volume volume(disk);
  REQUIRE(make_file(kOwners, kOwnersBytes));
}

}  // namespace

TEST("card_bench leaves a card as it was, and says what it has measured") {
  for (const auto bench : kBoth) {
    RamDisk disk(kCard.sectors);
    make_card(disk);
    Volume volume(disk);
    const std::uint32_t before = volume.free_clusters();
    const Said said = bench();
    CHECK(said.good);
    CHECK(said.has("\"is_file_left\":false,\"error\":null}"));
    CHECK(said.has("\"range_bytes\":67108864,"));
    CHECK(said.has("\"random_512_kib\":{\"writes\":2,\"bytes\":1048576,"));
    CHECK(said.has("\"table_changes\":{\"writes\":2,"));
    volume.mount(disk);
    CHECK_EQ(volume.free_clusters(), before);
    CHECK(has_file(kOwners, kOwnersBytes));
    CHECK(!has_bench_file());
  }
}

TEST("card_bench shows a card's number in JSON, without its serial number") {
  RamDisk disk(kCard.sectors);
  make_card(disk);
  const Volume volume(disk);
  CHECK(run_sketch().has(
      "\"card\":{\"manufacturer\":\"0x03\",\"oem\":\"SD\",\"product\":\"SU0?G\",\"revision\":\"8.0\","
      "\"made_year\":2023,\"made_month\":6},"));
}

TEST("card_bench ends each part in time on a card that is slow") {
  RamDisk disk(kCard.sectors);
  make_card(disk);
  const Volume volume(disk);
  disk.set_watch([](RamDisk::Access access, std::uint32_t, const std::byte*) {
    if (access == RamDisk::Access::kSync) ports::now_ms += 3000;
    return true;
  });
  ports::now_ms = 0;
  FatfsInMemory card;
  const Said said = run(card, 1);
  CHECK(said.good);
  CHECK(
      said.has("\"random_1_kib\":{\"writes\":8,\"bytes\":8192,\"us_mean\":3375000,\"us_longest\":3000000}"));
  CHECK(ports::now_ms < 5 * 60 * 1000);
}

namespace {

std::uint32_t unmarked = 0;  // files that a run has left without a mark

// A failure of the access `number`, or of all from then on. Returns whether there was such an access.
bool survives(RamDisk& disk, Said (*bench)(), std::uint32_t number, bool for_ever) {
  std::uint32_t count = 0;
  Volume volume(disk);
  disk.set_watch([&](RamDisk::Access, std::uint32_t, const std::byte*) {
    ++count;
    return for_ever ? count <= number : count != number;
  });
  const Said said = bench();
  disk.set_watch({});
  const bool failed = count >= number + (for_ever ? 1 : 0);
  CHECK(said.good == said.has("\"error\":null}"));
  if (for_ever && failed) CHECK(!said.good);
  volume.mount(disk);
  CHECK(has_file(kOwners, kOwnersBytes));
  if (!said.has("\"is_file_left\":true")) CHECK(!has_bench_file());
  const bool is_left = has_bench_file();
  const Said next = bench();
  // Only the file of a run that ended between its allocation and its mark has to be removed by hand.
  const bool stays = is_left && next.has("{\"place\":\"file\",\"call\":\"name is taken\"}");
  CHECK(next.good || stays);
  if (stays) ++unmarked;
  volume.mount(disk);
  if (stays) CHECK_EQ(f_unlink(kFileName), FR_OK);
  CHECK(!has_bench_file());
  CHECK(has_file(kOwners, kOwnersBytes));
  return failed;
}

}  // namespace

TEST("card_bench harms no file when an access fails, or the card is pulled out") {
  for (const auto bench : kBoth) {
    for (const bool for_ever : {false, true}) {
      RamDisk as_new(kCard.sectors);
      make_card(as_new);
      RamDisk disk(kCard.sectors);
      RamDisk::insert(&disk);
      std::uint32_t number = 1;
      disk.copy_from(as_new);
      while (survives(disk, bench, number, for_ever)) {
        number += number < 8 ? 1 : number / 2;
        disk.copy_from(as_new);
      }
      CHECK(number > 3000);
    }
  }
  CHECK(unmarked <= 2);
}

TEST("card_bench says where a card has told an error late") {
  RamDisk disk(kCard.sectors);
  make_card(disk);
  const Volume volume(disk);
  bool writes_data = false;
  const auto fails_late = [&](RamDisk::Access access, std::uint32_t sector, const std::byte*) {
    if (access == RamDisk::Access::kWrite && sector >= card_bench::kUnitSectors) writes_data = true;
    return access != RamDisk::Access::kSync || !writes_data;
  };
  disk.set_watch(fails_late);
  const Said said = run_fatfs();
  CHECK(!said.good);
  CHECK(said.has("\"error\":{\"place\":\"random_1_kib\",\"call\":\"sync\"}}"));
}

TEST("card_bench leaves a file of its name that is not its own") {
  for (const auto bench : kBoth) {
    RamDisk disk(kCard.sectors);
    make_card(disk);
    Volume volume(disk);
    REQUIRE(make_file(kFileName, 700));
    const Said said = bench();
    volume.mount(disk);
    CHECK(said.has("\"error\":{\"place\":\"file\",\"call\":\"name is taken\"}}"));
    CHECK(has_file(kFileName, 700));
  }
}

TEST("card_bench says that a card is full, and that there is none") {
  for (const auto bench : kBoth) {
    RamDisk disk(kCard.sectors);
    make_card(disk);
    Volume volume(disk);
    REQUIRE(make_file("LARGE.BIN", 75 << 20));
    const Said said = bench();
    CHECK(said.has(
        "\"is_file_left\":false,\"error\":{\"place\":\"file\",\"call\":\"no space in one piece\"}}"));
    volume.mount(disk);
    CHECK(!has_bench_file());
    RamDisk::insert(nullptr);
    CHECK(bench().has("\"error\":{\"place\":\"card\",\"call\":\"start\"}}"));
  }
}

namespace {

// Answers to one argument of CMD56 only.
class WornCard final : public FatfsInMemory {
 public:
  WornCard(std::uint32_t argument, const char* signature) : argument_(argument), signature_(signature) {}
  bool ask(std::uint32_t argument, std::uint8_t* block) override {
    if (argument != argument_) return false;
    for (unsigned i = 0; i != 512; ++i) block[i] = static_cast<std::uint8_t>(i);
    std::memcpy(block, signature_, 2);
    return true;
  }

 private:
  std::uint32_t argument_;
  const char* signature_;
};

struct Worn {
  std::uint32_t argument;
  const char* signature;
  const char* said;
};
constexpr Worn kWorn[] = {
    {0x00000001, "DS",
     "\"signature\":\"4453\",\"form\":\"SanDisk\",\"percent_used\":8,\"percent_left\":null,"},
    {0x00000001, "DW", "\"form\":\"Western Digital\",\"percent_used\":8,"},
    {0x00000001, "??", "\"signature\":\"3f3f\",\"form\":null,\"percent_used\":null,"},
    {0x110005F1,
     "\x09"
     "A",
     "\"form\":\"ADATA\",\"percent_used\":null,\"percent_left\":70,\"erases_mean\":741158447,"},
    {0x110005F9, "Tr", "\"percent_left\":70,\"erases_mean\":791555372,\"erases_most\":656811300,"},
    {0x53420001, "Sw", "\"percent_left\":80,\"erases_mean\":1010646591,"},
};

}  // namespace

TEST("card_bench reads the wear in the forms that are published") {
  RamDisk disk(kCard.sectors);
  make_card(disk);
  const Volume volume(disk);
  for (const Worn& worn : kWorn) {
    WornCard card(worn.argument, worn.signature);
    const Said said = run(card);
    CHECK(said.good);
    const std::size_t before = said.line.find(worn.said);
    CHECK(before != std::string::npos);
    CHECK(said.line.find(worn.said, before + 1) != std::string::npos);
  }
  WornCard silent(0, "");
  CHECK(run(silent).has("\"wear_before\":null,\"wear_after\":null,"));
}
