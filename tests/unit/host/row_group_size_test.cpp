// Row groups over a long file of values whose sizes vary: what is learnt of one must not shrink the next.
#include <cstring>

#include "microparquet/detail/writer_access.h"
#include "microparquet/writer.h"
#include "support/check.h"
#include "support/names.h"
#include "support/sparse_file.h"
#include "written_file.h"

namespace {

constexpr std::uint32_t kRowGroupBytes = 32 << 10;
constexpr std::uint32_t kRowGroups = 10'000;
using SparseFile = support::SparseFile<std::size_t{2} << 30>;

std::uint64_t stored_bytes(Writer& writer) {
  std::uint64_t bytes = 0;
  for (const auto& column : columns_of(microparquet::detail::WriterAccess::state(writer)))
    bytes += column.chunk_bytes;
  return bytes;
}

}  // namespace

TEST("ten thousand row groups at 10 % noise in the bytes of a row keep their size, and no footer is forced") {
  constexpr Field kFields[] = {microparquet::timestamp_field("time"), microparquet::string_field("text"),
                               microparquet::float_field("x"),
                               microparquet::string_field("remark").as_optional()};
  Options options = written::in_place(512);
  options.row_group_bytes = kRowGroupBytes;
  SparseFile file;
  Writer writer;
  REQUIRE_EQ(writer.open(file, kFields, options, written::arena_memory()), Status::kOk);
  static char text[100];
  std::memset(text, 'x', sizeof text);
  std::uint64_t first = 0;  // bytes of the first thousand row groups, and of the last
  std::uint64_t last = 0;
  std::uint32_t mean = 30;
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; writer.row_groups() < kRowGroups; ++i) {
    const std::uint32_t row_groups = writer.row_groups();
    const std::uint32_t random = written::mix(i);
    const std::string_view value(text, random % (2 * mean));
    const Value row[] = {Value::of(std::int64_t{i}), Value::of_bytes(value), Value::of(1.0F),
                         random % 3 == 0 ? Value() : Value::of_bytes(value.substr(value.size() / 2))};
    REQUIRE_EQ(writer.append(row), Status::kOk);
    REQUIRE_EQ(writer.tick(i / 10), Status::kOk);
    if (writer.row_groups() != row_groups) {
      mean = 27 + written::mix(row_groups) % 7;  // the next one's rows are up to 10 % shorter or longer
      if (row_groups < 1000) first += bytes;
      if (row_groups >= kRowGroups - 1000) last += bytes;
    }
    bytes = stored_bytes(writer);
  }
  constexpr std::uint64_t kTarget = std::uint64_t{kRowGroupBytes} * 1000;
  CHECK(first > kTarget * 8 / 10 && first < kTarget * 12 / 10);
  CHECK(last > kTarget * 8 / 10 && last < kTarget * 12 / 10);
  CHECK_EQ(writer.blocking_footers(), 0U);
  REQUIRE_EQ(writer.close(), Status::kOk);
}
