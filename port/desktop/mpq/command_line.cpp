#include "command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <memory>

#include "collect.h"
#include "commands.h"
#include "merge.h"
#include "microparquet/desktop/command_line_answer.h"
#include "microparquet/desktop/help_format.h"
#include "microparquet/text/grouped_digits.h"
#include "microparquet/text/version_text.h"
#include "output.h"
#include "read_failure.h"
#include "report.h"
#include "where_parser.h"

namespace mpq_tool {

namespace {

// Empty for a whole number, else what is wrong with it.
std::string check_count(const std::string& text) {
  return microparquet::text::whole_number(text) ? ""
                                                : text + ": expected a whole number of 0 or more, such as 10";
}

CLI::Option* add_count(CLI::App& command, const std::string& name, std::uint64_t& count,
                       const std::string& help) {
  return command.add_option(name, count, help)->check(CLI::Validator(check_count, ""))->type_name("N");
}

// The commands, their options, and what is done for them.
class CommandLine {
 public:
  CommandLine() {
    app_.formatter(std::make_shared<microparquet::desktop::HelpFormat>());
    app_.allow_windows_style_options(false);  // /name is a path there as well
    app_.require_subcommand(1);
    app_.set_version_flag("--version", microparquet::text::version_text("mpq"), "Print the version");
    add_info();
    add_plot();
    schema_ = add_command("schema", "The schema in Parquet's notation");
    head_ = add_command("head", "The first rows of each file, as a table", Takes::kFiles);
    tail_ = add_command("tail", "The last rows of each file, as a table", Takes::kFiles);
    cat_ = add_command("cat", "All rows, as CSV; of several files as if they were one", Takes::kFiles);
    for (CLI::App* const command : {head_, tail_}) {
      add_count(*command, "-n", rows_, "How many rows")->capture_default_str();
      add_row_options(*command);
    }
    auto* const skip = add_count(*head_, "--skip", skipped_rows_, "How many rows to pass first");
    add_where(*head_)->excludes(skip);
    add_where(*cat_);
    add_row_options(*cat_);
    add_follow();
    add_layout();
    add_verify();
    add_recover();
    add_report();
    add_merge();
    add_collect();
  }

  int run(int argc, char** argv) {
    if (argc > 1 && argv[1][0] != '-' && !is_command(argv[1])) {
      tell(std::string(argv[1]) + ": there is no such command; give one of " + command_names());
      return 1;
    }
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return microparquet::desktop::is_answered(app_, error) ? 0 : failure_code();
    }
    try {
      paths_ = expanded(paths_);
      collection_.sources = expanded(collection_.sources);
      const int code = act();
      output_.flush();
      return code;
    } catch (const WrongWord& wrong) {
      tell(wrong.what());
      microparquet::text::print_line(microparquet::text::To::kErrors, wrong.text());
      microparquet::text::print_line(microparquet::text::To::kErrors, wrong.marks());
      return failure_code();
    } catch (const std::exception& error) {
      output_.flush();
      tell(error.what());
      return failure_code();
    }
  }

 private:
  enum class Takes : std::uint8_t { kFile, kFiles };

  CLI::App* add_command(const std::string& name, const std::string& help, Takes takes = Takes::kFile) {
    CLI::App* const command = app_.add_subcommand(name, help);
    if (takes == Takes::kFile) {
      command->add_option("FILE", path_, "Parquet file; - is standard input")->required();
    } else {
      command->add_option("FILE", paths_, "Parquet files; - is standard input")->required();
    }
    return command;
  }

  bool is_command(const std::string& name) const {
    const std::vector<const CLI::App*> commands = app_.get_subcommands({});
    return std::any_of(commands.begin(), commands.end(),
                       [&](const CLI::App* command) { return command->get_name() == name; });
  }

  std::string command_names() const {
    std::string names;
    for (const CLI::App* const command : app_.get_subcommands({})) {
      names += (names.empty() ? "" : ", ") + command->get_name();
    }
    return names;
  }

  void add_info() {
    info_ = app_.add_subcommand(
        "info", "Rows, times and gaps, key-values, and each column in a line; of several files a line each");
    info_->add_option("FILE", info_request_.paths, "Parquet files, or folders of them; - is standard input")
        ->required();
    add_time(*info_, info_request_.time);
    info_->add_flag("--json", info_request_.json, "Print a JSON object for each file");
  }

  void add_plot() {
    plot_ = app_.add_subcommand("plot", "The columns over time as strips of characters, with their gaps");
    plot_->add_option("FILE", plot_request_.paths, "Parquet files, or folders of them; - is standard input")
        ->required();
    add_columns(*plot_, plot_request_.columns, "draw");
    plot_->add_option("--from", plot_request_.from, "Only rows of this time and later ones")
        ->type_name("TIME");
    plot_->add_option("--to", plot_request_.to, "Only rows of this time and earlier ones")->type_name("TIME");
    add_time(*plot_, plot_request_.time);
    plot_->add_flag("--ascii", plot_request_.ascii, "Draw with characters of ASCII only");
    plot_->footer(
        "TIME is such as 2026-02-28T06:00:00Z or, where times count from a start, in seconds.\n"
        "As wide as the terminal or as COLUMNS says, 40 to 200; 80 where there is none.");
  }

  static void add_time(CLI::App& command, TimeRequest& time) {
    auto* const column =
        command
            .add_option("--time", time.column,
                        "Column that says when a row was taken; NAME:us gives its unit, s, ms, us or ns")
            ->type_name("NAME");
    command
        .add_option(
            "--time-from", time.from,
            "Columns that say it together: a date and a time, year, month and day, seconds and a fraction")
        ->allow_extra_args(false)
        ->type_name("A,B,...")
        ->excludes(column);
  }

  static void add_columns(CLI::App& command, std::vector<std::string>& columns, const std::string& verb) {
    command
        .add_option("--columns", columns,
                    "Names of the columns to " + verb + ", in their order; \"A,B\" is one name")
        ->allow_extra_args(false)
        ->type_name("A,B,...");
  }

  void add_row_options(CLI::App& command) {
    add_columns(command, columns_, "print");
    auto* const csv = command.add_flag("--csv", csv_, "Print comma-separated values");
    add_json(command, "Print a JSON object a line")->excludes(csv);
    command.add_flag(
        "--physical", physical_,
        "Print values in their units, as the key-values scale.NAME and offset.NAME say; --where asks "
        "for those that are stored");
    command.add_option("--lists", lists_, "How CSV has lists and maps, which it has no form for: as JSON")
        ->check(CLI::IsMember({"json"}))
        ->type_name("json");
  }

  CLI::Option* add_where(CLI::App& command) {
    return command
        .add_option("--where", where_,
                    "Only rows of which it is true, such as \"temp > 20 and (name in ('a', 'b') or not ok)\"")
        ->type_name("CONDITION");
  }

  CLI::Option* add_json(CLI::App& command, const std::string& help) {
    return command.add_flag("--json", json_, help);
  }

  void add_layout() {
    meta_ =
        add_command("meta", "What the footer says of each row group and its column chunks", Takes::kFiles);
    add_json(*meta_, "Print a JSON object for each file");
    pages_ =
        add_command("pages", "What lies where: each page, and all bytes between the pages", Takes::kFiles);
    pages_->add_option("--column", column_, "Only what belongs to this column")->type_name("NAME");
    add_json(*pages_, "Print a JSON object a line");
  }

  void add_follow() {
    follow_ = add_command("follow", "The rows of a file that is being written, as they come");
    add_count(*follow_, "-n", rows_, "How many of the rows that are there already")->capture_default_str();
    add_count(*follow_, "--rows", most_rows_, "End after this number of rows");
    follow_->add_option("--until-idle", idle_seconds_, "End when no row has come for this time")
        ->check(CLI::NonNegativeNumber)
        ->type_name("SECONDS");
    add_row_options(*follow_);
  }

  void add_verify() {
    verify_ = add_command("verify", "Checks every checksum, count, offset and statistic against the values",
                          Takes::kFiles);
    verify_->get_option("FILE")->description("Parquet files, or folders of them; - is standard input");
    verify_->add_flag(
        "--strict", verify_options_.strict,
        "End with 1 also when a part of it cannot be checked, or is wrong though no reader relies on it");
    verify_->footer(
        "Ends with 0 when all of it holds, 1 when not, 2 when there is nothing to check; of several files "
        "with the worst.");
  }

  void add_recover() {
    recover_ = app_.add_subcommand("recover", "Finds the rows of damaged files");
    recover_
        ->add_option("FILE", recovery_.path,
                     "Parquet file, or image of a medium such as a card, with FAT or exFAT")
        ->required();
    recover_
        ->add_option("-o", recovery_.output,
                     "New file with all rows found; for an image also a folder (FILE, mended in place)")
        ->type_name("OUT");
    recover_
        ->add_option(
            "--schema", recovery_.schema,
            "Whole file of the same writer and columns, when FILE has lost its footers, or never had one")
        ->type_name("FROM");
    add_count(*recover_, "--rows-per-group", group_rows_, "With --schema: how many rows a row group has");
    recover_->add_flag("--same-settings", recovery_.same_settings,
                       "With --schema: FROM was written with the settings of FILE, which places more pages");
    recover_->add_flag("--partial", recovery_.partial,
                       "With --schema: also rows of which some columns are lost, with nulls in their place");
    recover_->add_flag(
        "--unchecked", recovery_.unchecked,
        "Also rows that nothing proves and nothing speaks against: with dictionaries of earlier versions, "
        "and with --schema pages of a damaged file without checksums");
    recover_->add_option("--file-id", file_id_, "Which file, where there are several")->type_name("HEX");
    recover_->add_flag("--dry-run", recovery_.dry_run, "Say what there is, write nothing");
    recover_->add_flag("--overwrite", recovery_.overwrite, "Replace OUT when it exists");
    recover_->footer(
        "Without -o a footer is added after the end of FILE, and what had to be written again; nothing in "
        "it is\n"
        "changed or removed.\n"
        "Ends with 0 when all is there, 1 when rows were lost, 2 when none are found, 3 when some may be "
        "wrong.");
  }

  void add_report() {
    report_ = app_.add_subcommand("report", "A page for a browser that shows files, with the files inside");
    report_
        ->add_option("FILE", report_request_.paths, "Parquet files, or folders of them; - is standard input")
        ->required();
    report_->add_option("-o", report_request_.output, "The page")->required()->type_name("OUT");
    report_->add_option("--viewer", report_request_.viewer, "viewer.html, where it is not beside mpq")
        ->type_name("PAGE");
    add_time(*report_, report_request_.time);
    report_->add_flag("--overwrite", report_request_.overwrite, "Replace OUT when it exists");
  }

  void add_merge() {
    merge_ = app_.add_subcommand("merge", "One file with the rows of many, such as the files of a day");
    merge_->add_option("FILE", merge_request_.paths, "Parquet files, or folders of them; - is standard input")
        ->required();
    merge_->add_option("-o", merge_request_.output, "The new file")->required()->type_name("OUT");
    merge_->add_flag("--ticks", merge_request_.ticks,
                     "Keep times as they are counted, also where every row has a date");
    merge_->add_flag("--physical", merge_request_.physical,
                     "Values in their units, as the key-values scale.NAME and offset.NAME say");
    add_time(*merge_, merge_request_.time);
    merge_->add_flag("--overwrite", merge_request_.overwrite, "Replace OUT when it exists");
    merge_->footer(
        "Files follow each other by their session and split where all say them, else by their first time; "
        "rows "
        "stay in\n"
        "their order. A column that files have with different types gets one for all values; one that a file "
        "lacks is null.\n"
        "Key-values stay that all files have alike, counts of lost rows are added up, and microparquet.merge "
        "has "
        "the others.\n"
        "Ends with 0 when all rows of all files are in OUT, 1 when files are left out, or rows that only mpq "
        "recover finds,\n"
        "each of which is named, 2 when nothing was written.");
  }

  void add_collect() {
    collect_ = app_.add_subcommand("collect", "Brings the logs of cards, images and folders into one place");
    collect_->add_option("SRC", collection_.sources, "Folders, Parquet files, images of cards, block devices")
        ->required();
    collect_
        ->add_option("-o", collection_.lake, "The place: a new folder, or one that was collected into before")
        ->type_name("LAKE")
        ->required();
    collect_
        ->add_option("--rename", collection_.renames,
                     "A column that older files call OLD; the lake remembers it")
        ->allow_extra_args(false)
        ->type_name("NEW=OLD");
    add_time(*collect_, collection_.time);
    collect_->add_flag("--compact", collection_.compact,
                       "Then make LAKE/compact: a sorted file for each device");
    collect_->footer(
        "What is sound goes to LAKE/raw, rows included that only recovery finds, and LAKE/files.parquet has "
        "a row for\n"
        "each file. It may be interrupted and repeated at any time: no row comes twice.\n"
        "Ends with 0 when all that was found is there, 1 when some could not be saved, 2 when it had to "
        "stop.");
  }

  int act() {
    if (collect_->parsed()) {
      return collect(collection_, output_);
    }
    if (merge_->parsed()) {
      return merge(merge_request_, output_);
    }
    if (info_->parsed()) {
      return print_info(info_request_, output_);
    }
    if (plot_->parsed()) {
      return print_plots(plot_request_, output_);
    }
    if (schema_->parsed()) {
      print_schema(InputFile(path_), output_);
    } else if (meta_->parsed()) {
      return print_meta(paths_, json_, output_);
    } else if (pages_->parsed()) {
      return print_pages({paths_, column_, json_}, output_);
    } else if (head_->parsed()) {
      return print_rows(rows_request(skipped_rows_, rows_, RowFormat::kTable), output_);
    } else if (tail_->parsed()) {
      RowsRequest request = rows_request(0, rows_, RowFormat::kTable);
      request.from_end = true;
      return print_rows(request, output_);
    } else if (cat_->parsed()) {
      return print_rows(rows_request(0, std::nullopt, RowFormat::kCsv), output_);
    } else if (follow_->parsed()) {
      act_follow();
    } else if (report_->parsed()) {
      return write_report(report_request_, output_);
    } else {
      return verify_->parsed() ? verify_files(paths_, verify_options_, output_) : act_recover();
    }
    return 0;
  }

  RowsRequest rows_request(std::uint64_t skip, std::optional<std::uint64_t> limit, RowFormat format) const {
    RowsRequest request;
    request.paths = paths_;
    request.columns = columns_;
    request.skip = skip;
    request.limit = limit;
    request.where = where_;
    request.style = style_or(format);
    return request;
  }

  RowStyle style_or(RowFormat otherwise) const {
    return {json_ ? RowFormat::kJson : csv_ ? RowFormat::kCsv : otherwise, !lists_.empty(), physical_};
  }

  void act_follow() {
    FollowRequest request;
    request.path = path_;
    request.columns = columns_;
    request.style = style_or(terminal_width() == 0 ? RowFormat::kCsv : RowFormat::kLive);
    request.last_rows = rows_;
    if (follow_->count("--rows") != 0) {
      request.rows = most_rows_;
    }
    if (follow_->count("--until-idle") != 0) {
      request.idle_seconds = idle_seconds_;
    }
    follow(request, output_);
  }

  int act_recover() {
    if (!file_id_.empty()) {
      std::uint32_t id = 0;
      const char* const last = file_id_.data() + file_id_.size();
      const auto [end, error] = std::from_chars(file_id_.data(), last, id, 16);
      if (error != std::errc() || end != last) {
        throw Failure("--file-id " + file_id_ + ": expected hexadecimal digits, such as 0012abcd");
      }
      recovery_.file_id = id;
    }
    recovery_.group_rows = group_rows_;
    return recover(recovery_, output_);
  }

  // These commands tell by their codes what the files are like.
  int failure_code() const {
    return recover_->parsed() || verify_->parsed() || merge_->parsed() || collect_->parsed() ? 2 : 1;
  }

  CLI::App app_{"Looks into Parquet files, checks and recovers them.", "mpq"};
  CLI::App* info_;
  CLI::App* plot_ = nullptr;
  CLI::App* schema_;
  CLI::App* head_;
  CLI::App* tail_;
  CLI::App* cat_;
  CLI::App* follow_ = nullptr;
  CLI::App* meta_ = nullptr;
  CLI::App* pages_ = nullptr;
  CLI::App* verify_ = nullptr;
  CLI::App* recover_ = nullptr;
  CLI::App* report_ = nullptr;
  CLI::App* merge_ = nullptr;
  CLI::App* collect_ = nullptr;

  std::string path_;
  std::vector<std::string> paths_;
  std::vector<std::string> columns_;
  std::string lists_;
  std::string column_;
  std::optional<std::string> where_;
  bool csv_ = false;
  bool json_ = false;
  bool physical_ = false;
  std::uint64_t rows_ = 10;
  std::uint64_t skipped_rows_ = 0;
  std::uint64_t most_rows_ = 0;
  double idle_seconds_ = 0;
  InfoRequest info_request_;
  PlotRequest plot_request_;
  VerifyOptions verify_options_;
  RecoverRequest recovery_;
  ReportRequest report_request_;
  MergeRequest merge_request_;
  CollectRequest collection_;
  std::uint64_t group_rows_ = 0;
  std::string file_id_;
  Output output_;
};

}  // namespace

int run(int argc, char** argv) { return CommandLine().run(argc, argv); }

}  // namespace mpq_tool
