// Prints every value of a Parquet file, exactly, for comparing with what other readers give.
//
//   dump_values FILE [--by rows|batches|runs] [--buffer-bytes N] [--batch-rows N] [--no-crc]
//
// Columns with repeated values are left out; `repeated N` says how many. The first line names the others as
// NAME:TYPE. A line for each row follows, values parted by tabs: `null`, `true`, `false`, decimal digits, the
// bits of a float or double in hexadecimal after `f` or `d`, bytes in hexadecimal after `x`. The last line is
// `status NAME`, what reading came to.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "microparquet/desktop/codecs.h"
#include "microparquet/port/posix_file.h"
#include "microparquet/read_all.h"
#include "microparquet/reader.h"
#include "value_texts.h"

namespace {

namespace mpq = microparquet;
using mpq::Status;
using value_texts::show;
using value_texts::value_at;

struct Settings {
  const char* path = nullptr;
  std::string by = "rows";
  std::uint32_t buffer_bytes = 512;
  std::size_t batch_rows = 100;
  bool crc = true;
};

Status print_columns(mpq::Reader& reader) {
  std::vector<char> buffer(4096);
  if (reader.chosen() != reader.columns()) {
    std::printf("repeated %zu\n", static_cast<std::size_t>(reader.columns()) - reader.chosen());
  }
  for (std::size_t i = 0; i < reader.chosen(); ++i) {
    mpq::SchemaElement element;
    const Status status = reader.column_element(reader.chosen_column(i), mpq::Span<char>(buffer), element);
    if (status != Status::kOk) return status;
    std::printf("%s%.*s:%d", i == 0 ? "" : "\t", static_cast<int>(element.name.size()), element.name.data(),
                static_cast<int>(element.type));
  }
  std::printf("\n");
  return Status::kOk;
}

void print_row(const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) std::printf("%s%s", i == 0 ? "" : "\t", cells[i].c_str());
  std::printf("\n");
}

Status print_by_rows(mpq::Reader& reader) {
  std::vector<mpq::Value> row(reader.chosen());
  std::vector<std::string> cells(row.size());
  for (;;) {
    const Status status = reader.next_row(mpq::Span<mpq::Value>(row));
    if (status != Status::kOk) return status;
    for (std::size_t i = 0; i < row.size(); ++i) cells[i] = show(row[i]);
    print_row(cells);
  }
}

// The values of one column of a row group, as text.
using Texts = std::vector<std::string>;

Status take_batches(mpq::Reader& reader, std::size_t i, std::size_t batch_rows, Texts& texts) {
  const std::uint32_t column = reader.chosen_column(i);
  const mpq::Type type = reader.column_type(column);
  std::uint32_t width = mpq::value_bytes(type, reader.type_length(column));
  if (width == 0) width = sizeof(std::string_view);
  std::vector<std::byte> values(batch_rows * width);
  std::vector<std::uint8_t> levels(batch_rows);
  for (;;) {
    mpq::AnyBatch batch;
    batch.values = values.data();
    batch.places = batch_rows;
    batch.definition_levels = levels.data();
    const Status status = reader.next_batch(i, batch);
    if (status != Status::kOk) return status;
    std::size_t next = 0;
    for (std::size_t row = 0; row < batch.level_count; ++row) {
      const bool null = levels[row] != reader.max_definition_level(column);
      texts.push_back(null ? "null" : show(value_at(values.data(), next++, type, width)));
    }
  }
}

Status take_runs(mpq::Reader& reader, std::size_t i, std::size_t batch_rows, Texts& texts) {
  const mpq::Type type = reader.column_type(reader.chosen_column(i));
  for (;;) {
    mpq::ColumnRun run;
    const Status status = reader.next_run(i, run);
    if (status == Status::kUnsupported) return take_batches(reader, i, batch_rows, texts);
    if (status != Status::kOk) return status;
    for (std::size_t row = 0; row < run.rows; ++row) {
      texts.push_back(run.null() ? "null" : show(value_at(run.data, row, type, run.value_bytes)));
    }
  }
}

Status print_by_columns(mpq::Reader& reader, const Settings& settings) {
  for (;;) {
    Status status = reader.next_row_group();
    if (status != Status::kOk) return status;
    std::vector<Texts> columns(reader.chosen());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      status = settings.by == "runs" ? take_runs(reader, i, settings.batch_rows, columns[i])
                                     : take_batches(reader, i, settings.batch_rows, columns[i]);
      if (status != Status::kEnd) return status;
    }
    Texts cells(columns.size());
    for (std::size_t row = 0; row < reader.row_group_rows(); ++row) {
      for (std::size_t i = 0; i < columns.size(); ++i) cells[i] = columns[i].at(row);
      print_row(cells);
    }
  }
}

Status choose_flat(mpq::Reader& reader) {
  std::vector<std::uint32_t> columns;
  for (std::uint32_t column = 0; column < reader.columns(); ++column) {
    if (reader.max_repetition_level(column) == 0) columns.push_back(column);
  }
  if (columns.empty()) return reader.choose_all();
  return reader.choose(mpq::Span<const std::uint32_t>(columns.data(), columns.size()));
}

// Opens the file and chooses its columns, in memory that is not cleared: that would take most of the time.
Status open_and_choose(mpq::Reader& reader, mpq::File& file, const mpq::ReaderOptions& options,
                       std::unique_ptr<std::uint64_t[]>& arena, std::size_t bytes) {
  arena.reset(new std::uint64_t[(bytes + 7) / 8]);
  const Status status = reader.open(file, options, {reinterpret_cast<std::byte*>(arena.get()), bytes});
  return status == Status::kOk ? choose_flat(reader) : status;
}

Status print_all(mpq::File& file, const Settings& settings) {
  mpq::ReaderOptions options;
  options.buffer_bytes = settings.buffer_bytes;
  options.decoders = mpq::kAllDecoders;
  options.bit_packed_levels = &mpq::read_bit_packed_levels;
  options.decompressors = mpq::desktop::decompressors();
  if (!settings.crc) options.checksum = nullptr;
  // A reader that has all the memory it may want tells how much is enough; then it gets just that.
  std::unique_ptr<std::uint64_t[]> arena;
  mpq::Reader reader;
  Status status = open_and_choose(reader, file, options, arena, std::size_t{1} << 25);
  if (status != Status::kOk) return status;
  status = open_and_choose(reader, file, options, arena, static_cast<std::size_t>(reader.needed_bytes()));
  if (status == Status::kOk) status = print_columns(reader);
  if (status != Status::kOk) return status;
  status = settings.by == "rows" ? print_by_rows(reader) : print_by_columns(reader, settings);
  std::printf("pages %llu %llu\n", static_cast<unsigned long long>(reader.pages_read()),
              static_cast<unsigned long long>(reader.pages_checked()));
  return status;
}

Settings parse(int count, char** arguments) {
  Settings settings;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    const bool more = i + 1 < count;
    if (argument == "--by" && more) {
      settings.by = arguments[++i];
    } else if (argument == "--buffer-bytes" && more) {
      settings.buffer_bytes = static_cast<std::uint32_t>(std::atoi(arguments[++i]));
    } else if (argument == "--batch-rows" && more) {
      settings.batch_rows = static_cast<std::size_t>(std::atoi(arguments[++i]));
    } else if (argument == "--no-crc") {
      settings.crc = false;
    } else {
      settings.path = arguments[i];
    }
  }
  return settings;
}

}  // namespace

int main(int count, char** arguments) {
  const Settings settings = parse(count, arguments);
  mpq::PosixFile file;
  if (settings.path == nullptr || file.open_for_reading(settings.path) != Status::kOk) {
    std::fprintf(stderr, "dump_values: no file to read\n");
    return 2;
  }
  const Status status = print_all(file, settings);
  std::printf("status %s\n", mpq::to_string(status));
  return 0;
}
