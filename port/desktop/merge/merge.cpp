#include "merge.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "merge_input.h"
#include "merged_columns.h"
#include "merged_items.h"
#include "merged_key_values.h"
#include "merged_rows.h"
#include "microparquet/desktop/files.h"
#include "microparquet/desktop/program.h"
#include "microparquet/records.h"
#include "microparquet/text/grouped_digits.h"
#include "microparquet/text/progress_line.h"
#include "new_parquet_file.h"
#include "read_failure.h"
#include "table_merge.h"
#include "type_text.h"

namespace mpq_tool {

namespace {

namespace mpq = microparquet;
using mpq::text::counted;

void catch_merge_signals() {
  mpq::desktop::note_stop_signals();
  mpq::desktop::ignore_file_limit();  // it is as a full disk
}

class MergeInterrupted : public Failure {
 public:
  using Failure::Failure;
};

std::string list_of(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) {
    list += (list.empty() ? "" : ", ") + word;
  }
  return list;
}

// The first column in which files differ: "column x is double here, and float".
std::string difference(const MergeSchema& here, const MergeSchema& there) {
  const auto named = [](const MergeSchema& schema, const std::string& name) {
    return std::find_if(schema.columns.begin(), schema.columns.end(),
                        [&](const Column& column) { return column.name == name; });
  };
  for (const Column& column : here.columns) {
    const auto other = named(there, column.name);
    if (other == there.columns.end()) {
      return "column " + column.name + " is here, and not";
    }
    if (type_text(other->element) != type_text(column.element)) {
      return "column " + column.name + " is " + type_text(column.element) + " here, and " +
             type_text(other->element);
    }
  }
  for (const Column& column : there.columns) {
    if (named(here, column.name) == here.columns.end()) {
      return "column " + column.name + " is not here, and is";
    }
  }
  return "columns have another order, other nulls or other groups than";
}

// The reason why rows are merged item by item: "lists or structs, as x.list.element".
std::string why_not_flat(const MergeInput& a, const MergeInput& b) {
  for (const MergeInput* const input : {&a, &b}) {
    for (const Column& column : input->schema->columns) {
      if (column.element.depth > 1 || column.element.max_repetition_level != 0) {
        return "lists or structs, as " + column.name;
      }
    }
  }
  return "types that are only read, or columns of one name";
}

class Merger {
 public:
  Merger(const MergeRequest& request, Output& output) : request_(request), output_(output) {}

  int run() {
    mpq::recovery::check_target(request_.output, request_.overwrite);
    read_inputs();
    catch_merge_signals();  // from now on there is a file to remove
    for (bool again = true; again;) {
      again = false;
      try {
        write();
      } catch (const DamagedInput& damaged) {
        leave_out_damaged(damaged);
        again = true;
      }
    }
    line_.clear();
    return report();
  }

 private:
  // Returns the files that are named, those of a folder in the order of their names.
  std::vector<std::string> named_paths() const {
    std::vector<std::string> paths;
    for (const std::string& path : request_.paths) {
      std::vector<std::string> files = named_files({path});
      if (std::error_code ignored; std::filesystem::is_directory(path, ignored)) {
        sort_by_name(files);
      }
      paths.insert(paths.end(), files.begin(), files.end());
    }
    return paths;
  }

  // Returns the files, each once.
  std::vector<std::string> paths() {
    std::vector<std::string> paths;
    using mpq::desktop::FileKind;
    using mpq::desktop::FileState;
    std::set<std::pair<std::uint64_t, std::uint64_t>> known;
    const FileState there = mpq::desktop::state_of(request_.output);
    for (const std::string& path : named_paths()) {
      const FileState file = path == "-" ? FileState() : mpq::desktop::state_of(path);
      if (file.kind == FileKind::kNone) {
        paths.push_back(path);
        continue;
      }
      if (there.kind != FileKind::kNone && file.identity == there.identity) {
        throw WrongRequest(request_.output + ": it is one of the files to merge, as " + path +
                           "; give -o another name, or remove it first");
      }
      if (known.insert(file.identity).second) {
        paths.push_back(path);
      } else {
        tell(path + ": it is named twice, and merged once");
      }
    }
    return paths;
  }

  void read_inputs() {
    MergeInputs reader(request_.time,
                       request_.ticks ? MergeInputs::Times::kEnds : MergeInputs::Times::kDates);
    const std::vector<std::string> files = paths();
    for (const std::string& path : files) {
      line_.show(path);
      try {
        MergeInput input = reader.read(path);
        if (!input.after_footer.empty()) {
          note_problem(input.file->name() + ": " + input.after_footer);
          ++incomplete_;
        }
        (input.rows == 0 ? empty_ : inputs_).push_back(std::move(input));
      } catch (const WrongRequest&) {
        throw;
      } catch (const Failure& failure) {
        leave_out(failure.what());
      }
    }
    reader.check_time();
    order_ = put_in_order(inputs_);
    continue_clocks(inputs_);
  }

  void note_problem(const std::string& what) {
    line_.clear();
    output_.flush();
    tell(what);
  }

  void leave_out(const std::string& what) {
    note_problem(what + "; it is left out");
    ++left_out_;
  }

  // Reads all other files before they are written, so that no third run is needed.
  void leave_out_damaged(const DamagedInput& damaged) {
    leave_out(damaged.what());
    std::vector<MergeInput> whole;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      if (i == damaged.number()) {
        continue;
      }
      try {
        read_through(inputs_[i]);
        whole.push_back(std::move(inputs_[i]));
      } catch (const MergeInterrupted&) {
        throw;
      } catch (const Failure& failure) {
        leave_out(failure.what());
      }
    }
    inputs_ = std::move(whole);
  }

  // Throws Failure: it cannot be read.
  void read_through(const MergeInput& input) {
    if (!input.schema->is_flat) {
      read_items(input);
      return;
    }
    InputRows rows(input);
    while (rows.next(rows_at_once(input, nullptr)) != 0) {
      check_signals();
    }
  }

  static void read_items(const MergeInput& input) {
    ParquetFile file(*input.file);
    file.choose_items(file.columns());
    std::vector<std::uint64_t> memory(
        mpq::Records::required_bytes(file.reader().schema_elements(), file.columns().size()) /
            sizeof memory[0] +
        1);
    mpq::Records records(file.reader(),
                         {reinterpret_cast<std::byte*>(memory.data()), memory.size() * sizeof memory[0]});
    file.begin(records);
    for (mpq::Event event; file.next(records, event);) {
      check_signals();
    }
  }

  static void check_signals() {
    if (mpq::desktop::stop_signal != 0) {
      throw MergeInterrupted(mpq::desktop::interruption());
    }
  }

  // Files that have a say in columns and key-values.
  const std::vector<MergeInput>& sources() const { return inputs_.empty() ? empty_ : inputs_; }

  void write() {
    if (sources().empty()) {
      throw Failure("there is no file to merge; nothing was written to " + request_.output);
    }
    all_rows_ = 0;
    for (const MergeInput& input : sources()) {
      all_rows_ += input.rows;
    }
    const bool flat = std::all_of(sources().begin(), sources().end(),
                                  [](const MergeInput& input) { return input.schema->is_flat; });
    if (flat) {
      write_table();
    } else {
      write_items();
    }
  }

  void write_table() {
    check_scales(sources(), request_.physical);
    const MergedColumns columns(sources(), request_.physical);
    if (columns.all().empty()) {
      throw Failure(sources().front().file->name() + ": it has no columns; nothing was written to " +
                    request_.output);
    }
    const std::vector<ConstantColumn> no_constants;
    const TableMerge merge(columns, sources(), no_constants);
    const TableMergeResult result = merge.write(
        request_.output, [this](std::uint64_t rows) { show_progress(rows); },
        [&](const std::vector<std::uint64_t>& rows) { return key_values(rows, &columns); });
    bytes_ = result.bytes;
    row_groups_ = result.row_groups;
    notes_ = columns.notes();
  }

  void show_progress(std::uint64_t rows) {
    check_signals();
    line_.show(request_.output, rows, all_rows_);
  }

  // Those of the output, which takes its name next.
  std::vector<mpq::recovery::TextPair> key_values(const std::vector<std::uint64_t>& rows,
                                                  const MergedColumns* columns) {
    rows_ = rows;
    MergedKeyValues key_values = merged_key_values(sources(), rows, columns);
    check_signals();
    mpq::recovery::check_target(request_.output, request_.overwrite);
    different_ = std::move(key_values.different);
    return std::move(key_values.pairs);
  }

  void write_items() {
    const MergeInput& first = sources().front();
    if (inputs_.empty()) {
      throw Failure("no file has a row; nothing was written to " + request_.output);
    }
    for (const MergeInput& input : sources()) {
      if (input.schema != first.schema) {
        throw WrongRequest(input.file->name() + ": " + difference(*input.schema, *first.schema) + " in " +
                           first.file->name() + ", and columns among them are " + why_not_flat(first, input) +
                           ": merge files apart that have the same columns");
      }
    }
    if (request_.physical) {
      throw WrongRequest(
          first.file->name() +
          ": --physical converts flat columns, and it has lists, structs or types that are only read");
    }
    check_scales(sources(), false);
    notes_.clear();
    const auto dated = std::find_if(inputs_.begin(), inputs_.end(),
                                    [](const MergeInput& input) { return input.time.is_dated; });
    if (dated != inputs_.end()) {
      notes_.push_back(
          dated->time.column.name() +
          " stays as it is counted, as all columns beside lists, structs and types that are only read");
    }
    MergedItems out(request_.output, first);
    std::vector<std::uint64_t> rows;
    std::uint64_t done = 0;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      show_progress(done);
      if (!out.add(inputs_[i])) {
        throw DamagedInput(i, why_unreadable(inputs_[i]));
      }
      rows.push_back(inputs_[i].rows);
      done += rows.back();
    }
    bytes_ = out.finish(key_values(rows, nullptr));
    row_groups_ = out.row_groups();
  }

  std::string why_unreadable(const MergeInput& input) {
    try {
      read_items(input);
    } catch (const MergeInterrupted&) {
      throw;
    } catch (const Failure& failure) {
      return failure.what();
    }
    return input.file->name() + ": its rows cannot be read";
  }

  int report() {
    std::uint64_t rows = 0;
    for (const std::uint64_t count : rows_) {
      rows += count;
    }
    output_.line(request_.output + ": " + counted(rows, "row", "rows") + " of " +
                 counted(inputs_.size(), "file", "files") + " " + order_ + ", " +
                 counted(row_groups_, "row group", "row groups") + ", " + counted(bytes_, "byte", "bytes"));
    for (const std::string& note : notes_) {
      output_.line("  " + note);
    }
    if (!different_.empty()) {
      output_.line("  files differ in " + list_of(different_) + ": the key-value " + kMergedKey +
                   " has them by file");
    }
    if (!empty_.empty()) {
      output_.line("  " + counted(empty_.size(), "more file", "more files") + " without rows");
    }
    if (left_out_ != 0) {
      output_.line("  " + counted(left_out_, "file", "files") + " left out");
    }
    if (incomplete_ != 0) {
      output_.line("  " + counted(incomplete_, "file", "files") + (incomplete_ == 1 ? " has" : " have") +
                   " rows that only mpq recover finds");
    }
    return left_out_ + incomplete_ == 0 ? 0 : 1;
  }

  const MergeRequest& request_;
  Output& output_;
  mpq::text::ProgressLine line_;
  std::vector<MergeInput> inputs_;  // files with rows
  std::vector<MergeInput> empty_;
  std::string order_;
  std::uint64_t left_out_ = 0;
  std::uint64_t incomplete_ = 0;     // files with rows that no footer describes
  std::vector<std::uint64_t> rows_;  // rows of each file
  std::uint64_t all_rows_ = 0;
  std::vector<std::string> notes_;
  std::vector<std::string> different_;
  std::uint64_t bytes_ = 0;
  std::uint32_t row_groups_ = 0;
};

}  // namespace

int merge(const MergeRequest& request, Output& output) {
  try {
    return Merger(request, output).run();
  } catch (const MergeInterrupted& interrupted) {
    constexpr int kBySignal = 128;
    tell(std::string(interrupted.what()) + "; nothing was written to " + request.output);
    return kBySignal + mpq::desktop::stop_signal;
  }
}

}  // namespace mpq_tool
