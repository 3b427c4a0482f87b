// Calls of the file that fail: the status comes out, the same call continues, and nothing is lost.
#include <cstring>
#include <optional>
#include <string_view>

#include "microparquet/static_writer.h"
#include "support/check.h"
#include "support/forwarding_file.h"
#include "support/names.h"
#include "written_file.h"

using microparquet::MemoryFile;

namespace {

constexpr Field kFields[] = {microparquet::int64_field("n"), microparquet::string_field("s").as_optional()};

// Fails the n-th of all calls that do something, or all from there on.
class FailingFile final : public support::OwningFile<MemoryFile> {
 public:
  explicit FailingFile(int slot) : OwningFile(written::file_memory(slot)) {}

  Status size(std::uint64_t& bytes) override {
    return fails() ? Status::kIoError : ForwardingFile::size(bytes);
  }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    return fails() ? Status::kIoError : ForwardingFile::read_at(offset, out);
  }
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override {
    if (!fails()) return ForwardingFile::write_at(offset, data);
    static_cast<void>(ForwardingFile::write_at(offset, Span<const std::byte>(data.data(), data.size() / 2)));
    return Status::kIoError;
  }
  Status reserve(std::uint64_t end) override {
    return fails() ? Status::kIoError : ForwardingFile::reserve(end);
  }
  Status barrier() override { return fails() ? Status::kIoError : Status::kOk; }
  Status sync(std::uint64_t) override { return fails() ? Status::kIoError : Status::kOk; }
  Status shrink(std::uint64_t size) override {
    return fails() ? Status::kIoError : ForwardingFile::shrink(size);
  }

  Span<const std::byte> contents() const { return inner_file().contents(); }

  int calls = 0;
  int fails_at = -1;
  bool for_good = false;

 private:
  bool fails() {
    const int call = calls++;
    return call == fails_at || (for_good && call > fails_at);
  }
};

constexpr int kRows = 220;

// Repeats each call that fails, once; false when it fails again, or when a failure has another status.
template <typename Call>
bool twice(Call call) {
  const Status status = call();
  return status == Status::kOk || (status == Status::kIoError && call() == Status::kOk);
}

bool write(FailingFile& file, const Options& options) {
  Writer writer;
  bool ok = twice([&] { return writer.open(file, kFields, options, written::arena_memory()); });
  for (int i = 0; i < kRows && ok; ++i) {
    const Value row[] = {
        Value::of(std::int64_t{i}),
        i % 7 == 0 ? Value() : Value::of_bytes(written::part("abcdefghij", static_cast<unsigned>(i) % 10))};
    ok = twice([&] { return writer.append(row); });
    if (i == kRows / 2) ok = ok && twice([&] { return writer.end_row_group(); });
  }
  return ok && twice([&] { return writer.close(); });
}

void fail_each_call(const Options& options) {
  FailingFile undisturbed(0);
  REQUIRE(write(undisturbed, options));
  REQUIRE(view::File(undisturbed.contents()).whole());
  CHECK_EQ(view::File(undisturbed.contents()).rows(), kRows);
  unsigned wrong = 0;
  for (int n = 0; n < undisturbed.calls; ++n) {
    FailingFile file(1);
    file.fails_at = n;
    const bool ok =
        write(file, options) && file.contents().size() == undisturbed.contents().size() &&
        std::memcmp(file.contents().data(), undisturbed.contents().data(), file.contents().size()) == 0;
    wrong += ok ? 0U : 1U;
  }
  CHECK_EQ(wrong, 0U);
  CHECK(undisturbed.calls > 20);
}

// Checks that every other call answers kWrongState until the unfinished call of this phase is repeated.
void check_wrong_state(Writer& writer) {
  const Value row[] = {Value::of(std::int64_t{1}), Value()};
  CHECK_EQ(writer.append(row), Status::kWrongState);
  CHECK_EQ(writer.end_row_group(), Status::kWrongState);
  CHECK_EQ(writer.tick(1), Status::kWrongState);
  CHECK_EQ(writer.set_key_value("k", "v"), Status::kWrongState);
}

}  // namespace

TEST("each call of the file fails once: the same file in the end, in place") {
  fail_each_call(written::in_place(512, 9));
}
TEST("each call of the file fails once: the same file in the end, small pages") {
  fail_each_call(written::in_place(256));
}
TEST("each call of the file fails once: the same file in the end, forward") {
  fail_each_call(written::forward(256, 1024));
}

struct Row {
  std::int64_t n;
  std::optional<std::string_view> s;
};
inline constexpr auto kStructs =
    microparquet::schema(microparquet::column("n", &Row::n), microparquet::string_column("s", &Row::s));
constexpr Options small_row_groups() {
  Options options;
  options.row_group_rows = 9;
  return options;
}
inline constexpr Options kSmallRowGroups = small_row_groups();

TEST("each call of the file fails once: the same file in the end, from structs") {
  static microparquet::StaticWriter<kStructs, kSmallRowGroups> writer;
  int calls = 1;
  std::size_t bytes = 0;
  unsigned wrong = 0;
  for (int n = -1; n < calls; ++n) {  // -1: nothing fails
    FailingFile file(n < 0 ? 0 : 1);
    file.fails_at = n;
    bool ok = twice([&] { return writer.open(file); });
    for (int i = 0; i < kRows && ok; ++i) {
      Row row = {i, {}};
      if (i % 7 != 0) row.s = written::part("abcdefghij", static_cast<unsigned>(i) % 10);
      ok = twice([&] { return writer.append(row); });
    }
    ok = ok && twice([&] { return writer.close(); });
    if (n < 0) {
      calls = file.calls;
      bytes = file.contents().size();
    }
    const std::byte* const undisturbed = written::file_memory(0).data();
    ok =
        ok && file.contents().size() == bytes && std::memcmp(file.contents().data(), undisturbed, bytes) == 0;
    wrong += ok ? 0U : 1U;
    if (!ok) writer.reset();
  }
  CHECK_EQ(wrong, 0U);
  CHECK(calls > 20);
  CHECK_EQ(view::File(written::file_memory(0).subspan(0, bytes)).rows(), kRows);
}

TEST("between an open that failed and its repetition") {
  FailingFile file(0);
  const Options options = written::in_place(512);
  Writer writer;
  file.fails_at = 2;
  CHECK_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kIoError);
  check_wrong_state(writer);
  CHECK_EQ(writer.close(), Status::kWrongState);
  FailingFile another(1);
  CHECK_EQ(writer.open(another, kFields, options, written::arena_memory()), Status::kWrongState);
  CHECK_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
  CHECK_EQ(writer.close(), Status::kOk);
  CHECK(view::File(file.contents()).whole());
}

TEST("between a close that failed and its repetition") {
  FailingFile file(0);
  const Options options = written::in_place(512);
  Writer writer;
  REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
  file.fails_at = file.calls + 1;
  file.for_good = true;
  CHECK_EQ(writer.close(), Status::kIoError);
  CHECK_EQ(writer.close(), Status::kIoError);
  check_wrong_state(writer);
  CHECK_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kWrongState);
  file.for_good = false;
  file.fails_at = -1;
  CHECK_EQ(writer.close(), Status::kOk);
  CHECK_EQ(writer.close(), Status::kWrongState);
  CHECK(view::File(file.contents()).whole());
}

TEST("a file that fails for good: the same status each time, and another file after reset") {
  const Options options = written::in_place(512, 9);
  for (int n = 0; n < 60; n += 7) {
    FailingFile file(0);
    file.fails_at = n;
    file.for_good = true;
    Writer writer;
    Status status = writer.open(file, kFields, options, written::arena_memory());
    const bool opened = status == Status::kOk;
    const Value row[] = {Value::of(std::int64_t{1}), Value()};
    for (int i = 0; i < 1000 && status == Status::kOk; ++i) status = writer.append(row);
    REQUIRE_EQ(status, Status::kIoError);
    for (int i = 0; i < 3 && opened; ++i) CHECK_EQ(writer.append(row), Status::kIoError);
    CHECK_EQ(writer.close(), opened ? Status::kIoError : Status::kWrongState);
    writer.reset();
    FailingFile next(1);
    CHECK_EQ(writer.open(next, kFields, options, written::arena_memory()), Status::kOk);
    CHECK_EQ(writer.append(row), Status::kOk);
    CHECK_EQ(writer.close(), Status::kOk);
    CHECK_EQ(view::File(next.contents()).rows(), 1);
  }
}
