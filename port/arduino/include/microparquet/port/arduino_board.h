// Volume and clock of an Arduino, for a Logger.
#pragma once

#include <Arduino.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#include "microparquet/detail/fat_date.h"
#include "microparquet/port/arduino_file.h"
#include "microparquet/port/logger_board.h"

namespace microparquet {

namespace detail {

// Class of the files of a volume.
template <typename Volume>
using FileOf = std::decay_t<decltype(std::declval<Volume&>().open(std::declval<const char*>()))>;

// Ways in which a volume opens files: by the modes of fopen (kOpensByText), where SD's numbers would empty a
// file to be continued; through the file, as SdFat (kOpensByFile); or by numbers of its own.
template <typename Volume, typename = void>
inline constexpr bool kOpensByFile = false;
template <typename Volume>
inline constexpr bool kOpensByFile<Volume, std::void_t<decltype(std::declval<FileOf<Volume>&>().open(
                                               std::declval<Volume*>(), std::declval<const char*>(), 0))>> =
    true;
// True if the volume must be ended before it begins again.
template <typename Volume, typename = void>
inline constexpr bool kEnds = false;
template <typename Volume>
inline constexpr bool kEnds<Volume, std::void_t<decltype(std::declval<Volume&>().end())>> = true;

// True if files can be deleted.
template <typename Volume, typename = void>
inline constexpr bool kRemoves = false;
template <typename Volume>
inline constexpr bool
    kRemoves<Volume, std::void_t<decltype(std::declval<Volume&>().remove(std::declval<const char*>()))>> =
        true;

// Ways in which a folder gives its files: each is opened through the object of another one, as SdFat's; or by the
// folder's object.
template <typename Class, typename = void>
inline constexpr bool kOpensNext = false;
template <typename Class>
inline constexpr bool kOpensNext<
    Class, std::void_t<decltype(std::declval<Class&>().openNext(std::declval<Class*>())),
                       decltype(std::declval<Class&>().getName(std::declval<char*>(), std::size_t{}))>> =
    true;
template <typename Class, typename = void>
inline constexpr bool kGivesNext = false;
template <typename Class>
inline constexpr bool
    kGivesNext<Class, std::void_t<decltype(std::declval<Class&>().openNextFile()),
                                  decltype(std::declval<const char*&>() = std::declval<Class&>().name())>> =
        true;

// True if a folder tells where its list is.
template <typename Class, typename = void>
inline constexpr bool kTellsPlace = false;
template <typename Class>
inline constexpr bool kTellsPlace<Class, std::void_t<decltype(std::declval<Class&>().curPosition()),
                                                     decltype(std::declval<Class&>().seekSet(0))>> = true;

// Returns whether a list that SdFat has ended is at the folder's end: it ends also at an entry whose long name is another's,
// as a power cut in the middle of a removal leaves one. The next call then continues after it.
template <typename Class>
bool is_at_end(Class& folder) {
  if constexpr (kTellsPlace<Class>) {
    constexpr unsigned kEntryBytes = 32;
    const auto at = folder.curPosition();
    std::uint8_t first = 0;
    if (at < kEntryBytes || !folder.seekSet(at - kEntryBytes)) return true;
    const bool is_read = folder.read(&first, sizeof first) == sizeof first;
    return !folder.seekSet(at) || !is_read || first == 0;
  } else {
    return true;
  }
}

// Gives the next entry of a folder of SdFat. False: there is none, or the folder cannot be read.
template <typename Class>
bool next_entry(Class& folder, Class& entry) {
  for (;;) {
    const auto before = folder.position();
    if (entry.openNext(&folder)) return true;
    if (folder.position() == before || is_at_end(folder)) return false;
  }
}

// True if a volume takes names longer than FAT's short ones: all but SD of Arduino, which knows no others.
template <typename Volume>
inline constexpr bool kHasLongNames =
    kOpensByText<Volume> || kOpensByFile<Volume> || kTruncates<FileOf<Volume>>;

// Number that opens a file to read and write anywhere, a new one or one that stays as it is. Among volumes
// with numbers of their own, the Teensy's, with FILE_WRITE_BEGIN, has files that can be made shorter; SD's,
// with O_READ | O_WRITE | O_CREAT, has not.
template <typename Volume>
inline constexpr int kOpenNumber = kTruncates<FileOf<Volume>> ? 2 : 0x13;
#if defined(O_RDWR) && defined(O_CREAT)
template <typename Volume>
constexpr int kOpenFlags = O_RDWR | O_CREAT;
template <typename Volume>
constexpr int kChangeFlags = O_RDWR;
#else
template <typename Volume>
constexpr int kOpenFlags = 0;
template <typename Volume>
constexpr int kChangeFlags = 0;
#endif

#ifdef SD_FAT_VERSION_STR
// Dates of SdFat's entries, for the program's only callback.
struct SdFatDate {
  static inline FatDate now;
  static void give(std::uint16_t* date, std::uint16_t* time, std::uint8_t* ms10) {
    *date = now.date;
    *time = now.time;
    *ms10 = 0;
  }
};
#endif

}  // namespace detail

// Board for a Logger. `Volume` is the class of SD, SD_MMC, LittleFS, a SdFat or the like: with open(path,
// mode) and exists(path). One thread.
template <typename Volume>
class ArduinoBoard final : public LoggerBoard {
 public:
  // Sets the volume; both arguments must stay. `start_card` makes the volume usable and returns whether it
  // is, and is called again when a card has failed, after end() if the volume has one. Null: the volume is
  // usable, and is only opened again.
  void set(Volume& volume, bool (*start_card)()) {
    volume_ = &volume;
    start_card_ = start_card;
    has_started_ = false;
  }

  // Returns the volume. Requires: set() was called.
  Volume& volume() { return *volume_; }

  std::uint32_t now_ms() override { return static_cast<std::uint32_t>(millis()); }

  bool start() override {
    if (start_card_ == nullptr) return true;
    if (has_started_) end_volume();
    has_started_ = true;
    return start_card_();
  }

  bool has_long_names() override { return detail::kHasLongNames<Volume>; }

  bool exists(const char* path) override { return volume_->exists(name_of(path)); }

  // SdFat reads its folder once. The others search it for each of its files.
  bool find_newest(NumberedPath& newest, bool has_first) override {
    newest.forget();
    if constexpr (detail::kOpensNext<Class>) {
      Class folder;
      Class entry;
      char name[sizeof "LOG00001_20270131T1012Z.parquet"];  // a longer one is none of the log's
      const bool is_open = folder.openRoot(volume_);
      for (; is_open && detail::next_entry(folder, entry); entry.close()) {
        if (entry.getName(name, sizeof name) != 0) newest.take_newer(name);
      }
      folder.close();
      return is_open;
    } else if constexpr (detail::kGivesNext<Class>) {
      if (has_first) return false;
      Class folder = volume_->open("/");
      if (!folder) return false;
      for (Class entry = folder.openNextFile(); entry; entry = folder.openNextFile()) {
        newest.take_newer(entry.name());
        entry.close();
      }
      folder.close();
      return true;
    } else {
      return false;
    }
  }

  // Tells SdFat the time of its directory entries, unless the sketch has given it a callback. The other libraries have
  // none, or a clock of their core.
  static void tell([[maybe_unused]] std::int64_t unix_s) {
#ifdef SD_FAT_VERSION_STR
    if constexpr (detail::kOpensByFile<Volume>) {
      detail::SdFatDate::now = detail::fat_date_of(unix_s);
      if (FsDateTime::callback == nullptr && detail::SdFatDate::now.date != 0)
        FsDateTime::setCallback(detail::SdFatDate::give);
    }
#endif
  }

  bool lists_names() override { return detail::kOpensNext<Class>; }

  Status open(const char* path) override {
    open_file(name_of(path));
    file_.reserve_nothing();
    return file_.attach(opened_, *volume_);
  }

  bool remove(const char* path) override {
    if constexpr (detail::kRemoves<Volume>) {
      return volume_->remove(name_of(path));
    } else {
      return LoggerBoard::remove(path);
    }
  }

  // Closes the file unless it would end torn: the classes that count their copies close such a file when it,
  // or the card, is opened again.
  void close() override { static_cast<void>(file_.close()); }

  File& file() override { return file_; }
  std::uint64_t max_file_bytes() override { return file_.max_bytes(); }

 private:
  using Class = detail::FileOf<Volume>;

  // Returns the name, without its slash for volumes that do not take modes as text.
  static const char* name_of(const char* path) { return detail::kOpensByText<Volume> ? path : path + 1; }

  void end_volume() {
    if constexpr (detail::kOpensByText<Volume>) opened_ = Class();
    if constexpr (detail::kEnds<Volume>) volume_->end();
  }

  // Opens the file. The object of the last file is closed only after the file was opened again, which thus
  // has its published size.
  void open_file(const char* name) {
    if constexpr (detail::kOpensByText<Volume>) {
      opened_ = volume_->open(name, "r+");
      if (opened_) return;
      volume_->open(name, "a").close();  // creates it, and never empties one
      opened_ = volume_->open(name, "r+");
    } else if constexpr (detail::kOpensByFile<Volume>) {
      static_assert(detail::kOpenFlags<Volume> != 0, "include SdFat.h before microparquet.h");
      opened_.open(volume_, name, detail::kOpenFlags<Volume>);
    } else {
      opened_ = volume_->open(name, detail::kOpenNumber<Volume>);
    }
  }

  Volume* volume_ = nullptr;
  bool (*start_card_)() = nullptr;
  bool has_started_ = false;
  Class opened_;
  ArduinoFile<Class> file_;
};

}  // namespace microparquet
