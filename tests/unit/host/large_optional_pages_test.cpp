// Optional columns of PLAIN from the caller's arrays, in pages that a desktop writes.
#include <cstdint>
#include <memory>
#include <vector>

#include "microparquet/port/memory_file.h"
#include "microparquet/reader.h"
#include "microparquet/writer.h"
#include "support/check.h"
#include "written_file.h"

namespace {

using microparquet::Batch;
using microparquet::ColumnData;
using microparquet::Field;
using microparquet::MemoryFile;
using microparquet::Options;
using microparquet::Reader;
using microparquet::ReaderOptions;
using microparquet::Schema;
using microparquet::Span;
using microparquet::Status;
using microparquet::Writer;

constexpr std::size_t kRows = 60000;

struct Columns {
  std::vector<std::int32_t> ints;
  std::vector<double> doubles;
  std::vector<std::uint8_t> valid[2];

  // Nulls one by one, in runs of up to `longest` rows, and in between.
  Columns(std::uint32_t seed, std::uint32_t longest) {
    for (std::uint32_t column = 0; column < 2; ++column) {
      bool present = seed % 2 == 0;
      while (valid[column].size() < kRows) {
        const std::uint32_t chance =
            written::mix(seed + column, static_cast<std::uint32_t>(valid[column].size()));
        for (std::uint32_t run = 1 + chance % longest; run != 0; --run)
          valid[column].push_back(static_cast<std::uint8_t>(present ? 1 + chance % 255 : 0));
        present = !present;
      }
    }
    for (std::uint32_t i = 0; i < kRows; ++i) {
      ints.push_back(static_cast<std::int32_t>(written::mix(seed, i)));
      doubles.push_back(written::mix(i, seed) * 0.5);
    }
  }
};

struct Memory {
  explicit Memory(std::size_t size) : bytes(new std::byte[size]), span(bytes.get(), size) {}
  std::unique_ptr<std::byte[]> bytes;
  Span<std::byte> span;
};

void write(MemoryFile& file, const Columns& columns, const Options& options, std::uint32_t most) {
  const Field fields[] = {microparquet::int32_field("i").as_optional(),
                          microparquet::double_field("d").as_optional()};
  const Memory arena(Writer::required_bytes(Schema(fields, 2), options));
  Writer writer;
  REQUIRE_EQ(writer.open(file, Schema(fields, 2), options, arena.span), Status::kOk);
  for (std::size_t done = 0; done < kRows;) {
    std::size_t part = 1 + written::mix(most, static_cast<std::uint32_t>(done)) % most;
    if (part > kRows - done) part = kRows - done;
    const ColumnData data[] = {{columns.ints.data() + done, columns.valid[0].data() + done},
                               {columns.doubles.data() + done, columns.valid[1].data() + done}};
    REQUIRE_EQ(writer.append_columns(data, part), Status::kOk);
    done += part;
  }
  REQUIRE_EQ(writer.close(), Status::kOk);
}

// Counts the file's rows that are as they were given.
template <typename Value>
std::size_t right_rows(Reader& reader, std::size_t column, const std::vector<Value>& values,
                       const std::vector<std::uint8_t>& valid) {
  std::vector<Value> read(1000);
  std::vector<std::uint8_t> levels(1000);
  Batch<Value> batch(Span<Value>(read.data(), read.size()), levels.data());
  std::size_t row = 0;
  std::size_t right = 0;
  while (reader.next_row_group() == Status::kOk) {
    while (reader.next_batch(column, batch) == Status::kOk) {
      std::size_t next = 0;
      for (std::size_t i = 0; i < batch.level_count; ++i, ++row) {
        if ((levels[i] != 0) != (valid[row] != 0)) continue;
        if (levels[i] == 0 || read[next++] == values[row]) ++right;
      }
    }
  }
  return right;
}

}  // namespace

TEST("optional columns: nulls in short and long runs, in small and large batches, are read as written") {
  const Memory memory(std::size_t{4} << 20);
  for (const std::uint32_t page_bytes : {4096U, 32768U}) {
    for (std::uint32_t seed = 0; seed < 6; ++seed) {
      const Columns columns(seed, seed < 2 ? 4 : (seed < 4 ? 300 : 5000));
      MemoryFile file(memory.span);
      write(file, columns, written::in_place(page_bytes, kRows), seed % 3 == 0 ? 500 : 70000);

      const ReaderOptions options;
      const Memory arena(Reader::required_bytes(2, 1, options));
      Reader reader;
      std::size_t present = 0;
      for (std::uint32_t column = 0; column < 2; ++column) {
        REQUIRE_EQ(reader.open(file, options, arena.span), Status::kOk);
        REQUIRE_EQ(reader.choose(Span<const std::uint32_t>(&column, 1)), Status::kOk);
        CHECK_EQ(column == 0 ? right_rows(reader, 0, columns.ints, columns.valid[0])
                             : right_rows(reader, 0, columns.doubles, columns.valid[1]),
                 kRows);
        present = 0;
        for (std::size_t i = 0; i < kRows; ++i) present += columns.valid[column][i] != 0 ? 1U : 0U;
        // Pages are full: values, and a quarter of a byte a row for levels at the worst.
        const std::size_t bytes = present * (column == 0 ? 4 : 8) + kRows / 4;
        CHECK(reader.pages_read() <= bytes / (page_bytes - 128) + 2 * reader.row_groups());
      }
    }
  }
}
