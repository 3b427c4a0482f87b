#include "advice.h"

#include <algorithm>
#include <optional>

#include "microparquet/text/quoted.h"

namespace csv_log {

namespace {

using Words = std::vector<std::string>;
using Answers = std::vector<Words>;  // to one question

constexpr std::size_t kMostLines = 5;

bool has_digit(std::string_view text) { return text.find_first_of("0123456789") != text.npos; }

// Words without digits mean nothing, each of them; others are cells that were hurt.
Words words_for_strangers(const TablePlan& plan) {
  Words words;
  bool bad = false;
  for (const ColumnPlan& column : plan.columns) {
    const bool hurt = std::any_of(column.words.begin(), column.words.end(),
                                  [](const Word& word) { return has_digit(word.first.text); });
    if (hurt && column.without_words) {
      words.insert(words.end(), {"--type", column.name + "=" + to_string(stored(*column.without_words))});
      bad = true;
      continue;
    }
    for (const Word& word : column.words) {
      if (std::find(words.begin(), words.end(), word.first.text) == words.end()) {
        words.insert(words.end(), {"--null", word.first.text});
      }
    }
  }
  if (bad) {
    words.insert(words.end(), {"--bad", "null"});
  }
  return words;
}

template <typename Holds>
const ColumnPlan* first_column(const TablePlan& plan, const Holds& holds) {
  const auto found = std::find_if(plan.columns.begin(), plan.columns.end(), holds);
  return found != plan.columns.end() ? &*found : nullptr;
}

// A date and a time of day that stand apart, where no column has both.
std::optional<std::string> parted_time(const TablePlan& plan) {
  const auto of_kind = [&](Kind kind) {
    return first_column(
        plan, [&](const ColumnPlan& column) { return column.type.kind == kind && column.has_values; });
  };
  const ColumnPlan* const day = of_kind(Kind::kDate);
  const ColumnPlan* const time = of_kind(Kind::kTime);
  if (day == nullptr || time == nullptr || of_kind(Kind::kTimestamp) != nullptr) {
    return std::nullopt;
  }
  return day->name + "," + time->name;
}

std::vector<Answers> questions(const TablePlan& plan, const Layout& layout, const Settings& settings) {
  std::vector<Answers> questions;
  if (first_column(plan, [](const ColumnPlan& column) { return column.undecided_date; }) != nullptr) {
    questions.push_back({{"--dates", "dmy"}, {"--dates", "mdy"}});
  }
  const ColumnPlan* const number =
      first_column(plan, [](const ColumnPlan& column) { return !column.undecided_numbers.empty(); });
  if (number != nullptr) {
    questions.push_back(number->undecided_numbers);
  }
  if (first_column(plan, [](const ColumnPlan& column) { return column.has_cell_units; }) != nullptr) {
    questions.push_back({{"--cell-units"}});
  }
  if (layout.extra_cells != 0) {
    questions.push_back({{"--unnamed", "first"}, {"--unnamed", "last"}});
  }
  if (const Words words = words_for_strangers(plan); !words.empty()) {
    questions.push_back({words});
  }
  if (plan.bad_lines.count != 0 && !settings.skip_bad_lines) {
    questions.push_back({{"--bad-lines", "skip"}});
  }
  return questions;
}

std::string line_with(const Words& words, const Settings& settings, bool overwrite) {
  using microparquet::text::shell_path;
  using microparquet::text::shell_word;
  std::string line = "try: csv_log";
  for (const std::string& word : settings.options) {
    line += " " + shell_word(word);
  }
  for (const std::string& word : words) {
    line += " " + shell_word(word);
  }
  return line + (overwrite ? " --overwrite " : " ") +
         (settings.input == "-" ? "-" : shell_path(settings.input)) + " " +
         (settings.output == "-" ? "-" : shell_path(settings.output));
}

}  // namespace

std::string command_line(const Settings& settings, bool overwrite) {
  return line_with({}, settings, overwrite);
}

std::vector<std::string> command_lines(const TablePlan& plan, const Layout& layout, const Settings& settings,
                                       bool overwrite) {
  Answers all = {{}};
  for (const Answers& answers : questions(plan, layout, settings)) {
    Answers longer;
    for (const Words& before : all) {
      for (const Words& answer : answers) {
        longer.push_back(before);
        longer.back().insert(longer.back().end(), answer.begin(), answer.end());
      }
    }
    all = std::move(longer);
  }
  const Answers answers = all;
  if (all.front().empty()) {
    all.clear();
  }
  if (const auto time = parted_time(plan); time && settings.time_from.empty()) {
    for (Words words : answers) {
      words.insert(words.end(), {"--time-from", *time});
      all.push_back(std::move(words));
    }
  }
  std::vector<std::string> lines;
  for (const Words& words : all) {
    if (lines.size() < kMostLines) {
      lines.push_back(line_with(words, settings, overwrite));
    }
  }
  return lines;
}

}  // namespace csv_log
