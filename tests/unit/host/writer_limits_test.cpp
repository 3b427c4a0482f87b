// The most row groups a file may have: too large for the targets' memory.
#include <cstdint>
#include <memory>

#include "microparquet/port/memory_file.h"
#include "microparquet/writer.h"
#include "support/check.h"
#include "support/file_view.h"
#include "support/names.h"
#include "written_file.h"

using microparquet::MemoryFile;

TEST("at 32,767 row groups a status, and a whole file") {
  constexpr int kMax = 32767;
  constexpr std::size_t kBytes = 128U << 20;
  const auto memory = std::make_unique<std::byte[]>(kBytes);
  MemoryFile file(Span<std::byte>(memory.get(), kBytes));
  const Field fields[] = {microparquet::int32_field("n")};
  const Options options = written::in_place(512, 1);
  Writer writer;
  REQUIRE_EQ(writer.open(file, fields, options, written::arena_memory()), Status::kOk);
  for (int i = 0; i < kMax; ++i) {
    const Value row[] = {Value::of(i)};
    REQUIRE_EQ(writer.append(row), Status::kOk);
  }
  const Value row[] = {Value::of(kMax)};
  CHECK_EQ(writer.append(row), Status::kLimitReached);
  CHECK_EQ(writer.append(row), Status::kLimitReached);
  const std::int32_t number = 0;
  const microparquet::ColumnData columns[] = {{&number, nullptr}};
  CHECK_EQ(writer.append_columns(columns, 1), Status::kLimitReached);
  CHECK_EQ(writer.tick(1), Status::kOk);
  CHECK_EQ(writer.set_key_value("why", "32,767 row groups"), Status::kOk);
  REQUIRE_EQ(writer.close(), Status::kOk);
  CHECK_EQ(writer.rows(), static_cast<unsigned>(kMax));

  const view::File view(file.contents());
  REQUIRE(view.whole());
  CHECK_EQ(view.rows(), kMax);
  CHECK_EQ(view.key_value("why"), "32,767 row groups");
  // In one pass: each row group with its one value, in order.
  const view::List groups = view.footer().list(view::id::kRowGroups);
  REQUIRE_EQ(groups.size(), static_cast<unsigned>(kMax));
  const std::byte* at = groups.structure(0).begin();
  int wrong = 0;
  for (int i = 0; i < kMax; ++i) {
    const view::Struct group(at);
    const view::Struct meta = group.list(view::id::kColumns).structure(0).structure(view::id::kMetaData);
    const view::Struct page(view.bytes().data() + meta.integer(view::id::kDataPageOffset));
    std::int32_t value = -1;
    std::memcpy(&value, page.end(), sizeof value);
    if (group.integer(view::id::kGroupRows) != 1 || value != i) ++wrong;
    at = group.end();
  }
  CHECK_EQ(wrong, 0);
}
