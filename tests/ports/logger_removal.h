// A Logger's removal of its oldest file, cut at each write on a card that puts writes down in any order: over the stand-in for SdFat,
// and over SdFat itself.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ff.h"
#include "microparquet/port/logger.h"
#include "microparquet/port/memory_file.h"
#include "microparquet/static_reader.h"
#include "support/check.h"
#include "support/fat_files.h"
#include "support/folder_names.h"
#include "support/recorded_writes.h"
#include "support/volume.h"

namespace ports {

using filesystems::bytes_of;
using filesystems::fill;
using filesystems::has_only;
using filesystems::is_there;
using filesystems::RamDisk;
using filesystems::Volume;

struct NumberRow {
  std::optional<std::uint32_t> number;
};
inline constexpr auto kNumberRows = microparquet::schema(microparquet::column("number", &NumberRow::number));

// Rows of a file, whose numbers follow each other.
struct NumbersOfFile {
  std::uint32_t rows = 0;
  std::uint32_t first = 0;
  std::uint32_t row_groups = 0;
  bool is_good = false;
  std::string files_removed;  // its key-value
};

inline NumbersOfFile numbers_in(std::vector<std::byte> bytes) {
  static microparquet::StaticReader<kNumberRows, microparquet::kDefaultReaderOptions, 6> reader;
  NumbersOfFile found;
  microparquet::MemoryFile file({bytes.data(), bytes.size()}, bytes.size());
  microparquet::Status status = reader.open(file);
  char text[64] = {};
  std::string_view value;
  if (status == microparquet::Status::kOk &&
      reader.reader().find_key_value("files_removed", {text, sizeof text}, value) ==
          microparquet::Status::kOk)
    found.files_removed = value;
  found.row_groups = reader.reader().row_groups();
  NumberRow row = {};
  bool follow = true;
  while (status == microparquet::Status::kOk && (status = reader.next(row)) == microparquet::Status::kOk) {
    if (found.rows == 0) found.first = *row.number;
    follow = follow && *row.number == found.first + found.rows++;
  }
  found.is_good = status == microparquet::Status::kEnd && follow;
  return found;
}

inline NumbersOfFile numbers_of(const std::string& path) { return numbers_in(bytes_of(path)); }

// What the library of the Logger reads: on exFAT FatFs reads no folder after entries that a cut has torn.
template <typename Library>
std::vector<std::byte> bytes_by(const char* name) {
  auto file = Library::volume().open(name);
  if (!file) return {};
  std::vector<std::byte> bytes(static_cast<std::size_t>(file.size()));
  constexpr std::size_t kAtOnce = 4096;
  bool good = true;
  for (std::size_t at = 0; good && at < bytes.size(); at += kAtOnce) {
    const std::size_t some = bytes.size() - at < kAtOnce ? bytes.size() - at : kAtOnce;
    good = file.read(bytes.data() + at, some) == static_cast<int>(some);
  }
  static_cast<void>(file.close());
  return good ? bytes : std::vector<std::byte>();
}

// Writes a file of a byte into all clusters but one. False: there is not that much space.
template <typename Library>
bool fill_by(const char* name, char byte) {
  auto& volume = Library::volume();
  const std::vector<char> cluster(volume.bytesPerCluster(), byte);
  auto file = volume.open(name, O_RDWR | O_CREAT);
  auto left = static_cast<std::int32_t>(volume.freeClusterCount());
  bool good = static_cast<bool>(file);
  for (; good && left > 1; --left) good = file.write(cluster.data(), cluster.size()) == cluster.size();
  return file.close() && good;
}

inline bool are_all(const std::vector<std::byte>& bytes, char byte) {
  for (const std::byte found : bytes) {
    if (found != static_cast<std::byte>(byte)) return false;
  }
  return !bytes.empty();
}

// All files of the log, oldest first: each row comes once. Returns the number of the first one.
inline std::uint32_t check_files(std::uint32_t next) {
  std::vector<NumbersOfFile> files;
  for (const std::string& name : filesystems::names_in("")) {
    if (name.substr(1, 3) == "RUN" && !has_only(name, 'x')) files.push_back(numbers_of(name));
  }
  if (!CHECK(!files.empty())) return 0;
  const std::uint32_t first = files.front().first;
  std::uint32_t at = first;
  for (const NumbersOfFile& file : files) {
    CHECK(file.is_good);
    CHECK_EQ(file.first, at);
    at += file.rows;
  }
  CHECK_EQ(at, next);
  return first;
}

template <typename Library>
using RemovingLogger = microparquet::Logger<typename Library::Volume, 2, 24'000>;

template <typename Library>
bool begin_removing(RemovingLogger<Library>& logger, std::uint32_t files) {
  microparquet::RetentionLimits limits;
  limits.files = files;
  if (files != 0 && !logger.drop_oldest(limits)) return false;
  return logger.begin(Library::volume(), "RUN", [] { return Library::start(); });
}

// `column`: another one makes another file.
template <typename Library>
bool log_numbers(RemovingLogger<Library>& logger, const char* column, std::uint32_t& next, unsigned rows) {
  bool good = true;
  for (unsigned i = 0; i < rows; ++i) {
    logger.add("number", next++).add(column, 1);
    good = logger.end_row() && good;
  }
  return good;
}

inline constexpr std::uint32_t kOldRows = 220'000;  // three parts of a removal
inline constexpr std::uint32_t kKeptRows = 3'000;
inline constexpr std::uint32_t kLastRows = 1'000;
inline const char* const kNames[] = {"RUN00001.parquet", "RUN00002.parquet", "RUN00003.parquet"};

template <typename Library>
bool make_old_files() {
  std::uint32_t next = 0;
  const std::uint32_t rows[] = {kOldRows, kKeptRows, kLastRows};
  const char* const columns[] = {"a", "b", "c"};
  for (unsigned i = 0; i < 3; ++i) {
    RemovingLogger<Library> logger;
    next = 0;
    if (!begin_removing<Library>(logger, 0) || !log_numbers<Library>(logger, columns[i], next, rows[i]) ||
        !logger.end() || logger.file_name() != std::string(kNames[i]))
      return false;
  }
  return true;
}

// The boot that removes file 1, until it is gone; then the power goes.
template <typename Library>
bool remove_oldest(RamDisk& disk) {
  RemovingLogger<Library> logger;
  std::uint32_t next = kLastRows;
  bool good = begin_removing<Library>(logger, 2);
  for (unsigned i = 0; good && logger.files_removed() == 0 && i < 100; ++i)
    good = log_numbers<Library>(logger, "c", next, 1);
  disk.front().settle();
  return good && logger.files_removed() == 1;
}

// The next boot after a cut somewhere there: it finishes the removal, and uses all space.
template <typename Library>
bool next_boot_is_sound(RamDisk& disk, std::size_t old_bytes, bool& was_noted) {
  Volume volume(disk);
  was_noted = is_there(std::string(kNames[0]) + ".REM");
  RemovingLogger<Library> logger;
  std::uint32_t next = kLastRows;
  bool good = CHECK(begin_removing<Library>(logger, 2));
  for (unsigned i = 0; i < 100; ++i) good = log_numbers<Library>(logger, "c", next, 1) && good;
  good = CHECK(logger.end()) && good;
  disk.front().settle();
  volume.mount(disk);
  good = CHECK(!is_there(kNames[0])) && CHECK(!is_there(std::string(kNames[0]) + ".REM")) && good;
  const std::size_t free =
      std::size_t{volume.free_clusters()} * volume.fatfs().csize * filesystems::kSectorBytes;
  good = CHECK(free + (1 << 20) + (64 << 10) >= old_bytes) && good;
  static_cast<void>(fill("NEW.BIN", 'n'));
  for (unsigned i = 1; i < 3; ++i) {
    const NumbersOfFile found = numbers_of(kNames[i]);
    good = CHECK(found.is_good) && CHECK_EQ(found.rows, i == 1 ? kKeptRows : kLastRows + 100) && good;
  }
  return CHECK(has_only("KEPT.BIN", 'k')) && CHECK(has_only("NEW.BIN", 'n')) && good;
}

// The same, but the library looks at what is left: FatFs reads no folder of exFAT after entries that a cut has torn.
template <typename Library>
bool next_boot_is_sound_to_it(RamDisk& disk, std::size_t old_bytes, bool& was_noted) {
  const Volume volume(disk);
  was_noted = is_there(std::string(kNames[0]) + ".REM");
  RemovingLogger<Library> logger;
  std::uint32_t next = kLastRows;
  bool good = CHECK(begin_removing<Library>(logger, 2));
  auto& files = Library::volume();
  good = CHECK(!was_noted || !files.exists(kNames[0])) && good;
  static_cast<void>(
      log_numbers<Library>(logger, "c", next, 100));  // a note that is torn may want another try
  good = CHECK(logger.end()) && CHECK_EQ(logger.lost_rows(), 0U) && good;
  good = CHECK(!files.exists(kNames[0])) && CHECK(!files.exists((std::string(kNames[0]) + ".REM").c_str())) &&
         good;
  const std::size_t free =
      static_cast<std::uint32_t>(files.freeClusterCount()) * std::size_t{files.bytesPerCluster()};
  good = CHECK(free + (1 << 20) + (64 << 10) >= old_bytes) && good;
  good = CHECK(fill_by<Library>("NEW.BIN", 'n')) && good;
  for (unsigned i = 1; i < 3; ++i) {
    const NumbersOfFile found = numbers_in(bytes_by<Library>(kNames[i]));
    good = CHECK(found.is_good) && CHECK_EQ(found.rows, i == 1 ? kKeptRows : kLastRows + 100) && good;
  }
  return CHECK(are_all(bytes_by<Library>("KEPT.BIN"), 'k')) &&
         CHECK(are_all(bytes_by<Library>("NEW.BIN"), 'n')) && good;
}

// Makes the files, one that nobody may hurt, and leaves little space. Returns the size of file 1; 0: a failure.
template <typename Library>
std::size_t make_full_card(RamDisk& disk) {
  Volume volume(disk);
  if (!make_old_files<Library>()) return 0;
  disk.front().settle();
  volume.mount(disk);
  const std::size_t old_bytes = bytes_of(kNames[0]).size();
  if (old_bytes <= 2U << 20 || fill("KEPT.BIN", 'k', 300'000) != 300'000) return 0;
  const std::size_t free =
      std::size_t{volume.free_clusters()} * volume.fatfs().csize * filesystems::kSectorBytes;
  static_cast<void>(fill("FILL.BIN", 'f', free - (256 << 10)));
  return old_bytes;
}

// `prepare` puts something onto the card before; `judge` is one of the above.
template <typename Library>
void cut_logger_removals(
    const filesystems::Format& format, const std::function<bool()>& prepare = [] { return true; },
    bool (*judge)(RamDisk&, std::size_t, bool&) = next_boot_is_sound<Library>) {
  RamDisk disk(format.sectors);
  REQUIRE(filesystems::format(disk, format));
  {
    const Volume volume(disk);
    REQUIRE(prepare());
  }
  const std::size_t old_bytes = make_full_card<Library>(disk);
  REQUIRE(old_bytes != 0);
  filesystems::RecordedWrites writes(disk);
  disk.begin_transaction();
  {
    const Volume volume(disk);
    CHECK(remove_oldest<Library>(disk));
  }
  writes.stop();
  disk.roll_back();
  unsigned noted = 0;
  unsigned faults = 0;
  const unsigned cuts = writes.each_cut([&] {
    bool was_noted = false;
    faults += judge(disk, old_bytes, was_noted) ? 0U : 1U;
    noted += was_noted ? 1U : 0U;
  });
  std::printf("%s, %s: %u cuts, %u of them in a removal\n", Library::kName, format.name, cuts, noted);
  CHECK(cuts > 25);
  CHECK(noted > cuts / 3);
  CHECK_EQ(faults, 0U);
}

// A boot in which `fails` says of each access of a sector whether it fails. File 1 goes, or stays as it is: one that could not be
// listed or read is left alone until the next file begins. Then all space is used.
template <typename Library>
bool outlives(RamDisk& disk, std::uint32_t& now_ms, bool& is_gone,
              const std::function<bool(RamDisk::Access)>& fails) {
  Volume volume(disk);
  RemovingLogger<Library> logger;
  std::uint32_t next = kLastRows;
  disk.set_watch([&](RamDisk::Access access, std::uint32_t, const std::byte*) { return !fails(access); });
  static_cast<void>(begin_removing<Library>(logger, 2));
  for (unsigned i = 0; i < 60; ++i) {
    static_cast<void>(log_numbers<Library>(logger, "c", next, 1));
    now_ms += 100;
  }
  disk.set_watch({});
  bool good = CHECK(logger.end());
  disk.front().settle();
  volume.mount(disk);
  is_gone = !is_there(kNames[0]);
  if (!is_gone) good = CHECK_EQ(numbers_of(kNames[0]).rows, kOldRows) && good;
  good = CHECK(!is_there(std::string(kNames[0]) + ".REM")) && good;
  static_cast<void>(fill("NEW.BIN", 'n'));
  const NumbersOfFile kept = numbers_of(kNames[1]);
  const NumbersOfFile last = numbers_of(kNames[2]);
  good = CHECK(kept.is_good) && CHECK_EQ(kept.rows, kKeptRows) && CHECK(last.rows >= kLastRows) && good;
  return CHECK(has_only("KEPT.BIN", 'k')) && CHECK(has_only("NEW.BIN", 'n')) && good;
}

template <typename Library>
void fail_logger_removals(const filesystems::Format& format, std::uint32_t& now_ms) {
  RamDisk disk(format.sectors);
  REQUIRE(filesystems::format(disk, format));
  REQUIRE(make_full_card<Library>(disk) != 0);
  unsigned accesses = 1;
  unsigned faults = 0;
  unsigned gone = 0;
  for (unsigned nth = 0; nth < accesses; ++nth) {
    unsigned at = 0;
    disk.begin_transaction();
    bool is_gone = false;
    const bool good = outlives<Library>(disk, now_ms, is_gone, [&](RamDisk::Access) { return at++ == nth; });
    faults += good ? 0U : 1U;
    gone += is_gone ? 1U : 0U;
    if (nth == 0) accesses = at;
    disk.roll_back();
  }
  std::printf("%s, %s: %u accesses failed, and file 1 went %u times\n", Library::kName, format.name, accesses,
              gone);
  CHECK(accesses > 50);
  CHECK(gone > accesses / 2);
  CHECK_EQ(faults, 0U);
}

}  // namespace ports
