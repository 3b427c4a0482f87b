// Saves of a stream: rows in memory that the next resume() finds though no footer describes them.
#include "microparquet/encoders.h"
#include "tail_rows.h"

using cut::CutFile;
using cut::MemoryFile;
using tails::append_up_to;
using tails::hold;
using tails::kFields;
using tails::kNarrow;
using tails::resume;

namespace {

constexpr std::uint32_t kSectorBytes = 512;

Options saving(std::uint32_t row_group_bytes = 6 << 10) {
  Options options = written::forward(512, row_group_bytes);
  options.layout = &microparquet::kForwardSaving;
  return options;
}

// Begins a file with rows up to `durable` in a footer, and those up to `saved` in a save.
void save_after_footer(Writer& writer, CutFile& file, const Options& options, std::uint32_t durable,
                       std::uint32_t saved) {
  REQUIRE_EQ(resume(writer, file, options), Status::kOk);
  REQUIRE_EQ(append_up_to(writer, durable), Status::kOk);
  REQUIRE_EQ(writer.checkpoint(), Status::kOk);
  REQUIRE_EQ(append_up_to(writer, saved), Status::kOk);
  REQUIRE_EQ(writer.save(), Status::kOk);
}

// Calls `visit` for each head of a save in the file.
template <typename Visit>
unsigned visit_saves(const Visit& visit) {
  const Span<std::byte> memory = written::file_memory(0);
  unsigned heads = 0;
  for (std::size_t at = 0; at + kSectorBytes <= memory.size(); at += kSectorBytes) {
    if (std::memcmp(memory.data() + at, "mpqS", 4) != 0) continue;
    ++heads;
    visit(memory.data() + at);
  }
  return heads;
}

void forget_file() {
  const Span<std::byte> memory = written::file_memory(0);
  std::memset(memory.data(), 0, memory.size());
}

// A medium that goes away after some reads.
class LeavingFile final : public support::ForwardingFile {
 public:
  LeavingFile(File& file, int reads) : ForwardingFile(file), reads_(reads) {}

  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    return reads_-- > 0 ? ForwardingFile::read_at(offset, out) : Status::kIoError;
  }

 private:
  int reads_;
};

// A medium of that many bytes, which says beforehand what it has no space for.
class SmallFile final : public support::ForwardingFile {
 public:
  SmallFile(File& file, std::uint64_t bytes) : ForwardingFile(file), bytes_(bytes) {}

  Status write_at(std::uint64_t offset, Span<const std::byte> data) override {
    return offset + data.size() > bytes_ ? Status::kNoSpace : ForwardingFile::write_at(offset, data);
  }
  Status reserve(std::uint64_t end) override {
    return end > bytes_ ? Status::kNoSpace : ForwardingFile::reserve(end);
  }

 private:
  std::uint64_t bytes_;
};

// A new file on sectors that have the bytes of earlier ones until they are written.
class UsedSectors final : public support::OwningFile<MemoryFile> {
 public:
  UsedSectors() : OwningFile(written::file_memory(0), written::file_memory(0).size()) {}

  FileAbilities abilities() const override { return {true, true, true}; }
  Status size(std::uint64_t& bytes) override {
    bytes = published_;
    return Status::kOk;
  }
  Status sync(std::uint64_t size) override {
    published_ = size;
    return Status::kOk;
  }

 private:
  std::uint64_t published_ = 0;
};

}  // namespace

TEST("stream saves: rows in memory, no size published, and nothing without new rows") {
  forget_file();
  CutFile file;
  const Options options = saving();
  for (std::uint32_t rows = 1; rows < 60; ++rows) {
    Writer writer;
    REQUIRE_EQ(resume(writer, file, options), Status::kOk);
    REQUIRE_EQ(writer.rows(), rows - 1);
    CHECK_EQ(writer.safe_rows(), rows - 1);
    REQUIRE_EQ(append_up_to(writer, rows), Status::kOk);
    CHECK_EQ(writer.safe_rows(), rows - 1);
    const std::uint64_t published = file.published;
    const int syncs = file.syncs;
    const std::size_t written = file.written_bytes;
    REQUIRE_EQ(writer.save(), Status::kOk);
    CHECK_EQ(writer.safe_rows(), rows);
    CHECK_EQ(writer.rows(), rows);
    if (rows > 1) {
      CHECK_EQ(file.published, published);
      CHECK_EQ(file.syncs, syncs);
      CHECK(file.written_bytes - written <= options.row_group_bytes + kSectorBytes);
    }
    const int calls = file.calls;
    REQUIRE_EQ(writer.save(), Status::kOk);
    CHECK_EQ(file.calls, calls);
    file.cut();
    CHECK_EQ(file.violations, 0);
  }
  Writer writer;
  REQUIRE_EQ(resume(writer, file, options), Status::kOk);
  REQUIRE_EQ(writer.rows(), 59U);
  REQUIRE_EQ(writer.close(), Status::kOk);
  CHECK(hold(file.view(), kFields, 59));
}

TEST("stream saves: with checkpoints, row groups and boots mixed no safe row is lost") {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    forget_file();
    const bool shrinks = seed % 3 != 0;
    CutFile file(0, shrinks);
    const Options options = saving(seed % 2 == 0 ? 6 << 10 : 20 << 10);
    std::uint32_t safe = 0;
    std::uint32_t chance = seed * 1000;
    for (int boot = 0; boot < 4; ++boot) {
      Writer writer;
      REQUIRE_EQ(resume(writer, file, options), Status::kOk);
      REQUIRE(writer.rows() >= safe);
      safe = static_cast<std::uint32_t>(writer.rows());
      for (int step = 0; step < 10; ++step) {
        const std::uint32_t kind = written::mix(++chance) % 8;
        const auto rows = static_cast<std::uint32_t>(writer.rows()) + written::mix(chance, 1) % 60;
        REQUIRE_EQ(append_up_to(writer, rows), Status::kOk);
        Status status = Status::kOk;
        if (kind == 0) status = writer.checkpoint();
        if (kind == 1) status = writer.end_row_group();
        if (kind > 4) status = writer.save();
        REQUIRE_EQ(status, Status::kOk);
        if (kind == 0) CHECK_EQ(writer.durable_rows(), writer.rows());
        if (kind > 4) CHECK_EQ(writer.safe_rows(), writer.rows());
        safe = static_cast<std::uint32_t>(writer.safe_rows());
      }
      if (written::mix(seed, static_cast<std::uint32_t>(boot)) % 4 == 0) {
        safe = static_cast<std::uint32_t>(writer.rows());
        REQUIRE_EQ(writer.close(), Status::kOk);
        REQUIRE(hold(file.view(), kFields, safe));
      }
      file.cut();
      CHECK_EQ(file.violations, 0);
    }
    Writer writer;
    REQUIRE_EQ(resume(writer, file, options), Status::kOk);
    const auto rows = static_cast<std::uint32_t>(writer.rows());
    REQUIRE(rows >= safe);
    REQUIRE_EQ(writer.close(), Status::kOk);
    REQUIRE(hold(file.view(), kFields, rows));
  }
}

TEST("stream saves: a torn one gives way to the one before, and what is of another footer is none") {
  for (const std::size_t at : {std::size_t{9}, std::size_t{700}, std::size_t{0}, std::size_t{1024}}) {
    const bool is_readable = at % kSectorBytes != 0;
    forget_file();
    CutFile file;
    const Options options = saving();
    Writer writer;
    REQUIRE_EQ(resume(writer, file, options), Status::kOk);
    for (const std::uint32_t rows : {20U, 30U}) {
      REQUIRE_EQ(append_up_to(writer, rows), Status::kOk);
      REQUIRE_EQ(writer.save(), Status::kOk);
    }
    file.cut();
    std::uint32_t newest = 0;
    std::byte* place = nullptr;
    CHECK_EQ(visit_saves([&](std::byte* head) {
               std::uint32_t number = 0;
               std::memcpy(&number, head + 16, sizeof number);
               if (number < newest) return;
               newest = number;
               place = head;
             }),
             2U);
    if (is_readable) place[at] ^= std::byte{1};
    if (!is_readable)
      file.unreadable = static_cast<std::uint64_t>(place - written::file_memory(0).data()) + at;
    REQUIRE_EQ(resume(writer, file, options), Status::kOk);
    CHECK_EQ(writer.rows(), 20U);
    REQUIRE_EQ(append_up_to(writer, 25), Status::kOk);
    REQUIRE_EQ(writer.checkpoint(), Status::kOk);
    file.cut();
    REQUIRE_EQ(resume(writer, file, options), Status::kOk);
    CHECK_EQ(writer.rows(), 25U);
    CHECK_EQ(writer.durable_rows(), 25U);
    REQUIRE_EQ(writer.close(), Status::kOk);
    CHECK(hold(file.view(), kFields, 25));
  }
}

TEST("stream saves: one that is misread once is taken up all the same") {
  forget_file();
  CutFile file;
  const Options options = saving();
  REQUIRE(tails::boot(file, options, 0, 20, tails::Ending::kSave));
  REQUIRE(tails::boot(file, options, 20, 30, tails::Ending::kSave));
  tails::take_up_misread(file, options, 30);
}

TEST("stream saves: after misread entries one is a checkpoint") {
  const Options options = saving();
  int misread_entries = 0;
  bool is_read = true;
  for (int at = 0; is_read; ++at) {
    forget_file();
    CutFile file;
    support::MisreadFile misread(file);
    Writer writer;
    REQUIRE_EQ(resume(writer, misread, options), Status::kOk);
    REQUIRE_EQ(append_up_to(writer, 20), Status::kOk);
    misread.reads_left = at;
    const Status status = writer.checkpoint();
    is_read = misread.reads_left < 0;
    misread.reads_left = -1;
    if (status == Status::kOk) continue;
    ++misread_entries;
    REQUIRE_EQ(status, Status::kCorrupt);
    CHECK_EQ(append_up_to(writer, 21), Status::kCorrupt);
    REQUIRE_EQ(writer.save(), Status::kOk);
    CHECK_EQ(writer.durable_rows(), 20U);
    REQUIRE_EQ(append_up_to(writer, 25), Status::kOk);
    REQUIRE_EQ(writer.close(), Status::kOk);
    CHECK(hold(file.view(), kFields, 25));
  }
  CHECK(misread_entries != 0);
}

TEST("stream saves: one whose head counts other entries than its records have is none") {
  forget_file();
  CutFile file;
  const Options options = saving();
  REQUIRE(tails::boot(file, options, 0, 20, tails::Ending::kSave));
  visit_saves([&](std::byte* head) {
    constexpr std::size_t kEntriesBytes = 28;
    constexpr std::size_t kCrc = 60;
    head[kEntriesBytes] ^= std::byte{1};
    const std::uint32_t crc = options.checksum(0, head, kCrc);
    std::memcpy(head + kCrc, &crc, sizeof crc);
  });
  Writer writer;
  REQUIRE_EQ(resume(writer, file, options), Status::kOk);
  CHECK_EQ(writer.rows(), 0U);
}

TEST("stream saves: the footer that adds a segment has all rows that were safe") {
  constexpr Schema kTwo = {kFields, 2};
  for (std::uint32_t bytes = 1 << 10; bytes < (3 << 10); bytes += 384) {
    forget_file();
    CutFile file;
    const Options options = saving(bytes);
    Writer writer;
    REQUIRE_EQ(resume(writer, file, options, kTwo), Status::kOk);
    const int syncs_at_begin = file.syncs;
    for (std::uint32_t rows = 1; rows < 5000 && file.syncs < syncs_at_begin + 2; ++rows) {
      const std::uint64_t safe = writer.safe_rows();
      const int syncs = file.syncs;
      REQUIRE_EQ(append_up_to(writer, rows, kTwo), Status::kOk);
      if (rows % 20 == 0) REQUIRE_EQ(writer.save(), Status::kOk);
      if (file.syncs != syncs) CHECK(static_cast<std::uint64_t>(file.view().rows()) >= safe);
    }
    CHECK(file.syncs > syncs_at_begin + 1);
  }
}

TEST("stream saves: the barrier before one is for row groups that were written since") {
  forget_file();
  constexpr Schema kOne = {kFields, 1};
  CutFile file;
  const Options options = saving();
  Writer writer;
  REQUIRE_EQ(resume(writer, file, options, kOne), Status::kOk);
  REQUIRE_EQ(append_up_to(writer, 3, kOne), Status::kOk);
  REQUIRE_EQ(writer.save(), Status::kOk);
  for (const bool ends : {false, true, false}) {
    if (ends) REQUIRE_EQ(writer.end_row_group(), Status::kOk);
    REQUIRE_EQ(append_up_to(writer, static_cast<std::uint32_t>(writer.rows()) + 2, kOne), Status::kOk);
    const int barriers = file.barriers;
    REQUIRE_EQ(writer.save(), Status::kOk);
    CHECK_EQ(file.barriers - barriers, ends ? 2 : 1);
  }
}

TEST("stream saves: tick() saves as Options::save_ms says") {
  forget_file();
  CutFile file;
  Options options = saving();
  options.save_ms = 1'000;
  Writer writer;
  REQUIRE_EQ(resume(writer, file, options), Status::kOk);
  for (std::uint32_t ms = 0; ms < 30'000; ms += 250) {
    REQUIRE_EQ(append_up_to(writer, ms / 250 + 1), Status::kOk);
    REQUIRE_EQ(writer.tick(ms), Status::kOk);
    if (ms > 2'000) REQUIRE(writer.rows() - writer.safe_rows() <= 4);
  }
  const std::uint64_t safe = writer.safe_rows();
  file.cut();
  REQUIRE_EQ(resume(writer, file, options), Status::kOk);
  CHECK_EQ(writer.rows(), safe);
}

TEST("stream saves: reconnect() has the rows in memory, and those of the last save") {
  const Options options = saving();
  for (std::uint32_t more = 0; more < 140; more += sizeof(void*) == 4 ? 13 : 3) {
    forget_file();
    CutFile file;
    Writer writer;
    save_after_footer(writer, file, options, 50, 60);
    const std::uint32_t row_groups = writer.row_groups();
    REQUIRE_EQ(append_up_to(writer, 60 + more), Status::kOk);
    file.cut();
    REQUIRE_EQ(writer.reconnect(file), Status::kOk);
    CHECK_EQ(writer.rows() + writer.lost_rows(), 60 + more);
    CHECK(writer.rows() >= 60);
    if (writer.row_groups() == row_groups) CHECK_EQ(writer.lost_rows(), 0U);
    const auto rows = static_cast<std::uint32_t>(writer.rows());
    const bool whole = writer.lost_rows() == 0;
    REQUIRE_EQ(append_up_to(writer, rows + 5), Status::kOk);
    REQUIRE_EQ(writer.save(), Status::kOk);
    CHECK_EQ(writer.safe_rows(), rows + 5);
    file.cut();
    REQUIRE_EQ(resume(writer, file, options), Status::kOk);
    CHECK_EQ(writer.rows(), rows + 5);
    REQUIRE_EQ(writer.close(), Status::kOk);
    CHECK_EQ(file.view().rows(), rows + 5);
    if (whole) CHECK(hold(file.view(), kFields, rows + 5));
  }
}

TEST("stream saves: reconnect() after a call that failed, whatever it has written, has each row once") {
  const Options options = saving();
  constexpr int kCallsOfSave = 2;
  constexpr int kCalls = 4;  // and those of a row group's end
  for (int at = 0; at < 2 * kCalls; ++at) {
    forget_file();
    CutFile file;
    file.takes_effect = at % 2 != 0;
    Writer writer;
    save_after_footer(writer, file, options, 50, 55);
    REQUIRE_EQ(append_up_to(writer, 60), Status::kOk);
    file.fails_at = file.calls + at / 2;
    if (writer.save() == Status::kOk) static_cast<void>(writer.end_row_group());
    file.fails_at = -1;
    file.cut();
    REQUIRE_EQ(writer.reconnect(file), Status::kOk);
    CHECK_EQ(writer.rows() + writer.lost_rows(), 60U);
    CHECK_EQ(writer.lost_rows(), 0U);  // where all are in memory, or in a save
    CHECK(writer.safe_rows() >= (at / 2 < kCallsOfSave ? 55U : 60U));
    REQUIRE_EQ(append_up_to(writer, 70), Status::kOk);
    REQUIRE_EQ(writer.close(), Status::kOk);
    CHECK(hold(file.view(), kFields, 70));
  }
}

TEST("stream saves: close() ends after a reconnect() that has found its footer, whatever was cut off") {
  Options options = saving();
  options.max_key_values = 2;
  unsigned failures = 0;
  for (int call = 0; call < 100; ++call) {
    forget_file();
    CutFile file;
    file.takes_effect = call % 2 != 0;
    Writer writer;
    REQUIRE_EQ(resume(writer, file, options), Status::kOk);
    REQUIRE_EQ(writer.set_key_value("place", "roof"), Status::kOk);
    for (std::uint32_t rows = 5; rows < 20; rows += 5) {
      REQUIRE_EQ(append_up_to(writer, rows), Status::kOk);
      REQUIRE_EQ(writer.checkpoint(), Status::kOk);
    }
    file.cut();
    REQUIRE_EQ(resume(writer, file, options), Status::kOk);
    REQUIRE_EQ(append_up_to(writer, 25), Status::kOk);
    file.fails_at = file.calls + call / 2;
    if (writer.close() == Status::kOk) break;
    ++failures;
    file.fails_at = -1;
    file.cut();
    REQUIRE_EQ(writer.reconnect(file), Status::kOk);
    CHECK_EQ(writer.rows() + writer.lost_rows(), 25U);
    REQUIRE_EQ(writer.close(), Status::kOk);
    REQUIRE(hold(file.view(), kFields, static_cast<std::uint32_t>(writer.rows())));
  }
  CHECK(failures > 10);
  CHECK(failures < 100);
}

TEST("stream saves: rows may follow a reconnect() that has failed") {
  const Options options = saving();
  unsigned failures = 0;
  for (int reads = 0; reads < 80; ++reads) {
    forget_file();
    CutFile file;
    Writer writer;
    REQUIRE_EQ(resume(writer, file, options), Status::kOk);
    REQUIRE_EQ(append_up_to(writer, 20), Status::kOk);
    REQUIRE_EQ(writer.end_row_group(), Status::kOk);
    REQUIRE_EQ(append_up_to(writer, 30), Status::kOk);
    REQUIRE_EQ(writer.save(), Status::kOk);
    REQUIRE_EQ(writer.end_row_group(), Status::kOk);
    LeavingFile leaving(file, reads);
    if (writer.reconnect(leaving) == Status::kOk) break;
    ++failures;
    const std::uint32_t rows = reads % 2 == 0 ? 30 : 200;
    REQUIRE_EQ(append_up_to(writer, rows), Status::kOk);
    REQUIRE_EQ(writer.close(), Status::kOk);
    CHECK_EQ(file.violations, 0);
    CHECK(hold(file.view(), kFields, rows));
  }
  CHECK(failures > 4);
  CHECK(failures < 80);
}

TEST("stream saves: values that look like a chunk in the segment do not cost it") {
  forget_file();
  CutFile file;
  const Options options = saving();
  // In the bounds of a footer: the field header of an offset, and 60,000 as a varint.
  constexpr std::int64_t kLikeOffset = 0x07A9C026;
  Writer writer;
  REQUIRE_EQ(writer.open(file, cut::kFields, options, written::arena_memory()), Status::kOk);
  REQUIRE_EQ(cut::append(writer, kLikeOffset), Status::kOk);
  REQUIRE_EQ(writer.checkpoint(), Status::kOk);
  REQUIRE_EQ(cut::append(writer, 1), Status::kOk);
  REQUIRE_EQ(writer.save(), Status::kOk);
  CHECK_EQ(visit_saves([](const std::byte*) {}), 1U);
  writer.reset();
  file.cut();
  REQUIRE_EQ(writer.resume(file, cut::kFields, options, written::arena_memory()), Status::kOk);
  CHECK_EQ(writer.rows(), 2U);
}

TEST("stream saves: the file of a host ends in a footer after each of them") {
  Options options = saving();
  options.checkpoint_ms = options.max_loss_ms = 2'000;
  for (std::uint32_t seed = 0; seed < (sizeof(void*) == 4 ? 4 : 40); ++seed) {
    forget_file();
    tails::live_on_a_host(options, seed);
  }
}

TEST("stream saves: calls that fail, before or after their effect, are repeated") {
  const Options options = saving();
  for (std::uint32_t seed = 0; seed < (sizeof(void*) == 4 ? 4 : 30); ++seed) {
    forget_file();
    CutFile file;
    file.takes_effect = seed % 2 != 0;
    std::uint32_t rows = 0;
    for (std::uint32_t i = 0; i < 8; ++i) {
      Writer writer;
      file.one_in = 300;  // it reads a save by windows
      while (resume(writer, file, options) != Status::kOk) continue;
      file.one_in = 5 + seed % 7;
      REQUIRE_EQ(writer.rows(), rows);
      for (std::uint32_t j = 0; j < 4; ++j) {
        const std::uint32_t chance = written::mix(seed * 64 + i, j);
        const std::uint32_t end = rows + 1 + chance % (chance % 5 == 0 ? 70 : 3);
        while (rows != end) {
          if (append_up_to(writer, end) == Status::kOk) rows = end;
        }
        const bool saves = (chance >> 8) % 3 != 0;
        while ((saves ? writer.save() : writer.checkpoint()) != Status::kOk) continue;
        REQUIRE_EQ(writer.safe_rows(), rows);
      }
      file.cut();
      REQUIRE(hold(file.view(), kFields, static_cast<std::uint32_t>(file.view().rows())));
    }
    file.one_in = 0;
    Writer writer;
    REQUIRE_EQ(resume(writer, file, options), Status::kOk);
    REQUIRE_EQ(writer.close(), Status::kOk);
    REQUIRE(hold(file.view(), kFields, rows));
  }
}

TEST("stream saves: places of a smaller row group give way to new ones") {
  forget_file();
  CutFile file;
  constexpr Schema kOne = {kFields, 1};
  constexpr std::uint32_t kFew = 50;
  REQUIRE(tails::boot(file, saving(4 << 10), 0, kFew, tails::Ending::kSave, kOne));
  const Options larger = saving(24 << 10);
  constexpr std::uint32_t kSaves[] = {700, 1000};
  Writer writer;
  REQUIRE_EQ(resume(writer, file, larger, kOne), Status::kOk);
  REQUIRE_EQ(writer.rows(), kFew);
  for (const std::uint32_t rows : kSaves) {
    REQUIRE_EQ(append_up_to(writer, rows, kOne), Status::kOk);
    REQUIRE_EQ(writer.save(), Status::kOk);
  }
  CHECK_EQ(writer.row_groups(), 1U);  // the others are in memory
  file.cut();
  CHECK_EQ(file.violations, 0);
  REQUIRE_EQ(resume(writer, file, larger, kOne), Status::kOk);
  CHECK_EQ(writer.rows(), kSaves[1]);
  REQUIRE_EQ(writer.close(), Status::kOk);
  CHECK(hold(file.view(), kOne, kSaves[1]));
}

TEST("stream saves: rows follow a tick() whose footer found no space") {
  forget_file();
  CutFile file;
  Options options = saving();
  options.checkpoint_ms = 1'000;
  options.max_loss_ms = 1'000;
  Writer writer;
  const Span<std::byte> memory = written::arena_memory();
  const std::size_t arena_bytes = Writer::required_bytes(kFields, options);
  std::byte* const behind = memory.data() + arena_bytes;
  constexpr std::size_t kBehind = 1 << 10;
  std::memset(behind, 0x5A, kBehind);
  REQUIRE_EQ(writer.open(file, kFields, options, memory.subspan(0, arena_bytes)), Status::kOk);
  bool failed = false;
  for (std::uint32_t ms = 2'000; !failed && ms < 100'000; ms += 2'000) {
    REQUIRE_EQ(append_up_to(writer, static_cast<std::uint32_t>(writer.rows()) + 30), Status::kOk);
    REQUIRE_EQ(writer.end_row_group(), Status::kOk);
    file.fails_reserve = true;
    failed = writer.tick(ms) != Status::kOk;  // where the next row group might not fit in the segment
    file.fails_reserve = false;
    if (!failed) REQUIRE_EQ(writer.checkpoint(), Status::kOk);
  }
  REQUIRE(failed);
  const auto rows = static_cast<std::uint32_t>(writer.rows()) + 500;
  REQUIRE_EQ(append_up_to(writer, rows), Status::kOk);
  REQUIRE_EQ(writer.close(), Status::kOk);
  for (std::size_t at = 0; at < kBehind; ++at) REQUIRE_EQ(behind[at], std::byte{0x5A});
  CHECK_EQ(file.violations, 0);
  CHECK(hold(file.view(), kFields, rows));
}

TEST("stream saves: on a full medium close() has space for each row that was accepted") {
  constexpr std::uint32_t kSeeds = sizeof(void*) == 4 ? 6 : 60;
  unsigned failed_footers = 0;
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    forget_file();
    CutFile card;
    SmallFile file(card, 60'000 + written::mix(seed) % 30'000);
    Options options = saving(seed % 2 == 0 ? 6 << 10 : 3 << 10);
    options.checkpoint_ms = seed % 4 < 2 ? 1'000 : 0;  // 0: row groups are full
    options.max_loss_ms = 1'000;
    Writer writer;
    REQUIRE_EQ(writer.open(file, kNarrow, options, written::arena_memory()), Status::kOk);
    Status status = Status::kOk;
    for (std::uint32_t step = 0; status == Status::kOk; ++step) {
      status = append_up_to(writer, static_cast<std::uint32_t>(writer.rows()) + 1, kNarrow);
      const std::uint32_t chance = written::mix(seed * 10'000 + step) % 64;
      Status other = writer.tick(step * (20 + seed % 7 * 50));
      if (other == Status::kOk && chance < 2) other = writer.save();
      if (other == Status::kOk && chance == 2) other = writer.checkpoint();
      REQUIRE(other == Status::kOk || other == Status::kNoSpace);
      if (other == Status::kNoSpace) ++failed_footers;
    }
    REQUIRE_EQ(status, Status::kNoSpace);
    const auto rows = static_cast<std::uint32_t>(writer.rows());
    status = writer.close();
    if (status == Status::kNoSpace) status = writer.close();  // without the footer that was on its way
    REQUIRE_EQ(status, Status::kOk);
    CHECK_EQ(card.violations, 0);
    REQUIRE(hold(card.view(), kNarrow, rows));
  }
  CHECK(failed_footers > kSeeds);
}

TEST(
    "stream saves: reconnect() does not take a save that an earlier one could not read for rows that came "
    "since") {
  const Options options = saving(20 << 10);
  for (const bool ends : {false, true}) {
    forget_file();
    CutFile file;
    Writer writer;
    save_after_footer(writer, file, options, 50, 54);
    if (ends) REQUIRE_EQ(writer.end_row_group(), Status::kOk);
    REQUIRE_EQ(append_up_to(writer, 56), Status::kOk);
    visit_saves([&](const std::byte* head) {
      file.unreadable = static_cast<std::uint64_t>(head - written::file_memory(0).data());
    });
    REQUIRE_EQ(writer.reconnect(file), Status::kOk);
    CHECK_EQ(writer.lost_rows(), ends ? 4U : 0U);
    file.unreadable = 1ULL << 62;
    REQUIRE_EQ(writer.reconnect(file), Status::kOk);
    CHECK_EQ(writer.safe_rows(), ends ? 50U : 54U);
    CHECK_EQ(writer.rows() + writer.lost_rows(), 56U);
    const auto rows = static_cast<std::uint32_t>(writer.rows());
    REQUIRE_EQ(append_up_to(writer, rows + 5), Status::kOk);
    REQUIRE_EQ(writer.save(), Status::kOk);
    file.cut();
    REQUIRE_EQ(resume(writer, file, options), Status::kOk);
    CHECK_EQ(writer.rows(), rows + 5);
  }
}

TEST("stream saves: those of an earlier file with the same id on the same sectors are none") {
  forget_file();
  const Options options = saving();
  {
    CutFile earlier;
    Writer writer;
    REQUIRE_EQ(resume(writer, earlier, options), Status::kOk);
    for (std::uint32_t rows = 10; rows < 60; rows += 10) {
      REQUIRE_EQ(append_up_to(writer, rows), Status::kOk);
      REQUIRE_EQ(writer.save(), Status::kOk);
    }
  }
  UsedSectors file;
  Writer writer;
  REQUIRE_EQ(resume(writer, file, options), Status::kOk);
  REQUIRE_EQ(append_up_to(writer, 1), Status::kOk);
  REQUIRE_EQ(writer.save(), Status::kOk);
  REQUIRE_EQ(resume(writer, file, options), Status::kOk);
  CHECK_EQ(writer.rows(), 1U);
}

TEST("stream saves: with a dictionary tick() makes a checkpoint each Options::save_ms") {
  forget_file();
  const Field number[] = {microparquet::int64_field("n").with_encoder(microparquet::kDictionary)};
  CutFile file;
  Options options = saving();
  options.save_ms = 1'000;
  Writer writer;
  REQUIRE_EQ(writer.open(file, number, options, written::arena_memory()), Status::kOk);
  const int syncs = file.syncs;
  for (std::uint32_t ms = 0; ms < 10'000; ms += 100) {
    const Value row[] = {Value::of(std::int64_t{1})};
    REQUIRE_EQ(writer.append(row), Status::kOk);
    REQUIRE_EQ(writer.tick(ms), Status::kOk);
  }
  CHECK(writer.durable_rows() > 80);
  CHECK(file.syncs - syncs <= 11);
}

TEST("stream saves: a medium that cannot seek, larger blocks and pages in memory are refused") {
  Options options = saving();
  options.block_bytes = 4096;
  forget_file();
  CutFile file;
  Writer writer;
  CHECK_EQ(resume(writer, file, options), Status::kInvalidArgument);
  options = saving();
  options.max_row_groups_in_memory = 3;
  CHECK_EQ(resume(writer, file, options), Status::kInvalidArgument);
}
