#include "lake_columns.h"

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <sstream>
#include <string_view>

#include "microparquet/text/quoted.h"
#include "microparquet/text/utf8.h"
#include "read_failure.h"

namespace mpq_tool {

namespace {

struct NamedType {
  std::string_view type;
  std::array<std::string_view, 5> names;  // names by Dialect
};

constexpr NamedType kNamedTypes[] = {
    {"bool", {"BOOLEAN", "pl.Boolean", "pa.bool_()", "boolean", "Bool"}},
    {"int8", {"TINYINT", "pl.Int8", "pa.int8()", "tinyint", "Int8"}},
    {"int16", {"SMALLINT", "pl.Int16", "pa.int16()", "smallint", "Int16"}},
    {"int32", {"INTEGER", "pl.Int32", "pa.int32()", "int", "Int32"}},
    {"int64", {"BIGINT", "pl.Int64", "pa.int64()", "bigint", "Int64"}},
    {"uint8", {"UTINYINT", "pl.UInt8", "pa.uint8()", "smallint", "UInt8"}},
    {"uint16", {"USMALLINT", "pl.UInt16", "pa.uint16()", "int", "UInt16"}},
    {"uint32", {"UINTEGER", "pl.UInt32", "pa.uint32()", "bigint", "UInt32"}},
    {"uint64", {"UBIGINT", "pl.UInt64", "pa.uint64()", "decimal(20,0)", "UInt64"}},
    {"float", {"FLOAT", "pl.Float32", "pa.float32()", "float", "Float32"}},
    {"double", {"DOUBLE", "pl.Float64", "pa.float64()", "double", "Float64"}},
    {"string", {"VARCHAR", "pl.String", "pa.string()", "string", "String"}},
    {"enum", {"VARCHAR", "pl.String", "pa.string()", "string", "String"}},
    {"json", {"VARCHAR", "pl.String", "pa.string()", "string", "String"}},
    {"binary", {"BLOB", "pl.Binary", "pa.binary()", "binary", "String"}},
    {"date", {"DATE", "pl.Date", "pa.date32()", "date", "Date32"}},
    {"timestamp[ms, UTC]",
     {"TIMESTAMPTZ", "pl.Datetime(\"ms\", \"UTC\")", "pa.timestamp(\"ms\", \"UTC\")", "timestamp",
      "DateTime64(3, 'UTC')"}},
    {"timestamp[us, UTC]",
     {"TIMESTAMPTZ", "pl.Datetime(\"us\", \"UTC\")", "pa.timestamp(\"us\", \"UTC\")", "timestamp",
      "DateTime64(6, 'UTC')"}},
    {"timestamp[ns, UTC]",
     {"TIMESTAMPTZ", "pl.Datetime(\"ns\", \"UTC\")", "pa.timestamp(\"ns\", \"UTC\")", "timestamp",
      "DateTime64(9, 'UTC')"}},
    {"timestamp[ms]",
     {"TIMESTAMP", "pl.Datetime(\"ms\")", "pa.timestamp(\"ms\")", "timestamp_ntz", "DateTime64(3)"}},
    {"timestamp[us]",
     {"TIMESTAMP", "pl.Datetime(\"us\")", "pa.timestamp(\"us\")", "timestamp_ntz", "DateTime64(6)"}},
    {"timestamp[ns]",
     {"TIMESTAMP_NS", "pl.Datetime(\"ns\")", "pa.timestamp(\"ns\")", "timestamp_ntz", "DateTime64(9)"}},
};

constexpr std::string_view kDecimal = "decimal";
constexpr std::array<std::string_view, 5> kDecimalIn = {"DECIMAL", "pl.Decimal", "pa.decimal128", "decimal",
                                                        "Decimal"};

// Bits of an integer: negative with a sign; none: it is no integer.
std::optional<int> integer_bits(const std::string& type) {
  constexpr std::array<int, 4> kWidths = {8, 16, 32, 64};
  for (const int bits : kWidths) {
    if (type == "int" + std::to_string(bits)) {
      return -bits;
    }
    if (type == "uint" + std::to_string(bits)) {
      return bits;
    }
  }
  return std::nullopt;
}

// The narrowest integer type with the values of both.
std::string wider_integer(int a, int b) {
  constexpr int kMost = 64;
  if ((a < 0) == (b < 0)) {
    return (a < 0 ? "int" : "uint") + std::to_string(std::max(std::abs(a), std::abs(b)));
  }
  const int with_sign = std::abs(std::min(a, b));
  const int without = std::max(a, b);
  const int bits = std::max(with_sign, 2 * without);
  return bits > kMost ? "double" : "int" + std::to_string(bits);
}

bool is_number_type(const std::string& type) {
  return integer_bits(type) || type == "float" || type == "double" || type == "float16" ||
         type.compare(0, kDecimal.size(), kDecimal) == 0;
}

// The finer of two timestamps that differ only in their units; empty: they differ in more.
std::string wider_timestamp(const std::string& a, const std::string& b) {
  constexpr std::string_view kBegin = "timestamp[";
  constexpr std::size_t kUnit = 2;
  const bool both = a.compare(0, kBegin.size(), kBegin) == 0 && b.compare(0, kBegin.size(), kBegin) == 0;
  if (!both || a.substr(kBegin.size() + kUnit) != b.substr(kBegin.size() + kUnit)) {
    return {};
  }
  constexpr std::string_view kFineness = "mun";
  return kFineness.find(a[kBegin.size()]) < kFineness.find(b[kBegin.size()]) ? b : a;
}

// The name in the lake of a file's column.
std::string new_name(const std::string& name, const Renames& renames) {
  for (const auto& [now, before] : renames) {
    if (std::find(before.begin(), before.end(), name) != before.end()) {
      return now;
    }
  }
  return name;
}

// Whether a name is text. Names with wrong bytes are none, also where what is known of the file has U+FFFD in
// their place; nor are those with NUL, which ends a script for many.
bool is_text(const std::string& name) {
  return microparquet::text::is_utf8(name) && name.find("\xEF\xBF\xBD") == name.npos &&
         name.find('\0') == name.npos;
}

void add_rename(Renames& renames, const std::string& word) {
  const std::size_t middle = word.find('=');
  if (middle == 0 || middle == word.npos || middle + 1 == word.size()) {
    throw WrongRequest("--rename " + word + ": give the new name and the old one, NEW=OLD");
  }
  if (word.find('\n') != word.npos) {
    throw WrongRequest("--rename " + word + ": a lake remembers no name with a line break");
  }
  std::vector<std::string>& before = renames[word.substr(0, middle)];
  const std::string old = word.substr(middle + 1);
  if (std::find(before.begin(), before.end(), old) == before.end()) {
    before.push_back(old);
  }
}

}  // namespace

std::string name_in_lake(const std::string& name, const Renames& renames) {
  return is_text(name) ? new_name(name, renames) : std::string();
}

Renames read_renames(const std::string& remembered, const std::vector<std::string>& words) {
  Renames renames;
  std::istringstream lines(remembered);
  for (std::string line; std::getline(lines, line);) {
    add_rename(renames, line);
  }
  for (const std::string& word : words) {
    add_rename(renames, word);
  }
  return renames;
}

std::string renames_text(const Renames& renames) {
  std::string text;
  for (const auto& [now, before] : renames) {
    for (const std::string& old : before) {
      text += now + "=" + old + "\n";
    }
  }
  return text;
}

std::string wider_type(const std::string& a, const std::string& b) {
  if (a == b) {
    return a;
  }
  if (a == kNestedType || b == kNestedType) {
    return kNestedType;
  }
  if (const std::string timestamp = wider_timestamp(a, b); !timestamp.empty()) {
    return timestamp;
  }
  const auto bits = integer_bits(a);
  const auto other_bits = integer_bits(b);
  if (bits && other_bits) {
    return wider_integer(*bits, *other_bits);
  }
  return is_number_type(a) && is_number_type(b) ? "double" : "string";
}

std::vector<LakeColumn> lake_columns(const std::map<std::string, Collected>& files, const Renames& renames) {
  std::vector<LakeColumn> columns;
  std::map<std::string, std::size_t> places;
  for (const auto& [path, file] : files) {
    for (const CollectedColumn& column : file.columns) {
      const std::string name = name_in_lake(column.name, renames);
      if (name.empty()) {
        continue;
      }
      const auto [place, is_new] = places.try_emplace(name, columns.size());
      if (is_new) {
        columns.push_back({name, {}, column.type});
      }
      LakeColumn& known = columns[place->second];
      known.type = wider_type(known.type, column.type);
      if (std::find(known.names.begin(), known.names.end(), column.name) == known.names.end()) {
        known.names.push_back(column.name);
      }
    }
  }
  return columns;
}

std::string type_in(Dialect dialect, const std::string& type) {
  const auto place = static_cast<std::size_t>(dialect);
  if (type.compare(0, kDecimal.size(), kDecimal) == 0) {
    return std::string(kDecimalIn[place]) + type.substr(kDecimal.size());
  }
  const auto* const found = std::find_if(std::begin(kNamedTypes), std::end(kNamedTypes),
                                         [&](const NamedType& named) { return named.type == type; });
  return found != std::end(kNamedTypes) ? std::string(found->names[place]) : std::string();
}

namespace {

using microparquet::text::clickhouse_name;
using microparquet::text::clickhouse_text;
using microparquet::text::duckdb_name;
using microparquet::text::markdown_block;
using microparquet::text::markdown_code;
using microparquet::text::python_text;
using microparquet::text::spark_name;

// A column of a file: its name there, and the widest type it has in the lake.
using Shown = std::function<std::string(const std::string& name, const std::string& type)>;

// All names that columns have in files, shown as a dialect has them.
std::string schema_in(Dialect dialect, const std::vector<LakeColumn>& columns, const Shown& shown) {
  std::string text;
  for (const LakeColumn& column : columns) {
    const std::string type = type_in(dialect, column.type);
    for (const std::string& name : column.names) {
      if (!type.empty()) {
        text += (text.empty() ? "" : ", ") + shown(name, type);
      }
    }
  }
  return text;
}

std::string renamed_text(const std::vector<LakeColumn>& columns) {
  std::string text;
  for (const LakeColumn& column : columns) {
    if (column.names.size() < 2) {
      continue;
    }
    std::string names;
    for (const std::string& name : column.names) {
      names += (names.empty() ? "" : ", ") + duckdb_name(name);
    }
    text += markdown_code(column.name) + " has had several names: in raw/ it is " +
            markdown_code("coalesce(" + names + ")") + ".\n";
  }
  return text.empty() ? "" : text + "\n";
}

std::string block(const char* language, const std::string& text) {
  return markdown_block(language, text) + "\n";
}

std::string duckdb_words() {
  return "## DuckDB\n" +
         block("sql",
               "CREATE VIEW log AS SELECT * FROM read_parquet('raw/*/*/*.parquet', union_by_name = true,\n"
               "  hive_types = {'device': VARCHAR, 'session': VARCHAR});\n"
               "SELECT device, count(*) FROM log GROUP BY device;");
}

std::string polars_words(const std::vector<LakeColumn>& columns) {
  const std::string schema = schema_in(
      Dialect::kPolars, columns,
      [](const std::string& name, const std::string& type) { return python_text(name) + ": " + type; });
  return "## Polars\n" +
         block("python",
               "import polars as pl\n"
               "schema = pl.Schema({" +
                   schema +
                   "})\n"
                   "log = pl.scan_parquet(\"raw/**/*.parquet\", schema=schema, missing_columns=\"insert\", "
                   "extra_columns=\"ignore\",\n"
                   "                      cast_options=pl.ScanCastOptions(integer_cast=\"upcast\", "
                   "float_cast=\"upcast\"),\n"
                   "                      hive_partitioning=True, hive_schema={\"device\": pl.String, "
                   "\"session\": "
                   "pl.String})\n"
                   "print(log.group_by(\"device\").len().collect())");
}

std::string arrow_words(const std::vector<LakeColumn>& columns) {
  const std::string schema =
      schema_in(Dialect::kArrow, columns, [](const std::string& name, const std::string& type) {
        return "(" + python_text(name) + ", " + type + ")";
      });
  return "## pyarrow\n" +
         block("python",
               "import pyarrow as pa\n"
               "import pyarrow.dataset as ds\n"
               "folders = pa.schema([(\"device\", pa.string()), (\"session\", pa.string())])\n"
               "log = ds.dataset(\"raw\", format=\"parquet\", partitioning=ds.partitioning(folders, "
               "flavor=\"hive\"),\n"
               "                 schema=pa.schema([" +
                   schema +
                   ", *folders]))\n"
                   "print(log.count_rows())");
}

std::string spark_words(const std::vector<LakeColumn>& columns) {
  const std::string schema = schema_in(
      Dialect::kSpark, columns,
      [](const std::string& name, const std::string& type) { return spark_name(name) + " " + type; });
  const std::string text = python_text(schema + ", device string, session string");
  return "## Spark\n" + block("python", "schema = " + text +
                                            "\n"
                                            "log = spark.read.schema(schema).parquet(\"raw\")\n"
                                            "log.groupBy(\"device\").count().show()");
}

std::string clickhouse_words(const std::vector<LakeColumn>& columns) {
  const std::string schema =
      schema_in(Dialect::kClickHouse, columns, [](const std::string& name, const std::string& type) {
        return clickhouse_name(name) + " Nullable(" + type + ")";
      });
  return "## ClickHouse\n" + block("sql",
                                   "SELECT extract(_path, 'device=([^/]*)') AS device, count()\n"
                                   "FROM file('raw/*/*/*.parquet', Parquet, " +
                                       clickhouse_text(schema) + ")\nGROUP BY device");
}

}  // namespace

std::string lake_readme(const std::vector<LakeColumn>& columns) {
  return "# A lake of logs\n\n"
         "Made by `mpq collect`, which adds to it. `files.parquet` has a row for each file in `raw/`: ask it "
         "first which devices\n"
         "there are, when they logged, and what is missing.\n\n"
         "    SELECT device, sum(rows), sum(rows_missing) FROM 'files.parquet' GROUP BY device\n\n"
         "`compact.sql` makes a sorted file for each device in `compact/`, a few times faster to ask: "
         "`duckdb < compact.sql`\n"
         "here, or `mpq collect --compact`. All of them have the same columns, so that no program needs to "
         "be told more:\n\n"
         "    SELECT device, count(*) FROM 'compact/*.parquet' GROUP BY device\n\n"
         "The files of `raw/` are of several firmwares and may differ in their columns. These are the words "
         "to read them as one\n"
         "table, in this folder; where a file lacks a column it is null.\n\n" +
         renamed_text(columns) + duckdb_words() + polars_words(columns) + arrow_words(columns) +
         spark_words(columns) + clickhouse_words(columns);
}

}  // namespace mpq_tool
