#include "compact_sql.h"

#include <strings.h>
#include <algorithm>
#include <cerrno>
#include <set>

#include "microparquet/desktop/native_file.h"
#include "microparquet/desktop/program.h"
#include "microparquet/text/printed_text.h"
#include "microparquet/text/quoted.h"

namespace mpq_tool {

namespace {

using microparquet::text::duckdb_name;
using microparquet::text::duckdb_text;

// Key-values that become columns; one that the logs have, too, stays theirs.
const std::vector<std::string>& fact_names() {
  static const std::vector<std::string> names = {"device", "firmware", "session", "split", "started_at"};
  return names;
}

// Some files of a folder, and their columns.
struct FolderFiles {
  std::vector<std::string> paths;
  std::set<std::string> columns;
};

// Compares names as DuckDB does, which takes upper and lower case for the same.
bool is_same_name(const std::string& a, const std::string& b) {
  return strcasecmp(a.c_str(), b.c_str()) == 0;
}

bool has_column(const FolderFiles& folder, const std::string& name) {
  return std::any_of(folder.columns.begin(), folder.columns.end(),
                     [&](const std::string& column) { return is_same_name(column, name); });
}

// The name, lengthened until no column of the files has it.
std::string unused_name(const FolderFiles& folder, std::string name) {
  while (has_column(folder, name)) {
    name += '_';
  }
  return name;
}

std::map<std::string, FolderFiles> folders_of(const Lake& lake) {
  std::map<std::string, FolderFiles> folders;
  for (const auto& [path, file] : lake.files()) {
    FolderFiles& folder = folders[device_folder(path)];
    folder.paths.push_back(path);
    for (const CollectedColumn& column : file.columns) {
      folder.columns.insert(column.name);
    }
  }
  return folders;
}

// The first of the column's names with a value in these files.
std::string expression_of(const LakeColumn& column, const FolderFiles& folder) {
  std::string names;
  std::size_t count = 0;
  for (const std::string& name : column.names) {
    if (folder.columns.count(name) != 0) {
      names += (count++ == 0 ? "log." : ", log.") + duckdb_name(name);
    }
  }
  const std::string type = type_in(Dialect::kDuckDb, column.type);
  const std::string value = count == 0 ? "NULL" : count == 1 ? names : "coalesce(" + names + ")";
  return (type.empty() ? value : "CAST(" + value + " AS " + type + ")") + " AS " + duckdb_name(column.name);
}

// The table `log`: rows of the folder's files, each with the name of its file and its number. DuckDB numbers rows by one name
// alone; where a column has that name, they are counted as they come, which is slower.
std::string log_of(const FolderFiles& folder, const std::string& file, const std::string& row) {
  constexpr const char* kRowNumber = "file_row_number";
  const bool is_numbered = row == kRowNumber;
  std::string sql = is_numbered ? "" : "(SELECT *, row_number() OVER () AS " + row + " FROM ";
  sql += "read_parquet([";
  for (std::size_t i = 0; i < folder.paths.size(); ++i) {
    sql += (i == 0 ? "\n      " : ",\n      ") + duckdb_text(folder.paths[i]);
  }
  sql += "],\n    union_by_name = true, filename = '" + file + "', hive_partitioning = false";
  sql += is_numbered ? std::string(", ") + kRowNumber + " = true)" : "))";
  return sql + " AS log";
}

std::string copy_of(const std::string& name, const FolderFiles& folder,
                    const std::vector<LakeColumn>& columns) {
  std::string sql = "COPY (\n  SELECT ";
  for (const std::string& fact : fact_names()) {
    const bool is_logged = std::any_of(columns.begin(), columns.end(), [&](const LakeColumn& column) {
      return is_same_name(column.name, fact);
    });
    sql += is_logged ? "" : "files." + fact + ", ";
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    sql += (i == 0 ? "\n    " : ",\n    ") + expression_of(columns[i], folder);
  }
  const std::string file = unused_name(folder, "mpq_file");
  const std::string row = unused_name(folder, "file_row_number");
  sql += "\n  FROM " + log_of(folder, file, row) + "\n  JOIN 'files.parquet' AS files ON files.path = log." +
         file + "\n  ORDER BY files.session, files.split, log." + file + ", log." + row + "\n) TO ";
  return sql + duckdb_text("compact/" + name + ".parquet") +
         " (FORMAT parquet, COMPRESSION zstd, PARQUET_VERSION v2, USE_TMP_FILE true);\n";
}

// Prints lines as they come: there are names of columns in them.
class PrintedLines {
 public:
  PrintedLines() = default;
  PrintedLines(const PrintedLines&) = delete;
  PrintedLines& operator=(const PrintedLines&) = delete;
  ~PrintedLines() {
    if (!rest_.empty()) {
      print(rest_);
    }
  }

  void add(std::string_view piece) {
    rest_ += piece;
    for (std::size_t end = 0; (end = rest_.find('\n')) != rest_.npos; rest_.erase(0, end + 1)) {
      print(rest_.substr(0, end));
    }
  }

 private:
  static void print(const std::string& line) {
    microparquet::text::print_line(microparquet::text::To::kErrors, "duckdb: " + line);
  }

  std::string rest_;
};

std::optional<int> run_duckdb(const std::string& folder) {
  PrintedLines lines;
  return microparquet::desktop::run_program({"duckdb", "-bail"}, folder, "compact.sql",
                                            [&](std::string_view piece) { lines.add(piece); });
}

}  // namespace

std::string device_folder(const std::string& path) {
  const std::size_t begin = path.find('=') + 1;
  return path.substr(begin, path.find('/', begin) - begin);
}

std::string compact_sql(const Lake& lake, const std::vector<LakeColumn>& columns) {
  std::string sql =
      "-- Makes a file for each device in compact/, sorted by session, split and row, with the widest type "
      "that any of its\n"
      "-- files has for a column. Run it here: duckdb < compact.sql\n"
      "SET TimeZone = 'UTC';\n"
      "SET preserve_insertion_order = true;\n";
  for (const auto& [name, folder] : folders_of(lake)) {
    sql += "\n" + copy_of(name, folder, columns);
  }
  return sql;
}

void run_compact_sql(const Lake& lake) {
  const std::optional<int> code = run_duckdb(lake.folder());
  if (code == microparquet::desktop::kNotStarted) {
    throw Failure("--compact: " + microparquet::desktop::error_text(errno));
  }
  if (!code) {
    throw Failure(
        "--compact: lists, and two columns of one new name, are merged by duckdb, and there is no such "
        "program; install it, or give " +
        lake.folder() + "/compact.sql to a DuckDB elsewhere");
  }
  if (*code != 0) {
    throw Failure("--compact: duckdb did not finish " + lake.folder() +
                  "/compact.sql; what it said stands above");
  }
}

}  // namespace mpq_tool
