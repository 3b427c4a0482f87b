// libFuzzer: any bytes as a file that an Arrow stream gives. What it gives keeps the rules of Arrow's arrays.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "arrow_cells.h"
#include "fuzz_input.h"
#include "microparquet/desktop/arrow.h"
#include "named_memory.h"

namespace {

using namespace microparquet;

constexpr std::uint64_t kMaxItems = 20000;  // a few bytes can claim billions, and an array has them all
constexpr std::uint64_t kMaxRows = 20000;
constexpr std::uint64_t kMaxBytes = 1 << 20;  // of a chunk before compression

// Whether the footer claims no more than is looked at.
bool is_small(const std::uint8_t* data, std::size_t size) {
  FuzzInput file(data, size);
  std::vector<std::uint64_t> arena(1 << 14);
  Reader reader;
  const ReaderOptions options = options_for_items(64);
  const Span<std::byte> memory(reinterpret_cast<std::byte*>(arena.data()), arena.size() * 8);
  if (reader.open(file, options, memory) != Status::kOk) return true;
  if (reader.columns() > 100 || reader.row_groups() > 100) return false;
  while (reader.next_row_group() == Status::kOk) {
    for (std::uint32_t column = 0; column < reader.columns(); ++column) {
      ColumnChunkInfo info;
      if (reader.column_chunk(column, info) == Status::kOk &&
          (info.values > kMaxItems || info.uncompressed_bytes > kMaxBytes))
        return false;
    }
  }
  return true;
}

void read_stream(ArrowArrayStream& stream) {
  ArrowSchema schema = {};
  if (stream.get_schema(&stream, &schema) != 0) return;
  std::int64_t rows = 0;
  for (bool more = true; more && rows < static_cast<std::int64_t>(kMaxRows);) {
    ArrowArray array = {};
    more = stream.get_next(&stream, &array) == 0 && array.release != nullptr;
    if (!more) break;
    check_array(schema, array);
    rows += array.length;
    array.release(&array);
  }
  schema.release(&schema);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (!is_small(data, size)) return 0;
  const NamedMemory file(data, size);
  for (const std::uint32_t batch_rows : {3U, 1000U}) {
    ArrowArrayStream stream = {};
    try {
      desktop::read_arrow(file.path(), {{}, batch_rows}, stream);
    } catch (const std::exception&) {
      return 0;
    }
    read_stream(stream);
    stream.release(&stream);
  }
  return 0;
}
