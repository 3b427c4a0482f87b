// The most row groups and columns a file may have: too large for the targets' memory.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "microparquet/port/memory_file.h"
#include "microparquet/reader.h"
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

// All memory here: a place for each of them in the writer, and in the reader of what it has written.
TEST("65,535 columns are written and read, and one more is refused before a byte is written") {
  std::vector<std::string> names;
  std::vector<Field> fields;
  for (std::uint32_t i = 0; i <= microparquet::kMaxColumns; ++i) names.push_back("c" + std::to_string(i));
  for (const std::string& name : names) fields.push_back(microparquet::int32_field(name));
  std::vector<std::byte> bytes(192U << 20);
  MemoryFile file({bytes.data(), bytes.size()});
  Options options = written::in_place(128, 1);
  std::vector<std::uint64_t> arena(Writer::required_bytes(fields, options) / 8 + 1);
  const Span<std::byte> memory(reinterpret_cast<std::byte*>(arena.data()), arena.size() * 8);
  Writer writer;
  CHECK_EQ(writer.open(file, fields, options, memory), Status::kInvalidArgument);
  CHECK_EQ(file.contents().size(), 0U);
  fields.pop_back();
  std::swap(fields[5].name, fields[60000].name);
  fields[5].name = fields[7].name;
  CHECK_EQ(writer.open(file, fields, options, memory), Status::kInvalidArgument);
  fields[5].name = names[60000];
  REQUIRE_EQ(writer.open(file, fields, options, memory), Status::kOk);
  std::vector<Value> row;
  for (std::size_t i = 0; i < fields.size(); ++i) row.push_back(Value::of(static_cast<std::int32_t>(i)));
  REQUIRE_EQ(writer.append({row.data(), row.size()}), Status::kOk);
  REQUIRE_EQ(writer.close(), Status::kOk);

  microparquet::ReaderOptions reading;
  reading.buffer_bytes = 128;
  std::vector<std::uint64_t> place(
      microparquet::Reader::required_bytes(fields.size(), fields.size(), reading) / 8 + 1);
  microparquet::Reader reader;
  REQUIRE_EQ(reader.open(file, reading, {reinterpret_cast<std::byte*>(place.data()), place.size() * 8}),
             Status::kOk);
  REQUIRE_EQ(reader.columns(), microparquet::kMaxColumns);
  REQUIRE_EQ(reader.choose_all(), Status::kOk);
  REQUIRE_EQ(reader.next_row(), Status::kOk);
  for (const std::size_t i : {0U, 7U, 65534U})
    CHECK_EQ(reader.cell(i).as<std::int32_t>(), static_cast<std::int32_t>(i));
}
