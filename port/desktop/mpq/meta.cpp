#include <algorithm>
#include <limits>

#include "chunk_pages.h"
#include "commands.h"
#include "file_summary.h"
#include "microparquet/text/grouped_digits.h"
#include "parquet_file.h"
#include "read_failure.h"
#include "row_printer.h"
#include "type_text.h"
#include "value_text.h"

namespace mpq_tool {

namespace {

using microparquet::ColumnChunkInfo;
using microparquet::ColumnStatistics;
using microparquet::text::grouped_digits;
using Bytes = microparquet::Span<const std::byte>;

std::string bound_text(const microparquet::SchemaElement& element, bool known, Bytes bound) {
  constexpr std::size_t kMax = 32;
  return known ? shortened(value_text(element, bound), kMax) : "-";
}

class TextMeta {
 public:
  TextMeta(ParquetFile& file, Output& output)
      : file_(file), output_(output), counter_(file.file()), dictionaries_(file.columns().size()) {}

  void run() {
    print_file(file_, output_);
    print_key_values(file_, output_);
    for (std::uint64_t number = 0; file_.next_row_group(); ++number) {
      print_row_group(number);
    }
    print_dictionaries();
    if (narrow_) {
      output_.line("  (more in a wider terminal, or by: mpq meta FILE | cat)");
    }
  }

 private:
  void print_row_group(std::uint64_t number) {
    Table table = empty_table();
    std::uint64_t bytes = 0;
    std::uint64_t begin = std::numeric_limits<std::uint64_t>::max();
    for (const Column& column : file_.columns()) {
      const ColumnChunkInfo chunk = file_.column_chunk(column.number);
      const auto statistics = file_.column_statistics(column.number, bounds_);
      add_chunk(table, column, chunk, statistics.value_or(ColumnStatistics()));
      counter_.add(chunk, dictionaries_[column.number]);
      bytes += chunk.compressed_bytes;
      begin = std::min(begin, microparquet::recovery::begin_of(chunk));
    }
    output_.line("");
    output_.line("row group " + grouped_digits(number) + ": " +
                 grouped_digits(file_.reader().row_group_rows()) + " rows, " + grouped_digits(bytes) +
                 " bytes" + (bytes == 0 ? "" : " from " + grouped_digits(begin) + " on"));
    narrow_ |= table.print(output_, 2, terminal_width()) != 0;
  }

  // Nothing where no column has one.
  void print_dictionaries() {
    Table table;
    table.add_column("dictionaries", Table::Align::kLeft);
    table.add_column("column chunks", Table::Align::kRight);
    table.add_column("with dictionary", Table::Align::kRight);
    table.add_column("with fallback", Table::Align::kRight);
    bool any = false;
    for (const Column& column : file_.columns()) {
      const DictionaryUse& use = dictionaries_[column.number];
      if (use.with_dictionary == 0) {
        continue;
      }
      any = true;
      table.add_row({column.name, grouped_digits(use.chunks), grouped_digits(use.with_dictionary),
                     use.fallbacks ? grouped_digits(*use.fallbacks) : "-"});
    }
    if (any) {
      output_.line("");
      narrow_ |= table.print(output_, 2, terminal_width()) != 0;
    }
  }

  static Table empty_table() {
    Table table;
    table.add_column("column", Table::Align::kLeft);
    table.add_column("type", Table::Align::kLeft);
    table.add_column("encoding", Table::Align::kLeft);
    table.add_column("codec", Table::Align::kLeft);
    table.add_column("values", Table::Align::kRight);
    table.add_column("nulls", Table::Align::kRight);
    table.add_column("offset", Table::Align::kRight);
    table.add_column("bytes", Table::Align::kRight);
    table.add_column("uncompressed", Table::Align::kRight);
    table.add_column("dictionary at", Table::Align::kRight);
    table.add_column("min", Table::Align::kLeft);
    table.add_column("max", Table::Align::kLeft);
    return table;
  }

  static void add_chunk(Table& table, const Column& column, const ColumnChunkInfo& chunk,
                        const ColumnStatistics& statistics) {
    const std::uint64_t dictionary = chunk.dictionary_page_offset;
    table.add_row({column.name, type_text(column.element), encoding_names(chunk.encodings),
                   codec_name(chunk.codec), grouped_digits(chunk.values),
                   statistics.has_null_count ? grouped_digits(statistics.null_count) : "-",
                   grouped_digits(chunk.data_page_offset), grouped_digits(chunk.compressed_bytes),
                   grouped_digits(chunk.uncompressed_bytes),
                   dictionary == 0 ? "-" : grouped_digits(dictionary),
                   bound_text(column.element, statistics.has_min, statistics.min),
                   bound_text(column.element, statistics.has_max, statistics.max)});
  }

  ParquetFile& file_;
  Output& output_;
  DictionaryCounter counter_;
  std::vector<DictionaryUse> dictionaries_;  // by columns
  std::vector<std::byte> bounds_;
  bool narrow_ = false;
};

class JsonMeta {
 public:
  JsonMeta(ParquetFile& file, Output& output) : file_(file), output_(output) {}

  void run() {
    const microparquet::Reader& reader = file_.reader();
    output_.data("{\"file\":" + json_string(file_.name()) + member("rows", reader.rows()) +
                 member("bytes", reader.file_bytes()) + member("footer_bytes", reader.footer_bytes()) +
                 ",\"created_by\":" + json_string(file_.created_by()) + ",\"key_values\":[");
    const char* comma = "";
    file_.visit_key_values([&](const microparquet::KeyValue& pair) {
      output_.data(comma + ("{\"key\":" + json_string(pair.key)) + ",\"value\":" + json_string(pair.value) +
                   "}");
      comma = ",";
    });
    output_.data("],\"row_groups\":[");
    comma = "";
    while (file_.next_row_group()) {
      output_.data(comma);
      print_row_group();
      comma = ",";
    }
    output_.data_line("]}");
  }

 private:
  static std::string member(const char* name, std::uint64_t number) {
    return ",\"" + std::string(name) + "\":" + std::to_string(number);
  }

  static std::string member(const char* name, const microparquet::SchemaElement& element, bool known,
                            Bytes bound) {
    return known ? ",\"" + std::string(name) + "\":" + value_json(element, bound) : "";
  }

  void print_row_group() {
    output_.data("{\"rows\":" + std::to_string(file_.reader().row_group_rows()) + ",\"columns\":[");
    for (const Column& column : file_.columns()) {
      output_.data(column.number == 0 ? "" : ",");
      print_chunk(column);
    }
    output_.data("]}");
  }

  void print_chunk(const Column& column) {
    const std::string sizes = sizes_json(column);  // first: the footer is walked from one column to the next
    const ColumnChunkInfo chunk = file_.column_chunk(column.number);
    const ColumnStatistics statistics =
        file_.column_statistics(column.number, bounds_).value_or(ColumnStatistics());
    const std::string logical = logical_text(column.element);
    std::string text =
        "{\"column\":" + json_string(column.name) + ",\"type\":\"" + physical_text(column.element) + "\"";
    text += logical.empty() ? "" : ",\"logical_type\":" + json_string(logical);
    text += ",\"encodings\":[" + encodings_json(chunk.encodings) + "],\"codec\":\"" +
            codec_name(chunk.codec) + "\"" + member("values", chunk.values) +
            member("compressed_bytes", chunk.compressed_bytes) +
            member("uncompressed_bytes", chunk.uncompressed_bytes) +
            member("data_page_offset", chunk.data_page_offset);
    text += chunk.dictionary_page_offset == 0
                ? ""
                : member("dictionary_page_offset", chunk.dictionary_page_offset);
    text += statistics.has_null_count ? member("null_count", statistics.null_count) : "";
    text += statistics.has_nan_count ? member("nan_count", statistics.nan_count) : "";
    text += statistics.has_distinct_count ? member("distinct_count", statistics.distinct_count) : "";
    text += sizes;
    text += member("min", column.element, statistics.has_min, statistics.min);
    text += member("max", column.element, statistics.has_max, statistics.max);
    output_.data(text + "}");
  }

  std::string sizes_json(const Column& column) {
    const microparquet::SizeStatistics sizes = file_.size_statistics(column.number, levels_);
    std::string text = sizes.has_byte_array_bytes ? member("byte_array_bytes", sizes.byte_array_bytes) : "";
    text += levels_json("definition_levels", sizes.definition);
    return text + levels_json("repetition_levels", sizes.repetition);
  }

  static std::string levels_json(const char* name, microparquet::Span<const std::uint64_t> items) {
    std::string text;
    for (const std::uint64_t count : items) {
      text += (text.empty() ? "" : ",") + std::to_string(count);
    }
    return text.empty() ? "" : ",\"" + std::string(name) + "\":[" + text + "]";
  }

  static std::string encodings_json(std::uint32_t encodings) {
    std::string text;
    for (std::uint32_t i = 0; i < 32; ++i) {
      if ((encodings >> i & 1) != 0) {
        text += (text.empty() ? "\"" : ",\"") + encoding_names(1U << i) + "\"";
      }
    }
    return text;
  }

  ParquetFile& file_;
  Output& output_;
  std::vector<std::byte> bounds_;
  std::vector<std::uint64_t> levels_;
};

}  // namespace

int print_meta(const std::vector<std::string>& paths, bool json, Output& output) {
  Guard guard(output);
  for (const std::string& path : paths) {
    guard.run([&] {
      const InputFile input(path);
      ParquetFile file(input);
      if (json) {
        JsonMeta(file, output).run();
        return;
      }
      if (&path != &paths.front()) {
        output.line("");
      }
      TextMeta(file, output).run();
    });
  }
  return guard.code();
}

}  // namespace mpq_tool
