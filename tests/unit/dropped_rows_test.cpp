// Rows from a queue to a writer, and how many were dropped on the way, in the file.
#include "microparquet/dropped_rows.h"
#include "microparquet/port/memory_file.h"
#include "microparquet/rolling.h"
#include "microparquet/row_queue.h"
#include "microparquet/static_writer.h"
#include "support/check.h"
#include "support/file_view.h"
#include "support/forwarding_file.h"
#include "written_file.h"

using microparquet::DroppedRows;
using microparquet::MemoryFile;
using microparquet::Options;
using microparquet::RowQueue;
using microparquet::Status;

namespace {

struct Row {
  std::int32_t number;
  float value;
};
constexpr auto kSchema = microparquet::schema(microparquet::column("number", &Row::number),
                                              microparquet::column("value", &Row::value));

Row row(std::uint32_t number) { return {static_cast<std::int32_t>(number), 0.5F}; }

// Fails each sync when told to, or each write after some, as a card that is busy for too long.
class BusyFile final : public support::OwningFile<MemoryFile> {
 public:
  BusyFile() : OwningFile(written::file_memory()) {}

  Status write_at(std::uint64_t offset, microparquet::Span<const std::byte> data) override {
    if (writes_left == 0) return Status::kIoError;
    --writes_left;
    return ForwardingFile::write_at(offset, data);
  }
  Status sync(std::uint64_t size) override {
    if (fails_syncs) return Status::kIoError;
    published_ = size;
    return ForwardingFile::sync(size);
  }
  Status shrink(std::uint64_t size) override {
    published_ = size;
    return ForwardingFile::shrink(size);
  }

  // The file as a cut would leave it.
  view::File view() const {
    return view::File(inner_file().contents().subspan(0, static_cast<std::size_t>(published_)));
  }

  bool fails_syncs = false;
  int writes_left = 1000;

 private:
  std::uint64_t published_ = 0;
};

constexpr Options kOptions = [] {
  Options options;
  options.checkpoint_ms = 1000;
  options.checkpoint_ratio = 0;
  return options;
}();
microparquet::StaticWriter<kSchema, kOptions> writer;

}  // namespace

TEST("a queue drains into a writer that rolls, and into rows of values") {
  struct NoFiles final : microparquet::FileSequence {
    Status next(microparquet::File*& /*file*/) override { return Status::kNoSpace; }
  } files;
  static RowQueue<Row, 8> queue;
  MemoryFile file(written::file_memory());
  REQUIRE_EQ(writer.open(file), Status::kOk);
  microparquet::RollingWriter<decltype(writer)> rolling(writer, files, {});
  for (std::uint32_t i = 0; i < 8; ++i) CHECK(queue.push(row(i)));
  CHECK_EQ(queue.drain(rolling), Status::kOk);
  CHECK_EQ(queue.pending(), 0);
  CHECK_EQ(writer.rows(), 8);
  REQUIRE_EQ(writer.close(), Status::kOk);

  using microparquet::Value;
  constexpr microparquet::Field kFields[] = {microparquet::int32_field("number")};
  static RowQueue<std::array<Value, 1>, 4> values;
  written::File values_file(kFields);
  REQUIRE_EQ(values_file.opened(), Status::kOk);
  CHECK(values.push({Value::of(7)}));
  CHECK_EQ(values.drain(values_file.writer), Status::kOk);
  REQUIRE_EQ(values_file.writer.close(), Status::kOk);
  CHECK_EQ(values_file.view().rows(), 1);
}

TEST("the rows dropped stand in the footer of each checkpoint and of the closed file") {
  BusyFile file;
  DroppedRows dropped;
  REQUIRE_EQ(writer.open(file), Status::kOk);
  REQUIRE_EQ(dropped.begin(writer, 0), Status::kOk);
  for (const std::uint32_t count : {0U, 3U, 3U, 4'294'967'295U, 12U}) {
    REQUIRE_EQ(writer.append(row(count)), Status::kOk);
    REQUIRE_EQ(dropped.update(writer, count), Status::kOk);
    REQUIRE_EQ(writer.checkpoint(), Status::kOk);
    char text[12] = {};
    const std::string_view found = file.view().key_value("rows_dropped");
    CHECK(found.size() < sizeof text);
    std::uint64_t number = 0;
    for (const char digit : found) number = number * 10 + static_cast<unsigned>(digit - '0');
    CHECK_EQ(number, count);
    CHECK_EQ(file.view().key_values(), 1);
  }
  REQUIRE_EQ(dropped.close(writer, 100), Status::kOk);
  CHECK_EQ(file.view().key_value("rows_dropped"), "100");
}

TEST(
    "a footer on its way keeps the number it was begun with, so that it ends though rows are dropped all the "
    "time") {
  BusyFile file;
  constexpr std::string_view kOwnKey = "lost";
  DroppedRows dropped(kOwnKey);
  REQUIRE_EQ(writer.open(file), Status::kOk);
  REQUIRE_EQ(dropped.begin(writer, 0), Status::kOk);
  REQUIRE_EQ(writer.tick(0), Status::kOk);
  std::uint32_t count = 0;
  bool was_begun = false;
  while (writer.durable_rows() == 0 && count < 1000) {
    REQUIRE_EQ(writer.append(row(count)), Status::kOk);
    if (writer.checkpoint_in_progress()) was_begun = true;
    REQUIRE_EQ(dropped.update(writer, ++count), Status::kOk);
    REQUIRE_EQ(writer.tick(count * 100), Status::kOk);
  }
  CHECK(was_begun);
  CHECK(count < 20);
  CHECK(file.view().whole());
  CHECK_EQ(file.view().key_value("lost"), "10");  // at 1000 ms the checkpoint is due
  CHECK_EQ(writer.checkpoint_in_progress(), false);
  REQUIRE_EQ(dropped.close(writer, 77), Status::kOk);
  CHECK_EQ(file.view().key_value("lost"), "77");
}

TEST("close has the last number though a footer is on its way, and when it is repeated") {
  for (const bool fails : {false, true}) {
    BusyFile file;
    DroppedRows dropped;
    REQUIRE_EQ(writer.open(file), Status::kOk);
    REQUIRE_EQ(dropped.begin(writer, 1), Status::kOk);
    REQUIRE_EQ(writer.tick(0), Status::kOk);
    REQUIRE_EQ(writer.append(row(1)), Status::kOk);
    REQUIRE_EQ(writer.tick(1000), Status::kOk);
    CHECK(writer.checkpoint_in_progress());
    file.fails_syncs = fails;
    if (fails) CHECK_EQ(dropped.close(writer, 5), Status::kIoError);
    file.fails_syncs = false;
    REQUIRE_EQ(dropped.close(writer, 6), Status::kOk);
    CHECK_EQ(file.view().key_value("rows_dropped"), "6");
    CHECK_EQ(file.view().rows(), 1);
  }
}

TEST("a close that failed anywhere is repeated with the new number, or with the one it has begun with") {
  int with_new = 0;
  int with_old = 0;
  for (int writes = 0; with_old == 0; ++writes) {
    REQUIRE(writes < 20);
    BusyFile file;
    DroppedRows dropped;
    REQUIRE_EQ(writer.open(file), Status::kOk);
    REQUIRE_EQ(dropped.begin(writer, 1), Status::kOk);
    REQUIRE_EQ(writer.append(row(1)), Status::kOk);
    REQUIRE_EQ(writer.checkpoint(), Status::kOk);
    file.writes_left = writes;
    CHECK_EQ(dropped.close(writer, 5), Status::kIoError);
    file.writes_left = 1000;
    REQUIRE_EQ(dropped.close(writer, 60), Status::kOk);
    const std::string_view found = file.view().key_value("rows_dropped");
    CHECK(found == "5" || found == "60");
    ++(found == "60" ? with_new : with_old);
  }
  CHECK(with_new != 0);
}
