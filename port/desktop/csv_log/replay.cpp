#include "replay.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <limits>
#include <memory>
#include <vector>

#include "cell.h"
#include "microparquet/text/grouped_digits.h"
#include "microparquet/text/quoted.h"
#include "microparquet/text/utf8.h"
#include "microparquet/writer.h"
#include "signals.h"
#include "struct_columns.h"
#include "writer_setup.h"

namespace csv_log {

namespace {

namespace mpq = microparquet;
using mpq::Status;
using mpq::text::grouped_digits;
using mpq::text::ProgressLine;

constexpr const char* kStopped = "microparquet.stopped";  // the key of why rows are missing
// The keys of what was left out.
constexpr const char* kBadLines = "csv_log.bad_lines";
constexpr const char* kFirstBadLine = "csv_log.first_bad_line";
constexpr const char* kBadCells = "csv_log.bad_cells";
constexpr const char* kFirstBadCell = "csv_log.first_bad_cell";

// Floating point; other values stay as they are.
mpq::Value rounded(const mpq::Value& value, const mpq::Resolution& resolution) {
  switch (value.type) {
    case mpq::Type::kFloat: return mpq::Value::of(resolution.nearest(value.float32));
    case mpq::Type::kDouble: return mpq::Value::of(resolution.nearest(value.float64));
    default: return value;
  }
}

// A reason why a cell that is not of its column's type may be right all the same: it is no bad cell then.
struct Doubt {
  std::string what;
  std::string advice;
};

// Points part more than thousands: addresses and versions.
Doubt doubt_of(std::string_view text, const ColumnType& type) {
  if (has_date(type) && type.date_order == DateOrder::kUnknown && needs_date_order(text)) {
    return {"nothing shows whether the day or the month is first in ", "give --dates dmy or --dates mdy"};
  }
  const char thousands = possible_thousands(text);
  if (is_number(type) && type.number_form.thousands == '\0' && thousands != '\0' && thousands != '.') {
    return {"nothing shows what parts the thousands in ", "give " + thousands_option(thousands)};
  }
  return {};
}

// Whether the number says another thing than the text: 007 is no 7, and a double has no more than 2^53 whole numbers.
bool would_change(std::string_view text, const ColumnType& type) {
  constexpr std::size_t kSafeDigits = 15;
  if (type.is_elapsed) {
    return false;
  }
  if (has_leading_zero(text)) {
    return true;
  }
  if (type.kind != Kind::kDouble || text.size() <= kSafeDigits) {
    return false;
  }
  const auto whole = parse_number<std::int64_t>(text);
  return whole && (*whole > (std::int64_t{1} << 53) || *whole < -(std::int64_t{1} << 53));
}

// Whether the date has the form, the zone and no finer digits than the others of its column.
bool has_form(std::string_view text, const DateForm& form, const ColumnType& type) {
  constexpr std::size_t kMicrosEnd = 26;  // of YYYY-MM-DD HH:MM:SS.ffffff
  constexpr std::size_t kSecondsEnd = 19;
  const bool usual = form.year_first && form.separator == '-' && !form.month_by_name &&
                     text.size() >= kSecondsEnd && text[4] == '-' && text[7] == '-';
  const std::size_t end = text.find_first_not_of(".0123456789", kSecondsEnd);
  if (usual && type.kind == Kind::kTimestamp &&
      (end == text.npos || (text[end] == 'Z' && end + 1 == text.size()))) {
    const bool fine = std::min(end, text.size()) > kMicrosEnd;
    return (end != text.npos) == (type.zone == Zone::kUtc) && (!fine || type.unit == mpq::TimeUnit::kNanos);
  }
  constexpr std::int32_t kNanosInMicro = 1'000;
  const auto date = read_date_text(text);
  return date && date->form == form && date->has_zone == (type.zone == Zone::kUtc) &&
         (type.unit == mpq::TimeUnit::kNanos || date->nanos % kNanosInMicro == 0);
}

// All else that a program could have wrong has been looked at before.
std::string unsuitable_pages(std::uint32_t page_bytes) {
  return "pages of " + std::to_string(page_bytes) +
         " bytes do not suit the columns with their encodings and --codec; give --page-bytes 512, or up to " +
         std::to_string(kMostCompressedPageBytes);
}

// Whether the file knows more of it.
bool has_errno(Status status) {
  return status == Status::kNoSpace || status == Status::kIoError || status == Status::kMediumLost;
}

// One run of the program.
class Replay {
 public:
  // `again`: what is read can be read another time, so that a file to be replaced is worth more than a part.
  Replay(const TablePlan& plan, const Settings& settings, const ExistingFile* existing, bool again,
         Output& output, Acknowledgement& acknowledgement, bool by_first_rows)
      : plan_(plan),
        settings_(settings),
        existing_(existing),
        replaces_when_whole_(settings.overwrite && again && !settings.ack),
        is_all_or_nothing_(again && output.can_seek() && !settings.append && !settings.ack),
        is_live_(settings.input == "-" && output.can_seek()),
        by_first_rows_(by_first_rows),
        output_(output),
        acknowledgement_(acknowledgement),
        fields_(fields_of(plan, settings)),
        options_(options_of(plan, settings, output)),
        values_(fields_.size()),
        scratch_(fields_.size()),
        joined_(fields_.size()) {}

  void open();
  // `bytes` of input there are; 0: it is not known.
  void write_rows(TableRows& rows, const LineSource& lines, ProgressLine& progress, const Row* first);
  // Tells the writer the time. False: it could not write.
  bool tick();
  Outcome close();

 private:
  using Clock = std::chrono::steady_clock;

  void begin(mpq::Span<std::byte> arena);
  void resume(mpq::Span<std::byte> arena);
  bool may_continue(const LineSource& lines) const;
  bool leave_out(const TableRows& rows, const Row& row);
  void count(Clock::time_point now);
  bool keep(std::string_view key, std::string value);
  bool append(const Row& row);
  bool make_durable();
  bool acknowledge(Clock::time_point now);
  bool parse(const Row& row);
  bool can_say_why() const;
  bool is_as_first(std::size_t column, std::string_view text, bool has_value) const;
  bool note_bad_cell(std::size_t column, std::string_view text, const Row& row);
  void go_on(GoesOn why, std::size_t column, const Row& row);
  std::size_t column_without_null() const;
  void stop(std::string why, std::string advice);
  void stop_at(const Row& row, const std::string& why, std::string advice);
  void stop_reading(Found result, const Row& row, int error);
  void stop_appending(Status status, const Row& row);
  void stop_writing(Status status);
  void set_key_values();
  void set_key_value(std::string_view key, std::string_view value);
  std::string column_text(std::size_t column) const { return "column " + quoted(plan_.columns[column].name); }

  const TablePlan& plan_;
  const Settings& settings_;
  const ExistingFile* const existing_;  // null: a new file
  const bool replaces_when_whole_;
  const bool
      is_all_or_nothing_;  // a signal leaves no part: what is read is still there, and no row was called durable
  const bool is_live_;     // continues in another file rather than end
  const bool by_first_rows_;
  Output& output_;
  Acknowledgement& acknowledgement_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point look_at_ = start_;                                       // time of the next has_name()
  std::uint64_t durable_rows_ = 0;                                           // acknowledged
  std::uint64_t checkpoint_at_ = std::numeric_limits<std::uint64_t>::max();  // rows
  std::vector<NamedValue> key_values_;
  bool key_values_set_ = false;
  std::vector<mpq::Field> fields_;
  FileIndex index_;  // index whose layout the options name, if pages are to have one
  mpq::Options options_;
  std::vector<mpq::desktop::NestedPart> parts_;        // with --structs
  std::unique_ptr<mpq::desktop::NestedFile> structs_;  // the same
  std::unique_ptr<std::byte[]> arena_;
  mpq::Writer writer_;
  std::vector<mpq::Value> values_;
  std::vector<Scratch> scratch_;
  std::vector<std::string> joined_;  // texts of two cells
  struct {
    std::uint64_t lines = 0;
    std::uint64_t cells = 0;
  } before_;  // what earlier runs have left out
  std::deque<std::string> kept_texts_;
  bool uncounted_ = false;               // there is more than the key-values say
  Clock::time_point count_at_ = start_;  // time of the next count()
  Outcome outcome_;
};

void Replay::open() {
  if (settings_.page_index || !settings_.bloom.empty()) {
    if (const std::string why = index_.watch(fields_, settings_); !why.empty()) {
      throw Failure(why);
    }
    options_.layout = &index_.over(fields_, options_);
  }
  if (settings_.structs) {
    parts_ = struct_parts(fields_);
    structs_ = std::make_unique<mpq::desktop::NestedFile>(parts_, options_);
  }
  outcome_.arena_bytes = mpq::Writer::required_bytes(fields_, options_);
  const std::size_t given = settings_.arena_bytes != 0 ? settings_.arena_bytes : outcome_.arena_bytes;
  if (given < outcome_.arena_bytes) {
    throw Failure("--arena-bytes " + std::to_string(given) + ": " + std::to_string(fields_.size()) +
                  " columns with pages of " + std::to_string(options_.page_bytes) + " bytes need " +
                  std::to_string(outcome_.arena_bytes) +
                  " bytes; give that many, or smaller pages by --page-bytes");
  }
  outcome_.bad_cells.resize(fields_.size());
  arena_.reset(new std::byte[given]);
  if (existing_ == nullptr) {
    begin({arena_.get(), given});
  } else {
    resume({arena_.get(), given});
  }
  if (settings_.checkpoint_rows != 0) {
    checkpoint_at_ = writer_.rows() + settings_.checkpoint_rows;
  }
  static_cast<void>(acknowledge(Clock::now()));
}

void Replay::begin(mpq::Span<std::byte> arena) {
  using mpq::Existing;
  if (replaces_when_whole_) {
    output_.open_to_replace();
  } else {
    output_.open(settings_.overwrite ? Existing::kOverwrite : Existing::kRefuse);
  }
  key_values_ = settings_.key_values;
  key_values_.insert(key_values_.end(), plan_.units.begin(), plan_.units.end());
  std::vector<mpq::KeyValue> about;
  for (const NamedValue& pair : key_values_) {
    about.push_back({pair.key, pair.value});
  }
  const mpq::FileStart start = {about};
  const Status status = structs_ != nullptr ? structs_->open(writer_, output_.file(), arena.data(), start)
                                            : writer_.open(output_.file(), fields_, options_, arena, start);
  if (status != Status::kOk) {
    const std::string why = has_errno(status)                    ? output_.error()
                            : status == Status::kInvalidArgument ? unsuitable_pages(options_.page_bytes)
                                                                 : mpq::to_string(status);
    output_.discard();
    throw Failure(output_.name() + ": " + why + "; nothing was written");
  }
  key_values_set_ = true;
}

// Key-values wait for the first row: a run without rows leaves the file as it is.
void Replay::resume(mpq::Span<std::byte> arena) {
  key_values_ = new_key_values(*existing_, settings_.key_values, "--kv", settings_);
  const auto units = new_key_values(*existing_, plan_.units, "--units-row", settings_);
  key_values_.insert(key_values_.end(), units.begin(), units.end());
  const Status status = structs_ != nullptr ? structs_->resume(writer_, output_.file(), arena.data())
                                            : writer_.resume(output_.file(), fields_, options_, arena);
  switch (status) {
    case Status::kOk: break;
    case Status::kCorrupt:  // though it was read
      throw Failure(output_.name() +
                    (settings_.compatible ? ": it was begun without --compatible, or"
                                          : ": it was begun with --compatible, or") +
                    " its last footer is damaged: append as it was begun, or mend it with: mpq recover " +
                    microparquet::text::shell_path(output_.name()));
    case Status::kSchemaMismatch:
      throw Failure(output_.name() +
                    ": it was written with other options or by another version; give another name");
    case Status::kInvalidArgument:
      throw Failure(output_.name() + ": " + unsuitable_pages(options_.page_bytes));
    default:
      throw Failure(output_.name() + ": " + (has_errno(status) ? output_.error() : mpq::to_string(status)));
  }
  outcome_.rows_before = writer_.rows();
  for (const NamedValue& pair : existing_->key_values) {
    if (pair.key == kBadLines || pair.key == kBadCells) {
      (pair.key == kBadLines ? before_.lines : before_.cells) =
          std::strtoull(pair.value.c_str(), nullptr, 10);
    }
  }
}

void Replay::set_key_values() {
  if (key_values_set_) {
    return;
  }
  for (const NamedValue& pair : key_values_) {
    set_key_value(pair.key, pair.value);
  }
  key_values_set_ = true;
}

void Replay::set_key_value(std::string_view key, std::string_view value) {
  if (writer_.set_key_value(key, value) != Status::kOk) {
    throw Failure("too many key-values");  // cannot be: options_ has space for all
  }
}

void Replay::write_rows(TableRows& rows, const LineSource& lines, ProgressLine& progress, const Row* first) {
  if (first != nullptr && !append(*first)) {
    return;
  }
  Row row;
  Found found = Found::kRow;
  while (may_continue(lines) && ((found = rows.next(row)) == Found::kRow || found == Found::kBadLine)) {
    if (!(found == Found::kRow ? append(row) : leave_out(rows, row))) {
      outcome_.passed_over = rows.passed_over();
      return;
    }
    if (progress.is_due()) {
      progress.show((lines.can_rewind() && !by_first_rows_ ? "2 of 2: " : "") +
                        grouped_digits(writer_.rows()) + " rows",
                    rows.bytes_read(), lines.bytes());
    }
  }
  outcome_.passed_over = rows.passed_over();
  if (!outcome_.stopped.empty()) {
    return;
  }
  if (interrupted() != 0) {
    outcome_.signal = interrupted();
    stop(interruption(), "");
  } else if (found != Found::kEnd) {
    stop_reading(found, row, lines.error());
  }
}

// Whether reading may continue. A file that was replaced gets at least a row, and a stream all rows that have come.
bool Replay::may_continue(const LineSource& lines) const {
  return interrupted() == 0 || (!lines.can_rewind() && lines.holds_line()) ||
         (settings_.overwrite && writer_.rows() == 0);
}

// A line that is no row. False: the file ends with it.
bool Replay::leave_out(const TableRows& rows, const Row& row) {
  if (by_first_rows_ && !settings_.skip_bad_lines) {
    go_on(GoesOn::kAgain, 0, row);  // all that a person may have to decide is known after all rows
    return false;
  }
  note_bad_line(outcome_.bad_lines, rows, row);
  if (settings_.skip_bad_lines) {
    uncounted_ = true;
    return tick();
  }
  stop_at(row, rows.why(row),
          std::string("correct the line, or leave such lines out: --bad-lines skip; a cell that holds ") +
              (plan_.delimiter == ',' ? "a comma" : "the delimiter") + " needs quotes");
  return false;
}

// Keeps the counts of what was left out in the file, whose next footer has them; what the writer does not take now it gets later.
void Replay::count(Clock::time_point now) {
  if (!uncounted_ || now < count_at_ || !key_values_set_) {
    return;
  }
  count_at_ = now + std::chrono::seconds(1);
  const BadLines& lines = outcome_.bad_lines;
  const auto first = std::find_if(outcome_.bad_cells.begin(), outcome_.bad_cells.end(),
                                  [](const BadCells& bad) { return bad.count != 0; });
  std::uint64_t cells = 0;
  for (const BadCells& bad : outcome_.bad_cells) {
    cells += bad.count;
  }
  bool kept = true;
  if (lines.count != 0) {
    kept = keep(kBadLines, std::to_string(lines.count + before_.lines)) &&
           (before_.lines != 0 ||
            keep(kFirstBadLine, "line " + std::to_string(lines.first_line) + ": " + lines.first_why));
  }
  if (cells != 0) {
    const std::string where =
        "line " + std::to_string(first->first.line) + ": " +
        quoted(plan_.columns[static_cast<std::size_t>(first - outcome_.bad_cells.begin())].name) + ": " +
        (mpq::text::is_utf8(first->first.text) ? quoted(first->first.text) : "no UTF-8");
    kept = keep(kBadCells, std::to_string(cells + before_.cells)) &&
           (before_.cells != 0 || keep(kFirstBadCell, where)) && kept;
  }
  uncounted_ = !kept;
}

// The writer reads a text until it has another for its key, or a footer on its way is done.
bool Replay::keep(std::string_view key, std::string value) {
  constexpr std::size_t kTexts = 64;
  if (kept_texts_.size() == kTexts) {
    kept_texts_.pop_front();
  }
  kept_texts_.push_back(std::move(value));
  return writer_.set_key_value(key, kept_texts_.back()) == Status::kOk;
}

bool Replay::append(const Row& row) {
  if (!parse(row)) {
    return false;
  }
  set_key_values();
  const Status status = writer_.append(values_);
  if (status != Status::kOk) {
    stop_appending(status, row);
    return false;
  }
  return make_durable() && tick();
}

bool Replay::make_durable() {
  if (writer_.rows() < checkpoint_at_) {
    return true;
  }
  checkpoint_at_ += settings_.checkpoint_rows;
  const Status status = writer_.checkpoint();
  if (status != Status::kOk) {
    stop_writing(status);
  }
  return status == Status::kOk;
}

bool Replay::tick() {
  const Clock::time_point now = Clock::now();  // once: asking for it takes as long as a cell
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now - start_).count();
  count(now);
  const Status status = writer_.tick(static_cast<std::uint32_t>(ms));
  const bool acknowledged = acknowledge(now);
  if (status != Status::kOk && acknowledged) {
    stop_writing(status);
  }
  return status == Status::kOk && acknowledged;
}

// Rows of a file that nobody finds are durable for nobody. It is looked for when there are more of them, and
// once a second.
bool Replay::acknowledge(Clock::time_point now) {
  if (writer_.durable_rows() == durable_rows_ && now < look_at_) {
    return true;
  }
  look_at_ = now + std::chrono::seconds(1);
  if (!output_.has_name()) {
    outcome_.has_name = false;
    stop(output_.name() + ": it was removed, renamed or replaced while it was written", "");
    return false;
  }
  durable_rows_ = writer_.durable_rows();
  acknowledgement_.say(durable_rows_);
  return true;
}

bool Replay::parse(const Row& row) {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const std::string_view text = plan_.columns[i].text_in(row, joined_[i]);
    const ColumnType& type = plan_.columns[i].type;
    values_[i] = mpq::Value();
    const bool holds_nan = type.kind == Kind::kDouble || type.kind == Kind::kFloat;
    if (is_null(text, plan_.cell_rules) && !(holds_nan && is_nan(text, plan_.cell_rules))) {
      continue;
    }
    const bool changes = !plan_.columns[i].type_told && is_number(type) && would_change(trimmed(text), type);
    const auto value = changes ? std::nullopt : parse_cell(text, type, plan_.cell_rules, scratch_[i]);
    if (by_first_rows_ && !is_as_first(i, text, value.has_value())) {
      go_on(GoesOn::kAgain, i, row);
      return false;
    }
    if (value) {
      values_[i] = rounded(*value, plan_.columns[i].resolution);
    } else if (const Doubt doubt = doubt_of(trimmed(text), type);
               !doubt.what.empty() && settings_.input != "-") {
      stop_at(row, column_text(i) + ": " + doubt.what + quoted(text), doubt.advice);
      return false;
    } else if (settings_.bad_null && plan_.columns[i].optional) {
      if (!note_bad_cell(i, text, row)) {
        return false;
      }
    } else if (settings_.bad_null && is_live_) {
      go_on(GoesOn::kNullable, i, row);
      return false;
    } else if (!mpq::text::is_utf8(text)) {
      stop_at(row, column_text(i) + ": not UTF-8",
              "if it is Latin-1, give --charset latin1; or else --type " +
                  mpq::text::shell_word(plan_.columns[i].name + "=binary"));
      outcome_.not_utf8 = true;
      return false;
    } else {
      stop_at(row, column_text(i) + ": " + quoted(text) + " is not a value of type " + to_string(type),
              existing_ != nullptr
                  ? "correct it, or give OUT another name"
                  : "correct it, or give --type " + mpq::text::shell_word(plan_.columns[i].name + "=string") +
                        ", or --bad null");
      return false;
    }
  }
  return true;
}

// Whether a value is one that leaves its column what the first rows made of it.
bool Replay::is_as_first(std::size_t column, std::string_view text, bool has_value) const {
  const ColumnPlan& plan = plan_.columns[column];
  if (!has_value || plan.type_told) {
    return has_value;
  }
  if (plan.type.kind == Kind::kTime) {
    constexpr std::int64_t kNanosInMicro = 1'000;
    const auto nanos = read_time_text(trimmed(text));
    return nanos && (plan.type.unit == mpq::TimeUnit::kNanos || *nanos % kNanosInMicro == 0);
  }
  return !has_date(plan.type) || has_form(trimmed(text), plan.date_form, plan.type);
}

// False: the column has had that many, and the log continues where they fit.
bool Replay::note_bad_cell(std::size_t column, std::string_view text, const Row& row) {
  constexpr std::size_t kMostStrangers = 10;
  BadCells& bad = outcome_.bad_cells[column];
  if (is_live_ && !plan_.columns[column].type_told && mpq::text::is_utf8(text)) {
    bad.strangers.emplace_back(trimmed(text));
    if (bad.strangers.size() == kMostStrangers) {
      go_on(GoesOn::kWider, column, row);
      return false;
    }
  }
  uncounted_ = true;
  bad.first = bad.count++ == 0 ? SeenCell{row.line(), std::string(text)} : bad.first;
  return true;
}

// The row that comes next is for another file.
void Replay::go_on(GoesOn why, std::size_t column, const Row& row) {
  outcome_.goes_on = why;
  outcome_.column = column;
  outcome_.next = row;
}

void Replay::stop(std::string why, std::string advice) {
  outcome_.stopped = std::move(why);
  outcome_.advice = std::move(advice);
}

void Replay::stop_at(const Row& row, const std::string& why, std::string advice) {
  stop((settings_.input == "-" ? "standard input" : settings_.input) + ":" + std::to_string(row.line()) +
           ": " + why,
       std::move(advice));
}

void Replay::stop_reading(Found result, const Row& row, int error) {
  if (result == Found::kUnclosedQuote) {
    stop_at(row, "a quote is opened and never closed", "close it, or double it if it is part of the text");
  } else {
    stop(settings_.input + ": " + std::strerror(error), "see to the input, and run the program again");
  }
}

// The first column of those whose value is none, though it must have one.
std::size_t Replay::column_without_null() const {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (!plan_.columns[i].optional && values_[i].type == mpq::Value().type && values_[i].bytes.empty()) {
      return i;
    }
  }
  return 0;
}

void Replay::stop_appending(Status status, const Row& row) {
  if (by_first_rows_ && (status == Status::kNullValue || status == Status::kValueTooLarge)) {
    go_on(GoesOn::kAgain, 0, row);
    return;
  }
  if (is_live_ && (status == Status::kNullValue || status == Status::kLimitReached)) {
    go_on(status == Status::kNullValue ? GoesOn::kNullable : GoesOn::kFull,
          status == Status::kNullValue ? column_without_null() : 0, row);
    return;
  }
  switch (status) {
    case Status::kValueTooLarge: {
      const auto longest = std::max_element(values_.begin(), values_.end(), [](const auto& a, const auto& b) {
        return a.bytes.size() < b.bytes.size();
      });
      const auto column = static_cast<std::size_t>(longest - values_.begin());
      if (is_live_ && settings_.page_bytes == 0 && longest->bytes.size() > plan_.columns[column].longest) {
        go_on(GoesOn::kLonger, column, row);
        outcome_.strangers = {std::string(longest->bytes)};
        return;
      }
      stop_at(row,
              column_text(column) + ": text of " + std::to_string(longest->bytes.size()) +
                  " bytes does not fit in a page",
              "give --page-bytes " + std::to_string(page_bytes_for(longest->bytes.size(), settings_)));
      return;
    }
    case Status::kNullValue:
      stop_at(row, "an empty cell in a column that had none",
              existing_ != nullptr ? "fill it in, or give OUT another name"
                                   : "the file changes while it is read: run the program again");
      return;
    case Status::kLimitReached:
      stop_at(row, "no further row group fits in this file",
              "give a larger --rows-per-group, or write the rest to another file");
      return;
    default: stop_writing(status); return;
  }
}

void Replay::stop_writing(Status status) {
  stop(output_.name() + ": " + (has_errno(status) ? output_.error() : mpq::to_string(status)),
       status == Status::kNoSpace ? "make room, or write to another disk"
                                  : "check the disk, and continue with --append");
}

Outcome Replay::close() {
  if (outcome_.goes_on == GoesOn::kAgain || (outcome_.signal != 0 && is_all_or_nothing_)) {
    outcome_.old_is_kept = output_.replaces();
    outcome_.is_removed = !output_.replaces();
    output_.discard();
    return outcome_;
  }
  if (!outcome_.stopped.empty() && can_say_why()) {
    set_key_value(kStopped, outcome_.stopped);
  }
  count(Clock::time_point::max() - std::chrono::seconds(2));
  if (writer_.close() != Status::kOk) {
    throw Failure((outcome_.stopped.empty() ? "" : outcome_.stopped + "; ") + output_.name() +
                  " could not be completed: " + output_.error());
  }
  if (outcome_.has_name) {
    static_cast<void>(acknowledge(Clock::now()));
  }
  outcome_.old_is_kept = output_.replaces() && !outcome_.stopped.empty();
  if (outcome_.old_is_kept) {
    output_.discard();
  } else {
    output_.close();
  }
  if (outcome_.goes_on == GoesOn::kWider) {
    outcome_.strangers = outcome_.bad_cells[outcome_.column].strangers;
  }
  outcome_.rows = writer_.rows();
  outcome_.row_groups = writer_.row_groups();
  outcome_.bytes = writer_.file_bytes();
  return outcome_;
}

// Whether the file gets the reason: not when nothing was written, nor when an earlier run has given it.
bool Replay::can_say_why() const {
  return existing_ == nullptr || (writer_.rows() != outcome_.rows_before &&
                                  std::none_of(existing_->key_values.begin(), existing_->key_values.end(),
                                               [](const NamedValue& pair) { return pair.key == kStopped; }));
}

}  // namespace

Outcome replay(TableRows& rows, LineSource& lines, const TablePlan& plan, const Settings& settings,
               const ExistingFile* existing, Output& output, ProgressLine& progress,
               Acknowledgement& acknowledgement, const Row* first, bool by_first_rows) {
  Replay run(plan, settings, existing, lines.can_rewind(), output, acknowledgement, by_first_rows);
  run.open();
  lines.while_waiting([&] { return run.tick() && interrupted() == 0; });
  run.write_rows(rows, lines, progress, first);
  lines.while_waiting(nullptr);
  return run.close();
}

}  // namespace csv_log
