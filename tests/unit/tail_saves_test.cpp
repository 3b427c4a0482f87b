// Saves: rows that the next resume() finds though no footer describes them, and heads that are not to be believed.
#include "tail_rows.h"

using cut::CutFile;
using tails::append_up_to;
using tails::boot;
using tails::copy_file;
using tails::Ending;
using tails::hold;
using tails::kFields;
using tails::resume;
using tails::tailed;

namespace {

constexpr std::uint32_t kSectorBytes = 512;
constexpr Schema kTwo = {kFields, 2};

// A target is too slow for all.
constexpr std::uint32_t kStep = sizeof(void*) == 4 ? 7 : 1;

// Begins a row group with a footer that describes it.
void begin(CutFile& file, const Options& options, std::uint32_t rows, Schema schema = kFields) {
  REQUIRE(boot(file, options, 0, rows, Ending::kCheckpoint, schema));
}

void forget_files() {
  for (const int slot : {0, 1}) {
    const Span<std::byte> memory = written::file_memory(slot);
    std::memset(memory.data(), 0, memory.size());
  }
}

// Calls `visit` for the offset of each head that is in the file, in any state.
template <typename Visit>
unsigned visit_heads(std::uint64_t bytes, const Visit& visit) {
  const Span<std::byte> memory = written::file_memory(0);
  unsigned heads = 0;
  for (std::size_t at = 0; at + kSectorBytes <= bytes; at += kSectorBytes) {
    if (std::memcmp(memory.data() + at, "mpqT", 4) != 0) continue;
    ++heads;
    visit(memory.data() + at);
  }
  return heads;
}

}  // namespace

TEST("saves: a sector a column and two, no size published, and nothing without new rows") {
  CutFile file;
  const Options options = tailed();
  begin(file, options, 3, kTwo);
  for (std::uint32_t rows = 4; rows < 100; ++rows) {
    Writer writer;
    REQUIRE_EQ(resume(writer, file, options, kTwo), Status::kOk);
    REQUIRE_EQ(writer.rows(), rows - 1);
    CHECK_EQ(writer.safe_rows(), rows - 1);
    REQUIRE_EQ(append_up_to(writer, rows, kTwo), Status::kOk);
    CHECK_EQ(writer.safe_rows(), rows - 1);
    const std::size_t written = file.written_bytes;
    const std::uint64_t published = file.published;
    const int syncs = file.syncs;
    REQUIRE_EQ(writer.save(), Status::kOk);
    CHECK_EQ(writer.safe_rows(), rows);
    CHECK_EQ(writer.durable_rows(), 3U);
    CHECK(file.written_bytes - written <= (kTwo.size() + 2) * kSectorBytes);
    const int calls = file.calls;
    REQUIRE_EQ(writer.save(), Status::kOk);
    CHECK_EQ(file.calls, calls);
    CHECK_EQ(file.published, published);
    CHECK_EQ(file.syncs, syncs);
    file.cut();
    REQUIRE_EQ(resume(writer, file, options, kTwo), Status::kOk);
    REQUIRE_EQ(writer.save(), Status::kOk);  // no row is new
    CHECK_EQ(file.syncs, syncs);
    file.cut();
  }
  REQUIRE(boot(file, options, 99, 100, Ending::kCheckpoint, kTwo));
  CHECK(hold(file.view(), kTwo, 100));
}

TEST("saves: one of a row group that no footer describes is a checkpoint") {
  const Options options = tailed();
  for (const bool ends : {false, true}) {
    CutFile file;
    Writer writer;
    REQUIRE_EQ(resume(writer, file, options), Status::kOk);
    REQUIRE_EQ(append_up_to(writer, 5), Status::kOk);
    if (ends) {
      REQUIRE_EQ(writer.checkpoint(), Status::kOk);
      REQUIRE_EQ(writer.end_row_group(), Status::kOk);
      REQUIRE_EQ(append_up_to(writer, 9), Status::kOk);
    }
    REQUIRE_EQ(writer.save(), Status::kOk);
    CHECK_EQ(writer.durable_rows(), writer.rows());
    CHECK(hold(file.view(), kFields, ends ? 9 : 5));
    REQUIRE_EQ(append_up_to(writer, 11), Status::kOk);
    REQUIRE_EQ(writer.save(), Status::kOk);
    CHECK(writer.durable_rows() < writer.rows());
    CHECK_EQ(writer.safe_rows(), 11U);
  }
}

TEST("saves: pages stored before one are on the medium before its head") {
  const Options options = tailed();
  CutFile file;
  begin(file, options, 2);
  Writer writer;
  REQUIRE_EQ(resume(writer, file, options), Status::kOk);
  int with_pages = 0;
  for (std::uint32_t rows = 3; rows < 200; ++rows) {
    const int before = file.writes;
    REQUIRE_EQ(append_up_to(writer, rows), Status::kOk);
    const bool stores = file.writes != before;
    const int barriers = file.barriers;
    const std::uint64_t durable = writer.durable_rows();
    REQUIRE_EQ(writer.save(), Status::kOk);
    if (writer.durable_rows() != durable) continue;  // a checkpoint, in a row group that has just begun
    CHECK_EQ(file.barriers - barriers, stores ? 2 : 1);
    with_pages += stores ? 1 : 0;
  }
  CHECK(with_pages > 3);
}

TEST("saves: the head of a checkpoint that was cut off is none") {
  const Options options = tailed();
  for (const bool saves : {false, true}) {
    int calls = 1;
    for (int n = 0; n < calls; n += 1) {
      CutFile file;
      begin(file, options, 30);
      REQUIRE(boot(file, options, 30, 31, Ending::kCheckpoint));
      if (saves) REQUIRE(boot(file, options, 31, 33, Ending::kSave));
      const std::uint32_t safe = saves ? 33 : 31;
      Writer writer;
      REQUIRE_EQ(resume(writer, file, options), Status::kOk);
      REQUIRE_EQ(append_up_to(writer, 40), Status::kOk);
      const int before = file.calls;
      file.fails_at = before + n;
      const bool arrives = writer.checkpoint() == Status::kOk;
      if (file.calls > file.fails_at) calls = n + 2;
      file.fails_at = -1;
      file.cut();
      REQUIRE_EQ(resume(writer, file, options), Status::kOk);
      REQUIRE_EQ(writer.rows(), arrives ? 40U : safe);
      REQUIRE_EQ(append_up_to(writer, 45), Status::kOk);
      REQUIRE_EQ(writer.checkpoint(), Status::kOk);
      file.cut();
      REQUIRE(hold(file.view(), kFields, 45));
    }
    CHECK(calls > 10);
  }
}

namespace {

// Puts what slot 1 has into those sectors of the file that nothing has been written to, as on a card that was used before.
void lay_remains(const CutFile& file) {
  constexpr std::byte kZeros[kSectorBytes] = {};
  for (std::size_t at = 0; at + kSectorBytes <= file.published; at += kSectorBytes) {
    std::byte* const sector = written::file_memory(0).data() + at;
    if (std::memcmp(sector, kZeros, sizeof kZeros) == 0)
      std::memcpy(sector, written::file_memory(1).data() + at, kSectorBytes);
  }
}

void save_often(CutFile& file, const Options& options, std::uint32_t boots) {
  for (std::uint32_t rows = 1; rows <= boots; ++rows) {
    REQUIRE(boot(file, options, rows - 1, rows, rows % 20 == 2 ? Ending::kCheckpoint : Ending::kSave));
    if (rows == 1) lay_remains(file);
  }
}

}  // namespace

TEST("saves: those of an older file are not taken for those of a new one in its place") {
  const Options options = tailed();
  forget_files();
  {
    CutFile older;
    save_often(older, options, 260);
  }
  copy_file();
  CutFile file;
  save_often(file, options, 60);
  REQUIRE(boot(file, options, 60, 61, Ending::kCheckpoint));
  CHECK(hold(file.view(), kFields, 61));
}

TEST("saves: torn ones count for nothing, and the last whole one has its rows") {
  const Options options = tailed();
  for (std::uint32_t torn = 0; torn < 12; ++torn) {
    CutFile file;
    begin(file, options, 10);
    REQUIRE(boot(file, options, 10, 12, Ending::kSave));
    Writer writer;
    REQUIRE_EQ(resume(writer, file, options), Status::kOk);
    REQUIRE_EQ(append_up_to(writer, 15), Status::kOk);
    file.fails_at = file.calls + static_cast<int>(torn);
    file.takes_effect = torn % 2 != 0;
    const Status status = writer.save();
    // A call that failed is repeated; without that the rows are safe if all of it has arrived.
    const bool arrived = status == Status::kOk;
    file.fails_at = -1;
    file.cut();
    REQUIRE_EQ(resume(writer, file, options), Status::kOk);
    REQUIRE(writer.rows() == 15 || (!arrived && writer.rows() == 12));
    const auto rows = static_cast<std::uint32_t>(writer.rows());
    REQUIRE_EQ(append_up_to(writer, rows + 1), Status::kOk);
    REQUIRE_EQ(writer.save(), Status::kOk);
    file.cut();
    REQUIRE(boot(file, options, rows + 1, rows + 2, Ending::kCheckpoint));
    REQUIRE(hold(file.view(), kFields, rows + 2));
  }
}

TEST("saves: one that is misread once is taken up all the same") {
  const Options options = tailed();
  CutFile file;
  begin(file, options, 10);
  REQUIRE(boot(file, options, 10, 12, Ending::kSave));
  REQUIRE(boot(file, options, 12, 15, Ending::kSave));
  tails::take_up_misread(file, options, 15);
}

TEST("saves: with all heads torn the file continues with its durable rows") {
  const Options options = tailed();
  for (std::size_t at = 0; at < kSectorBytes; at += 8 * kStep) {
    CutFile file;
    begin(file, options, 10);
    REQUIRE(boot(file, options, 10, 13, Ending::kCheckpoint));
    REQUIRE(boot(file, options, 13, 16, Ending::kSave));
    REQUIRE(boot(file, options, 16, 17, Ending::kSave));
    REQUIRE_EQ(visit_heads(file.published, [&](std::byte* head) { head[at] ^= std::byte{0x10}; }), 3U);
    Writer writer;
    REQUIRE_EQ(resume(writer, file, options), Status::kOk);
    const auto rows = static_cast<std::uint32_t>(writer.rows());
    REQUIRE(rows == 13 || rows == 17);  // the end of a head's sector is no part of it
    REQUIRE_EQ(append_up_to(writer, rows + 40), Status::kOk);
    REQUIRE_EQ(writer.checkpoint(), Status::kOk);
    file.cut();
    REQUIRE(hold(file.view(), kFields, rows + 40));
    REQUIRE(boot(file, options, rows + 40, rows + 41, Ending::kSave));
    REQUIRE(boot(file, options, rows + 41, rows + 42, Ending::kCheckpoint));
    REQUIRE(hold(file.view(), kFields, rows + 42));
  }
}

TEST("saves: one whose pages are torn counts for nothing, and the one before it has its rows") {
  constexpr std::size_t kNumber = 16;  // of a head, see FORMAT.md
  const Options options = tailed();
  for (std::size_t column = 0; column < tails::kColumns; ++column) {
    CutFile file;
    begin(file, options, 10);
    REQUIRE(boot(file, options, 10, 14, Ending::kSave));
    REQUIRE(boot(file, options, 14, 19, Ending::kSave));
    std::byte* newest = nullptr;
    visit_heads(file.published, [&](std::byte* head) {
      if (newest == nullptr || head[kNumber] > newest[kNumber]) newest = head;
    });
    REQUIRE(newest != nullptr);
    newest[(1 + column) * kSectorBytes + 30] ^= std::byte{1};
    REQUIRE(boot(file, options, 14, 40, Ending::kSave));
    REQUIRE(boot(file, options, 40, 41, Ending::kCheckpoint));
    REQUIRE(hold(file.view(), kFields, 41));
  }
}

TEST("saves: beside footers on their way, of which each step may be the last") {
  for (std::uint32_t seed = 0; seed < 40 / kStep; ++seed) {
    Options options = tailed(seed % 2 == 0 ? 16 << 10 : 5 << 10);
    options.checkpoint_ms = options.max_loss_ms = 400;
    CutFile file;
    std::uint32_t safe = 0;
    for (std::uint32_t i = 0; i < 8 && file.published < (300 << 10); ++i) {
      Writer writer;
      REQUIRE_EQ(resume(writer, file, options), Status::kOk);
      REQUIRE(writer.rows() >= safe);
      const std::uint32_t steps = 20 + written::mix(seed, i) % 80;
      for (std::uint32_t j = 0; j < steps; ++j) {
        const std::uint32_t chance = written::mix(seed * 16 + i, j);
        if (chance % 3 != 0) {
          REQUIRE_EQ(append_up_to(writer, static_cast<std::uint32_t>(writer.rows()) + 1 + chance % 2),
                     Status::kOk);
        }
        REQUIRE_EQ(writer.tick(j * 100), Status::kOk);
        if ((chance >> 8) % 4 == 0) {
          REQUIRE_EQ(writer.save(), Status::kOk);
          REQUIRE_EQ(writer.safe_rows(), writer.rows());
        }
        safe = static_cast<std::uint32_t>(writer.safe_rows());
      }
      file.cut();
      REQUIRE(hold(file.view(), kFields, static_cast<std::uint32_t>(file.view().rows())));
      REQUIRE_EQ(file.violations, 0);
    }
    REQUIRE(boot(file, options, safe, safe + 1, Ending::kCheckpoint));
    REQUIRE(hold(file.view(), kFields, safe + 1));
  }
}

TEST(
    "saves: a firmware with other options continues after the durable rows, and leaves those of a save "
    "alone") {
  CutFile file;
  const Options options = tailed();
  begin(file, options, 10);
  REQUIRE(boot(file, options, 10, 13, Ending::kCheckpoint));
  Options other = options;
  other.max_bound_bytes = 48;  // other lengths in heads
  REQUIRE(boot(file, other, 13, 20, Ending::kCheckpoint));
  REQUIRE(hold(file.view(), kFields, 20));
  REQUIRE(boot(file, options, 20, 90, Ending::kCheckpoint));
  REQUIRE(hold(file.view(), kFields, 90));
  CutFile saved(1);
  begin(saved, options, 10);
  for (std::uint32_t rows = 10; rows < 16; ++rows) {
    REQUIRE(boot(saved, options, rows, rows + 1, Ending::kSave));
    Writer writer;
    REQUIRE_EQ(resume(writer, saved, other), Status::kSchemaMismatch);
  }
  REQUIRE(boot(saved, options, 16, 17, Ending::kCheckpoint));
  REQUIRE(hold(saved.view(), kFields, 17));
}

TEST("saves: what a history left that was cut off is not taken up by the next one") {
  const Options options = tailed();
  for (std::uint32_t cut_at = 0; cut_at < 30; ++cut_at) {
    CutFile file;
    begin(file, options, 20);
    // Writes a footer that is never published, and saves beside it.
    Writer writer;
    REQUIRE_EQ(resume(writer, file, options), Status::kOk);
    file.fails_at = file.calls + static_cast<int>(cut_at);
    Status status = append_up_to(writer, 24);
    std::uint32_t safe = 20;
    for (std::uint32_t rows = 25; status == Status::kOk && rows < 32; ++rows) {
      status = rows % 3 == 0 ? writer.checkpoint() : writer.save();
      if (status == Status::kOk) safe = static_cast<std::uint32_t>(writer.safe_rows());
      if (status == Status::kOk) status = append_up_to(writer, rows);
    }
    file.cut();
    file.fails_at = -1;
    // Other rows in their places: those of the next numbers.
    REQUIRE_EQ(resume(writer, file, options), Status::kOk);
    const auto found = static_cast<std::uint32_t>(writer.rows());
    REQUIRE(found >= safe && found <= 31);
    REQUIRE_EQ(append_up_to(writer, found + 1), Status::kOk);
    REQUIRE_EQ(writer.save(), Status::kOk);
    file.cut();
    for (std::uint32_t i = 1; i < 6; ++i)
      REQUIRE(boot(file, options, found + i, found + i + 1, Ending::kSave));
    REQUIRE(boot(file, options, found + 6, found + 7, Ending::kCheckpoint));
    REQUIRE(hold(file.view(), kFields, found + 7));
  }
}

TEST("saves: reconnect() has all rows that are in memory, and from a lost medium those of the last save") {
  const Options options = tailed();
  for (std::uint32_t more = 0; more < 140; more += kStep) {
    for (const bool saves : {false, true}) {
      CutFile file;
      begin(file, options, 50);
      Writer writer;
      REQUIRE_EQ(resume(writer, file, options), Status::kOk);
      REQUIRE_EQ(append_up_to(writer, 60), Status::kOk);
      REQUIRE_EQ(saves ? writer.save() : writer.checkpoint(), Status::kOk);
      // The medium has this, and what is written since is lost.
      const std::uint64_t kept = file.published;
      copy_file();
      REQUIRE_EQ(append_up_to(writer, 60 + more), Status::kOk);
      const auto least = static_cast<std::uint32_t>(writer.safe_rows());
      CHECK_EQ(least, 60U);
      file.cut();
      REQUIRE_EQ(writer.reconnect(file), Status::kOk);
      CHECK_EQ(writer.lost_rows(), 0U);
      CHECK_EQ(writer.rows(), 60 + more);
      if (file.published != kept) continue;  // a footer since
      CutFile lost(1, true, static_cast<std::size_t>(kept));
      REQUIRE_EQ(writer.reconnect(lost), Status::kOk);
      CHECK_EQ(writer.rows() + writer.lost_rows(), 60 + more);
      REQUIRE(writer.rows() >= 60);
      const auto rows = static_cast<std::uint32_t>(writer.rows());
      REQUIRE_EQ(append_up_to(writer, rows + 5), Status::kOk);
      REQUIRE_EQ(writer.save(), Status::kOk);
      REQUIRE_EQ(writer.checkpoint(), Status::kOk);
      lost.cut();
      REQUIRE(hold(lost.view(), kFields, rows + 5));
    }
  }
}

TEST(
    "saves: reconnect() has all rows that are in memory, also after a boot that began with a save of pages") {
  const Options options = tailed();
  for (std::uint32_t saved = 51; saved < 190; saved += 6 * kStep) {
    for (std::uint32_t more = 0; more < 100; more += 11 * kStep) {
      CutFile file;
      begin(file, options, 50);
      REQUIRE(boot(file, options, 50, saved, Ending::kSave));
      Writer writer;
      REQUIRE_EQ(resume(writer, file, options), Status::kOk);
      REQUIRE_EQ(append_up_to(writer, saved + more), Status::kOk);
      if (more % 2 != 0) REQUIRE_EQ(writer.end_row_group(), Status::kOk);
      file.cut();
      REQUIRE_EQ(writer.reconnect(file), Status::kOk);
      CHECK_EQ(writer.lost_rows(), 0U);
      CHECK_EQ(writer.rows(), saved + more);
      REQUIRE_EQ(append_up_to(writer, saved + more + 3), Status::kOk);
      REQUIRE_EQ(writer.checkpoint(), Status::kOk);
      file.cut();
      REQUIRE(hold(file.view(), kFields, saved + more + 3));
    }
  }
}

TEST("saves: reconnect() has all rows that are in memory, also after a save of full pages beside open ones") {
  constexpr Schema kNarrow = tails::kNarrow;
  const Options options = tailed();
  unsigned interrupted = 0;
  for (std::uint32_t saved = 51; saved < 190; saved += kStep) {
    for (int call = 0; call < 8; ++call) {
      CutFile file;
      begin(file, options, 50, kNarrow);
      Writer writer;
      REQUIRE_EQ(resume(writer, file, options, kNarrow), Status::kOk);
      REQUIRE_EQ(append_up_to(writer, saved, kNarrow), Status::kOk);
      CHECK_EQ(writer.append({}), Status::kInvalidArgument);  // after it has stored the pages that are full
      REQUIRE_EQ(writer.save(), Status::kOk);
      file.cut();
      REQUIRE_EQ(resume(writer, file, options, kNarrow), Status::kOk);
      file.fails_at = file.calls + call;
      if (writer.checkpoint() == Status::kOk) break;
      ++interrupted;
      file.fails_at = -1;
      file.cut();
      REQUIRE_EQ(writer.reconnect(file), Status::kOk);
      CHECK_EQ(writer.lost_rows(), 0U);
      CHECK_EQ(writer.rows(), saved);
      REQUIRE_EQ(append_up_to(writer, saved + 1, kNarrow), Status::kOk);
      REQUIRE_EQ(writer.reconnect(file), Status::kOk);
      CHECK_EQ(writer.lost_rows(), 0U);
      CHECK_EQ(writer.rows(), saved + 1);
      REQUIRE_EQ(writer.checkpoint(), Status::kOk);
      file.cut();
      REQUIRE(hold(file.view(), kNarrow, saved + 1));
    }
  }
  CHECK(interrupted > 10);
}

TEST("saves: the file of a host ends in a footer after each of them") {
  Options options = tailed(8 << 10);
  options.checkpoint_ms = options.max_loss_ms = 2'000;
  for (std::uint32_t seed = 0; seed < 40 / kStep; ++seed) {
    options.layout = &microparquet::kInPlaceTailed;
    tails::live_on_a_host(options, seed);
    options.layout = &microparquet::kInPlaceSaving;
    tails::live_on_a_host(options, seed);
  }
}

TEST("saves: calls that fail, before or after their effect, are repeated") {
  const Options options = tailed();
  for (std::uint32_t seed = 0; seed < 30 / kStep; ++seed) {
    CutFile file;
    file.one_in = 5 + seed % 7;
    file.takes_effect = seed % 2 != 0;
    std::uint32_t rows = 0;
    for (std::uint32_t i = 0; i < 12; ++i) {
      Writer writer;
      while (resume(writer, file, options) != Status::kOk) continue;
      REQUIRE_EQ(writer.rows(), rows);
      for (std::uint32_t j = 0; j < 4; ++j) {
        const std::uint32_t chance = written::mix(seed * 64 + i, j);
        const std::uint32_t end = rows + 1 + chance % (chance % 5 == 0 ? 70 : 3);
        while (rows != end) {
          if (append_up_to(writer, end) == Status::kOk) rows = end;
        }
        bool saves = (chance >> 8) % 3 != 0;
        while ((saves ? writer.save() : writer.checkpoint()) != Status::kOk) continue;
        REQUIRE_EQ(writer.safe_rows(), rows);
      }
      file.cut();
      REQUIRE(hold(file.view(), kFields, static_cast<std::uint32_t>(file.view().rows())));
    }
    file.one_in = 0;
    REQUIRE(boot(file, options, rows, rows + 1, Ending::kCheckpoint));
    REQUIRE(hold(file.view(), kFields, rows + 1));
  }
}

TEST("saves: tick() makes them between checkpoints, and begins each row group with a checkpoint") {
  Options options = tailed();
  options.layout = &microparquet::kInPlaceSaving;
  options.save_ms = 1'000;
  options.checkpoint_ms = options.max_loss_ms = 60'000;
  CutFile file;
  Writer writer;
  REQUIRE_EQ(resume(writer, file, options), Status::kOk);
  int syncs = 0;
  for (std::uint32_t ms = 0; ms < 100'000; ms += 250) {
    if (ms % 500 == 0) REQUIRE_EQ(append_up_to(writer, ms / 500 + 1), Status::kOk);
    REQUIRE_EQ(writer.tick(ms), Status::kOk);
    if (ms > 20'000 && syncs == 0) syncs = file.syncs;
    if (ms > 2'000) REQUIRE(writer.rows() - writer.safe_rows() <= 3);
    if (ms == 50'000) CHECK_EQ(file.syncs, syncs);
  }
  const std::uint64_t safe = writer.safe_rows();
  file.cut();
  REQUIRE_EQ(resume(writer, file, options), Status::kOk);
  CHECK(writer.rows() >= safe);
}

TEST("saves: one is not taken up if a library without tails has continued after its footer") {
  for (const std::uint32_t rows : {60U, 100U, 200U}) {
    CutFile file;
    const Options options = tailed();
    begin(file, options, 10);
    REQUIRE(boot(file, options, 10, rows, Ending::kSave));
    // That library writes other rows over the pages of the save, and publishes nothing.
    Options old = tailed();
    old.layout = &microparquet::kInPlace;
    Writer writer;
    REQUIRE_EQ(resume(writer, file, old), Status::kOk);
    REQUIRE_EQ(writer.rows(), 10U);
    for (std::uint32_t n = 1000; n < 1000 + rows; ++n)
      REQUIRE_EQ(tails::append(writer, kFields, n), Status::kOk);
    file.cut();
    REQUIRE_EQ(resume(writer, file, options), Status::kOk);
    REQUIRE_EQ(append_up_to(writer, rows + 50), Status::kOk);
    REQUIRE_EQ(writer.checkpoint(), Status::kOk);
    CHECK(hold(file.view(), kFields, rows + 50));
  }
}
