// Options::block_bytes: a write that is torn takes the blocks it touches with it, and no durable row.
#include <algorithm>

#include "cut_file.h"
#include "microparquet/durability.h"
#include "support/check.h"
#include "support/forwarding_file.h"
#include "support/names.h"

using cut::append;
using cut::CutFile;
using cut::holds;
using cut::kFields;
using microparquet::Layout;
using microparquet::MemoryFile;

namespace {

constexpr std::uint16_t kBlocks[] = {512, 1024, 2048, 4096};
constexpr std::uint16_t kLargeBlocks[] = {1024, 2048, 4096};
constexpr std::uint16_t kLargerBlocks[] = {2048, 4096};
constexpr std::uint16_t kNoBlocks[] = {0, 256, 768, 1536, 8192};

// Memory that checks at each write what the medium would have left, had the power gone meanwhile: a file that
// ends where it was published, without the blocks that the write touches.
class ErasingFile final : public support::OwningFile<MemoryFile> {
 public:
  ErasingFile(std::uint16_t block_bytes, bool shrinks)
      : OwningFile(written::file_memory(0)), block_bytes_(block_bytes), shrinks_(shrinks) {}

  FileAbilities abilities() const override { return {true, true, shrinks_, block_bytes_}; }
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override {
    if (!survives(offset, offset + data.size())) ++lost;
    return ForwardingFile::write_at(offset, data);
  }
  Status sync(std::uint64_t size) override {
    publish(size);
    return ForwardingFile::sync(size);
  }
  Status shrink(std::uint64_t size) override {
    publish(size);
    return ForwardingFile::shrink(size);
  }

  view::File view() const { return view::File(inner_file().contents().subspan(0, published_)); }
  void cut() { static_cast<void>(inner_file().shrink(published_)); }

  int lost = 0;
  std::int64_t durable = 0;

 private:
  void publish(std::uint64_t size) {
    published_ = static_cast<std::size_t>(size);
    checked_ = ~std::size_t{0};
  }
  bool survives(std::uint64_t begin, std::uint64_t end) {
    const std::size_t first = static_cast<std::size_t>(begin) / block_bytes_ * block_bytes_;
    if (first >= published_ || first == checked_) return true;
    checked_ = first;
    const Span<std::byte> left = written::file_memory(1).subspan(0, published_);
    std::copy_n(inner_file().contents().begin(), published_, left.begin());
    const std::size_t behind =
        (static_cast<std::size_t>(end) + block_bytes_ - 1) / block_bytes_ * block_bytes_;
    std::fill(left.begin() + first, left.begin() + std::min(behind, published_), std::byte{0xFF});
    const view::File file(left);
    return file.whole() && file.rows() >= durable && holds(file, file.rows());
  }

  std::uint16_t block_bytes_;
  bool shrinks_;
  std::size_t published_ = 0;
  std::size_t checked_ = 0;  // the block that was written last, since a size was published
};

// A boot: rows with checkpoints in between, and some that are not durable.
bool log_rows(ErasingFile& file, const Options& options, std::int64_t& rows, Writer& writer) {
  bool good = writer.resume(file, kFields, options, written::arena_memory()) == Status::kOk &&
              writer.rows() == static_cast<std::uint64_t>(rows);
  for (int i = 0; i < 300 && good; ++i) {
    good = append(writer, rows++) == Status::kOk;
    if (i % 90 == 40) good = good && writer.checkpoint() == Status::kOk;
    if (i % 200 == 150) good = good && writer.end_row_group() == Status::kOk;
    file.durable = static_cast<std::int64_t>(writer.durable_rows());
  }
  return good;
}

Options options_of(std::uint16_t block_bytes, std::uint32_t page_bytes, const Layout& layout) {
  Options options = layout.in_place ? cut::options_of(page_bytes) : written::forward(page_bytes, 4 << 10);
  options.layout = &layout;
  options.block_bytes = block_bytes;
  return options;
}

bool survives_every_write(const Options& options, bool shrinks) {
  ErasingFile file(options.block_bytes, shrinks);
  std::int64_t rows = 0;
  for (int boot = 0; boot < 2; ++boot) {
    Writer writer;
    if (!log_rows(file, options, rows, writer)) return false;
    file.cut();
    rows = file.durable;
    if (!holds(file.view(), rows)) return false;
  }
  Writer writer;
  const bool closed = log_rows(file, options, rows, writer) && writer.close() == Status::kOk;
  return closed && file.lost == 0 && holds(file.view(), rows);
}

}  // namespace

TEST("a write takes no durable row with it, whatever blocks the medium erases") {
  for (const std::uint16_t block_bytes : kLargeBlocks) {
    for (const std::uint32_t page_bytes : {256U, 512U, 1024U}) {
      for (const bool shrinks : {true, false})
        CHECK(survives_every_write(options_of(block_bytes, page_bytes, microparquet::kInPlace), shrinks));
    }
    CHECK(survives_every_write(options_of(block_bytes, 512, microparquet::kForward), false));
  }
}

TEST("a file whose blocks are larger than the options' is refused") {
  const Options options = options_of(1024, 512, microparquet::kInPlace);
  for (const std::uint16_t block_bytes : kLargerBlocks) {
    ErasingFile file(block_bytes, true);
    Writer writer;
    const auto arena = written::arena_memory();
    CHECK(writer.open(file, kFields, options, arena) == Status::kInvalidArgument);
    CHECK(writer.resume(file, kFields, options, arena) == Status::kInvalidArgument);
    ErasingFile suiting(1024, true);
    REQUIRE_EQ(writer.open(suiting, kFields, options, arena), Status::kOk);
    REQUIRE_EQ(append(writer, 0), Status::kOk);
    CHECK(writer.reconnect(file) == Status::kInvalidArgument);
    CHECK_EQ(writer.rows(), 1U);
    CHECK(writer.roll(file) == Status::kInvalidArgument);
    CHECK(holds(suiting.view(), 1));
  }
}

TEST("blocks are powers of two from 512 to 4,096 bytes in place, to 32 KiB forward") {
  for (const std::uint16_t block_bytes : kNoBlocks) {
    CutFile file;
    Writer writer;
    CHECK(writer.open(file, kFields, options_of(block_bytes, 512, microparquet::kInPlace),
                      written::arena_memory()) == Status::kInvalidArgument);
  }
  constexpr std::uint16_t kForwardBlocks[] = {8192, 32768};
  for (const std::uint16_t block_bytes : kForwardBlocks) {
    CutFile file;
    Writer writer;
    CHECK(writer.open(file, kFields, options_of(block_bytes, 512, microparquet::kForward),
                      written::arena_memory()) == Status::kOk);
  }
  CutFile file;
  Writer writer;
  CHECK(writer.open(file, kFields, options_of(33'000, 512, microparquet::kForward),
                    written::arena_memory()) == Status::kInvalidArgument);
}

TEST("a file of other blocks is not resumed") {
  for (const std::uint16_t before : kBlocks) {
    for (const std::uint16_t after : kBlocks) {
      const Options options = options_of(before, 512, microparquet::kInPlace);
      const Options others = options_of(after, 512, microparquet::kInPlace);
      CutFile file;
      Writer writer;
      REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
      for (std::int64_t n = 0; n < 300; ++n) REQUIRE_EQ(append(writer, n), Status::kOk);
      REQUIRE_EQ(writer.checkpoint(), Status::kOk);
      file.cut();
      const int writes = file.writes;
      Writer next;
      const Status status = next.resume(file, kFields, others, written::arena_memory());
      CHECK(status == (before == after ? Status::kOk : Status::kSchemaMismatch));
      CHECK_EQ(file.writes, writes);
      CHECK(holds(file.view(), 300));
    }
  }
}

TEST("a checkpoint writes no more than is said, with blocks too") {
  for (const std::uint16_t block_bytes : kBlocks) {
    const Options options = options_of(block_bytes, 512, microparquet::kInPlace);
    CutFile file;
    Writer writer;
    REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
    for (std::int64_t n = 0; n < 2000; ++n) {
      REQUIRE_EQ(append(writer, n), Status::kOk);
      if (n % 130 != 77) continue;
      const std::uint32_t cost = writer.checkpoint_sectors();
      CHECK(cost <= microparquet::max_checkpoint_sectors(kFields, options, writer.row_groups() + 1));
      const std::uint64_t before = file.written_bytes;
      REQUIRE_EQ(writer.checkpoint(), Status::kOk);
      CHECK(file.written_bytes - before <= cost * std::uint64_t{512});
    }
  }
}

TEST("reconnect: a forward file of which nothing was published yet keeps the rows in memory") {
  Options options = options_of(1024, 512, microparquet::kForward);
  options.row_group_bytes = 8 << 10;  // space for all rows
  for (const int rows : {1, 150, 290}) {
    ErasingFile file(1024, false);
    Writer writer;
    REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
    std::int64_t n = 0;
    for (; n < rows; ++n) REQUIRE_EQ(append(writer, n), Status::kOk);
    file.cut();
    REQUIRE_EQ(writer.reconnect(file), Status::kOk);
    CHECK_EQ(writer.lost_rows(), 0U);
    for (; n < rows + 200; ++n) REQUIRE_EQ(append(writer, n), Status::kOk);
    REQUIRE_EQ(writer.close(), Status::kOk);
    CHECK(holds(file.view(), n));
  }
}

// Forward, the first footer is published with the second one: until then there is nothing to be known again.
TEST("reconnect to a file of which nothing was published may fail in each call, and is repeated") {
  const Options options = options_of(1024, 256, microparquet::kForward);
  for (const bool takes_effect : {false, true}) {
    bool failed = true;
    for (int fails_at = 0; failed; ++fails_at) {
      CutFile file;
      Writer writer;
      REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
      for (std::int64_t n = 0; n < 5; ++n) REQUIRE_EQ(append(writer, n), Status::kOk);
      REQUIRE_EQ(writer.set_key_value("place", "roof"), Status::kOk);  // the footer is another one then
      CutFile left(1);  // empty: what was not published is gone
      left.fails_at = fails_at;
      left.takes_effect = takes_effect;
      failed = writer.reconnect(left) != Status::kOk;
      left.fails_at = -1;
      if (failed) REQUIRE_EQ(writer.reconnect(left), Status::kOk);
      CHECK_EQ(writer.lost_rows(), 0U);
      for (std::int64_t n = 5; n < 8; ++n) REQUIRE_EQ(append(writer, n), Status::kOk);
      REQUIRE_EQ(writer.close(), Status::kOk);
      CHECK(holds(left.view(), 8));
      CHECK(failed || fails_at > 1);
    }
  }
}
