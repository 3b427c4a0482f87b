#include "lake_readme.h"

#include <functional>

#include "microparquet/text/quoted.h"

namespace mpq_tool {

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
