// A log that keeps its newest files: which one goes, which ones stay whatever happens, and what fails half-way.
// The folder is a table in memory; its files have the bytes of real ones.
#include "microparquet/retention.h"

#include <cstring>

#include "microparquet/port/memory_file.h"
#include "microparquet/writer.h"
#include "support/check.h"
#include "support/names.h"
#include "written_file.h"

using microparquet::check_limits;
using microparquet::File;
using microparquet::LogFile;
using microparquet::LogFolder;
using microparquet::MemoryFile;
using microparquet::Retention;
using microparquet::RetentionLimits;
using microparquet::WhenFull;

namespace {

constexpr std::int64_t kNow = 1'800'000'000;  // 2027
constexpr std::uint32_t kId = 1000;           // of the files' ids, with their split
constexpr std::uint32_t kCapacity = 64;

enum class Kind { kOwn, kCut, kEmpty, kOtherId, kOtherWriter, kLocked };

struct Entry {
  LogFile file;
  Kind kind = Kind::kOwn;
  unsigned parts_left = 3;  // of its removal
  bool is_there = false;
};

// Bytes of a closed file of this library, with its id.
Span<const std::byte> own_bytes(std::uint32_t id) {
  static constexpr Field kFields[] = {microparquet::int64_field("n")};
  const microparquet::Options options = written::forward(256, 1024);  // it stays as long as the writer
  MemoryFile file(written::file_memory());
  microparquet::Writer writer;
  if (writer.open(file, kFields, options, written::arena_memory(), {{}, id}) != Status::kOk) return {};
  const Value row[] = {Value::of(std::int64_t{7})};
  if (writer.append(Span<const Value>(row)) != Status::kOk || writer.close() != Status::kOk) return {};
  return file.contents();
}

class ModelFolder final : public LogFolder {
 public:
  void add(std::uint32_t session, std::uint32_t split, Kind kind = Kind::kOwn, std::uint64_t bytes = 100) {
    entries_[count_++] = {{session, split, kind == Kind::kEmpty ? 0 : bytes, kNow, 0}, kind, 3, true};
  }
  Entry* find(std::uint32_t session, std::uint32_t split) {
    for (Entry& entry : all()) {
      if (entry.is_there && entry.file.session == session && entry.file.split == split) return &entry;
    }
    return nullptr;
  }
  bool has(std::uint32_t session, std::uint32_t split) { return find(session, split) != nullptr; }
  unsigned files() {
    unsigned files = 0;
    for (const Entry& entry : all()) files += entry.is_there ? 1U : 0U;
    return files;
  }

  Status list_sessions() override {
    at_ = 0;
    return answer();
  }
  Status next_session(std::uint32_t& session) override {
    if (const Status status = answer(); status != Status::kOk) return status;
    // A session is listed as often as it has files, also those that were removed: its folder is still there.
    for (; at_ != count_; ++at_) {
      session = entries_[at_].file.session;
      if (session == gone_) continue;
      ++at_;
      return Status::kOk;
    }
    return Status::kEnd;
  }
  Status list_files(std::uint32_t session) override {
    at_ = 0;
    listed_ = session;
    return session == unreadable ? Status::kIoError : answer();
  }
  Status next_file(LogFile& file) override {
    if (const Status status = answer(); status != Status::kOk) return status;
    for (; at_ != count_; ++at_) {
      if (!entries_[at_].is_there || entries_[at_].file.session != listed_) continue;
      file = entries_[at_++].file;
      return Status::kOk;
    }
    return Status::kEnd;
  }
  Status open_file(const LogFile& file, File*& opened) override {
    if (const Status status = answer(); status != Status::kOk) return status;
    const Entry& entry = *find(file.session, file.split);
    if (entry.kind == Kind::kLocked) return Status::kIoError;
    const Span<const std::byte> bytes = bytes_of(entry);
    memory_ = MemoryFile(written::file_memory(1), bytes.size());
    if (!bytes.empty()) std::memcpy(written::file_memory(1).data(), bytes.data(), bytes.size());
    opened = &memory_;
    ++opened_;
    return Status::kOk;
  }
  void close_file() override { opened_ = 0; }
  bool has_id(const LogFile& file, std::uint32_t file_id) override { return file_id == kId + file.split; }
  Status remove_file(const LogFile& file, bool& is_done) override {
    if (const Status status = answer(); status != Status::kOk) return status;
    CHECK_EQ(opened_, 0U);
    Entry& entry = *find(file.session, file.split);
    if (entry.file.split == stubborn) return Status::kIoError;
    CHECK(entry.kind == Kind::kOwn || entry.kind == Kind::kCut || entry.kind == Kind::kEmpty);
    entry.kind = Kind::kEmpty;
    free += entry.file.bytes;
    entry.file.bytes = 0;
    is_done = --entry.parts_left == 0;
    entry.is_there = !is_done;
    return Status::kOk;
  }
  Status remove_session(std::uint32_t session) override {
    gone_ = session;
    return answer();
  }
  Status count_free(std::uint64_t enough, std::uint64_t& bytes, bool& is_done) override {
    if (free == ~std::uint64_t{0}) return Status::kUnsupported;
    bytes = free < enough ? free : enough;
    is_done = true;
    return answer();
  }

  std::uint32_t calls = 0;
  std::uint32_t fails_at = 0;  // this call, and no other
  std::uint32_t stubborn = 0;  // split whose removal fails
  std::uint32_t unreadable = ~0U;
  std::uint64_t free = ~std::uint64_t{0};
  std::uint32_t gone() const { return gone_; }

 private:
  Span<Entry> all() { return {entries_, count_}; }
  Status answer() { return ++calls == fails_at ? Status::kMediumLost : Status::kOk; }

  static Span<const std::byte> bytes_of(const Entry& entry) {
    static constexpr char kForeign[] =
        "PAR1\x15\x00\x15\x20 pages of another writer, and its footer\x20\0\0\0PAR1";
    static_assert(sizeof kForeign > 1);
    if (entry.kind == Kind::kEmpty) return {};
    if (entry.kind == Kind::kOtherWriter)
      return {reinterpret_cast<const std::byte*>(kForeign), sizeof kForeign - 1};
    const Span<const std::byte> own = own_bytes(entry.kind == Kind::kOtherId ? 7 : kId + entry.file.split);
    return entry.kind == Kind::kCut ? Span<const std::byte>(own.data(), 60) : own;
  }

  Entry entries_[kCapacity];
  std::uint32_t count_ = 0;
  std::uint32_t at_ = 0;
  std::uint32_t listed_ = 0;
  std::uint32_t gone_ = ~0U;
  unsigned opened_ = 0;
  MemoryFile memory_{written::file_memory(1)};
};

RetentionLimits limits_of(std::uint32_t files, std::uint64_t bytes = 0, std::uint32_t low_water = 0) {
  RetentionLimits limits;
  limits.when_full = WhenFull::kDropOldest;
  limits.files = files;
  limits.bytes = bytes;
  limits.low_water = low_water;
  return limits;
}

// Steps for ten minutes, or until a call fails.
Status run(Retention& retention, std::uint32_t& now_ms) {
  for (unsigned i = 0; i < 6'000; ++i) {
    now_ms += 100;
    if (const Status status = retention.step(now_ms); status != Status::kOk) return status;
  }
  return Status::kOk;
}

Status run(Retention& retention) {
  std::uint32_t now_ms = 0;
  return run(retention, now_ms);
}

// Removes one file. kOk, or why not.
Status make_space(Retention& retention) {
  bool is_done = false;
  Status status = Status::kOk;
  for (unsigned i = 0; i < 1'000 && status == Status::kOk && !is_done; ++i)
    status = retention.make_space(is_done);
  return status;
}

}  // namespace

TEST("nothing goes that nobody allowed to") {
  ModelFolder folder;
  for (std::uint32_t split = 1; split < 5; ++split) folder.add(1, split);
  folder.free = 0;
  RetentionLimits limits = limits_of(1, 1, 1 << 20);
  limits.when_full = RetentionLimits().when_full;
  Retention retention(folder, limits);
  retention.begin_file(2, 1);
  CHECK(run(retention) == Status::kOk);
  CHECK(make_space(retention) == Status::kNoSpace);
  CHECK_EQ(folder.files(), 4U);
  CHECK_EQ(folder.calls, 0U);
  CHECK_EQ(retention.removed(), 0U);
}

TEST("the oldest session goes first, in the order of its splits, and never the file being written") {
  ModelFolder folder;
  for (const std::uint32_t session : {3U, 1U, 2U}) {
    for (const std::uint32_t split : {2U, 3U, 1U}) folder.add(session, split);
  }
  Retention retention(folder, limits_of(0));
  retention.begin_file(3, 3);
  for (const std::uint32_t session : {1U, 2U, 3U}) {
    for (const std::uint32_t split : {1U, 2U, 3U}) {
      CHECK(folder.has(session, split));
      const bool is_last = session == 3 && split == 3;
      CHECK(make_space(retention) == (is_last ? Status::kNoSpace : Status::kOk));
      CHECK_EQ(folder.has(session, split), is_last);
    }
  }
  CHECK_EQ(retention.removed(), 8U);
  CHECK_EQ(folder.gone(), 2U);
}

TEST("numbers that start again are younger than the greater ones") {
  ModelFolder folder;
  for (const std::uint32_t session : {99'999'998U, 1U, 99'999'999U, 2U}) folder.add(session, 1);
  Retention retention(folder, limits_of(0));
  retention.begin_file(2, 1);
  for (const std::uint32_t session : {99'999'998U, 99'999'999U, 1U}) {
    CHECK(make_space(retention) == Status::kOk);
    CHECK(!folder.has(session, 1));
  }
  CHECK(make_space(retention) == Status::kNoSpace && folder.has(2, 1));
  // Files of a log without sessions likewise.
  ModelFolder flat;
  for (const std::uint32_t split : {99'999U, 2U, 1U, 99'998U}) flat.add(1, split);
  Retention flat_retention(flat, limits_of(2));
  flat_retention.begin_file(1, 2);
  CHECK(run(flat_retention) == Status::kOk);
  CHECK(flat.files() == 2 && flat.has(1, 1) && flat.has(1, 2));
}

TEST("limits by number and by bytes are kept, with each file that begins") {
  ModelFolder folder;
  Retention retention(folder, limits_of(5, 1'000));
  std::uint32_t now_ms = 0;
  for (std::uint32_t split = 1; split < 40; ++split) {
    folder.add(1, split, Kind::kOwn, split < 20 ? 100 : 400);
    retention.begin_file(1, split);
    CHECK(run(retention, now_ms) == Status::kOk);
    const std::uint32_t stay = split < 20 ? 5 : 3;  // 400 each, and the one being written
    if (split >= 5 && (split < 20 || split > 25)) CHECK_EQ(folder.files(), stay);
    for (std::uint32_t i = 0; i < 3 && i < split; ++i) CHECK(folder.has(1, split - i));
  }
  CHECK_EQ(retention.removed(), 36U);
}

TEST("free space is kept ahead of need") {
  ModelFolder folder;
  for (std::uint32_t split = 1; split < 20; ++split) folder.add(1, split, Kind::kOwn, 300);
  folder.free = 1'000;
  Retention retention(folder, limits_of(0, 0, 1'000));
  std::uint32_t now_ms = 0;
  retention.begin_file(2, 1);
  CHECK(run(retention, now_ms) == Status::kOk && folder.files() == 19);
  folder.free = 500;
  CHECK(run(retention, now_ms) == Status::kOk);
  CHECK_EQ(folder.files(), 17U);
  CHECK_EQ(folder.free, 1'100U);
}

TEST("files of others stay, and are counted once for each file that begins") {
  ModelFolder folder;
  folder.add(1, 1, Kind::kOtherWriter);
  folder.add(1, 2, Kind::kOtherId);
  folder.add(1, 3, Kind::kLocked);
  folder.add(1, 4, Kind::kCut);
  folder.add(1, 5, Kind::kOtherWriter, 5'000);
  folder.add(1, 6, Kind::kEmpty);
  folder.add(1, 7);
  Retention retention(folder, limits_of(0, 50));
  retention.begin_file(1, 8);
  CHECK(run(retention) == Status::kOk);
  for (const std::uint32_t split : {1U, 2U, 3U, 5U}) CHECK(folder.has(1, split));
  CHECK_EQ(folder.files(), 4U);
  CHECK_EQ(retention.foreign(), 4U);
  CHECK_EQ(retention.removed(), 3U);
}

TEST("a medium full of others' files is full") {
  ModelFolder folder;
  for (std::uint32_t i = 0; i < kCapacity; ++i) folder.add(1 + i % 3, 1 + i, Kind::kOtherWriter);
  folder.free = 0;
  Retention retention(folder, limits_of(1, 1, 1 << 20));
  retention.begin_file(5, 1);
  CHECK(run(retention) == Status::kOk);
  CHECK(make_space(retention) == Status::kNoSpace);
  CHECK_EQ(folder.files(), kCapacity);
  CHECK_EQ(retention.foreign(), kCapacity);
  const std::uint32_t calls = folder.calls;
  std::uint32_t now_ms = 10'000'000;
  CHECK(run(retention, now_ms) == Status::kOk);
  CHECK_EQ(folder.calls, calls);  // nothing is asked before the next file
}

TEST("of others' bytes none count against the log's own") {
  ModelFolder folder;
  folder.add(1, 1, Kind::kOtherWriter, 1'000'000);
  for (std::uint32_t split = 2; split < 8; ++split) folder.add(1, split);
  Retention retention(folder, limits_of(0, 300));
  retention.begin_file(2, 1);
  CHECK(run(retention) == Status::kOk);
  CHECK(folder.has(1, 1) && folder.has(1, 5) && folder.has(1, 6) && folder.has(1, 7));
  CHECK_EQ(folder.files(), 4U);
}

TEST("age takes one file each time, whatever the clock says, and none without a clock") {
  RetentionLimits limits = limits_of(0);
  limits.age_s = 1'000;
  ModelFolder folder;
  for (std::uint32_t split = 1; split < 10; ++split) folder.add(1, split);
  folder.find(1, 1)->file.written_s = 315'532'800;  // 1980: its device had no clock
  Retention retention(folder, limits);
  std::uint32_t now_ms = 0;
  std::uint32_t split = 10;
  const auto goes_on = [&](std::int64_t unix_s) {
    const unsigned before = folder.files();
    retention.set_time(unix_s);
    retention.begin_file(1, split++);
    CHECK(run(retention, now_ms) == Status::kOk);
    return before - folder.files();
  };
  CHECK_EQ(goes_on(kNow + 5'000), 0U);  // the oldest file has no date
  CHECK(make_space(retention) == Status::kOk && !folder.has(1, 1));
  CHECK_EQ(goes_on(0), 0U);
  CHECK_EQ(goes_on(315'532'800), 0U);
  CHECK_EQ(goes_on(-5), 0U);
  CHECK_EQ(goes_on(kNow + 1'000), 0U);
  CHECK_EQ(goes_on(kNow + 1'001), 1U);
  CHECK(!folder.has(1, 2));
  CHECK_EQ(goes_on(4'000'000'000), 1U);  // jumped
  CHECK_EQ(goes_on(kNow - 10), 0U);
  CHECK_EQ(folder.files(), 6U);
}

TEST("a removal that fails is said, and the next file goes") {
  ModelFolder folder;
  for (std::uint32_t split = 1; split < 6; ++split) folder.add(1, split);
  folder.stubborn = 1;
  Retention retention(folder, limits_of(0));
  retention.begin_file(2, 1);
  CHECK(make_space(retention) == Status::kIoError);
  CHECK(make_space(retention) == Status::kOk);
  CHECK(folder.has(1, 1) && !folder.has(1, 2) && folder.files() == 4);
}

TEST("a session that cannot be read is said, and left alone") {
  ModelFolder folder;
  folder.add(1, 1);
  folder.add(2, 1);
  folder.unreadable = 1;
  Retention retention(folder, limits_of(0));
  retention.begin_file(3, 1);
  CHECK(make_space(retention) == Status::kIoError);
  CHECK(make_space(retention) == Status::kOk);
  CHECK(folder.has(1, 1) && !folder.has(2, 1));
}

// Whatever call a medium is lost in, and whether the device continues or starts again.
TEST("a medium that is lost at any call costs no file but the oldest") {
  for (std::uint32_t fails_at = 1; fails_at < 400; ++fails_at) {
    for (const bool boots : {false, true}) {
      ModelFolder folder;
      folder.add(1, 1, Kind::kOtherWriter);
      for (std::uint32_t split = 2; split < 8; ++split) folder.add(1 + split / 5, split);
      folder.fails_at = fails_at;
      Retention retention(folder, limits_of(3, 0));
      retention.begin_file(9, 1);
      std::uint32_t now_ms = 0;
      const Status status = run(retention, now_ms);
      const bool has_failed = folder.calls >= fails_at;
      CHECK(status == (has_failed ? Status::kMediumLost : Status::kOk));
      folder.fails_at = 0;
      Retention second(folder, limits_of(3, 0));
      Retention& next = boots ? second : retention;
      if (!boots && fails_at % 2 == 0) retention.restart();
      next.begin_file(9, 1);
      CHECK(run(next, now_ms) == Status::kOk);
      CHECK(folder.files() == 3 && folder.has(1, 1) && folder.has(2, 6) && folder.has(2, 7));
      if (has_failed) continue;
      CHECK(fails_at > 60);
      return;
    }
  }
}

TEST("a limit below one file is an argument that is wrong") {
  microparquet::RollLimits files;
  RetentionLimits limits = limits_of(0, files.bytes - 1);
  CHECK(check_limits(limits, files) == Status::kInvalidArgument);
  limits.bytes = files.bytes;
  CHECK(check_limits(limits, files) == Status::kOk);
  limits.bytes = 0;
  CHECK(check_limits(limits, files) == Status::kOk);
}

// Any file of ours proves itself, cut at any byte before its first footer ends or after its last one.
TEST("a file of the log is known from its end, or from its begin where it was cut off") {
  ModelFolder folder;
  folder.add(1, 4);
  const LogFile listed = folder.find(1, 4)->file;
  const std::size_t bytes = own_bytes(kId + 4).size();
  REQUIRE(bytes > 400);
  for (std::size_t cut = 0; cut <= bytes; ++cut) {
    bool is_own = false;
    MemoryFile file(written::file_memory(), cut);
    CHECK(is_own_file(file, folder, listed, is_own) == Status::kOk && is_own);
  }
  static_cast<void>(own_bytes(kId + 5));
  unsigned taken = 0;
  for (std::size_t cut = 1; cut <= bytes; ++cut) {
    bool is_own = false;
    MemoryFile file(written::file_memory(), cut);
    CHECK(is_own_file(file, folder, listed, is_own) == Status::kOk);
    taken += is_own ? 1U : 0U;
  }
  CHECK(taken < 250);  // those that were cut before their id
}
