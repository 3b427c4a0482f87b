// A file with more key-values than a writer has memory.
#include <string>
#include <vector>

#include "microparquet/port/memory_file.h"
#include "microparquet/writer.h"
#include "support/check.h"
#include "support/file_view.h"
#include "support/names.h"
#include "written_file.h"

using microparquet::KeyValue;
using microparquet::MemoryFile;

TEST("200 KB of key-values that a file has take no memory, and can be replaced") {
  static constexpr microparquet::Field kFields[] = {microparquet::int64_field("n")};
  Options options = written::in_place(512);
  options.max_key_values = 1;
  std::vector<std::byte> memory(16 << 20);
  MemoryFile file(memory);
  Writer writer;
  // A boot with a row, and a key-value.
  const auto boot = [&](std::string_view key, std::string_view value) {
    const KeyValue pairs[] = {{key, value}};
    const Value row[] = {Value::of(std::int64_t{1})};
    Status status = writer.resume(file, kFields, options, written::arena_memory(), {pairs});
    if (status == Status::kOk) status = writer.append(row);
    if (status == Status::kOk) status = writer.checkpoint();
    if (status == Status::kOk) status = writer.close();
    return status;
  };
  const std::string large(200'000, 'T');
  CHECK_EQ(boot("large", large), Status::kOk);
  CHECK_EQ(boot("boot", "1"), Status::kOk);
  CHECK_EQ(boot("boot", "2"), Status::kOk);
  CHECK_EQ(view::File(file.contents()).key_value("boot"), "2");
  CHECK_EQ(view::File(file.contents()).key_value("large"), large);
  CHECK_EQ(view::File(file.contents()).key_values(), 2U);
  CHECK_EQ(boot("large", large), Status::kOk);
  CHECK_EQ(boot("large", "small"), Status::kOk);
  const view::File view(file.contents());
  CHECK(view.whole());
  CHECK_EQ(view.rows(), 5);
  CHECK_EQ(view.key_values(), 2U);
  CHECK_EQ(view.key_value("boot"), "2");
  CHECK_EQ(view.key_value("large"), "small");
}
