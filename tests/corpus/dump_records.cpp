// Prints every value of a nested Parquet file, exactly, for comparing with what other readers give.
//
//   dump_records FILE [--by records|items|batches|seeks|skips] [--buffer-bytes N] [--batch-items N] [--no-crc]
//
// By records: a line for each row, fields parted by tabs: values as dump_values has them, lists as [a,b], structs
// as {a,b}, maps as (key:value,...). By items and batches: for each row group and column a line "column NAME", then
// one for each item: repetition level, definition level, value. By seeks: the rows of each row group from the last to the first,
// each gone to, then of each column "column NAME" and the items from every third row on to the next one's first. By skips: as by
// items, and where a page is corrupt "missing ROWS". The last line is `status NAME`.
#include <cstdio>
#include <string>
#include <vector>

#include "dump_program.h"
#include "microparquet/records.h"
#include "value_texts.h"

namespace {

namespace mpq = microparquet;
using dump_program::Settings;
using mpq::EventKind;
using mpq::Status;
using value_texts::show;

// The row so far, and what has begun in it.
class RowText {
 public:
  void add(const mpq::Event& event, const mpq::Reader& reader) {
    switch (event.kind) {
      case EventKind::kBeginRow: open_.assign(1, {"", "\t", "", false}); return;
      case EventKind::kBeginStruct:
        return begin(in_map() ? Open{"", ":", "", false} : Open{"{", ",", "}", false});
      case EventKind::kBeginList: return begin({"[", ",", "]", false});
      case EventKind::kBeginMap: return begin({"(", ",", ")", false});
      case EventKind::kNull: return part("null");
      case EventKind::kValue:
        return part(
            show(value_texts::value_of(event.cell, reader.column_type(reader.chosen_column(event.place)))));
      case EventKind::kEnd:
        text_ += open_.back().end;
        open_.pop_back();
        return;
      case EventKind::kEndRow:
        std::printf("%s\n", text_.c_str());
        text_.clear();
        return;
    }
  }

 private:
  struct Open {
    const char* begin;
    const char* between;
    const char* end;
    bool any;
  };

  bool in_map() const { return open_.back().begin == std::string("("); }

  void part(const std::string& text) {
    text_ += open_.back().any ? open_.back().between : "";
    open_.back().any = true;
    text_ += text;
  }

  void begin(const Open& open) {
    part(open.begin);
    open_.push_back(open);
  }

  std::string text_;
  std::vector<Open> open_;
};

class RecordsOf {
 public:
  explicit RecordsOf(mpq::Reader& reader)
      : memory_(mpq::Records::required_bytes(reader.schema_elements(), reader.chosen()) / 8 + 1),
        records_(reader, {reinterpret_cast<std::byte*>(memory_.data()), memory_.size() * 8}) {}
  mpq::Records& records() { return records_; }

 private:
  std::vector<std::uint64_t> memory_;
  mpq::Records records_;
};

Status print_records(mpq::Reader& reader) {
  RecordsOf of(reader);
  mpq::Records& records = of.records();
  RowText text;
  mpq::Event event;
  Status status = records.begin();
  while (status == Status::kOk) {
    status = records.next(event);
    if (status == Status::kOk) text.add(event, reader);
  }
  return status;
}

Status print_row(mpq::Records& records, mpq::Reader& reader) {
  RowText text;
  mpq::Event event;
  do {
    if (const Status status = records.next(event); status != Status::kOk) return status;
    text.add(event, reader);
  } while (event.kind != EventKind::kEndRow);
  return Status::kOk;
}

Status print_rows_backwards(mpq::Reader& reader) {
  RecordsOf of(reader);
  Status status = of.records().begin();
  for (std::uint32_t group = 0; group < reader.row_groups() && status == Status::kOk; ++group) {
    status = reader.seek_row_group(group);
    for (std::uint64_t row = reader.row_group_rows(); row-- != 0 && status == Status::kOk;) {
      status = of.records().seek_row(group, row);
      if (status == Status::kOk) status = print_row(of.records(), reader);
    }
  }
  return status;
}

void print_item(unsigned repetition, unsigned definition, const std::string& value) {
  std::printf("%u %u %s\n", repetition, definition, value.c_str());
}

void print_item(const mpq::Item& item, mpq::Type type) {
  print_item(item.repetition, item.definition,
             item.cell.null() ? "null" : show(value_texts::value_of(item.cell, type)));
}

Status print_items(mpq::Reader& reader, std::size_t i) {
  const mpq::Type type = reader.column_type(reader.chosen_column(i));
  mpq::Item item;
  Status status = reader.next_item(i, item);
  for (; status == Status::kOk; status = reader.next_item(i, item)) print_item(item, type);
  return status;
}

Status print_items_over_damage(mpq::Reader& reader, std::size_t i) {
  for (;;) {
    Status status = print_items(reader, i);
    if (status != Status::kCorrupt) return status;
    std::uint64_t rows = 0;
    status = reader.skip_page_of_items(i, rows);
    if (status != Status::kOk) return status;
    std::printf("missing %llu\n", static_cast<unsigned long long>(rows));
  }
}

// Not the first row alone, but as far as to the beginning of the one after it: from there it goes on.
Status print_every_third_row(mpq::Reader& reader, std::size_t i) {
  const mpq::Type type = reader.column_type(reader.chosen_column(i));
  for (std::uint64_t row = 0; row < reader.row_group_rows(); row += 3) {
    Status status = reader.seek_items(i, row);
    for (int begun = 0; status == Status::kOk && begun < 2;) {
      mpq::Item item;
      status = reader.next_item(i, item);
      if (status != Status::kOk) break;
      begun += item.begins_row() ? 1 : 0;
      print_item(item, type);
    }
    if (status != Status::kOk && status != Status::kEnd) return status;
  }
  return reader.seek_items(i, reader.row_group_rows()) == Status::kOk ? Status::kEnd : Status::kCorrupt;
}

Status print_batches(mpq::Reader& reader, std::size_t i, std::size_t places) {
  const std::uint32_t column = reader.chosen_column(i);
  const mpq::Type type = reader.column_type(column);
  std::uint32_t width = mpq::value_bytes(type, reader.type_length(column));
  if (width == 0) width = sizeof(std::string_view);
  std::vector<std::byte> values(places * width);
  std::vector<std::uint8_t> definition(places);
  std::vector<std::uint8_t> repetition(places);
  mpq::AnyBatch batch;
  batch.values = values.data();
  batch.places = places;
  batch.definition_levels = definition.data();
  batch.repetition_levels = repetition.data();
  for (;;) {
    const Status status = reader.next_items(i, batch);
    if (status != Status::kOk) return status;
    std::size_t next = 0;
    for (std::size_t item = 0; item < batch.level_count; ++item) {
      const bool null = definition[item] != reader.max_definition_level(column);
      print_item(repetition[item], definition[item],
                 null ? "null" : show(value_texts::value_at(values.data(), next++, type, width)));
    }
  }
}

Status print_by_columns(mpq::Reader& reader, const Settings& settings) {
  for (;;) {
    Status status = reader.next_row_group();
    if (status != Status::kOk) return status;
    for (std::size_t i = 0; i < reader.chosen(); ++i) {
      std::printf("column %u\n", static_cast<unsigned>(reader.chosen_column(i)));
      status = settings.by == "items"   ? print_items(reader, i)
               : settings.by == "skips" ? print_items_over_damage(reader, i)
               : settings.by == "seeks" ? print_every_third_row(reader, i)
                                        : print_batches(reader, i, settings.batch_items);
      if (status != Status::kEnd) return status;
    }
  }
}

Status choose_all_items(mpq::Reader& reader) {
  std::vector<mpq::ColumnChoice> columns(reader.columns());
  for (std::uint32_t column = 0; column < reader.columns(); ++column) columns[column].column = column;
  return reader.choose_items({columns.data(), columns.size()});
}

Status print_all(mpq::File& file, const Settings& settings) {
  dump_program::OpenReader open;
  Status status = open.open(file, settings, &choose_all_items);
  if (status != Status::kOk) return status;
  if (settings.by == "seeks") {
    status = print_rows_backwards(open.reader());
    if (status == Status::kOk && open.reader().row_groups() != 0) status = choose_all_items(open.reader());
    if (status != Status::kOk) return status;
  }
  return settings.by == "records" ? print_records(open.reader()) : print_by_columns(open.reader(), settings);
}

}  // namespace

int main(int count, char** arguments) { return dump_program::run(count, arguments, "records", &print_all); }
