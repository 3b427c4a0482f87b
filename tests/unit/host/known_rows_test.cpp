// Files whose number of rows is known: on desktops, whose pages are large, no column's last page is longer than its rows need.
#include <array>
#include <string_view>

#include "microparquet/port/desktop.h"
#include "microparquet/writer.h"
#include "support/check.h"
#include "support/names.h"
#include "support/sparse_file.h"
#include "written_file.h"

namespace {

constexpr std::uint32_t kRows = 10'000;
constexpr std::uint32_t kColumns = 16;
constexpr std::uint32_t kBytes = kRows * 4 * kColumns;
constexpr std::string_view kNames = "abcdefghijklmnop";
static_assert(kNames.size() == kColumns);
using LogFile = support::SparseFile<std::size_t{4} << 20>;

struct Log {
  LogFile file;
  Writer writer;

  void write(const Options& options, std::uint32_t checkpoints) {
    static std::array<Field, kColumns> fields;
    for (std::size_t i = 0; i < kColumns; ++i) fields[i] = microparquet::int32_field(kNames.substr(i, 1));
    static std::array<std::byte, std::size_t{1} << 20> memory;
    REQUIRE_EQ(writer.open(file, {fields.data(), fields.size()}, options, {memory.data(), memory.size()}),
               Status::kOk);
    for (std::uint32_t row = 0; row < kRows; ++row) {
      std::array<Value, kColumns> values;
      values.fill(Value::of(static_cast<std::int32_t>(row)));
      REQUIRE_EQ(writer.append({values.data(), values.size()}), Status::kOk);
      if (checkpoints != 0 && row % (kRows / (checkpoints + 1)) == 1) {
        REQUIRE_EQ(writer.checkpoint(), Status::kOk);
      }
    }
    REQUIRE_EQ(writer.close(), Status::kOk);
  }
};

}  // namespace

TEST("known rows: a file of large pages has few bytes beside its values") {
  static Log log;
  log.write(microparquet::desktop_options(kRows), 0);
  CHECK_EQ(log.writer.row_groups(), 1U);
  CHECK(log.file.published() < kBytes + kBytes / 16);
}

TEST("known rows: a checkpoint within them ends no row group") {
  static Log log;
  log.write(microparquet::desktop_options(kRows), 1);
  CHECK_EQ(log.writer.row_groups(), 1U);
}
