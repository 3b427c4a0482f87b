// Pages whose values the file takes from the caller's arrays: the same file comes out, whatever fails meanwhile, and
// nothing of the arrays is needed after the call.
#include <cstdint>
#include <cstring>
#include <vector>

#include "microparquet/writer.h"
#include "support/check.h"
#include "support/names.h"

namespace {

constexpr std::size_t kRows = 9000;
constexpr std::size_t kBatch = 3100;

// A file in memory that may gather writes, and fails one of its calls.
class Disk final : public microparquet::File {
 public:
  explicit Disk(bool gathers, int fails_at = -1) : gathers_(gathers), fails_at_(fails_at) {}

  microparquet::FileAbilities abilities() const override {
    microparquet::FileAbilities abilities;
    abilities.seek = abilities.read_back = abilities.shrink = true;
    abilities.gathers = gathers_;
    return abilities;
  }
  Status size(std::uint64_t& bytes) override {
    bytes = contents.size();
    return Status::kOk;
  }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    if (offset + out.size() > contents.size()) return Status::kIoError;
    std::memcpy(out.data(), contents.data() + offset, out.size());
    return Status::kOk;
  }
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override {
    const bool fails = calls++ == fails_at_;
    const std::size_t bytes = fails ? data.size() / 2 : data.size();
    if (contents.size() < offset + bytes) contents.resize(static_cast<std::size_t>(offset) + bytes);
    std::memcpy(contents.data() + offset, data.data(), bytes);
    if (data.data() >= lent_begin && data.data() < lent_end) ++lent_writes;
    return fails ? Status::kIoError : Status::kOk;
  }
  Status sync(std::uint64_t) override { return Status::kOk; }
  Status shrink(std::uint64_t size) override {
    contents.resize(static_cast<std::size_t>(size));
    return Status::kOk;
  }

  std::vector<std::byte> contents;
  int calls = 0;
  // Writes that began inside the caller's arrays.
  const std::byte* lent_begin = nullptr;
  const std::byte* lent_end = nullptr;
  int lent_writes = 0;

 private:
  bool gathers_;
  int fails_at_;
};

constexpr Field kFields[] = {microparquet::int64_field("n"), microparquet::float_field("f"),
                             microparquet::fixed_field("x", 12), microparquet::int32_field("o").as_optional(),
                             microparquet::boolean_field("b")};

// The caller's arrays of a batch.
struct Batch {
  std::int64_t numbers[kBatch];
  float floats[kBatch];
  std::byte fixed[kBatch][12];
  std::int32_t others[kBatch];
  bool booleans[kBatch];
  std::uint8_t valid[kBatch];

  void fill(std::size_t first) {
    for (std::size_t i = 0; i < kBatch; ++i) {
      const std::size_t row = first + i;
      numbers[i] = static_cast<std::int64_t>(row * row);
      floats[i] = static_cast<float>(row) * -0.5F;
      std::memset(fixed[i], static_cast<int>(row % 251), sizeof fixed[i]);
      others[i] = static_cast<std::int32_t>(row);
      booleans[i] = row % 3 == 0;
      valid[i] = row % 5 != 0 ? 1 : 0;
    }
  }
};

struct Made {
  int calls;
  int lent_writes;
  int failed_calls;
  std::vector<std::byte> contents;
};

Made write(const Options& options, bool gathers, int fails_at = -1) {
  static Batch batch;
  Disk disk(gathers, fails_at);
  disk.lent_begin = reinterpret_cast<const std::byte*>(&batch);
  disk.lent_end = disk.lent_begin + sizeof batch;
  std::vector<std::byte> arena(Writer::required_bytes(kFields, options));
  Writer writer;
  int failed = 0;
  const auto repeat = [&](auto call) {
    Status status = call();
    if (status != Status::kOk) {
      ++failed;
      status = call();
    }
    REQUIRE_EQ(status, Status::kOk);
  };
  repeat([&] { return writer.open(disk, kFields, options, Span<std::byte>(arena.data(), arena.size())); });
  for (std::size_t row = 0; row < kRows;) {
    const std::size_t rows = kRows - row < kBatch ? kRows - row : kBatch;
    batch.fill(row);
    const microparquet::ColumnData columns[] = {
        {batch.numbers}, {batch.floats}, {batch.fixed}, {batch.others, batch.valid}, {batch.booleans}};
    const Status status = writer.append_columns(columns, rows);
    if (status != Status::kOk) ++failed;
    std::memset(&batch, 0xA5, sizeof batch);  // which the writer has no more use for
    row = static_cast<std::size_t>(writer.rows());
  }
  repeat([&] { return writer.close(); });
  return {disk.calls, disk.lent_writes, failed, disk.contents};
}

Options pages_of(std::uint32_t bytes, std::uint32_t row_group_rows) {
  Options options;
  options.page_bytes = bytes;
  options.row_group_rows = row_group_rows;
  return options;
}

TEST("a file that gathers writes gets the same bytes from the caller's arrays") {
  for (const std::uint32_t page_bytes : {512U, 4096U, 8192U}) {
    for (const std::uint32_t row_group_rows : {0U, 2500U, 20000U}) {
      const Options options = pages_of(page_bytes, row_group_rows);
      const Made copied = write(options, false);
      const Made lent = write(options, true);
      CHECK_EQ(copied.lent_writes, 0);
      CHECK_EQ(lent.lent_writes != 0, page_bytes >= 4096);
      CHECK(lent.contents == copied.contents);
    }
  }
}

TEST("the same when a write of them fails") {
  for (const std::uint32_t row_group_rows : {0U, 2500U}) {
    const Options options = pages_of(4096, row_group_rows);
    const Made undisturbed = write(options, true);
    REQUIRE(undisturbed.calls > 30);
    for (int i = 0; i < undisturbed.calls; ++i) {
      const Made made = write(options, true, i);
      CHECK_EQ(made.failed_calls, 1);
      if (!CHECK(made.contents == undisturbed.contents)) return;
    }
  }
}

TEST("a row group takes no more of the file than its nulls leave") {
  constexpr std::size_t kMany = 50'000;
  constexpr Field kOptional[] = {microparquet::int64_field("a").as_optional(),
                                 microparquet::int64_field("b").as_optional()};
  std::vector<std::int64_t> values(kMany);
  std::vector<std::uint8_t> some(kMany);
  std::vector<std::uint8_t> few(kMany);
  std::size_t present = 0;
  for (std::size_t i = 0; i < kMany; ++i) {
    some[i] = i / 100 % 2 == 0 ? 1 : 0;
    few[i] = i % 50 == 0 ? 1 : 0;
    present += std::size_t{some[i]} + few[i];
  }
  const Options options = pages_of(4096, kMany);
  std::vector<std::byte> arena(Writer::required_bytes(kOptional, options));
  Disk disk(true);
  Writer writer;
  REQUIRE_EQ(writer.open(disk, kOptional, options, Span<std::byte>(arena.data(), arena.size())), Status::kOk);
  const microparquet::ColumnData columns[] = {{values.data(), some.data()}, {values.data(), few.data()}};
  REQUIRE_EQ(writer.append_columns(columns, kMany), Status::kOk);
  REQUIRE_EQ(writer.close(), Status::kOk);
  CHECK_EQ(writer.row_groups(), 1U);
  const std::size_t least = present * sizeof(std::int64_t);
  CHECK(disk.contents.size() < least + 2 * kMany / 4 + least / 8);
}

}  // namespace
