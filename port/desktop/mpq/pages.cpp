#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "chunk_pages.h"
#include "commands.h"
#include "file_map.h"
#include "microparquet/text/grouped_digits.h"
#include "microparquet/text/progress_line.h"
#include "parquet_file.h"
#include "read_failure.h"
#include "row_printer.h"
#include "thrift_dom/page_headers.h"
#include "type_text.h"
#include "value_text.h"

namespace mpq_tool {

namespace {

namespace rec = microparquet::recovery;
using microparquet::CodecId;
using microparquet::format::PageHeader;
using microparquet::format::PageType;
using microparquet::text::grouped_digits;
using rec::FilePart;
using rec::PartKind;

// A line of the output. A member that does not apply is empty.
struct Line {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::string what;
  std::optional<std::uint32_t> row_group;
  const Column* column = nullptr;
  std::optional<std::uint64_t> values;  // values with nulls, or entries of a dictionary
  std::optional<std::uint64_t> rows;
  std::string encoding;
  std::string codec;
  std::string crc;
  std::optional<std::uint64_t> padding;
};

std::string name_of(PartKind kind) {
  switch (kind) {
    case PartKind::kMagic: return "magic";
    case PartKind::kFooter: return "footer";
    case PartKind::kOldFooter: return "old footer";
    case PartKind::kChunk: return "data page";
    case PartKind::kRecordedChunk: return "recorded page";
    case PartKind::kSavedChunk: return "saved page";
    case PartKind::kTailPage: return "tail page";
    case PartKind::kStrayPage: return "stray page";
    case PartKind::kRecord: return "record";
    case PartKind::kCheckpointRecord: return "checkpoint record";
    case PartKind::kEmptiedSlot: return "emptied slot";
    case PartKind::kUnusedSlot: return "unused slot";
    case PartKind::kTailHead: return "tail head";
    case PartKind::kSaveHead: return "save head";
    case PartKind::kSavedBytes: return "saved bytes";
    case PartKind::kOldSave: return "old save";
    case PartKind::kSavePlace: return "place for saves";
    case PartKind::kColumnMetadata: return "column metadata";
    case PartKind::kColumnIndex: return "column index";
    case PartKind::kOffsetIndex: return "offset index";
    case PartKind::kBloomFilter: return "bloom filter";
    case PartKind::kOverlap: return "overlap";
    case PartKind::kFree: return "reserved";
    case PartKind::kZeros: return "zeros";
    case PartKind::kDead: return "dead bytes";
  }
  return {};
}

// The name of a page in a part of this kind.
std::string name_of(PartKind kind, PageType type) {
  switch (type) {
    case PageType::kData: return name_of(kind);
    case PageType::kDataV2: return name_of(kind) + " v2";
    case PageType::kDictionary: return "dictionary page";
    case PageType::kIndex: return "index page";
    case PageType::kOther: return "other page";
  }
  return {};
}

constexpr std::size_t kLongestName = 17;  // "checkpoint record"

std::string encoding_name(std::uint32_t encoding) {
  return encoding < 32 ? encoding_names(1U << encoding) : "encoding " + std::to_string(encoding);
}

std::string cell_of(std::optional<std::uint64_t> number) { return number ? grouped_digits(*number) : ""; }

std::size_t digits_of(std::uint64_t number) { return grouped_digits(number).size(); }

class Printer {
 public:
  virtual ~Printer() = default;
  virtual void print(const Line& line) = 0;
  virtual void end() {}
};

class JsonPages final : public Printer {
 public:
  JsonPages(const std::string& file, Output& output) : file_(json_string(file)), output_(output) {}

  void print(const Line& line) override {
    std::string kind = line.what;
    std::replace(kind.begin(), kind.end(), ' ', '_');
    text_ = "{\"file\":" + file_;
    add("offset", line.offset);
    add("bytes", line.bytes);
    add("kind", kind);
    add("row_group", line.row_group);
    add("column", line.column != nullptr ? line.column->name : "");
    add("values", line.values);
    add("rows", line.rows);
    add("encoding", line.encoding);
    add("codec", line.codec);
    add("crc", line.crc);
    add("padding", line.padding);
    output_.data_line(text_ + "}");
  }

 private:
  void add(const char* name, std::optional<std::uint64_t> number) {
    text_ += number ? ",\"" + std::string(name) + "\":" + std::to_string(*number) : "";
  }
  void add(const char* name, const std::string& text) {
    text_ += text.empty() ? "" : ",\"" + std::string(name) + "\":" + json_string(text);
  }

  std::string file_;
  Output& output_;
  std::string text_;
};

// Prints a line when it comes, since a file may have millions: so the widths follow from what the footer
// says.
class PageTable final : public Printer {
 public:
  PageTable(const rec::FileMap& map, const std::vector<Column>& columns, Output& output)
      : output_(output), bytes_(map.parts.back().end) {
    constexpr std::size_t kMaxOfName = 32;
    std::uint64_t part_bytes = 0;
    std::uint64_t values = 0;
    std::uint32_t row_groups = 0;
    std::size_t encoding = 0;
    std::size_t codec = 0;
    std::size_t name = 0;
    for (const FilePart& part : map.parts) {
      part_bytes = std::max(part_bytes, part.end - part.begin);
      row_groups = part.row_group == FilePart::kNone ? row_groups : std::max(row_groups, part.row_group);
      values = std::max(values, part.rows.value_or(0));
    }
    for (const auto& chunk : map.chunks) {
      values = std::max(values, chunk.values);
      codec = std::max(codec, codec_name(chunk.codec).size());
      for (std::uint32_t i = 0; i < 32; ++i) {
        encoding = std::max(encoding, encoding_names(chunk.encodings & 1U << i).size());
      }
    }
    for (const Column& column : columns) {
      name = std::max(name, std::min(kMaxOfName, width_of(column.name)));
    }
    table_.add_column("offset", Table::Align::kRight, digits_of(bytes_));
    table_.add_column("bytes", Table::Align::kRight, digits_of(part_bytes));
    table_.add_column("what", Table::Align::kLeft, kLongestName);
    table_.add_column("row group", Table::Align::kRight, digits_of(row_groups));
    table_.add_column("column", Table::Align::kLeft, name);
    table_.add_column("values", Table::Align::kRight, digits_of(values));
    table_.add_column("rows", Table::Align::kRight, digits_of(values));
    table_.add_column("crc", Table::Align::kLeft, 6);
    table_.add_column("padding", Table::Align::kRight, 0);
    table_.add_column("encoding", Table::Align::kLeft, encoding);
    table_.add_column("codec", Table::Align::kLeft, codec);
    narrow_ = table_.begin(output_, 2, terminal_width()) != 0;
  }

  void print(const Line& line) override {
    table_.print_row(
        output_, {grouped_digits(line.offset), grouped_digits(line.bytes), line.what, cell_of(line.row_group),
                  line.column != nullptr ? line.column->name : "", cell_of(line.values), cell_of(line.rows),
                  line.crc, cell_of(line.padding), line.encoding, line.codec});
    Sum& sum = sums_[line.what];
    ++sum.parts;
    sum.bytes += line.bytes;
    sum.padding += line.padding.value_or(0);
  }

  // Prints the sums over all lines of a kind.
  void end() override {
    Table table;
    table.add_column("what", Table::Align::kLeft, kLongestName);
    table.add_column("parts", Table::Align::kRight);
    table.add_column("bytes", Table::Align::kRight);
    table.add_column("of the file", Table::Align::kRight);
    table.add_column("padding", Table::Align::kRight);
    for (const auto& [what, sum] : sums_) {
      const std::uint64_t permille = sum.bytes * 1000 / bytes_;
      table.add_row({what, grouped_digits(sum.parts), grouped_digits(sum.bytes),
                     std::to_string(permille / 10) + "." + std::to_string(permille % 10) + " %",
                     sum.padding == 0 ? "" : grouped_digits(sum.padding)});
    }
    output_.line("");
    narrow_ |= table.print(output_, 2, terminal_width()) != 0;
    if (narrow_) {
      output_.line("  (more in a wider terminal, or by: mpq pages FILE | cat)");
    }
  }

 private:
  struct Sum {
    std::uint64_t parts = 0;
    std::uint64_t bytes = 0;
    std::uint64_t padding = 0;
  };

  Output& output_;
  std::uint64_t bytes_;
  Table table_;
  bool narrow_ = false;
  std::map<std::string, Sum> sums_;
};

// The lines of one file.
class Listing {
 public:
  Listing(ParquetFile& file, const rec::FileMap& map, Printer& printer)
      : file_(file), map_(map), printer_(printer) {}

  void run(const Column* only) {
    for (const FilePart& part : map_.parts) {
      if (only != nullptr && part.column != only->number) {
        continue;
      }
      const Line line = line_of(part);
      if (part.kind == PartKind::kStrayPage || part.kind == PartKind::kTailPage) {
        microparquet::ColumnChunkInfo page;  // page in the form of a column chunk
        page.data_page_offset = part.begin;
        page.compressed_bytes = part.end - part.begin;
        page.values = ~std::uint64_t{0};
        print_pages(part, page, line);
      } else if (part.kind == PartKind::kChunk || part.kind == PartKind::kRecordedChunk ||
                 part.kind == PartKind::kSavedChunk) {
        print_pages(part, map_.chunks[part.chunk], line);
      } else {
        printer_.print(line);
      }
    }
    printer_.end();
  }

 private:
  Line line_of(const FilePart& part) const {
    Line line;
    line.offset = part.begin;
    line.bytes = part.end - part.begin;
    line.what = name_of(part.kind);
    line.rows = part.rows;
    if (part.row_group != FilePart::kNone) {
      line.row_group = part.row_group;
    }
    if (part.column < file_.columns().size()) {
      line.column = &file_.columns()[part.column];
    }
    return line;
  }

  // The pages of `part`; `line` tells what they have in common.
  void print_pages(const FilePart& part, microparquet::ColumnChunkInfo chunk, const Line& line) {
    chunk.compressed_bytes = part.end - part.begin;  // the footer's number may reach beyond the file
    std::uint64_t end = part.begin;
    static_cast<void>(rec::find_pages(file_.file(), chunk, {}, memory_, [&](const rec::SeenPage& page) {
      printer_.print(line_of(page, part.kind, chunk.codec, line));
      end = page.end;
    }));
    if (end < part.end) {
      printer_.print(dead_line(line, end, part.end));
    }
  }

  static Line dead_line(Line line, std::uint64_t begin, std::uint64_t end) {
    line.offset = begin;
    line.bytes = end - begin;
    line.what = name_of(PartKind::kDead);
    line.rows.reset();
    return line;
  }

  static Line line_of(const rec::SeenPage& page, PartKind kind, CodecId codec, Line line) {
    if (page.header == nullptr) {
      return dead_line(line, page.begin, page.end);
    }
    const PageHeader& header = *page.header;
    const bool data = header.type == PageType::kData || header.type == PageType::kDataV2;
    const bool known = data || header.type == PageType::kDictionary;
    const bool flat = line.column == nullptr || line.column->element.max_repetition_level == 0;
    line.offset = page.begin;
    line.bytes = page.end - page.begin;
    line.what = name_of(kind, header.type);
    line.rows.reset();
    if (known) {
      line.values = header.values;
      line.encoding = encoding_name(header.encoding);
    }
    if (header.type == PageType::kDataV2) {
      line.rows = header.rows;
    } else if (data && flat) {
      line.rows = header.values;  // only levels show the rows of lists
    }
    line.codec =
        codec_name(header.type == PageType::kDataV2 && !header.compressed ? CodecId::kUncompressed : codec);
    line.crc = !header.has_crc ? "absent" : page.holds ? "ok" : "wrong";
    line.padding = rec::header_padding(page.header_bytes);
    return line;
  }

  ParquetFile& file_;
  const rec::FileMap& map_;
  Printer& printer_;
  rec::Bytes memory_;
};

void print_pages_of(const InputFile& input, const PagesRequest& request, Output& output) {
  ParquetFile file(input);
  std::vector<Column> only;
  if (!request.column.empty()) {
    only.push_back(file.column_named(request.column));
  }
  microparquet::text::ProgressLine progress;
  const std::uint64_t bytes = file.reader().file_bytes();
  const auto map = rec::map_file(
      file.file(), bytes - 8 - file.reader().footer_bytes(),
      [&](std::uint64_t done) { progress.show("looking for footers and records", done, bytes); });
  progress.clear();
  if (!map) {
    throw Failure(file.name() + " is damaged: its footer is malformed; copy it from its source again");
  }
  const Column* const column = only.empty() ? nullptr : &only.front();
  if (request.json) {
    JsonPages printer(file.name(), output);
    Listing(file, *map, printer).run(column);
  } else {
    output.line(file.name());
    PageTable printer(*map, file.columns(), output);
    Listing(file, *map, printer).run(column);
  }
}

}  // namespace

int print_pages(const PagesRequest& request, Output& output) {
  Guard guard(output);
  for (const std::string& path : request.paths) {
    if (!request.json && &path != &request.paths.front()) {
      output.line("");
    }
    guard.run([&] { print_pages_of(InputFile(path), request, output); });
  }
  return guard.code();
}

}  // namespace mpq_tool
