// Checkpoints, resuming a file, and rolling from file to file.
#include <cstring>

#include "cut_file.h"
#include "microparquet/detail/writer_access.h"
#include "microparquet/durability.h"
#include "microparquet/rolling.h"
#include "microparquet/writer.h"
#include "support/check.h"
#include "support/file_view.h"
#include "support/names.h"
#include "write/in_place/in_place_layout.h"
#include "written_file.h"

using cut::append;
using cut::CutFile;
using cut::holds;
using cut::kFields;
using cut::options_of;

namespace {

constexpr Field kOthers[] = {microparquet::int64_field("n"), microparquet::float_field("y").as_optional()};

}  // namespace

TEST("a checkpoint makes all rows durable, and the row group continues") {
  for (const std::uint32_t page_bytes : {512U, 256U}) {
    const Options options = options_of(page_bytes);
    CutFile file;
    Writer writer;
    REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
    for (std::int64_t n = 0; n < 900; ++n) {
      REQUIRE_EQ(append(writer, n), Status::kOk);
      if (n % 70 != 69) continue;
      REQUIRE_EQ(writer.checkpoint(), Status::kOk);
      CHECK_EQ(writer.durable_rows(), static_cast<std::uint64_t>(n + 1));
      CHECK(holds(file.view(), n + 1));
    }
    const int syncs = file.syncs;
    CHECK_EQ(writer.checkpoint(), Status::kOk);
    CHECK_EQ(writer.checkpoint(), Status::kOk);  // without new rows there is none
    CHECK_EQ(file.syncs, syncs + 1);
    CHECK(writer.row_groups() < 5);
    REQUIRE_EQ(writer.close(), Status::kOk);
    CHECK(holds(file.view(), 900));
    CHECK_EQ(writer.durable_rows(), 900U);
  }
}

TEST("a segment continues over the footers after it, and a new one leaves thousands") {
  using microparquet::detail::kNowhere;
  using microparquet::detail::Sectors;
  const Options options = options_of(512);
  for (const std::uint32_t more : {0U, 5000U}) {
    CutFile file;
    Writer writer;
    REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
    const microparquet::detail::WriterState& state = microparquet::detail::WriterAccess::state(writer);
    microparquet::write::InPlaceState& in_place = microparquet::write::in_place_of(state);
    const microparquet::detail::SectorIndex segment_end = state.footer.now.segment_end;
    CHECK(in_place.footers_begin == segment_end);
    in_place.footers_begin = segment_end - Sectors(more);  // as if there were `more` sectors of them
    Sectors footers(0);
    std::int64_t rows = 0;
    while (state.footer.now.free_begin == kNowhere && state.footer.now.segment_end == segment_end) {
      footers = in_place.published_end - segment_end;
      for (int i = 0; i < 70; ++i) REQUIRE_EQ(append(writer, rows++), Status::kOk);
      REQUIRE_EQ(writer.checkpoint(), Status::kOk);
    }
    CHECK(footers > Sectors(3));
    if (more == 0) CHECK(state.footer.now.segment_end >= segment_end + footers);
    CHECK(state.footer.now.free_begin == (more == 0 ? kNowhere : segment_end + footers));
    for (int i = 0; i < 2000; ++i) REQUIRE_EQ(append(writer, rows++), Status::kOk);
    REQUIRE_EQ(writer.close(), Status::kOk);
    CHECK_EQ(file.violations, 0);
    CHECK(holds(file.view(), rows));
  }
}

TEST("a slow log is one row group ahead and what footers took, a fast one more") {
  using microparquet::detail::Sectors;
  Options options;
  options.page_bytes = 512;
  for (const std::uint32_t ms_per_row : {1000U, 5U}) {
    CutFile file;
    Writer writer;
    REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
    const microparquet::detail::WriterState& state = microparquet::detail::WriterAccess::state(writer);
    const microparquet::write::InPlaceState& in_place = microparquet::write::in_place_of(state);
    Sectors most(0);  // that were reserved after the open row group since the fifth one
    std::uint32_t n = 0;
    for (; n < 24'000; ++n) {
      REQUIRE_EQ(append(writer, n), Status::kOk);
      REQUIRE_EQ(writer.tick(n * ms_per_row), Status::kOk);
      const Sectors ahead = state.footer.now.segment_end - in_place.row_group_end;
      if (writer.row_groups() > 4 && ahead > most) most = ahead;
    }
    CHECK(writer.row_groups() > 6);
    CHECK(state.footer.now.free_begin == microparquet::detail::kNowhere);
    const Sectors row_group = in_place.row_group_sectors;
    CHECK(ms_per_row == 5 ? most > 4 * row_group : most < 3 * row_group);
    CHECK_EQ(writer.blocking_footers(), 0U);
    REQUIRE_EQ(writer.close(), Status::kOk);
    CHECK_EQ(file.violations, 0);
    CHECK(holds(file.view(), n));
  }
}

TEST("by tick a checkpoint falls due, and its footer is written in steps while rows keep arriving") {
  Options options = options_of(512);
  options.row_group_bytes = 2 << 10;  // many entries: a footer of many steps
  options.checkpoint_ms = 1000;
  options.max_loss_ms = 2000;
  CutFile file;
  Writer writer;
  REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
  std::uint64_t durable = 0;
  int checkpoints = 0;
  int most_writes = 0;
  for (std::int64_t n = 0; n < 3000; ++n) {
    REQUIRE_EQ(append(writer, n), Status::kOk);
    const int before = file.writes;
    REQUIRE_EQ(writer.tick(static_cast<std::uint32_t>(n) * 10 - 7000), Status::kOk);
    if (file.writes - before > most_writes) most_writes = file.writes - before;
    if (writer.durable_rows() != durable) ++checkpoints;
    durable = writer.durable_rows();
    CHECK(static_cast<std::uint64_t>(n) - durable < 250);
    if (n % 50 == 0) CHECK(holds(file.view(), static_cast<std::int64_t>(durable)));
  }
  CHECK(checkpoints >= 12);
  CHECK(most_writes < 12);  // pages, and the record; never a whole footer
  CHECK(file.longest_write <= 512);
  CHECK_EQ(writer.blocking_footers(), 0U);
  REQUIRE_EQ(writer.close(), Status::kOk);
  CHECK(holds(file.view(), 3000));
}

TEST("what the options state bounds the loss") {
  Options options = options_of(512);
  options.checkpoint_ms = 3000;
  options.max_loss_ms = 9000;
  const microparquet::LogRate rate{360'000, 12, 10};
  const microparquet::LossBound bound = microparquet::loss_bound(kFields, options, rate, 20);
  CHECK(bound.ms <= 9000 + 10 + 200 * 10);
  CutFile file;
  Writer writer;
  REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
  for (std::int64_t n = 0; n < 6000; ++n) {
    REQUIRE_EQ(append(writer, n), Status::kOk);
    REQUIRE_EQ(writer.tick(static_cast<std::uint32_t>(n) * 10), Status::kOk);
    CHECK(static_cast<std::uint64_t>(n) - writer.durable_rows() <= bound.rows);
    CHECK(writer.checkpoint_sectors() <=
          microparquet::max_checkpoint_sectors(kFields, options, writer.row_groups()));
  }
}

TEST("a file that was cut off is resumed, again and again") {
  for (const std::uint32_t page_bytes : {512U, 256U}) {
    const Options options = options_of(page_bytes);
    CutFile file;
    std::int64_t rows = 0;
    for (int boot = 0; boot < 12; ++boot) {
      Writer writer;
      REQUIRE_EQ(writer.resume(file, kFields, options, written::arena_memory()), Status::kOk);
      CHECK_EQ(writer.rows(), static_cast<std::uint64_t>(rows));
      const std::int64_t durable = rows + 40 * boot;
      for (std::int64_t n = rows; n < durable; ++n) REQUIRE_EQ(append(writer, n), Status::kOk);
      REQUIRE_EQ(writer.checkpoint(), Status::kOk);
      for (std::int64_t n = 0; n < 30 * boot; ++n)
        REQUIRE_EQ(append(writer, 1'000'000), Status::kOk);  // lost
      file.cut();
      CHECK(holds(file.view(), durable));
      rows = durable;
    }
    Writer writer;
    REQUIRE_EQ(writer.resume(file, kFields, options, written::arena_memory()), Status::kOk);
    REQUIRE_EQ(append(writer, rows), Status::kOk);
    REQUIRE_EQ(writer.close(), Status::kOk);
    CHECK(holds(file.view(), rows + 1));
  }
}

TEST("a closed file is added to; boots without rows leave it as it is") {
  const Options options = options_of(512);
  CutFile file;
  Writer writer;
  REQUIRE_EQ(writer.resume(file, kFields, options, written::arena_memory()),
             Status::kOk);  // empty: new
  for (std::int64_t n = 0; n < 500; ++n) REQUIRE_EQ(append(writer, n), Status::kOk);
  REQUIRE_EQ(writer.set_key_value("device", "a"), Status::kOk);
  REQUIRE_EQ(writer.close(), Status::kOk);
  const int writes = file.writes;
  const std::uint64_t size = file.published;
  for (int boot = 0; boot < 3; ++boot) {
    file.read_bytes = 0;
    REQUIRE_EQ(writer.resume(file, kFields, options, written::arena_memory()), Status::kOk);
    CHECK(file.read_bytes < 2048);  // the footer of a few row groups, and the head
    REQUIRE_EQ(writer.tick(0), Status::kOk);
    REQUIRE_EQ(writer.tick(10'000'000), Status::kOk);
    REQUIRE_EQ(writer.checkpoint(), Status::kOk);
    REQUIRE_EQ(writer.close(), Status::kOk);
    CHECK_EQ(writer.file_bytes(), size);
  }
  CHECK_EQ(file.writes, writes);
  REQUIRE_EQ(writer.resume(file, kFields, options, written::arena_memory()), Status::kOk);
  REQUIRE_EQ(writer.set_key_value("session", "2"), Status::kOk);
  for (std::int64_t n = 500; n < 800; ++n) REQUIRE_EQ(append(writer, n), Status::kOk);
  REQUIRE_EQ(writer.checkpoint(), Status::kOk);
  REQUIRE_EQ(writer.close(), Status::kOk);
  CHECK(holds(file.view(), 800));
  CHECK_EQ(file.view().key_value("device"), "a");
  CHECK_EQ(file.view().key_value("session"), "2");
}

TEST("forward, a checkpoint ends the row group, and the file is resumed after its last footer") {
  const Options options = written::forward(256, 2048);
  CutFile file;
  std::int64_t rows = 0;
  for (int boot = 0; boot < 5; ++boot) {
    Writer writer;
    REQUIRE_EQ(writer.resume(file, kFields, options, written::arena_memory()), Status::kOk);
    const std::int64_t durable = rows + 33;
    for (; rows < durable; ++rows) REQUIRE_EQ(append(writer, rows), Status::kOk);
    REQUIRE_EQ(writer.checkpoint(), Status::kOk);
    REQUIRE_EQ(append(writer, -1), Status::kOk);
    file.cut();
    CHECK(holds(file.view(), rows));
  }
}

TEST("what must not be resumed is refused, and untouched") {
  const Options options = options_of(512);
  CutFile file;
  Writer writer;
  REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
  for (std::int64_t n = 0; n < 100; ++n) REQUIRE_EQ(append(writer, n), Status::kOk);
  REQUIRE_EQ(writer.close(), Status::kOk);
  const int writes = file.writes;
  CHECK_EQ(writer.resume(file, kOthers, options, written::arena_memory()), Status::kSchemaMismatch);
  const Span<std::byte> bytes = written::file_memory(0);
  const auto end = static_cast<std::size_t>(file.published);
  // Any byte of the footer that is not as it was written.
  unsigned wrong = 0;
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + end - 8, sizeof length);
  for (std::size_t at = end - 8 - length; at < end; ++at) {
    writer.reset();
    bytes[at] ^= std::byte{4};
    const Status status = writer.resume(file, kFields, options, written::arena_memory());
    if (status != Status::kCorrupt && status != Status::kSchemaMismatch) ++wrong;
    bytes[at] ^= std::byte{4};
  }
  CHECK_EQ(wrong, 0U);
  bytes[0] ^= std::byte{1};
  bytes[end - 1] ^= std::byte{1};
  CHECK_EQ(writer.resume(file, kFields, options, written::arena_memory()), Status::kNotParquet);
  bytes[0] ^= std::byte{1};
  CHECK_EQ(writer.resume(file, kFields, options, written::arena_memory()), Status::kCorrupt);
  bytes[end - 1] ^= std::byte{1};
  CHECK_EQ(file.writes, writes);
  CHECK_EQ(writer.resume(file, kFields, options, written::arena_memory()), Status::kOk);
}

namespace {

// Two files in turns; looks at each when it is complete.
class TwoFiles final : public microparquet::FileSequence {
 public:
  // `same`: one object is every file, as where a port's is opened again.
  explicit TwoFiles(bool same) : same_(same) {}

  Status next(File*& file) override {
    if (fails) return Status::kIoError;
    check_last();
    ++number;
    last_ = same_ || last_ == &second_ ? &first_ : &second_;
    static_cast<void>(last_->shrink(0));
    last_->fails_size = true;
    file = last_;
    return Status::kOk;
  }
  CutFile& first() { return first_; }
  CutFile& last() { return *last_; }
  void check_last() {
    REQUIRE(last_->view().whole());
    rows += last_->view().rows();
    CHECK_EQ(last_->view().key_value("device"), "a");
    std::int32_t file_id = 0;
    std::memcpy(&file_id, last_->view().footer().text(view::id::kFooterExtension).data() + 8, sizeof file_id);
    CHECK_EQ(file_id, number);  // no remains of one pass for another's
  }

  int number = 1;
  std::int64_t rows = 0;
  bool fails = false;

 private:
  const bool same_;
  CutFile first_{0};
  CutFile second_{1};
  CutFile* last_ = &first_;
};

}  // namespace

namespace {

void roll_through(TwoFiles& files) {
  Options options = options_of(512);
  options.file_id = 1;
  Writer writer;
  REQUIRE_EQ(writer.open(files.first(), kFields, options, written::arena_memory()), Status::kOk);
  REQUIRE_EQ(writer.set_key_value("device", "a"), Status::kOk);
  microparquet::RollingWriter<Writer> log(writer, files, {200 << 10, 15'000});
  for (std::int64_t n = 0; n < 4000; ++n) {
    const Value row[] = {Value::of(n), Value()};
    files.fails = n % 5 != 0;
    Status status = log.append(Span<const Value>(row));
    if (status != Status::kOk) {
      CHECK_EQ(status, Status::kIoError);
      files.fails = false;
      CHECK(log.is_between_files());
      CHECK_EQ(log.append(Span<const Value>(row)), Status::kIoError);  // the file does not say its size
      files.last().fails_size = false;
      status = log.append(Span<const Value>(row));
    }
    REQUIRE_EQ(status, Status::kOk);
    CHECK(!log.is_between_files());
    files.fails = false;
    status = log.tick(static_cast<std::uint32_t>(n) * 10);
    if (status == Status::kIoError) {
      files.last().fails_size = false;
      status = log.tick(static_cast<std::uint32_t>(n) * 10);
    }
    REQUIRE_EQ(status, Status::kOk);
  }
  REQUIRE_EQ(writer.close(), Status::kOk);
  files.check_last();
  CHECK_EQ(files.number, 3);  // 40 seconds
  CHECK_EQ(files.rows, 4000);
}

}  // namespace

TEST("a log rolls from file to file by size and by time, and loses no row") {
  for (const bool same : {false, true}) {
    TwoFiles files(same);
    roll_through(files);
  }
}

TEST("forward, rows may come between a checkpoint that failed and its repetition") {
  const Options options = written::forward(256, 2048);
  CutFile file;
  Writer writer;
  REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
  std::int64_t rows = 0;
  for (int i = 0; i < 5; ++i) {
    for (int n = 0; n < 20; ++n) REQUIRE_EQ(append(writer, rows++), Status::kOk);
    file.fails_sync = true;
    CHECK_EQ(writer.checkpoint(), Status::kIoError);
    file.fails_sync = false;
    for (int n = 0; n < 20; ++n) REQUIRE_EQ(append(writer, rows++), Status::kOk);
    REQUIRE_EQ(writer.checkpoint(), Status::kOk);
    CHECK(holds(file.view(), rows));
  }
  REQUIRE_EQ(writer.close(), Status::kOk);
  CHECK(holds(file.view(), rows));
}

TEST("a footer that a failed sync may have published is not written over by a key-value") {
  for (const bool in_place : {true, false}) {
    CutFile file;
    Options options = in_place ? written::in_place(512) : written::forward(512, 16 << 10);
    options.checkpoint_ms = 0;
    Writer writer;
    REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
    REQUIRE_EQ(writer.set_key_value("refused", "0"), Status::kOk);
    REQUIRE_EQ(append(writer, 1), Status::kOk);
    file.fails_sync = true;
    CHECK_EQ(writer.checkpoint(), Status::kIoError);
    CHECK_EQ(writer.set_key_value("refused", "a longer one"), Status::kWrongState);
    file.fails_sync = false;
    REQUIRE_EQ(writer.checkpoint(), Status::kOk);
    CHECK_EQ(writer.set_key_value("refused", "a longer one"), Status::kOk);
    CHECK(file.view().whole());
    REQUIRE_EQ(append(writer, 2), Status::kOk);
    REQUIRE_EQ(writer.close(), Status::kOk);
    CHECK(file.view().whole());
  }
}
