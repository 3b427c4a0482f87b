#include "type_guess.h"

#include <algorithm>

#include "cell.h"
#include "cell_class.h"
#include "microparquet/text/utf8.h"
#include "timestamp.h"

namespace csv_log {

void DateGuess::see(std::string_view text) {
  const auto date = read_date_text(text);
  if (count_ == 0) {
    begin(date ? date->form : DateForm());
  }
  for (std::size_t i = 0; i < count_; ++i) {
    if (!date || !(date->form == form_)) {
      readings_[i].can_be_date = readings_[i].can_be_utc = readings_[i].can_be_local = false;
    } else {
      readings_[i].see(*date);
    }
  }
}

void DateGuess::begin(DateForm form) {
  form_ = form;
  count_ = 1;
  if (!form.needs_order()) {
    return;
  }
  if (told_ != DateOrder::kUnknown || form.separator == '.') {
    readings_[0].order = told_ != DateOrder::kUnknown ? told_ : DateOrder::kDay;
    return;
  }
  readings_[0].order = DateOrder::kDay;
  readings_[1].order = DateOrder::kMonth;
  count_ = readings_.size();
}

void DateGuess::Reading::see(const DateText& date) {
  can_be_date = can_be_date && date_of(date, order).has_value();
  if (can_be_utc || can_be_local) {
    see_timestamp(date);
  }
}

void DateGuess::Reading::see_timestamp(const DateText& date) {
  const auto timestamp = timestamp_of(date, order);
  can_be_utc = can_be_utc && timestamp && timestamp->has_zone;
  can_be_local = can_be_local && timestamp && !timestamp->has_zone;
  if (timestamp) {
    fits_nanos = fits_nanos && in_units(*timestamp, 1'000'000'000).has_value();
    needs_nanos = needs_nanos || timestamp->nanos % 1'000 != 0;
    can_be_utc = can_be_utc && (fits_nanos || !needs_nanos);
    can_be_local = can_be_local && (fits_nanos || !needs_nanos);
  }
}

bool DateGuess::any() const {
  return std::any_of(readings_.begin(), readings_.begin() + std::max<std::size_t>(count_, 1),
                     [](const Reading& reading) { return reading.any(); });
}

DateOrder DateGuess::order() const {
  if (count_ == 0) {
    return told_;
  }
  return any() && !is_ambiguous() ? reading().order : told_;
}

ColumnType DateGuess::type() const {
  const Reading& read = reading();
  ColumnType type;
  type.kind = read.can_be_date ? Kind::kDate : Kind::kTimestamp;
  type.zone = read.can_be_date ? Zone::kOfValues : read.can_be_utc ? Zone::kUtc : Zone::kLocal;
  type.unit = read.needs_nanos ? microparquet::TimeUnit::kNanos : microparquet::TimeUnit::kMicros;
  return type;
}

bool may_be_date(std::string_view text) {
  for (const DateOrder order : {DateOrder::kDay, DateOrder::kMonth}) {
    if (parse_date(text, order) || parse_timestamp(text, order)) {
      return true;
    }
  }
  return false;
}

bool needs_date_order(std::string_view text) {
  const bool year_first = parse_date(text, DateOrder::kUnknown) || parse_timestamp(text, DateOrder::kUnknown);
  return !year_first && may_be_date(text);
}

bool Candidates::knows(std::string_view text) const {
  if (!can_be_double_ || can_be_bool_ || can_be_date_ || can_be_time_ || can_be_elapsed_ ||
      has_leading_zero(text)) {
    return false;
  }
  if (can_be_int64_) {
    return (!can_be_uint64_ || text.front() != '-') && parse_number<std::int64_t>(text).has_value();
  }
  return !can_be_uint64_ && !can_have_comma_ && !can_have_form_ && told_thousands_ != '.' &&
         forms_.point_is_known() && parse_number<double>(text).has_value();
}

void Candidates::see(std::string_view text) {
  can_be_bool_ = can_be_bool_ && parse_bool_word(text).has_value();
  if (has_leading_zero(text)) {  // 007 is no 7
    can_be_int64_ = can_be_uint64_ = can_be_double_ = can_have_comma_ = can_have_form_ = false;
  }
  if (can_be_int64_ || can_be_uint64_ || can_be_double_) {
    see_number(text);
  } else if (can_have_form_) {
    see_form(text);
  }
  if (can_have_comma_) {
    see_comma(text);
  }
  if (can_be_date_) {
    dates_.see(text);
    can_be_date_ = dates_.any();
  }
  if (can_be_time_) {
    see_time(text);
  }
  can_be_elapsed_ = can_be_elapsed_ && read_elapsed_text(text).has_value();
}

void Candidates::see_number(std::string_view text) {
  const bool were_integers = can_be_int64_;
  const bool were_doubles = can_be_double_;
  bool out_of_range = false;
  if (can_be_int64_ && parse_number<std::int64_t>(text, &out_of_range)) {
    can_be_uint64_ = can_be_uint64_ && text.front() != '-';
    return;
  }
  if (can_be_int64_) {
    can_be_int64_ = false;
    can_have_comma_ = can_have_comma_ && !out_of_range;
    can_be_double_ = can_be_double_ && !out_of_range;  // an identifier of 20 digits is to keep them all
  }
  const bool is_parted = told_thousands_ == '.' && text.find('.') != text.npos;
  can_be_uint64_ = can_be_uint64_ && parse_number<std::uint64_t>(text).has_value();
  can_be_double_ = can_be_double_ && !is_parted && parse_number<double>(text).has_value();
  if (can_be_double_) {
    forms_.see_plain(text);
  } else if (were_doubles && !out_of_range) {
    forms_.begin(were_integers);
    see_form(text);
  }
}

void Candidates::see_form(std::string_view text) {
  forms_.see(text);
  can_have_form_ = forms_.any();
}

void Candidates::see_comma(std::string_view text) {
  constexpr std::size_t kThousands = 3;
  const auto number = without_comma(text);
  can_have_comma_ = parse_number<double>(number ? *number : text).has_value() && text.find('.') == text.npos;
  if (number && can_have_comma_) {
    const std::size_t comma = text.find(',');
    const bool after_zero = comma != 0 && text[comma - 1] == '0' && (comma == 1 || text[comma - 2] == '-');
    has_comma_ = true;
    comma_is_decimal_ = comma_is_decimal_ || after_zero || text.size() - comma - 1 != kThousands;
  }
}

void Candidates::see_time(std::string_view text) {
  const auto nanos = read_time_text(text);
  can_be_time_ = nanos.has_value();
  needs_nanos_ = needs_nanos_ || (nanos && *nanos % 1'000 != 0);
}

bool Candidates::any() const {
  return can_be_bool_ || can_be_int64_ || can_be_uint64_ || can_be_double_ || can_be_date_ || can_be_time_ ||
         can_be_elapsed_ || can_have_comma_ || can_have_form_;
}

bool Candidates::have_decimal_comma() const {
  const auto form = can_have_form_ ? forms_.form() : std::nullopt;
  return (can_have_comma_ && comma_is_decimal_) || (form && form->decimal == ',');
}

ColumnType Candidates::type() const {
  ColumnType type;
  const auto form = can_have_form_ ? forms_.form() : std::nullopt;
  if (can_be_bool_) {
    type.kind = Kind::kBool;
  } else if (can_be_int64_ || can_be_uint64_) {
    type.kind = Kind::kInteger;
    type.is_signed = can_be_int64_;
  } else if (can_be_double_ || can_have_comma_) {
    type.kind = Kind::kDouble;
  } else if (form) {
    type.kind = forms_.are_integers() ? Kind::kInteger : Kind::kDouble;
    type.number_form = *form;
  } else if (can_be_date_ && !dates_.is_ambiguous()) {
    type = dates_.type();
    type.date_order = dates_.order();
  } else if (can_be_time_) {
    type.kind = Kind::kTime;
    type.unit = needs_nanos_ ? microparquet::TimeUnit::kNanos : microparquet::TimeUnit::kMicros;
  } else if (can_be_elapsed_) {
    type.kind = Kind::kDouble;
    type.is_elapsed = true;
  }
  return type;
}

ColumnType TypeGuess::type() const {
  if (!has_values_ && has_nans_) {
    ColumnType type;
    type.kind = Kind::kDouble;
    return type;
  }
  return typed_ != 0 && words_.empty() && !is_text_ ? candidates_.type() : ColumnType();
}

void TypeGuess::see(std::string_view text, std::uint64_t line) {
  longest_ = std::max(longest_, text.size());
  if (is_null(text, rules_)) {
    const bool nan = is_nan(text, rules_);
    has_nans_ = has_nans_ || nan;
    has_nulls_ = has_nulls_ || !nan;
  } else {
    see_value(without_affixes(trimmed(text)), line);
  }
}

// Notes what stands beside the number; takes it off where the command line says so.
std::string_view TypeGuess::without_affixes(std::string_view text) {
  if (!share_affixes_) {
    return text;
  }
  if (!affixes_ && !has_values_) {
    affixes_ = affixes_of(text);
  }
  if (told_forms_.cell_units && affixes_) {
    return csv_log::without_affixes(text, *affixes_);
  }
  share_affixes_ = affixes_ && affixes_of(text) == affixes_;
  return text;
}

std::optional<Affixes> TypeGuess::affixes() const {
  return share_affixes_ && (told_forms_.cell_units ? is_number(type()) : type().kind == Kind::kString)
             ? affixes_
             : std::nullopt;
}

bool TypeGuess::is_of_told_type(std::string_view text) const {
  return !told_ || (is_number(*told_) ? may_be_number(text) : !has_date(*told_) || may_be_date(text));
}

void TypeGuess::see_value(std::string_view text, std::uint64_t line) {
  constexpr std::string_view kDigits = "0123456789";
  constexpr std::size_t kDigitsOfDoubles = 16;  // 2^53 has 16
  has_values_ = true;
  if (is_text_ || !is_of_told_type(text)) {
    return;
  }
  ++values_;
  beyond_doubles_ = beyond_doubles_ || text.size() >= kDigitsOfDoubles;
  if (candidates_.knows(text)) {
    ++typed_;
    return;
  }
  with_digits_ += text.find_first_of(kDigits) != text.npos ? 1U : 0U;
  const Candidates before = candidates_;
  candidates_.see(text);
  if (!candidates_.any()) {
    see_stranger(text, line, before);
    return;
  }
  ++typed_;
  if (!candidates_.are_integers() || first_.line == 0) {
    note_cells(text, line);
  }
}

bool has_control(std::string_view text) {
  constexpr unsigned char kSpace = 0x20;
  return std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < kSpace; });
}

// A few words among numbers may mean nothing; other numbers and dates make text of the column.
void TypeGuess::see_stranger(std::string_view text, std::uint64_t line, const Candidates& before) {
  constexpr std::size_t kFewWords = 4;
  constexpr std::size_t kLongestWord = 40;
  bool out_of_range = false;
  static_cast<void>(parse_number<double>(text, &out_of_range));
  const auto known =
      std::find_if(words_.begin(), words_.end(), [&](const Word& word) { return word.first.text == text; });
  const bool is_word = !out_of_range && class_of(text) == CellClass::kText && text.size() <= kLongestWord &&
                       microparquet::text::is_utf8(text) && !has_control(text);
  if (!is_word || (known == words_.end() && words_.size() == kFewWords)) {
    is_text_ = true;
    culprit_ = is_word ? words_.front().first : SeenCell{line, std::string(text)};
    return;
  }
  candidates_ = before;
  ++in_words_;
  if (known != words_.end()) {
    ++known->count;
  } else {
    words_.push_back({{line, std::string(text)}, 1});
  }
}

void TypeGuess::note_cells(std::string_view text, std::uint64_t line) {
  const auto note = [&](SeenCell& cell, bool is) {
    if (cell.line == 0 && is) {
      cell = {line, std::string(text)};
    }
  };
  note(first_, true);
  note(comma_, candidates_.have_comma());
  note(point_, candidates_.have_doubtful_points());
  note(order_, candidates_.dates().is_decided());
  if (candidates_.have_form()) {
    note(form_, true);
    note(parted_, parted_.line == 0 && candidates_.forms().possible_thousands() != '\0');
  }
}

ColumnType TypeGuess::with_forms(ColumnType told) const {
  const auto form = candidates_.have_form() ? candidates_.forms().form() : std::nullopt;
  const NumberForm& numbers = told_forms_.numbers;
  told.date_order = candidates_.dates().order();
  told.affixes = told_forms_.cell_units && affixes_ && is_number(told) ? *affixes_ : Affixes();
  told.number_form = form ? *form : NumberForm();
  if (!form && numbers.thousands != '\0') {
    told.number_form = {numbers.thousands, numbers.decimal != '\0' ? numbers.decimal : '.'};
  }
  return told;
}

std::optional<Reason> TypeGuess::needs_comma() const {
  if (!candidates_.have_comma()) {
    return std::nullopt;
  }
  return Reason{comma_, "", "give --decimal , or --thousands ,"};
}

std::optional<Reason> TypeGuess::doubtful_point() const {
  if (!candidates_.have_doubtful_points()) {
    return std::nullopt;
  }
  return Reason{point_, "", "give --decimal . or --thousands ."};
}

std::optional<Reason> TypeGuess::ambiguous_date() const {
  if (!candidates_.dates().is_ambiguous()) {
    return std::nullopt;
  }
  return Reason{first_, "", "give --dates dmy or --dates mdy"};
}

bool TypeGuess::is_open() const {
  if (!has_values_ || has_nans_ || has_few_words()) {
    return true;
  }
  if (type().kind == Kind::kString) {
    return !is_text_ && typed_ != 0;  // what is undecided
  }
  return candidates_.have_comma() || candidates_.have_doubtful_points();
}

char TypeGuess::undecided_thousands() const {
  const bool undecided =
      type().kind == Kind::kString && !is_text_ && words_.empty() && candidates_.have_form();
  return undecided ? candidates_.forms().possible_thousands() : '\0';
}

// Words beside enough others, which a person may take for nothing; a letter alone stands for something more often.
bool TypeGuess::has_few_words() const {
  const bool letters = std::all_of(words_.begin(), words_.end(), [](const Word& word) {
    return word.first.text.size() == 1 && word.first.text.front() >= 'A';
  });
  return !is_text_ && !words_.empty() && typed_ > 2 &&
         (letters ? typed_ > 4 * in_words_ : typed_ > in_words_ || words_.size() == 1);
}

std::optional<Reason> TypeGuess::text_because() const {
  if (is_text_ || (!words_.empty() && !has_few_words())) {
    const bool has_digits = 2 * with_digits_ >= values_ || 2 * typed_ >= values_;
    const SeenCell& cell = is_text_ ? culprit_ : words_.front().first;
    return has_digits ? std::optional(Reason{cell, "", ""}) : std::nullopt;
  }
  if (has_few_words()) {
    return Reason{words_.front().first, "", ""};
  }
  if (type().kind != Kind::kString || !has_values_) {
    return std::nullopt;
  }
  if (const auto date = ambiguous_date()) {
    return date;
  }
  if (const char thousands = undecided_thousands(); thousands != '\0') {
    return Reason{parted_, "", "give " + thousands_option(thousands)};
  }
  return form_.line != 0 ? std::optional(Reason{form_, "", "give --decimal ,"}) : std::nullopt;
}

std::optional<Reason> TypeGuess::read_by() const {
  if (candidates_.dates().is_decided()) {
    const bool day = candidates_.dates().order() == DateOrder::kDay;
    return Reason{order_, day ? "day before month" : "month before day", ""};
  }
  const bool parted = type().number_form.thousands != '\0' && parted_.line != 0;
  return parted ? std::optional(Reason{parted_, "thousands parted", ""}) : std::nullopt;
}

}  // namespace csv_log
