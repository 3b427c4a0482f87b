#include "compact_sql.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <set>

namespace mpq_tool {

namespace {

std::string quoted_in(char quote, const std::string& text) {
  std::string result(1, quote);
  for (const char c : text) {
    result += c == quote ? std::string(2, quote) : std::string(1, c);
  }
  return result + quote;
}

std::string sql_name(const std::string& name) { return quoted_in('"', name); }
std::string sql_text(const std::string& text) { return quoted_in('\'', text); }

// Key-values that become columns; one that the logs have, too, stays theirs.
const std::vector<std::string>& fact_names() {
  static const std::vector<std::string> names = {"device", "firmware", "session", "split", "started_at"};
  return names;
}

// What some files of a folder have.
struct FolderFiles {
  std::vector<std::string> paths;
  std::set<std::string> columns;
};

std::map<std::string, FolderFiles> folders_of(const Lake& lake) {
  std::map<std::string, FolderFiles> folders;
  for (const auto& [path, file] : lake.files()) {
    const std::size_t begin = path.find('=') + 1;
    FolderFiles& folder = folders[path.substr(begin, path.find('/', begin) - begin)];
    folder.paths.push_back(path);
    for (const CollectedColumn& column : file.columns) {
      folder.columns.insert(column.name);
    }
  }
  return folders;
}

// Of the names that the column has in these files the first with a value.
std::string expression_of(const LakeColumn& column, const FolderFiles& folder) {
  std::string names;
  std::size_t count = 0;
  for (const std::string& name : column.names) {
    if (folder.columns.count(name) != 0) {
      names += (count++ == 0 ? "log." : ", log.") + sql_name(name);
    }
  }
  const std::string type = type_in(Dialect::kDuckDb, column.type);
  const std::string value = count == 0 ? "NULL" : count == 1 ? names : "coalesce(" + names + ")";
  return (type.empty() ? value : "CAST(" + value + " AS " + type + ")") + " AS " + sql_name(column.name);
}

std::string copy_of(const std::string& name, const FolderFiles& folder,
                    const std::vector<LakeColumn>& columns) {
  std::string sql = "COPY (\n  SELECT ";
  for (const std::string& fact : fact_names()) {
    const bool is_logged = std::any_of(columns.begin(), columns.end(),
                                       [&](const LakeColumn& column) { return column.name == fact; });
    sql += is_logged ? "" : "files." + fact + ", ";
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    sql += (i == 0 ? "\n    " : ",\n    ") + expression_of(columns[i], folder);
  }
  sql += "\n  FROM read_parquet([";
  for (std::size_t i = 0; i < folder.paths.size(); ++i) {
    sql += (i == 0 ? "\n      " : ",\n      ") + sql_text(folder.paths[i]);
  }
  sql +=
      "],\n    union_by_name = true, filename = 'mpq_file', file_row_number = true, hive_partitioning = "
      "false) AS log\n"
      "  JOIN 'files.parquet' AS files ON files.path = log.mpq_file\n"
      "  ORDER BY files.session, files.split, log.mpq_file, log.file_row_number\n) TO ";
  return sql + sql_text("compact/" + name + ".parquet") +
         " (FORMAT parquet, COMPRESSION zstd, PARQUET_VERSION v2, USE_TMP_FILE true);\n";
}

// In the child: DuckDB with the script as its input.
[[noreturn]] void become_duckdb(const std::string& folder) {
  const bool ready = chdir(folder.c_str()) == 0;
  const int script = ready ? ::open("compact.sql", O_RDONLY) : -1;
  if (script >= 0 && dup2(script, STDIN_FILENO) >= 0) {
    execlp("duckdb", "duckdb", "-bail", static_cast<char*>(nullptr));
  }
  _exit(errno == ENOENT ? 127 : 126);
}

}  // namespace

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
  constexpr int kNotFound = 127;
  lake.make_folder("compact");
  const pid_t child = fork();
  if (child == 0) {
    become_duckdb(lake.folder());
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (child < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == kNotFound)) {
    throw Failure("--compact: there is no program duckdb; install it, or give " + lake.folder() +
                  "/compact.sql to a DuckDB elsewhere");
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw Failure("--compact: duckdb did not finish " + lake.folder() +
                  "/compact.sql; what it said stands above");
  }
}

}  // namespace mpq_tool
