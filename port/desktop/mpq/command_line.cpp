#include "command_line.h"

#include <CLI/CLI.hpp>

#include "commands.h"
#include "failure.h"
#include "output.h"

namespace mpq_tool {

namespace {

struct Settings {
  std::string path;
  std::vector<std::string> columns;
  std::int64_t rows = 10;
  bool csv = false;
  bool json = false;
};

void add_file(CLI::App& command, Settings& settings) {
  command.add_option("FILE", settings.path, "Parquet file")->required();
}

void add_row_options(CLI::App& command, Settings& settings) {
  command.add_option("--columns", settings.columns, "Names of the columns to print, in their order")
      ->allow_extra_args(false)
      ->type_name("A,B,...");
  auto* const csv = command.add_flag("--csv", settings.csv, "Print comma-separated values");
  command.add_flag("--json", settings.json, "Print a JSON object a line")->excludes(csv);
}

RowFormat format_of(const Settings& settings, RowFormat otherwise) {
  return settings.json ? RowFormat::kJson : settings.csv ? RowFormat::kCsv : otherwise;
}

}  // namespace

int run(int argc, char** argv) {
  CLI::App app{"Looks into Parquet files.", "mpq"};
  app.require_subcommand(1);
  Settings settings;
  CLI::App* const info =
      app.add_subcommand("info", "Rows, row groups, key-values, and each column in a line");
  CLI::App* const schema = app.add_subcommand("schema", "The schema in Parquet's notation");
  CLI::App* const head = app.add_subcommand("head", "The first rows, as a table");
  CLI::App* const cat = app.add_subcommand("cat", "All rows, as CSV");
  for (CLI::App* const command : {info, schema, head, cat}) {
    add_file(*command, settings);
  }
  head->add_option("-n", settings.rows, "How many rows")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->type_name("N");
  add_row_options(*head, settings);
  add_row_options(*cat, settings);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 1;
  }

  Output output;
  if (info->parsed()) {
    print_info(settings.path, output);
  } else if (schema->parsed()) {
    print_schema(settings.path, output);
  } else if (head->parsed()) {
    print_rows(settings.path, settings.columns, static_cast<std::uint64_t>(settings.rows),
               format_of(settings, RowFormat::kTable), output);
  } else {
    print_rows(settings.path, settings.columns, std::nullopt, format_of(settings, RowFormat::kCsv), output);
  }
  output.flush();
  return 0;
}

}  // namespace mpq_tool
