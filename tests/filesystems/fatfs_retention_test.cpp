// A log on a card that is full: its oldest files go, its newest stay, and so does everything of others, also when the
// power fails at any write on a card that puts writes down in any order.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "microparquet/port/fatfs_log_folder.h"
#include "microparquet/port/fatfs_time.h"
#include "microparquet/retention.h"
#include "microparquet/rolling.h"
#include "microparquet/static_reader.h"
#include "microparquet/static_writer.h"
#include "support/check.h"
#include "support/folder_names.h"
#include "support/volume.h"

namespace {

namespace mpq = microparquet;
using filesystems::Format;
using filesystems::kFat16;
using filesystems::kFat32;
using filesystems::kSectorBytes;
using filesystems::RamDisk;
using filesystems::Volume;
using mpq::Status;

struct Row {
  std::int64_t number = 0;
  float values[4] = {};
};
constexpr auto kColumns = mpq::schema(mpq::column("number", &Row::number));
constexpr mpq::Options options() {
  mpq::Options options;
  options.checkpoint_ms = 60'000;
  return options;
}
constexpr mpq::Options kLogOptions = options();

constexpr std::uint32_t kFirstId = 0x5000;

class Folder final : public mpq::FatFsLogFolder {
 public:
  explicit Folder(FATFS& volume) : FatFsLogFolder("LOG", volume) {}
  bool has_id(const mpq::LogFile& file, std::uint32_t id) override {
    return id == kFirstId + file.session * 1000 + file.split;
  }
};

std::string path_of(std::uint32_t session, std::uint32_t split) {
  char path[48];
  std::snprintf(path, sizeof path, "LOG/%08u/%08u.PQT", session, split);
  return path;
}

// The splits of a session.
class Splits final : public mpq::FileSequence {
 public:
  explicit Splits(std::uint32_t session) : session_(session) {
    f_mkdir("LOG");
    char folder[16];
    std::snprintf(folder, sizeof folder, "LOG/%08u", session);
    f_mkdir(folder);
  }
  Status next(mpq::File*& file) override {
    if (const Status status = file_.close(); status != Status::kOk) return status;
    file = &file_;
    const Status status = file_.create(path_of(session_, split_ + 1).c_str(), mpq::Existing::kOverwrite);
    if (status == Status::kOk) ++split_;
    return status == Status::kIoError && file_.native_error() == FR_DENIED ? Status::kNoSpace : status;
  }
  std::uint32_t session() const { return session_; }
  std::uint32_t split() const { return split_; }
  mpq::FatFsFile& file() { return file_; }

 private:
  DWORD link_map_[64] = {};
  std::uint32_t session_;
  std::uint32_t split_ = 0;
  mpq::FatFsFile file_{link_map_};
};

// A device that logs a row a second.
class Device {
 public:
  Device(FATFS& volume, std::uint32_t session, const mpq::RetentionLimits& limits, mpq::RollLimits roll)
      : splits_(session), folder_(volume), retention_(folder_, limits), log_(writer_, splits_, roll) {}

  // Begins the first file.
  Status begin() {
    mpq::File* file = nullptr;
    retention_.begin_file(splits_.session(), 1);
    Status status = splits_.next(file);
    while (status == Status::kNoSpace && make_space() == Status::kOk) status = splits_.next(file);
    if (status != Status::kOk) return status;
    begun_ = splits_.split();
    return writer_.open(*file, {{}, kFirstId + splits_.session() * 1000 + splits_.split()});
  }

  Status log(std::int64_t number) {
    now_ms += 1'000;
    Row row;
    row.number = number;
    Status status = log_.append(row);
    while (status == Status::kNoSpace && make_space() == Status::kOk) status = log_.append(row);
    if (status != Status::kOk) return status;
    status = log_.tick(now_ms);
    while (status == Status::kNoSpace && make_space() == Status::kOk) status = log_.tick(now_ms);
    if (status != Status::kOk) return status;
    if (begun_ != splits_.split()) retention_.begin_file(splits_.session(), begun_ = splits_.split());
    for (unsigned i = 0; i < 10 && status == Status::kOk; ++i) {
      if (before_step) before_step();
      status = retention_.step(now_ms);
    }
    return status;
  }

  Status close() {
    const Status status = writer_.close();
    return status == Status::kOk ? splits_.file().close() : status;
  }

  mpq::Retention& retention() { return retention_; }
  std::uint64_t durable_rows() const { return writer_.durable_rows(); }
  std::string path() const { return path_of(splits_.session(), splits_.split()); }
  unsigned full() const { return full_; }

  std::uint32_t now_ms = 0;
  std::function<void()> before_step;

 private:
  Status make_space() {
    ++full_;
    bool is_done = false;
    Status status = Status::kOk;
    while (status == Status::kOk && !is_done) status = retention_.make_space(is_done);
    return status;
  }

  Splits splits_;
  Folder folder_;
  mpq::Retention retention_;
  mpq::StaticWriter<kColumns, kLogOptions> writer_;
  mpq::RollingWriter<mpq::StaticWriter<kColumns, kLogOptions>> log_;
  std::uint32_t begun_ = 0;
  unsigned full_ = 0;
};

mpq::RetentionLimits drops(std::uint32_t low_water, std::uint32_t files = 0) {
  mpq::RetentionLimits limits;
  limits.when_full = mpq::WhenFull::kDropOldest;
  limits.low_water = low_water;
  limits.files = files;
  return limits;
}

mpq::RollLimits each(std::uint32_t seconds) {
  mpq::RollLimits limits;
  limits.bytes = 0;
  limits.ms = seconds * 1'000;
  return limits;
}

// Puts letters into a file until the volume has that many free clusters.
bool fill(Volume& volume, const char* path, DWORD leave, char letter = 'f') {
  FIL file;
  if (f_open(&file, path, FA_CREATE_ALWAYS | FA_WRITE) != FR_OK) return false;
  const std::size_t bytes = volume.fatfs().csize * kSectorBytes;
  const std::vector<char> data(bytes, letter);
  UINT written = 0;
  for (DWORD i = volume.free_clusters(); i > leave; --i) {
    if (f_write(&file, data.data(), static_cast<UINT>(bytes), &written) != FR_OK || written != bytes)
      return false;
  }
  return f_close(&file) == FR_OK;
}

std::string bytes_of(const char* path) {
  FIL file;
  if (f_open(&file, path, FA_READ) != FR_OK) return "missing";
  std::string bytes(f_size(&file), '\0');
  UINT read = 0;
  const bool good = f_read(&file, bytes.data(), static_cast<UINT>(bytes.size()), &read) == FR_OK;
  return f_close(&file) == FR_OK && good && read == bytes.size() ? bytes : "unreadable";
}

bool has_only(const char* path, char letter) {
  const std::string bytes = bytes_of(path);
  return bytes == std::string(bytes.size(), letter);
}

// The names of a session's files, in their order.
std::vector<std::string> names_of(std::uint32_t session) {
  return filesystems::names_in(path_of(session, 0).substr(0, 12));
}

// The numbers in a file. `is_whole`: it ends in a footer, and every row is readable.
std::vector<std::int64_t> rows_of(const std::string& path, bool& is_whole) {
  static mpq::StaticReader<kColumns> reader;  // NOLINT(*-dynamic-static-initializers)
  std::vector<std::int64_t> rows;
  mpq::FatFsFile file;
  Row row;
  Status status = file.open_for_reading(path.c_str());
  if (status == Status::kOk) status = reader.open(file);
  while (status == Status::kOk && (status = reader.next(row)) == Status::kOk) rows.push_back(row.number);
  is_whole = status == Status::kEnd;
  static_cast<void>(file.close());
  return rows;
}

}  // namespace

TEST("three days at 1 Hz on a full card of 64 MB keep the newest rows, and others' files") {
  const Format format{"64 MB", FM_FAT32, 64 << 11, 512, 2};
  RamDisk disk(format.sectors);
  REQUIRE(filesystems::format(disk, format));
  Volume volume(disk);
  REQUIRE(f_mkdir("LOG") == FR_OK && f_mkdir("LOG/00000003") == FR_OK);
  REQUIRE(filesystems::lengthen("LOG/00000003/00000002.PQT", 3'000) &&
          filesystems::lengthen("LOG/NOTES.TXT", 700));
  constexpr DWORD kLeft = 3'000;  // 1.5 MB
  REQUIRE(fill(volume, "FILL.BIN", kLeft));
  const std::string others = bytes_of("FILL.BIN");
  constexpr std::int64_t kDay = 86'400;
  std::int64_t number = 0;
  std::uint32_t removed = 0;
  unsigned longest = 0;
  for (std::uint32_t session = 1; session <= 6; ++session) {
    if (session == 3) continue;
    Device device(volume.fatfs(), session, drops(200 << 10), each(3'600));
    REQUIRE(device.begin() == Status::kOk);
    unsigned accesses = 0;
    disk.set_watch([&](RamDisk::Access, std::uint32_t, const std::byte*) { return ++accesses != 0; });
    bool in_step = false;
    device.before_step = [&] {
      if (in_step) longest = std::max(longest, accesses);
      accesses = 0;
      in_step = true;
    };
    for (std::int64_t end = number + 3 * kDay / 5; number < end; ++number) {
      in_step = false;
      if (!CHECK(device.log(number) == Status::kOk)) return;
    }
    disk.set_watch({});
    removed += device.retention().removed();
    CHECK_EQ(device.full(), 0U);
    REQUIRE(device.close() == Status::kOk);
  }
  std::printf("%u files removed, %u accesses to the card in a step at most\n", removed, longest);
  CHECK(removed > 20);
  CHECK(longest < 120);
  std::int64_t expected = -1;
  std::int64_t found = 0;
  std::uint64_t bytes = 0;
  for (const std::uint32_t session : {1U, 2U, 4U, 5U, 6U}) {
    for (const std::string& name : names_of(session)) {
      bool is_whole = false;
      const std::vector<std::int64_t> rows = rows_of(name, is_whole);
      CHECK(is_whole && !rows.empty());
      if (rows.empty()) continue;
      CHECK(expected == -1 || rows.front() == expected);
      expected = rows.back() + 1;
      found += rows.back() - rows.front() + 1;
      CHECK_EQ(rows.size(), static_cast<std::size_t>(rows.back() - rows.front() + 1));
      bytes += bytes_of(name.c_str()).size();
    }
  }
  CHECK_EQ(expected, number);
  CHECK(found < number && bytes > kLeft * 512ULL / 2);
  CHECK(names_of(1).empty());
  CHECK(bytes_of("FILL.BIN") == others);
  CHECK(bytes_of("LOG/00000003/00000002.PQT") == std::string(3'000, '\xA5'));
  CHECK(bytes_of("LOG/NOTES.TXT") == std::string(700, '\xA5'));
}

TEST("a card that is full of others' files is said to be full") {
  RamDisk disk(kFat16.sectors);
  REQUIRE(filesystems::format(disk, kFat16));
  Volume volume(disk);
  REQUIRE(f_mkdir("LOG") == FR_OK && f_mkdir("LOG/00000001") == FR_OK);
  for (std::uint32_t split = 1; split < 40; ++split) REQUIRE(filesystems::lengthen(path_of(1, split), 5'000));
  REQUIRE(fill(volume, "FILL.BIN", 60));
  Device device(volume.fatfs(), 2, drops(1 << 20), each(0));
  REQUIRE(device.begin() == Status::kOk);
  Status status = Status::kOk;
  std::int64_t number = 0;
  for (; number < 1'000'000 && status == Status::kOk; ++number) status = device.log(number);
  CHECK(status == Status::kNoSpace);
  CHECK_EQ(device.retention().foreign(), 39U);
  CHECK_EQ(device.retention().removed(), 0U);
  for (std::uint32_t split = 1; split < 40; ++split)
    CHECK(bytes_of(path_of(1, split).c_str()) == std::string(5'000, '\xA5'));
}

namespace {

// What a card was given, in the order of its syncs, and what was known of it then.
struct Recorded {
  struct Write {
    std::uint32_t sector;
    filesystems::Sector data;
  };
  struct Epoch {
    std::vector<Write> writes;
    std::int64_t durable = 0;  // rows that are safe whatever happens from here
  };
  std::vector<Epoch> epochs{1};
  std::map<std::string, std::string> whole;  // files that were complete before
};

// Logs on a card with nine files, whose tenth is being written, and lets all but two go.
Recorded record(RamDisk& disk) {
  Recorded recorded;
  {
    Volume volume(disk);
    std::int64_t number = 0;
    for (const std::uint32_t session : {1U, 2U, 3U}) {
      Device device(volume.fatfs(), session, mpq::RetentionLimits(), each(300));
      CHECK(device.begin() == Status::kOk);
      for (unsigned i = 0; i < 899; ++i) CHECK(device.log(number++) == Status::kOk);
      CHECK(device.close() == Status::kOk);
      for (const std::string& name : names_of(session)) recorded.whole[name] = bytes_of(name.c_str());
    }
    CHECK_EQ(recorded.whole.size(), 9U);
    CHECK(fill(volume, "FILL.BIN", 400));
    recorded.whole["OTHER.TXT"] = bytes_of("OTHER.TXT");
  }
  disk.begin_transaction();
  Volume volume(disk);
  Device device(volume.fatfs(), 4, drops(0, 3), each(0));
  std::int64_t durable = 0;
  disk.set_watch([&](RamDisk::Access access, std::uint32_t sector, const std::byte* data) {
    if (access == RamDisk::Access::kSync) recorded.epochs.push_back({{}, durable});
    if (access != RamDisk::Access::kWrite) return true;
    recorded.epochs.back().writes.push_back({sector, {}});
    std::memcpy(recorded.epochs.back().writes.back().data.data(), data, kSectorBytes);
    return true;
  });
  CHECK(device.begin() == Status::kOk);
  for (std::int64_t i = 0; i < 200; ++i) {
    CHECK(device.log(i) == Status::kOk);
    durable = static_cast<std::int64_t>(device.durable_rows());
  }
  disk.set_watch({});
  CHECK_EQ(device.retention().removed(), 7U);
  CHECK(names_of(1).empty() && names_of(2).empty() && names_of(3).size() == 2);
  disk.roll_back();
  return recorded;
}

// Looks at a card after a cut; `boots`: and after the next boot has done what the retention left. Returns what is wrong.
const char* judge(const Recorded& recorded, std::int64_t durable, bool boots) {
  unsigned empty = 0;
  unsigned there = 0;
  for (const auto& [path, bytes] : recorded.whole) {
    const std::string now = bytes_of(path.c_str());
    const bool goes = path < path_of(3, 2);  // OTHER.TXT comes after them
    if (now == "missing" ? !goes : now.empty() ? !goes : now != bytes)
      return "a file that should stay, or a part of one";
    empty += now.empty() ? 1U : 0U;
    there += now == "missing" || path == "OTHER.TXT" ? 0U : 1U;
  }
  if (empty > 1) return "two files half removed";
  const unsigned stay =
      bytes_of(path_of(4, 1).c_str()) == "missing" ? 3 : 2;  // with it, and the next boot's own
  if (boots && (empty != 0 || there != stay)) return "not resumed";
  bool is_whole = false;
  const std::vector<std::int64_t> rows = rows_of(path_of(4, 1), is_whole);
  if (durable != 0 && (!is_whole || static_cast<std::int64_t>(rows.size()) < durable)) return "durable rows";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] != static_cast<std::int64_t>(i)) return "other rows";
  }
  return nullptr;
}

}  // namespace

TEST("cut at any write of a removal, the card keeps whole files, and the next boot continues") {
  for (const Format& format : {kFat16, kFat32}) {
    RamDisk disk(format.sectors);
    REQUIRE(filesystems::format(disk, format));
    const Recorded recorded = record(disk);
    unsigned cuts = 0;
    unsigned wrong = 0;
    const auto play = [&](std::size_t epoch, const std::function<bool(std::size_t)>& is_kept) {
      const auto& writes = recorded.epochs[epoch].writes;
      for (std::size_t i = 0; i < writes.size(); ++i)
        if (is_kept(i)) disk.write(writes[i].sector, writes[i].data.data(), 1);
    };
    for (std::size_t epoch = 0; epoch < recorded.epochs.size(); ++epoch) {
      const std::size_t writes = recorded.epochs[epoch].writes.size();
      for (std::size_t chosen = 0; chosen < writes; ++chosen) {
        const std::function<bool(std::size_t)> ways[] = {[=](std::size_t i) { return i != chosen; },
                                                         [=](std::size_t i) { return i == chosen; },
                                                         [=](std::size_t i) { return i < chosen; }};
        for (const auto& way : ways) {
          disk.begin_transaction();
          for (std::size_t i = 0; i < epoch; ++i) play(i, [](std::size_t) { return true; });
          play(epoch, way);
          Volume volume(disk);
          const char* why = judge(recorded, recorded.epochs[epoch].durable, false);
          if (why == nullptr) {
            fill(volume, "MEAN.BIN", 100, 'm');
            Device next(volume.fatfs(), 5, drops(0, 4), each(0));  // with the file that was cut, and its own
            if (next.begin() != Status::kOk) why = "no next file";
            for (std::int64_t i = 0; i < 40 && why == nullptr; ++i) {
              if (next.log(i) != Status::kOk) why = "the next log fails";
            }
            fill(volume, "NEXT.BIN", 0, 'n');
            if (why == nullptr) why = judge(recorded, recorded.epochs[epoch].durable, true);
            if (!has_only("MEAN.BIN", 'm') || !has_only("NEXT.BIN", 'n')) why = "files that came later";
          }
          if (why != nullptr && ++wrong < 5)
            std::printf("%s: sync %u, write %u: %s\n", format.name, static_cast<unsigned>(epoch),
                        static_cast<unsigned>(chosen), why);
          disk.roll_back();
          ++cuts;
        }
      }
    }
    std::printf("%s: %u cuts\n", format.name, cuts);
    CHECK(cuts > 150);
    CHECK_EQ(wrong, 0U);
  }
}

TEST("FatFs's dates are those of the calendar, and none where the clock was not set") {
  static_assert(mpq::fattime_of(315'532'799) == mpq::kNoFattime && mpq::fattime_of(0) == mpq::kNoFattime &&
                mpq::fattime_of(4'354'819'200) == mpq::kNoFattime);
  static_assert(mpq::fattime_of(315'532'800) == mpq::kNoFattime);
  // 31 January 2027, 10:12:04
  static_assert(mpq::fattime_of(1'801'390'324) ==
                (47U << 25 | 1U << 21 | 31U << 16 | 10U << 11 | 12U << 5 | 2));
  for (std::int64_t unix_s = 315'532'800; unix_s < 4'354'819'200; unix_s += 86'400 * 17 + 2) {
    const DWORD fat = mpq::fattime_of(unix_s);
    const mpq::detail::FatDate date{static_cast<WORD>(fat >> 16), static_cast<WORD>(fat & 0xFFFF)};
    if (!CHECK_EQ(mpq::detail::seconds_of(date), unix_s)) return;
  }
}
