#include "read_every_way.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "fuzz_input.h"
#include "microparquet/bloom_filter.h"
#include "microparquet/cursors.h"
#include "microparquet/desktop/codecs.h"
#include "microparquet/filter.h"
#include "microparquet/page_filter.h"
#include "microparquet/page_index.h"
#include "microparquet/read_all.h"
#include "microparquet/reader.h"
#include "microparquet/row_filter.h"
#include "microparquet/size_statistics.h"

namespace {

using namespace microparquet;

using Input = FuzzInput;

// Uses every byte that was read, which lets a sanitizer see bytes that were never there.
volatile std::uint64_t sink;

void use(const void* data, std::size_t bytes) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < bytes; ++i) sum += static_cast<const std::uint8_t*>(data)[i];
  sink = sink + sum;
}

constexpr std::uint64_t kMaxRows = 20000;  // levels can claim billions of nulls in a few bytes

struct Rows {
  Status status = Status::kOk;
  std::uint64_t rows = 0;
};

// Checks that corrupt data is reported again, then passes it with `skip` if `skips`. Adds the missing rows.
template <typename Again, typename Skip>
Status go_on(Again again, Skip skip, bool skips, std::uint64_t& rows) {
  if (again() != Status::kCorrupt) std::abort();
  std::uint64_t missing = 0;
  if (!skips) return Status::kCorrupt;
  const Status status = skip(missing);
  rows += missing;
  return status;
}

// `passing`: some rows are not looked at.
Rows read_rows(Reader& reader, bool skips, bool passing) {
  Rows result;
  std::vector<Value> row(reader.chosen());
  while (result.rows < kMaxRows) {
    const bool passes = passing && result.rows % 3 != 0;
    result.status = passes ? reader.skip_row() : reader.next_row(Span<Value>(row));
    if (result.status == Status::kValueTooLarge) result.status = reader.skip_row();
    if (result.status == Status::kCorrupt) {
      result.status =
          go_on([&] { return reader.next_row(); },
                [&](std::uint64_t& missing) { return reader.skip_page(missing); }, skips, result.rows);
      if (result.status == Status::kOk) continue;
    }
    if (result.status != Status::kOk) break;
    for (const Value& value : row) use(value.bytes.data(), value.null || passes ? 0 : value.bytes.size());
    ++result.rows;
  }
  // A row comes or is missing, in each row group.
  if (result.status == Status::kEnd && result.rows != reader.rows()) std::abort();
  return result;
}

Status read_column(Reader& reader, std::size_t i, bool runs, bool skips, std::uint64_t& rows) {
  const Type type = reader.column_type(reader.chosen_column(i));
  const std::uint32_t width = value_bytes(type, reader.type_length(reader.chosen_column(i)));
  constexpr std::size_t kBatch = 33;
  std::vector<std::byte> values(kBatch * (width != 0 ? width : sizeof(std::string_view)));
  std::uint8_t levels[kBatch];
  while (rows < kMaxRows) {
    Status status = Status::kUnsupported;
    std::size_t count = kBatch;
    ColumnRun run;
    if (runs) {
      status = reader.next_run(i, run);
      count = run.rows;
      if (status == Status::kOk && !run.null()) use(run.data, std::size_t{run.rows} * run.value_bytes);
      if (status == Status::kUnsupported) runs = false;
    }
    if (status == Status::kUnsupported) {
      microparquet::AnyBatch batch;
      batch.values = values.data();
      batch.places = kBatch;
      batch.definition_levels = levels;
      status = reader.next_batch(i, batch);
      count = batch.level_count;
      for (std::size_t k = 0; status == Status::kOk && type == Type::kByteArray && k < batch.value_count;
           ++k) {
        std::string_view view;
        std::memcpy(&view, values.data() + k * sizeof view, sizeof view);
        use(view.data(), view.size());
      }
    }
    if (status == Status::kValueTooLarge) {
      status = reader.skip_value(i);
      count = 1;
    }
    if (status == Status::kCorrupt) {
      status = go_on([&] { return reader.skip_value(i); },
                     [&](std::uint64_t& missing) { return reader.skip_page(i, missing); }, skips, rows);
      count = 0;
    }
    if (status != Status::kOk) return status;
    rows += count;
  }
  return Status::kOk;
}

Rows read_columns(Reader& reader, bool runs, bool skips) {
  Rows result;
  while (result.status == Status::kOk && (result.status = reader.next_row_group()) == Status::kOk) {
    for (std::size_t i = 0; i < reader.chosen() && result.status == Status::kOk; ++i) {
      std::uint64_t rows = 0;
      const Status status = read_column(reader, i, runs, skips, rows);
      if (status != Status::kEnd) result.status = status;
      // A chunk ends when all of its rows have come, or says why not.
      if (status == Status::kEnd && rows != reader.row_group_rows()) std::abort();
      if (i == 0) result.rows += rows;
      if (status == Status::kOk) return result;
    }
  }
  return result;
}

void describe(Reader& reader) {
  char text[40];
  std::byte bounds[24];
  SchemaElement element;
  KeyValue pair;
  std::string_view view;
  std::uint32_t column = 0;
  SchemaCursor schema(reader);
  Status walked = Status::kOk;
  for (std::uint32_t i = 0; i < reader.schema_elements() && i < 50; ++i) {
    SchemaElement same;
    char name[40];
    const Status status = reader.schema_element(i, text, element);
    if (walked == Status::kOk) {
      walked = schema.next(name, same);
      if (walked != status) std::abort();
      if (status == Status::kOk && (element.name != same.name || element.column != same.column)) std::abort();
    }
    if (status == Status::kOk) use(element.name.data(), element.name.size());
  }
  KeyValueCursor pairs(reader);
  for (std::uint32_t i = 0; i < reader.key_values() && i < 20; ++i) {
    KeyValue same;
    char texts[40];
    const Status status = reader.key_value(i, text, pair);
    if (i == 0 || walked == Status::kOk) walked = pairs.next(texts, same);
    if (walked == Status::kOk && (pair.key != same.key || pair.value != same.value)) std::abort();
    if (status == Status::kOk) use(pair.value.data(), pair.value.size());
  }
  static_cast<void>(reader.created_by(text, view));
  static_cast<void>(reader.find_key_value("ARROW:schema", text, view));
  static_cast<void>(reader.find_column("a.b", column));
  for (int groups = 0; groups < 20 && reader.next_row_group() == Status::kOk; ++groups) {
    for (column = 0; column < reader.columns() && column < 30; ++column) {
      ColumnChunkInfo chunk;
      ColumnStatistics statistics;
      static_cast<void>(reader.column_chunk(column, chunk));
      if (reader.column_statistics(column, bounds, statistics) == Status::kOk) {
        use(statistics.min.data(), statistics.min.size());
        use(statistics.max.data(), statistics.max.size());
      }
    }
    SortingColumn sorting[2];
    std::size_t count = 0;
    static_cast<void>(reader.sorting_columns(sorting, count));
  }
}

// A range of the first columns, to drive the comparison of bounds.
void filter(Reader& reader) {
  for (std::uint32_t column = 0; column < reader.columns() && column < 8; ++column) {
    Value bound = Value::of(std::int64_t{1000});
    bound.type = reader.column_type(column);
    bound.bytes = "middle";
    ColumnRange range;
    if (make_range(reader, column, bound, bound, range) != Status::kOk) continue;
    const RangeFilter filter({&range, 1});
    reader.set_filter(&filter);
    for (int groups = 0; groups < 20 && reader.next_row_group() == Status::kOk; ++groups) {
    }
    reader.set_filter(nullptr);
    static_cast<void>(reader.row_groups() != 0 ? reader.seek_row_group(0) : Status::kEnd);
  }
}

// Reads the page index and the bloom filters, and finds rows by them.
void indexes(Reader& reader) {
  std::vector<std::uint64_t> memory(256);
  microparquet::PageIndex index({reinterpret_cast<std::byte*>(memory.data()), memory.size() * 8});
  for (std::uint32_t group = 0; group < reader.row_groups() && group < 10; ++group) {
    if (reader.seek_row_group(group) != Status::kOk) break;
    for (std::uint32_t column = 0; column < reader.columns() && column < 16; ++column) {
      std::uint64_t levels[6];
      SizeStatistics sizes;
      if (size_statistics(reader, column, levels, sizes) == Status::kOk) {
        use(sizes.definition.data(), sizes.definition.size() * sizeof levels[0]);
        use(sizes.repetition.data(), sizes.repetition.size() * sizeof levels[0]);
      }
      bool may = false;
      static_cast<void>(may_contain(reader, column, {reinterpret_cast<const std::byte*>("value"), 5}, may));
      if (index.read(reader, column) != Status::kOk) continue;
      std::vector<SizeStatistics> sizes_of_pages(index.pages().size());
      std::vector<std::uint64_t> levels_of_pages(3 * sizes_of_pages.size());
      if (page_size_statistics(reader, column, levels_of_pages, sizes_of_pages) == Status::kOk) {
        for (const SizeStatistics& page : sizes_of_pages) {
          use(page.definition.data(), page.definition.size() * sizeof levels[0]);
          use(page.repetition.data(), page.repetition.size() * sizeof levels[0]);
        }
      }
      std::uint64_t rows = 0;
      for (std::size_t page = 0; page < index.pages().size(); ++page) {
        const microparquet::IndexedPage& shown = index.pages()[page];
        if (shown.first_row != rows) std::abort();
        rows += shown.rows;
        if (shown.has_bounds) use(shown.min.data(), shown.min.size());
        if (shown.has_bounds) use(shown.max.data(), shown.max.size());
        if (page < 8) static_cast<void>(index.confirm(reader, page, may));
      }
      if (rows != reader.row_group_rows()) std::abort();
    }
    const std::uint64_t rows = reader.row_group_rows();
    for (const std::uint64_t row : {rows / 2, rows - 1, rows / 3}) {
      if (rows == 0) continue;
      // Both from the row group's first page: where an index has led beyond a damaged one, rows after it can be read.
      if (reader.seek_row_group(group) != Status::kOk) break;
      const bool there = reader.seek_row(group, row) == Status::kOk && reader.next_row() == Status::kOk;
      if (reader.seek_row_group(group) != Status::kOk) break;
      Status status = seek_row_by_index(reader, group, row);
      if (status == Status::kOk) status = reader.next_row();
      // No index takes a row away that can be read without it.
      if (there && (status == Status::kCorrupt || status == Status::kUnsupported)) std::abort();
    }
  }
}

// Rows that pages may have by their bounds.
void select(Reader& reader) {
  std::vector<std::uint64_t> memory(256);
  for (std::uint32_t column = 0; column < reader.columns() && column < 4; ++column) {
    Value bound = Value::of(std::int64_t{1000});
    bound.type = reader.column_type(column);
    bound.bytes = "middle";
    ColumnRange range;
    if (make_range(reader, column, bound, bound, range) != Status::kOk) continue;
    RowRange scratch[6];
    RowRange places[3];
    const PageFilter filter({&range, 1}, {reinterpret_cast<std::byte*>(memory.data()), memory.size() * 8},
                            scratch);
    SelectedRows selected(reader, filter, places);
    for (int rows = 0; rows < 200 && selected.next() == Status::kOk; ++rows) {
      if (reader.next_row() == Status::kOk) use(reader.cell(0).data, reader.cell(0).bytes);
    }
    if (reader.row_groups() == 0 || reader.seek_row_group(0) != Status::kOk) return;
  }
}

// Rows of columns that get the buffers they ask for, as long as these are short: each is longer than the one before.
void read_with_growing_buffers(Reader& reader) {
  constexpr std::uint64_t kLongest = 1 << 18;
  std::vector<std::vector<std::uint64_t>> buffers(reader.chosen());
  for (std::uint64_t rows = 0; rows < kMaxRows; ++rows) {
    Status status = reader.next_row();
    while (status == Status::kOutOfMemory || status == Status::kValueTooLarge) {
      const std::size_t column = reader.failed_column();
      if (reader.needed_bytes() > kLongest) return;
      std::vector<std::uint64_t> longer((static_cast<std::size_t>(reader.needed_bytes()) + 7) / 8);
      if (reader.move_buffer(column, {reinterpret_cast<std::byte*>(longer.data()), longer.size() * 8}) !=
          Status::kOk)
        std::abort();
      buffers[column] = std::move(longer);
      status = reader.next_row();
    }
    if (status != Status::kOk) return;
  }
}

Status choose_flat(Reader& reader) {
  std::vector<std::uint32_t> columns;
  for (std::uint32_t column = 0; column < reader.columns() && columns.size() < 16; ++column) {
    if (reader.max_repetition_level(column) == 0) columns.push_back(column);
  }
  return reader.choose(Span<const std::uint32_t>(columns.data(), columns.size()));
}

}  // namespace

void read_every_way(const std::uint8_t* data, std::size_t size) {
  Input file(data, size);
  Rows first;
  for (const std::uint32_t buffer_bytes : {64U, 1024U}) {
    ReaderOptions options;
    options.buffer_bytes = buffer_bytes;
    options.footer_bytes = 64;
    options.decoders = kAllDecoders;
    options.bit_packed_levels = &read_bit_packed_levels;
    options.decompressors = desktop::decompressors();
    // A checksum hides what lies after it: without one first.
    for (int way = 0; way < 13; ++way) {
      // Reads on after corrupt data, also by its checksum.
      const bool skips = way > 4 && way < 8;
      options.checksum = skips ? &crc32_portable : nullptr;
      std::vector<std::uint64_t> arena(4096);
      Reader reader;
      if (!open_exactly(reader, file, options, arena, choose_flat)) return;
      Rows rows;
      if (way == 0 || way == 5) rows = read_rows(reader, skips, false);
      if (way == 1 || way == 6) rows = read_columns(reader, false, skips);
      if (way == 2 || way == 7) rows = read_columns(reader, true, skips);
      if (way == 3) describe(reader);
      if (way == 4) filter(reader);
      if (way == 8) indexes(reader);
      if (way == 9) rows = read_rows(reader, false, true);
      if (way == 10) rows = read_rows(reader, true, true);
      if (way == 11) select(reader);
      if (way == 12) read_with_growing_buffers(reader);
      if (way > 2 && way != 9) continue;
      // A file that one way reads to its end, every way does.
      if (way == 0 && buffer_bytes == 64) first = rows;
      // A dictionary, or a page that is compressed, may fit in the larger buffer only.
      if (rows.status == Status::kOutOfMemory || first.status == Status::kOutOfMemory) continue;
      const bool ended = rows.status == Status::kEnd;
      if (ended != (first.status == Status::kEnd) && rows.rows < kMaxRows && first.rows < kMaxRows)
        std::abort();
    }
  }
}
