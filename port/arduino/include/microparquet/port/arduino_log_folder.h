// The files of a Logger over SdFat, for a Retention.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "microparquet/detail/fat_date.h"
#include "microparquet/port/arduino_board.h"
#include "microparquet/port/file_volume.h"
#include "microparquet/port/logger_keeper.h"
#include "microparquet/port/numbered_path.h"
#include "microparquet/port/removal_journal.h"
#include "microparquet/retention.h"
#include "microparquet/span.h"
#include "microparquet/status.h"

namespace microparquet {

namespace detail {

// True if older files of a volume can be removed: SdFat's volumes count their free clusters, list their folders, and
// delete a file whose clusters are free already.
template <typename Volume, typename = void>
inline constexpr bool kRemovesSafely = false;
template <typename Volume>
inline constexpr bool
    kRemovesSafely<Volume, std::void_t<decltype(std::declval<Volume&>().freeClusterCount()),
                                       decltype(std::declval<FileOf<Volume>&>().remove())>> =
        kOpensByFile<Volume> && kOpensNext<FileOf<Volume>> && kTruncates<FileOf<Volume>>;

// True if a file tells the date of its last change.
template <typename Class, typename = void>
inline constexpr bool kTellsDate = false;
template <typename Class>
inline constexpr bool
    kTellsDate<Class, std::void_t<decltype(std::declval<Class&>().getModifyDateTime(
                          std::declval<std::uint16_t*>(), std::declval<std::uint16_t*>()))>> = true;

// True if a file is opened by its place in a folder.
template <typename Class, typename = void>
inline constexpr bool kOpensByIndex = false;
template <typename Class>
inline constexpr bool
    kOpensByIndex<Class, std::void_t<decltype(std::declval<Class&>().open(
                             std::declval<Class*>(), std::declval<Class&>().dirIndex(), 0))>> = true;

// A file that is only read.
template <typename Class>
class ReadFile final : public File {
 public:
  std::optional<Class>
      file;  // the library's object: a new one each time, since one of a card that is gone must not be closed

  FileAbilities abilities() const override {
    FileAbilities abilities;
    abilities.read_back = true;
    return abilities;
  }
  Status size(std::uint64_t& bytes) override {
    bytes = file->size();
    return Status::kOk;
  }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    if (!file->seek(static_cast<decltype(file->size())>(offset))) return Status::kIoError;
    const auto read = file->read(reinterpret_cast<std::uint8_t*>(out.data()), out.size());
    return static_cast<std::size_t>(read) == out.size() ? Status::kOk : Status::kIoError;
  }
  Status write_at(std::uint64_t, Span<const std::byte>) override { return Status::kUnsupported; }
  Status sync(std::uint64_t) override { return Status::kUnsupported; }
};

}  // namespace detail

// Files of a log in the root of a volume of SdFat: LOG00001.parquet and the other forms of NumberedPath.
//
// SdFat frees a file's clusters before its name goes. An empty file of the same name and ".REM" therefore notes what is
// being removed: it takes no cluster, which a full card would not have. SdFat refuses a chain that is free already; but an
// object whose truncate(0) has failed has forgotten its chain, and then deletes the name.
//
// Free space is known once it was counted, because the card was full; what this log adds and removes is then followed.
template <typename Volume>
class ArduinoLogFolder final : public LoggerFolder {
 public:
  static_assert(detail::kRemovesSafely<Volume>,
                "only SdFat's volumes can drop the oldest files: a Teensy has one in SD.sdfs");

  // Takes the board, which must stay.
  explicit ArduinoLogFolder(ArduinoBoard<Volume>& board) : board_(board) {}
  ArduinoLogFolder(const ArduinoLogFolder&) = delete;
  ArduinoLogFolder& operator=(const ArduinoLogFolder&) = delete;

  Status start(const NumberedPath& log) override {
    path_ = log;
    number_ = 0;
    is_counted_ = false;
    list_.emplace();
    opened_.file.emplace();
    const Status status = journal_.begin();
    has_failed_ = status != Status::kOk;
    return status;
  }

  // See LoggerKeeper.
  void begin_file(std::uint32_t number) override {
    if (is_counted_) free_ = free_now();
    number_ = number;
    size_ = 0;
  }

  bool has_failed() const override { return has_failed_; }
  std::uint64_t volume_bytes() override {
    return std::uint64_t{board_.volume().clusterCount()} * board_.volume().bytesPerCluster();
  }

  Status list_sessions() override {
    has_session_ = true;
    return Status::kOk;
  }
  Status next_session(std::uint32_t& session) override {
    session = kSession;
    return std::exchange(has_session_, false) ? Status::kOk : Status::kEnd;
  }

  Status list_files(std::uint32_t) override { return list() ? Status::kOk : Status::kIoError; }
  Status next_file(LogFile& file) override {
    file = {};
    Class entry;
    char name[kMaxName];
    if (const Status status = next(entry, name); status != Status::kOk) return status;
    if (!read_name(name, file) || file.split >= number_) {
      file = {};
      return Status::kOk;
    }
    file.session = kSession;
    file.bytes = entry.size();
    if constexpr (detail::kTellsDate<Class>) {
      std::uint16_t date = 0;
      std::uint16_t time = 0;
      if (entry.getModifyDateTime(&date, &time)) file.written_s = detail::seconds_of({date, time});
    }
    return Status::kOk;
  }

  Status open_file(const LogFile& file, File*& opened) override {
    opened = &opened_;
    return open(name_of(file), kReads) ? Status::kOk : Status::kIoError;
  }
  void close_file() override { close(); }
  bool has_id(const LogFile& file, std::uint32_t file_id) override { return file_id == file.split; }

  Status remove_file(const LogFile& file, bool& is_done) override {
    const Status status = journal_.remove(file, is_done);
    has_failed_ = status != Status::kOk && (journal_.is_removing() || noted_.split != 0);
    if (is_done) free_ += clusters_of(file.bytes);
    return status;
  }

  Status count(std::uint64_t& bytes) override {
    Volume& volume = board_.volume();
    if (!detail::put_tables<Class>(volume)) return Status::kIoError;
    const auto clusters = static_cast<std::int32_t>(volume.freeClusterCount());
    if (clusters < 0) return Status::kIoError;
    free_ = bytes = std::uint64_t{static_cast<std::uint32_t>(clusters)} * volume.bytesPerCluster();
    is_counted_ = board_.file().size(size_) == Status::kOk;
    return Status::kOk;
  }
  Status count_free(std::uint64_t, std::uint64_t& bytes, bool& is_done) override {
    is_done = true;
    if (!is_counted_) return Status::kUnsupported;
    bytes = free_now();
    return Status::kOk;
  }

 private:
  using Class = detail::FileOf<Volume>;
  using Journal = RemovalJournal<ArduinoLogFolder>;
  friend Journal;

  static constexpr std::uint32_t kSession = 1;
  static constexpr std::string_view kNoteEnding = ".REM";
  static constexpr int kReads = 0;  // O_RDONLY
  static constexpr int kWrites = detail::kChangeFlags<Volume>;
  static constexpr int kCreates = detail::kOpenFlags<Volume>;
  static constexpr std::size_t kMaxName = sizeof "LOG00001_20270131T1012Z.parquet.REM";

  bool list() {
    list_.emplace();
    return list_->openRoot(&board_.volume());
  }
  // Gives the next name; one that is longer than those of a log is empty.
  Status next(Class& entry, char* name) {
    if (!detail::next_entry(*list_, entry)) return list_->getError() == 0 ? Status::kEnd : Status::kIoError;
    if (entry.getName(name, kMaxName) == 0) name[0] = 0;
    return Status::kOk;
  }

  bool read_name(const char* name, LogFile& file) const {
    file.split = path_.number_of(name);
    if (file.split == 0) return false;
    file.name = path_.form_of(name);
    return file.name != NumberedPath::kNoForm;
  }
  // Returns the file's name, which is path_'s.
  const char* name_of(const LogFile& file) {
    return path_.set_form(file.split, file.name) ? path_.path() + 1 : "";
  }

  bool open(const char* name, int flags) {
    static_cast<void>(close());
    opened_.file.emplace();
    return opened_.file->open(&board_.volume(), name, flags);
  }
  bool close() { return !*opened_.file || opened_.file->close(); }

  Status read_note(LogFile& file) {
    file = noted_ = {};
    if (!list()) return Status::kIoError;
    for (;;) {
      Class entry;
      char name[kMaxName];
      const Status status = next(entry, name);
      if (status != Status::kOk) return status == Status::kEnd ? Status::kOk : status;
      const std::size_t bytes = std::string_view(name).size();
      if (bytes < kNoteEnding.size()) continue;
      char* const ending = name + bytes - kNoteEnding.size();
      if (ending != kNoteEnding) continue;
      *ending = 0;
      if (!read_name(name, file)) continue;
      file.session = kSession;
      noted_ = file;
      return Status::kOk;
    }
  }
  Status write_note(const LogFile& file) {
    const bool is_done = file.split == 0;
    const char* const name = note_of(is_done ? noted_ : file);
    if (!is_done) noted_ = file;  // it may be there even if this fails
    bool is_good = false;
    if (is_done) {
      const Status status = open_removed(name);
      is_good = status == Status::kEnd || (status == Status::kOk && opened_.file->remove());
    } else {
      is_good = open(name, kCreates) && close();
    }
    if (is_done && is_good) noted_ = {};
    return is_good ? Status::kOk : Status::kIoError;
  }
  const char* note_of(const LogFile& file) {
    std::size_t at = 0;
    for (const char* from = name_of(file); *from != 0; ++from) note_[at++] = *from;
    for (const char letter : kNoteEnding) note_[at++] = letter;
    note_[at] = 0;
    return note_;
  }

  Status size_of_removed(const LogFile& file, std::uint64_t& bytes) {
    bytes = 0;
    const Status status = open_removed(name_of(file));
    if (status == Status::kOk) bytes = opened_.file->size();
    return status;
  }
  // Opens a file to be removed. On exFAT a cut may have torn its entries, by whose name the library then finds it no more: the
  // list gives it. kEnd: it is not there; kIoError: it is protected, or the list cannot be read.
  Status open_removed(const char* name) {
    if (open(name, kWrites)) return Status::kOk;
    if (!list()) return Status::kIoError;
    for (;;) {
      Class entry;
      char found[kMaxName];
      if (const Status status = next(entry, found); status != Status::kOk) return status;
      if (std::string_view(found) == name) return open_entry(entry) ? Status::kOk : Status::kIoError;
    }
  }
  bool open_entry([[maybe_unused]] Class& entry) {
    if constexpr (detail::kOpensByIndex<Class>) {
      opened_.file.emplace();
      return opened_.file->open(&*list_, entry.dirIndex(), kWrites);
    } else {
      return false;
    }
  }
  Status shorten_removed(const LogFile& file, std::uint64_t bytes) {
    if (!open(name_of(file), kWrites)) return Status::kIoError;
    return opened_.file->truncate(static_cast<decltype(opened_.file->size())>(bytes)) ? Status::kOk
                                                                                      : Status::kIoError;
  }
  // size_of_removed() has opened it.
  Status unlink_removed(const LogFile&) {
    static_cast<void>(opened_.file->truncate(0));
    return opened_.file->remove() ? Status::kOk : Status::kIoError;
  }

  std::uint64_t clusters_of(std::uint64_t bytes) {
    const std::uint64_t cluster = board_.volume().bytesPerCluster();
    return (bytes + cluster - 1) / cluster * cluster;
  }
  // Returns what is free but for what the log's file has added.
  std::uint64_t free_now() {
    std::uint64_t size = 0;
    if (board_.file().size(size) != Status::kOk || size < size_) return free_;
    const std::uint64_t added = clusters_of(size) - clusters_of(size_);
    return added < free_ ? free_ - added : 0;
  }

  ArduinoBoard<Volume>& board_;
  NumberedPath path_;         // of the file that is looked at
  std::uint32_t number_ = 0;  // of the file being written: only those below it are older
  bool has_session_ = false;  // the list has still to give it
  bool has_failed_ = false;   // a removal has, half-way
  bool is_counted_ = false;   // free_ is known
  std::uint64_t free_ = 0;    // bytes, when the log's file had size_
  std::uint64_t size_ = 0;
  std::optional<Class> list_;  // the root
  detail::ReadFile<Class> opened_;
  LogFile noted_;  // file of the note; split 0: there is none
  char note_[kMaxName] = {};
  Journal journal_{*this};
};

// What a Logger has in its memory to keep the newest files.
template <typename Volume>
struct ArduinoKeeper {
  // Takes the board, which must stay.
  ArduinoKeeper(ArduinoBoard<Volume>& board, const RetentionLimits& limits)
      : folder(board), retention(folder, limits) {}

  ArduinoLogFolder<Volume> folder;  // folder of the log's files
  LoggerRetention retention;        // keeper of the files in it
};

}  // namespace microparquet
