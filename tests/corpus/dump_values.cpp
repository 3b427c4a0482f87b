// Prints every value of a Parquet file, exactly, for comparing with what other readers give.
//
//   dump_values FILE [--by rows|batches|runs] [--buffer-bytes N] [--batch-items N] [--no-crc]
//
// Columns with repeated values are left out; `repeated N` says how many. The first line names the others as
// NAME:TYPE. A line for each row follows, values parted by tabs: `null`, `true`, `false`, decimal digits, the
// bits of a float or double in hexadecimal after `f` or `d`, bytes in hexadecimal after `x`. The last line is
// `status NAME`, what reading came to.
#include <cstdio>
#include <string>
#include <vector>

#include "dump_program.h"
#include "microparquet/reader.h"
#include "value_texts.h"

namespace {

namespace mpq = microparquet;
using dump_program::Settings;
using mpq::Status;
using value_texts::show;
using value_texts::value_at;

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

Status take_batches(mpq::Reader& reader, std::size_t i, std::size_t batch_items, Texts& texts) {
  const std::uint32_t column = reader.chosen_column(i);
  const mpq::Type type = reader.column_type(column);
  std::uint32_t width = mpq::value_bytes(type, reader.type_length(column));
  if (width == 0) width = sizeof(std::string_view);
  std::vector<std::byte> values(batch_items * width);
  std::vector<std::uint8_t> levels(batch_items);
  for (;;) {
    mpq::AnyBatch batch;
    batch.values = values.data();
    batch.places = batch_items;
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

Status take_runs(mpq::Reader& reader, std::size_t i, std::size_t batch_items, Texts& texts) {
  const mpq::Type type = reader.column_type(reader.chosen_column(i));
  for (;;) {
    mpq::ColumnRun run;
    const Status status = reader.next_run(i, run);
    if (status == Status::kUnsupported) return take_batches(reader, i, batch_items, texts);
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
      status = settings.by == "runs" ? take_runs(reader, i, settings.batch_items, columns[i])
                                     : take_batches(reader, i, settings.batch_items, columns[i]);
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

Status print_all(mpq::File& file, const Settings& settings) {
  dump_program::OpenReader open;
  Status status = open.open(file, settings, &choose_flat);
  mpq::Reader& reader = open.reader();
  if (status == Status::kOk) status = print_columns(reader);
  if (status != Status::kOk) return status;
  status = settings.by == "rows" ? print_by_rows(reader) : print_by_columns(reader, settings);
  std::printf("pages %llu %llu\n", static_cast<unsigned long long>(reader.pages_read()),
              static_cast<unsigned long long>(reader.pages_checked()));
  return status;
}

}  // namespace

int main(int count, char** arguments) { return dump_program::run(count, arguments, "rows", &print_all); }
